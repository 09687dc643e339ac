use ecs::{Component, Query};

#[derive(Component)]
struct Circle(f32);

#[derive(Query)]
enum Shape {
    Round(&Circle),
}

fn main() {}
