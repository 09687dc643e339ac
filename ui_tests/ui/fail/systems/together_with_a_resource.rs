//! A resource is accessed by one writer, or by readers.

use ecs::{Resource, schedule};

#[derive(Resource)]
struct Score(u32);

fn count(_: &mut Score) {}
fn show(_: Option<&Score>) {}

schedule! { struct Frame { together(count, show) } }

fn main() {}
