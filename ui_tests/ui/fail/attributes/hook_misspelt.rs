use ecs::{Component, Entity, World};

#[derive(Component)]
#[component(on_inserted = came)]
struct Health(u32);

fn came(_: &mut World, _: Entity) {}

fn main() {}
