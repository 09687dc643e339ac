use ecs::{ChildOf, Component, Up, World};

#[derive(Component)]
struct Place(i32);

fn main() {
    World::new().view_mut::<Up<ChildOf, &mut Place>>();
}
