use ecs::{Component, Query};

#[derive(Query)]
struct One<'w, T: Component>(&'w T)
where
    &'w T: IntoIterator;

fn main() {}
