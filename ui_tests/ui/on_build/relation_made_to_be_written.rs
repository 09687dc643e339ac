use ecs::{ChildOf, World};

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    _ = world.get_or_insert_with(entity, || ChildOf(entity));
}
