use ecs::{Component, Entity, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Steer<'w> {
    here: (Entity, &'w mut Position),
    there: (Entity, &'w Position),
}

fn main() {}
