use ecs::{Resource, Schedule};

#[derive(Resource)]
struct Score(u32);

fn is_high(score: &mut Score, same: &Score) -> bool {
    score.0 > same.0
}

pub(super) fn main() {
    let _ = Schedule::new().add_if(is_high, || {});
}
