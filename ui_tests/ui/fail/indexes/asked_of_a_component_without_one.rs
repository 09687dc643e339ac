use ecs::{Component, World};

#[derive(Component)]
struct Team(u8);

fn main() {
    let _ = World::new().index::<Team>();
}
