#![allow(dead_code)]

#[derive(ecs::Component)]
struct Entity;
#[derive(ecs::Component)]
struct World;
#[derive(ecs::Component)]
struct Option;
#[derive(ecs::Component)]
struct Signature;

mod inner {
    #[derive(ecs::Component)]
    pub struct Component;
    #[derive(ecs::Component)]
    pub struct Self_;
}

#[derive(ecs::Query)]
struct Query<'w> {
    entity: &'w Entity,
    world: &'w mut World,
    option: &'w Option,
    component: &'w inner::Component,
}

#[derive(ecs::Bundle)]
struct Bundle(Entity, World, Option, Signature, inner::Component);

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Bundle(Entity, World, Option, Signature, inner::Component));
    assert_eq!(world.view_mut::<Query>().count(), 1);
}
