use ecs::{Component, World};
use std::{cell::Cell, rc::Rc};

#[derive(Component)]
struct Health(u32);

fn main() {
    let (mut world, count) = (World::new(), Rc::new(Cell::new(0)));
    world.on_insert::<Health>(move |_, _| count.set(count.get() + 1));
}
