use ecs::{Bundle, Component, World};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero(Health);

pub(super) fn main() {
    World::new().spawn((Hero(Health(3)), Health(4)));
}
