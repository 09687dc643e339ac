use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
#[component(bit = 5)]
struct Hero(Health);

fn main() {}
