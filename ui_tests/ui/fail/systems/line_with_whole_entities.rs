//! Other systems may write while it reads.

use ecs::{EntityRef, View, schedule};

fn show(_: View<EntityRef>) {}

schedule! { struct Frame { show } }

fn main() {}
