use ecs::{ChildOf, Sources, World};

struct Position(f32);

fn main() {
    let world = World::new();
    world.view::<Sources<ChildOf, &Position>>();
}
