//! A schedule has no use for what a system returns.

use ecs::Schedule;

fn count() -> u32 {
    5
}

fn main() {
    let _ = Schedule::new().add(count);
}
