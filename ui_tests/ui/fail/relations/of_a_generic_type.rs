use ecs::{Component, Entity};

#[derive(Component)]
#[component(relation)]
struct Linked<T>(Entity, T);

fn main() {}
