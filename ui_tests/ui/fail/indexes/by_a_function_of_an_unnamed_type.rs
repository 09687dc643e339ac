use ecs::Component;

#[derive(Component)]
#[component(index(ordered, by = Score::points))]
struct Score(u32);

impl Score {
    fn points(&self) -> u32 {
        self.0
    }
}

fn main() {}
