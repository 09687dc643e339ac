use ecs::{Component, ResMut, World};

#[derive(Component)]
struct Position(f32);
struct Config;

fn main() {
    World::new().split_mut::<(&Position, ResMut<Config>)>();
}
