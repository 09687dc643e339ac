use ecs::{CallingThread, World};
use std::thread;

fn main() {
    World::new().run(|here: CallingThread| {
        thread::scope(|scope| {
            scope.spawn(move || drop(Some(here)));
        });
    });
}
