use ecs::__private::{Contents, InBundles, Lists, Part, Parts, Registry};
use ecs::{Name, World};

struct Hero;

impl Lists<Hero, InBundles> for Registry { type This = Hero; }
impl Contents<Self> for Hero {
    const LABEL: &'static str = "Hero";
    const FIELDS: &'static [&'static str] = &["0"];
    const PARTS: &'static [Part] = Name::PARTS;
    fn into_parts(_: Self) -> impl Parts {}
}

pub(super) fn main() {
    World::new().spawn(Hero);
}
