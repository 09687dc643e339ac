use ecs::{ChildOf, World};

pub(super) fn main() {
    _ = World::new().pool_mut::<ChildOf>().as_mut_slice();
}
