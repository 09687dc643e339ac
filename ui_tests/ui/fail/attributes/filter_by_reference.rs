use ecs::{Component, Query};

#[derive(Component)]
struct Audio(f32);

#[derive(Query)]
#[query(with(&Audio))]
struct Noisy<'w>(&'w Audio);

fn main() {}
