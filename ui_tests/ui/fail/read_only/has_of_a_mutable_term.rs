use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);

fn is_placed(world: &World, entity: Entity) -> bool {
    world.has::<&mut Position>(entity)
}

fn main() {}
