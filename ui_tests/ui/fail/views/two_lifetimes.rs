use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Sides<'w, 'q> {
    players: View<'w, &'q mut Health>,
}

fn main() {}
