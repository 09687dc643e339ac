use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
struct Mana(u32);

#[derive(Query)]
struct Wizard<'w> {
    position: &'w Position,
    mana: &'w mut Mana,
}

fn main() {}
