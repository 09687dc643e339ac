//! What has a name is a schedule.

use ecs::{schedule};

struct Physics;

schedule! { struct Frame { physics: Physics } }

fn main() {}
