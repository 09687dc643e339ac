use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn copy(world: &mut World, entity: Entity, health: &Health) {
    world.insert(entity, health).unwrap();
}

fn main() {}
