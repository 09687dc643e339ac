use ecs::{Component, Entity, World};

#[derive(Component)]
#[component(on_insert = came, on_insert = came)]
struct Health(u32);

fn came(_: &mut World, _: Entity) {}

fn main() {}
