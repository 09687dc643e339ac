use ecs::{Component, View, World};

#[derive(Component)]
struct Health(u32);

fn heal(_: View<&mut Health>) {}

fn main() {
    World::new().on_insert::<Health>(heal);
}
