use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Sides {
    players: View<&mut Health>,
}

fn main() {}
