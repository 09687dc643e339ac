use ecs::{ChildOf, Name, World};

pub(super) fn main() {
    World::new().split_mut::<(&Name, Option<&mut ChildOf>)>();
}
