use ecs::{ChildOf, Component, Sources, World};

#[derive(Component)]
struct Position(f32);

fn main() {
    World::new().view_mut::<(&Position, Sources<ChildOf, &mut Position>)>();
}
