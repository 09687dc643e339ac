use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn longer(world: &World, entity: Entity) -> &'static Health {
    world.get::<Health>(entity).unwrap()
}

fn main() {}
