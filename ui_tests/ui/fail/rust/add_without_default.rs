use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    World::new().spawn_empty().add::<Health>();
}
