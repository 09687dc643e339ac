//! The component of the targets has another key.
use ecs::{Component, Entity};

#[derive(Component)]
struct Ship;

#[derive(Component)]
#[component(relation(to = Ship))]
struct AimsAt(Entity);

fn main() {}
