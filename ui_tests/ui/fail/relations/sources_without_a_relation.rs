use ecs::{Component, Sources, World};

#[derive(Component)]
struct Position(f32);

fn main() {
    let world = World::new();
    world.view::<(&Position, Sources<Position>)>();
}
