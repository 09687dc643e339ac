use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let handle = world.entity(entity);
    world.despawn(entity).unwrap();
    handle.get::<Health>();
}

fn main() {}
