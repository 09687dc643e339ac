use ecs::{Component, Query};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
#[component(bit = 5)]
struct Living<'w>(&'w Health);

fn main() {}
