use ecs::{Entity, World};

fn main() {}

fn get(entity: Entity) {
    World::new().get::<String>(entity);
}
