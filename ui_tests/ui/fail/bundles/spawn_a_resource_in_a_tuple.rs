use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);
struct Config;

fn main() {
    World::new().spawn((Health(3), Config));
}
