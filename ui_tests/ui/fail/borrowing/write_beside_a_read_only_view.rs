//! A view writes while its read-only view is used.

use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut world = World::new();
    let entity = world.spawn(Health(3)).id();
    let mut view = world.view_mut::<&mut Health>();
    let shared = view.read_only();
    view.get_mut(entity).unwrap().1.0 = 4;
    assert_eq!(shared.get(entity).unwrap().1.0, 3);
}
