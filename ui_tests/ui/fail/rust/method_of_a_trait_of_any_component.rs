use ecs::{AnyComponent, View};

trait Skill: AnyComponent {
    fn power(&self) -> u32;
}

fn strongest<S: Skill>(skills: View<&S>) -> Option<u32> {
    skills.into_iter().map(|(_, skill)| skill.power()).max()
}

fn main() {}
