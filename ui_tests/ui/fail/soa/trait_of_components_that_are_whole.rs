use ecs::Component;

trait Skill: Component {}

#[derive(Component)]
#[component(layout = "soa")]
struct Archery {
    level: u32,
}

impl Skill for Archery {}

fn main() {}
