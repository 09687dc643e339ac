use ecs::{Component, Group, World};

#[derive(Component)]
struct Depth(u32);

fn main() {
    World::new().group_mut(Group::observing::<Depth>()).unwrap();
}
