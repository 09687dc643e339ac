use ecs::Component;

#[derive(Component)]
#[component(index(by = Score::points, key = u64))]
struct Score(u32);

impl Score {
    fn points(&self) -> u32 {
        self.0
    }
}

fn main() {}
