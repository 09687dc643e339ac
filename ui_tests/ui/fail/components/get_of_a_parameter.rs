use ecs::{Entity, World};

fn has<T>(world: &World, entity: Entity) -> bool {
    world.get::<T>(entity).is_some()
}

fn main() {}
