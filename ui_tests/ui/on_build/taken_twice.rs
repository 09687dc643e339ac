use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn(Health(3)).id();
    let _ = world.take::<(Health, Health)>(entity);
}
