use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);
struct Config;

#[derive(Bundle)]
struct Hero {
    health: Health,
    config: Config,
}

fn main() {}
