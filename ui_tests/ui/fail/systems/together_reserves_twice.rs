//! Entities are reserved in the order of the list.

use ecs::{EntityAllocator, schedule};

fn first(_: EntityAllocator) {}
fn second(_: EntityAllocator) {}

schedule! { struct Frame { together(first, second) } }

fn main() {}
