//! A condition is run with its system.

use ecs::{Resource, schedule};

#[derive(Resource)]
struct Paused(bool);

fn rest() {}
fn toggle(_: &mut Paused) {}
fn is_paused(paused: &Paused) -> bool { paused.0 }

schedule! { struct Frame { together(toggle, rest if is_paused) } }
fn main() {}
