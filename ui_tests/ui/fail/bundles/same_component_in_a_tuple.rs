use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Armour(u32);

#[derive(Bundle)]
struct Hero {
    armed: (Armour, Health),
    health: Health,
}

fn main() {}
