use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero {
    body: Health,
    soul: Health,
}

fn main() {}
