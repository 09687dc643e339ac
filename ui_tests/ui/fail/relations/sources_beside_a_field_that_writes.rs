use ecs::{ChildOf, Component, Query, Sources};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Parent<'w> {
    own: &'w mut Position,
    children: Sources<'w, ChildOf, &'w Position>,
}

fn main() {}
