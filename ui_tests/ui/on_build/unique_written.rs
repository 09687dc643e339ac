use ecs::{Component, World};

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(unique)]
struct Callsign(u32);

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    let _ = world.get_mut::<Callsign>(entity);
}
