use ecs::{Bundle, Name, World};

struct Hero;

impl Bundle for Hero {
    const LABEL: &'static str = "Hero";
    const FIELDS: &'static [&'static str] = &["0"];
    const PARTS: &'static [ecs::__private::Part] = Name::PARTS;
    fn into_parts(self) -> impl ecs::__private::Parts {}
}

pub(super) fn main() {
    World::new().spawn(Hero);
}
