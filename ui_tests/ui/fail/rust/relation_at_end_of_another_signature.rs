use ecs::{Component, Entity, World};

#[derive(Component)]
#[component(relation, at_end = fall)]
struct CarriedBy(Entity);

fn fall(_: &mut World, _: Entity) {}

fn main() {}
