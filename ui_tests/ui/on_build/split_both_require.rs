use ecs::{Component, With, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Player;

type Players = (&'static mut Position, With<Player>);

pub(super) fn main() {
    World::new().split_mut::<(Players, &mut Position)>();
}
