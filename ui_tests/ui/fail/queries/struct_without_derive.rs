use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);

struct Placed<'w>(&'w Position);

fn main() {
    World::new().view::<Placed>();
}
