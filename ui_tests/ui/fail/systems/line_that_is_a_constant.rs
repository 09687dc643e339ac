//! A system is a function.

use ecs::{schedule};

const STEP: f32 = 0.1;

schedule! { struct Frame { STEP } }

fn main() {}
