use ecs::{Component, Entity};

#[derive(Component)]
#[component(relation)]
enum Goal {
    Of(Entity),
}

fn main() {}
