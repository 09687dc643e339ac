use ecs::{Component, View, With, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;

fn heal(_: View<&mut Health, With<Player>>) {}

fn main() {
    World::new().run(heal);
}
