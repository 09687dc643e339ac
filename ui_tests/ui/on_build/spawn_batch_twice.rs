use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    World::new().spawn_batch([(Health(3), Health(4))]);
}
