use ecs::{Commands, Component, Entity};
use std::cell::Cell;

#[derive(Component)]
struct Health(u32);

fn broken(commands: &mut Commands, entity: Entity, harm: Cell<u32>) {
    commands.patch::<Health>(entity, move |health| health.0 -= harm.get());
}

fn main() {}
