use ecs::{Resource, Views};

#[derive(Resource)]
struct Score(u32);

#[derive(Views)]
struct Scores<'w> {
    mine: &'w mut Score,
    yours: &'w mut Score,
}

fn main() {}
