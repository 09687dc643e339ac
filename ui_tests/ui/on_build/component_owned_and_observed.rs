use ecs::{Component, Group, World};

#[derive(Component)]
struct Position(f32);

pub(super) fn main() {
    let group = Group::owning::<Position>().with::<Position>();
    World::new().declare_group(group).unwrap();
}
