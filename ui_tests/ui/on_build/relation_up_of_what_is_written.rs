use ecs::{ChildOf, Component, Up, World};

#[derive(Component)]
struct Global(f32);

pub(super) fn main() {
    World::new().view_mut::<(&mut Global, Up<ChildOf, &Global>)>();
}
