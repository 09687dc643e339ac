//! A schedule has no use for the output of a system.

use ecs::{schedule};

fn count() -> u32 { 5 }

schedule! { struct Frame { count } }

fn main() {}
