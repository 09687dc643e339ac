use ecs::{Component, Entity};

#[derive(Clone)]
struct Link {
    to: Entity,
}

#[derive(Component, Clone)]
#[component(clone)]
struct Squad {
    name: String,
    members: Vec<Link>,
}

fn main() {}
