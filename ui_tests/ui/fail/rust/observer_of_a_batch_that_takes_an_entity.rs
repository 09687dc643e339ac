use ecs::{Component, Inserted, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut world = World::new();
    world.on_batch::<Inserted<Health>>(|world, entity| world.despawn(entity).unwrap());
}
