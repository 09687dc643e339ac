use ecs::World;
use std::{cell::Cell, rc::Rc};

struct Tick;

fn main() {
    let (mut world, count) = (World::new(), Rc::new(Cell::new(0)));
    world.on::<Tick>(move |_, _| count.set(count.get() + 1));
}
