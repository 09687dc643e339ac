use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Sides<'w> {
    #[ecs(crate = ecs)]
    players: View<'w, &'w mut Health>,
}

fn main() {}
