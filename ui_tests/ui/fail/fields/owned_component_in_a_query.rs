use ecs::{Component, Entity, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed {
    entity: Entity,
    position: Position,
}

fn main() {}
