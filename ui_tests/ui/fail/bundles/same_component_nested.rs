use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Body(Health);
#[derive(Bundle)]
struct Hero {
    body: Body,
    health: Health,
}

fn main() {}
