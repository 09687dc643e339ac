use ecs::{ChildOf, World};

pub(super) fn main() {
    World::new().spawn_empty().patch::<ChildOf>(|child| child.0 = "0v1".parse().unwrap());
}
