//! Spawned values go to other threads.

use ecs::{Commands, Component, EntityAllocator, World};
use std::rc::Rc;

#[derive(Component)]
struct Shared<T>(T);

fn spawn(allocator: EntityAllocator, commands: &mut Commands) {
    commands.spawn(allocator, Shared(Rc::new(5)));
}

fn main() {
    World::new().run(spawn);
}
