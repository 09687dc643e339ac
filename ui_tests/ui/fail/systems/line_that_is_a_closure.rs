//! A line names a system.

use ecs::{schedule};

schedule! { struct Frame { || {} } }

fn main() {}
