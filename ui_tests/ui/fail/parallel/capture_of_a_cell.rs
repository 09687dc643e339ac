use ecs::{Component, World};
use std::cell::Cell;

#[derive(Component)]
struct Health(u32);

fn main() {
    let (world, sum) = (World::new(), Cell::new(0));
    world.view::<Health>().par_for_each(|(_, health)| sum.set(sum.get() + health.0));
}
