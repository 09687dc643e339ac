use ecs::{Entity, World};

struct Config;

fn config(world: &World, entity: Entity) -> bool {
    world.get::<Config>(entity).is_some()
}

fn main() {}
