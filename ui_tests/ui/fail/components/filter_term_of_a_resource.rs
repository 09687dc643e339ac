use ecs::{Component, With, World};

#[derive(Component)]
struct Position(f32);
struct Config;

fn main() {
    World::new().view::<(Position, With<Config>)>();
}
