use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    World::new().on_insert(|entity, health: &Health| ());
}
