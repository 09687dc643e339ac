use ecs::{ChildOf, Component, Sources, With, Without, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Fixed;

pub(super) fn main() {
    let mut world = World::new();
    world.split_mut::<((&mut Position, Without<Fixed>), (Sources<ChildOf, &Position>, With<Fixed>))>();
}
