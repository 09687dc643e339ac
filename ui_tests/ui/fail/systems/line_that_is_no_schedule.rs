//! A line with a name must be a schedule.

use ecs::{schedule};

struct Physics;

schedule! { struct Frame { physics: Physics } }

fn main() {}
