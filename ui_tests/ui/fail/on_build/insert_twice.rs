use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    World::new().spawn().insert((Health(3), Health(4)));
}
