use ecs::{Component, Without, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Player;

type Players = (&'static mut Position, Option<&'static Player>);
type Others = (&'static mut Position, Without<Player>);

pub(super) fn main() {
    World::new().split_mut::<(Players, Others)>();
}
