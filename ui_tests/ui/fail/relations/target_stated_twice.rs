//! The attribute and the field both state the component of the targets.
use ecs::{Component, EntityOf};

#[derive(Component)]
struct Ship;

#[derive(Component)]
#[component(relation(target = Ship))]
struct AimsAt(EntityOf<Ship>);

fn main() {}
