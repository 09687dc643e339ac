//! A resource is touched by one who writes it, or by those who read it.

use ecs::{Resource, schedule};

#[derive(Resource)]
struct Score(u32);

fn count(_: &mut Score) {}
fn show(_: Option<&Score>) {}

schedule! { struct Frame { together(count, show) } }

fn main() {}
