use ecs::{ChildOf, World};

pub(super) fn main() {
    World::new().view_mut::<&mut ChildOf>();
}
