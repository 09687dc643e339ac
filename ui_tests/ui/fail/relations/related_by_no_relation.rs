use ecs::{Component, World};

#[derive(Component)]
struct Place(i32);

fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    _ = world.related::<Place>(entity);
}
