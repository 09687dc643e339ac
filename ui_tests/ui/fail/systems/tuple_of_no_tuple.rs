//! A system alone is added.

use ecs::Schedule;

fn rest() {}

fn main() {
    let _ = Schedule::of(rest);
}
