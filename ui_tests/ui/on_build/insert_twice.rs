use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    World::new().spawn_empty().insert((Health(3), Health(4)));
}
