use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);

fn is_placed(world: &World, entity: Entity) -> bool {
    world.get::<&Position>(entity).is_some()
}

fn main() {}
