use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero(#[ecs(crate = ecs)] Health);

fn main() {}
