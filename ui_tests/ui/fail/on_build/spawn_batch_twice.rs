use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    World::new().spawn_batch((0..3).map(|n| (Health(n), Health(n))));
}
