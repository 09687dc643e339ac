use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero(Health, Health, Health);

fn main() {}
