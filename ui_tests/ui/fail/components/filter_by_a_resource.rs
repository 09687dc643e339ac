use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
struct Config;

fn main() {
    let _ = World::new().view::<Position>().with::<Config>();
}
