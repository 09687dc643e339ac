use ecs::{Component, Query};

#[derive(Component)]
struct Circle(f32);

#[derive(Query)]
enum Shape<'w> {
    Other,
    Round(&'w Circle),
}

fn main() {}
