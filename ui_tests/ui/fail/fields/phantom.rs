use ecs::{Component, Query};
use std::marker::PhantomData;

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w Position, PhantomData<&'w ()>);

fn main() {
    ecs::World::new().view::<Placed>();
}
