use ecs::{Component, World};

#[derive(Component, Clone, Copy)]
struct Health(u32);
#[derive(Component, Clone, Copy)]
struct Armour(u32);

pub(super) fn main() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..3).map(Health));
    let bundles = entities.into_iter().map(|entity| (entity, (Health(3), Armour(4), Health(5))));
    world.insert_batch(bundles).unwrap();
}
