use ecs::{Component, View, Views, Without};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;

#[derive(Views)]
struct Sides<'w>(
    View<'w, (&'w mut Health, Without<Player>)>,
    View<'w, (&'w mut Health, Without<Player>)>,
);
fn main() {}
