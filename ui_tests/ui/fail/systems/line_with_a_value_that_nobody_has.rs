//! A schedule has no use for what a system returns.

use ecs::{schedule};

fn count() -> u32 { 5 }

schedule! { struct Frame { count } }

fn main() {}
