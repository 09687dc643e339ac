use ecs::{ChildOf, Query};

#[derive(Query)]
struct Move<'w> {
    parent: &'w mut ChildOf,
}

fn main() {}
