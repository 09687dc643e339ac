use ecs::{Resource, World};

#[derive(Resource)]
struct Score(u32);

fn main() {
    let mut world = World::new();
    let score = world.resource::<Score>();
    world.spawn_empty();
    println!("{}", score.0);
}
