//! A schedule has no use for the output of a system.

use ecs::Schedule;

fn count() -> u32 {
    5
}

fn main() {
    let _ = Schedule::new().add(count);
}
