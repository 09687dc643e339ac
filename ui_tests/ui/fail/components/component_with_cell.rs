use ecs::Component;
use std::cell::Cell;

#[derive(Component)]
struct Counter(Cell<u32>);

fn main() {}
