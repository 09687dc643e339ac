//! A system with the whole world is alone.

use ecs::{World, schedule};

fn rest() {}
fn look(_: &mut World) {}

schedule! { struct Frame { together(rest, look) } }

fn main() {}
