use ecs::{Component, Query};

#[derive(Component)]
struct Position { x: f32 }
struct Other;

#[derive(Query)]
struct X<'w>(#[query(column = Other)] &'w f32, &'w Position);

fn main() {}
