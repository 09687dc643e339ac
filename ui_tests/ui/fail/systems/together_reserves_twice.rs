//! Entities are reserved in the order of the list.

use ecs::{Reserver, schedule};

fn first(_: Reserver) {}
fn second(_: Reserver) {}

schedule! { struct Frame { together(first, second) } }

fn main() {}
