use ecs::{Bundle, Component, Entity};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero {
    health: Health,
    parent: Entity,
}

fn main() {}
