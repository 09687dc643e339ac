use ecs::{ChildOf, Component, Query, Up};

#[derive(Component)]
struct Place(i32);

#[derive(Query)]
struct Step<'w> {
    own: &'w mut Place,
    parent: Up<ChildOf, &'w Place>,
}

fn main() {}
