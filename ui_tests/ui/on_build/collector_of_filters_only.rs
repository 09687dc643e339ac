use ecs::{Component, With, World};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let _ = World::new().collector::<With<Health>>();
}
