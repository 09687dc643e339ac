use ecs::{Component, Query};

#[derive(Query)]
struct One<'w, T: Component + 'w>(&'w T);

fn main() {}
