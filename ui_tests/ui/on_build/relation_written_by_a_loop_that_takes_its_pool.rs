use ecs::{ChildOf, World};

pub(super) fn main() {
    for (entity, child) in World::new().pool_mut::<ChildOf>() {
        child.0 = entity;
    }
}
