//! The component of the targets has no derive.
use ecs::{Component, Entity};

struct Ship;

#[derive(Component)]
#[component(relation(target = Ship))]
struct AimsAt(Entity);

fn main() {}
