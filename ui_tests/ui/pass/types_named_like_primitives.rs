#![allow(dead_code, non_camel_case_types)]

struct bool;
struct str;
struct u8;
struct u32;
struct usize;

#[derive(ecs::Component)]
#[component(veto = keep)]
struct Health(::core::primitive::u32);

fn keep(_: &mut Health) -> ::core::primitive::bool {
    false
}

#[derive(ecs::Query)]
struct Living<'w>(&'w mut Health);

#[derive(ecs::Bundle)]
struct Hero(Health);

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Hero(Health(3)));
    assert_eq!(world.view_mut::<Living>().count(), 1);
}
