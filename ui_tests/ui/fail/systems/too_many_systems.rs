//! A tuple holds up to twelve.

use ecs::Schedule;

fn s() {}

fn main() {
    let _ = Schedule::of((s, s, s, s, s, s, s, s, s, s, s, s, s));
}
