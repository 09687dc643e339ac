use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero<'a>(Health, &'a str);

fn main() {}
