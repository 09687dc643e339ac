use ecs::{Entity, World};

struct Config;

fn forget(world: &mut World, entity: Entity) {
    world.remove::<Config>(entity);
}

fn main() {}
