//! A tuple of systems that are said to be apart.

use ecs::{Component, Schedule, View};

#[derive(Component)]
struct Health(u32);

fn rest() {}
fn heal(_: View<&mut Health>) {}
fn show(_: View<&Health>) {}

pub(super) fn main() {
    let _ = Schedule::new().together((heal, rest, show));
}
