#![no_std]

extern crate std; // for `main` only

use ecs::{Bundle, Component, Query, World};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Living<'w>(&'w mut Health);

#[derive(Bundle)]
struct Hero(Health);

fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Hero(Health(3)));
    world.view_mut::<Living>().for_each(|living| living.0.0 += 1);
    assert_eq!(world.view::<Health>().single().unwrap().1.0, 4);
}
