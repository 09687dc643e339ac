//! A tuple holds systems.

use ecs::Schedule;

fn rest() {}
fn wait(_: f32) {}

fn main() {
    let _ = Schedule::of((rest, wait));
}
