use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.reserve_entity();
    world.insert(entity, (Health(3), Health(4))).unwrap();
}
