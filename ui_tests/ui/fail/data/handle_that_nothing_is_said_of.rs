use ecs::{Component, Entity};

#[derive(Component, Clone)]
#[component(clone)]
struct Target(Option<Entity>);

fn main() {}
