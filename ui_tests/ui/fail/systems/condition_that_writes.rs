//! A condition only reads.

use ecs::{Resource, schedule};

#[derive(Resource)]
struct Score(u32);

fn rest() {}
fn count(score: &mut Score) -> bool { score.0 > 3 }

schedule! { struct Frame { rest if count } }

fn main() {}
