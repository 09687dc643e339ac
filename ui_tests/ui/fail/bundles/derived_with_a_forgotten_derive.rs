use ecs::{Bundle, Component};

#[derive(Component)]
struct Position(f32);
struct Mana(u32);

#[derive(Bundle)]
struct Wizard {
    position: Position,
    mana: Mana,
}

fn main() {}
