use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
type Place = Position;

fn main() {
    World::new().view_mut::<(&mut Position, &Place)>();
}
