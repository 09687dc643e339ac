use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);
type Writing<'w> = View<'w, &'w mut Health>;

#[derive(Views)]
struct Sides<'w> {
    players: Writing<'w>,
    others: View<'w, Health>,
}

fn main() {}
