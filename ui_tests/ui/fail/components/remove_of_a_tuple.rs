use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn halt(world: &mut World, entity: Entity) {
    world.remove::<(Position, Velocity)>(entity);
}

fn main() {}
