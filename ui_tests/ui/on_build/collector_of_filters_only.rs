use ecs::{Component, With, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let _ = World::new().collector::<With<Health>>();
}
