use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn is_moving(world: &World, entity: Entity) -> bool {
    world.get::<(Position, Velocity)>(entity).is_some()
}

fn main() {}
