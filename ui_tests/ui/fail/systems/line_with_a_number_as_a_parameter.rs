//! A plain value comes from nowhere.

use ecs::{schedule};

fn wait(_: f32) {}

schedule! { struct Frame { wait } }

fn main() {}
