use ecs::{ChildOf, World};

pub(super) fn main() {
    World::new().pool_mut::<ChildOf>().retain(|_, _| true);
}
