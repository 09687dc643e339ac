use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let name = world.name(entity).unwrap();
    world.despawn(entity).unwrap();
    println!("{name}");
}

fn main() {}
