use ecs::{ChildOf, World};

fn main() {
    for (entity, child) in World::new().pool_mut::<ChildOf>() {
        child.0 = entity;
    }
}
