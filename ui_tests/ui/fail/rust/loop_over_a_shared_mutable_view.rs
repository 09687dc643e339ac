use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);

fn main() {
    for item in &World::new().view_mut::<&mut Position>() {}
}
