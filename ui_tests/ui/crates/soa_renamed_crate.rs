// There is no crate `::ecs` here but `core`: the derives' output must not name it.
extern crate core as ecs;

use engine::ecs as library;
use library::{Component, Query, World};

#[derive(Component, Clone)]
#[ecs(crate = library)]
#[component(layout = "soa")]
struct Health { points: u32, shield: u32 }

#[derive(Query)]
#[ecs(crate = library)]
struct Living<'w>(#[query(column = health::points)] &'w mut u32, #[query(column = health::shield)] &'w u32);

fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Health { points: 3, shield: 4 });
    world.view_mut::<Living>().for_each(|living| *living.0 += living.1);
    assert_eq!(world.view::<Health>().single().unwrap().1.to_owned().points, 7);
}
