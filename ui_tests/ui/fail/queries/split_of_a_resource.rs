use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
struct Config;

fn main() {
    World::new().split_mut::<(&Position, &Config)>();
}
