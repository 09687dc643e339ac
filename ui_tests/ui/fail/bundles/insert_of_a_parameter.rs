use ecs::{Entity, World};

fn give<B>(world: &mut World, entity: Entity, bundle: B) {
    world.insert(entity, bundle).unwrap();
}

fn main() {}
