use ecs::{Component, Entity};

#[derive(Component)]
#[component(at_end = despawn)]
struct ChildOf(Entity);

fn main() {}
