use ecs::{Component, Entity};

#[derive(Component)]
#[component(relation, at_end = vanish)]
struct ChildOf(Entity);

fn main() {}
