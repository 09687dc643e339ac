use ecs::{Component, World};
use std::cell::Cell;

#[derive(Component)]
struct Wrapper<T>(T);

fn main() {
    World::new().spawn_empty().insert(Wrapper(Cell::new(3)));
}
