// There is no crate `::ecs` here but `core`: the derives' output must not name it.
extern crate core as ecs;

use engine::ecs as library;
use library::{Bundle, Component, Query, World};

#[derive(Component)]
#[ecs(crate = library)]
struct Health(u32);

#[derive(Component)]
#[ecs(crate = library)]
#[component(bit = 3)]
struct Wrapper<T>(T);

#[derive(Query)]
#[ecs(crate = library)]
#[query(with(Health))]
struct Living<'w>(&'w mut Health, &'w Wrapper<u32>);

#[derive(Bundle)]
#[ecs(crate = library)]
struct Hero(Health, Wrapper<u32>);

fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Hero(Health(3), Wrapper(4)));
    world.view_mut::<Living>().for_each(|living| living.0.0 += living.1.0);
    assert_eq!(world.view::<Health>().single().unwrap().1.0, 7);
}
