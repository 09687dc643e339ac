use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
struct Config;

fn main() {
    World::new().view_mut::<(&mut Position, Config)>();
}
