use ecs::app::{App, UPDATE};
use ecs::{Component, View};

#[derive(Component)]
struct Health(u32);

fn heal(_: View<&mut Health>) {}

fn main() {
    App::new().add_systems(UPDATE, "heal", heal);
}
