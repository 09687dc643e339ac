//! Commands may be applied by another thread.

use ecs::{Commands, World};

use std::rc::Rc;

fn leave(commands: &mut Commands) {
    let shared = Rc::new(5);
    commands.queue(move |_: &mut World| drop(shared));
}

fn main() {
    World::new().run(leave);
}
