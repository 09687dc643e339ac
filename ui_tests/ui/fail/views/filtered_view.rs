use ecs::{Component, View, Views, With};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;

#[derive(Views)]
struct Sides<'w> {
    players: View<'w, &'w mut Health, ((), With<Player>)>,
}

fn main() {}
