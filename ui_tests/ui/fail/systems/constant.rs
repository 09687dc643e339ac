//! A system is a function.

use ecs::Schedule;

fn main() {
    let _ = Schedule::new().add(5);
}
