use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let view = world.view::<Health>();
    world.despawn(entity).unwrap();
    view.count();
}

fn main() {}
