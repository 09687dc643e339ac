use ecs::{ChildOf, World};

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    _ = world.get_mut::<ChildOf>(entity);
}
