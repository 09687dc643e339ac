use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Sides<'w> {
    players: View<'w, &'w mut Health>,
    others: View<'w, &'w Health>,
}

fn main() {}
