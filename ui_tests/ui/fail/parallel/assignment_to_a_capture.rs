use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let (world, mut sum) = (World::new(), 0);
    world.view::<Health>().par_for_each(|(_, health)| sum += health.0);
}
