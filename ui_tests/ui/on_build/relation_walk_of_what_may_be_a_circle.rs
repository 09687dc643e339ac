use ecs::{Component, Entity, World};

#[derive(Component)]
#[component(relation)]
struct Likes(Entity);

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    _ = world.ancestors_of::<Likes>(entity);
}
