//! A condition only reads.

use ecs::{World, schedule};

fn rest() {}
fn is_empty(world: &mut World) -> bool { world.is_empty() }

schedule! { struct Frame { rest if is_empty } }

fn main() {}
