use ecs::{Schedule, World};

struct Score(u32);

fn add(score: &mut Score) {
    score.0 += 1;
}

fn main() {
    World::new().run(add);
    Schedule::new().add(add);
}
