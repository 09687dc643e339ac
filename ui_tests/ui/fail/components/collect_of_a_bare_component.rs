use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let _ = World::new().collector::<Health>();
}
