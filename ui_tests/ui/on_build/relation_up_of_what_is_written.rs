use ecs::{ChildOf, Component, Up, World};

#[derive(Component)]
struct Global(f32);

fn main() {
    World::new().view_mut::<(&mut Global, Up<ChildOf, &Global>)>();
}
