use engine::ecs::{Bundle, Component, Query, World};

#[derive(Component)]
#[ecs(crate = ::engine::ecs)]
struct Health(u32);

#[derive(Query)]
#[ecs(crate = ::engine::ecs)]
struct Living<'w>(&'w Health);

#[derive(Bundle)]
#[ecs(crate = ::engine::ecs)]
struct Hero(Health);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Hero(Health(3)));
    assert_eq!(world.view::<Living>().single().unwrap().0.0, 3);
}
