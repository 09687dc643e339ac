use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);
type Life = Health;

#[derive(Bundle)]
struct Hero {
    health: Health,
    life: Life,
}

fn main() {}
