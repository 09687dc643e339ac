use ecs::{Component, Query};

#[derive(Component)]
struct Audio(f32);

#[derive(Query)]
#[query(has(Audio))]
struct Noisy<'w>(&'w Audio);

fn main() {}
