use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
struct Mana(u32);

fn main() {
    World::new().spawn((Position(0.0), Mana(3)));
}
