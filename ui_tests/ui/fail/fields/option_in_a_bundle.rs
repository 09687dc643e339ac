use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero {
    health: Option<Health>,
}

fn main() {}
