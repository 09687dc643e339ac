use ecs::{Entity, World};

fn heal(world: &mut World, entity: Entity) {
    world.insert(entity, 5_u32).unwrap();
}

fn main() {}
