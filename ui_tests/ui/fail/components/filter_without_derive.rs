use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
struct Mana(u32);

fn main() {
    World::new().view::<Position>().with::<Mana>();
}
