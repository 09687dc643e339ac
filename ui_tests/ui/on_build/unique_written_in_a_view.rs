use ecs::{Component, World};

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(unique)]
struct Callsign(u32);

pub(super) fn main() {
    let _ = World::new().view_mut::<&mut Callsign>();
}
