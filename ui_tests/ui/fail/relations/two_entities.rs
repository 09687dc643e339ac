use ecs::{Component, Entity};

#[derive(Component)]
#[component(relation)]
struct Tied {
    to: Entity,
    by: Entity,
}

fn main() {}
