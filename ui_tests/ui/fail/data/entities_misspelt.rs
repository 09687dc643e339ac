use ecs::{Component, Entity};

#[derive(Component)]
struct Target(#[component(entities = keep)] Entity);

fn main() {}
