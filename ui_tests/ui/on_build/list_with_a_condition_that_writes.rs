//! A condition only reads.

use ecs::{Resource, Schedule};

#[derive(Resource)]
struct Score(u32);

fn count(score: &mut Score) -> bool {
    score.0 > 3
}

pub(super) fn main() {
    let _ = Schedule::new().add_if(count, || {});
}
