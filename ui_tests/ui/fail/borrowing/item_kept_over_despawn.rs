use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let health = world.get::<Health>(entity).unwrap();
    world.despawn(entity).unwrap();
    println!("{}", health.0);
}

fn main() {}
