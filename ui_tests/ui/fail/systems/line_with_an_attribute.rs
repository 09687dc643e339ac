//! A line has no attributes.

use ecs::{schedule};

fn rest() {}

schedule! { struct Frame { #[cfg(unix)] rest } }

fn main() {}
