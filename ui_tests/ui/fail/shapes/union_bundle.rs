use ecs::{Bundle, Component};

#[derive(Component, Clone, Copy)]
struct Health(u32);

#[derive(Bundle)]
union Hero {
    health: Health,
}

fn main() {}
