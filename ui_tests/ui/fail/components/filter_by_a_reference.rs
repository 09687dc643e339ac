use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Muted;

fn main() {
    let _ = World::new().view::<Position>().without::<&Muted>();
}
