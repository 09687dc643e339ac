use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
type Both<'w> = (&'w Position, &'w mut Position);

#[derive(Query)]
struct Steer<'w> {
    both: Both<'w>,
}

fn main() {}
