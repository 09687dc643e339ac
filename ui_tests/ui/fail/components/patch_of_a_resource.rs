use ecs::{Entity, World};

struct Config(u32);

fn tune(world: &mut World, entity: Entity) {
    world.entity_mut(entity).patch::<Config>(|config| config.0 += 1);
}

fn main() {}
