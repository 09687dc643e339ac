use ecs::{ChildOf, Component, Sources, World};

#[derive(Component)]
struct Position(f32);

pub(super) fn main() {
    let mut world = World::new();
    world.view_mut::<(&mut Position, Sources<ChildOf, (&Position, Option<&ecs::Name>)>)>();
}
