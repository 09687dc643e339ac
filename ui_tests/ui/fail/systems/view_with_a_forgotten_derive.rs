use ecs::{Component, View, World};

#[derive(Component)]
struct Position(f32);
struct Mana(u32);

fn regain(_: View<(&Position, &mut Mana)>) {}

fn main() {
    World::new().run(regain);
}
