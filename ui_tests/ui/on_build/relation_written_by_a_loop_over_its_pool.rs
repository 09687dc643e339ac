use ecs::{ChildOf, World};

fn main() {
    for (entity, child) in &mut World::new().pool_mut::<ChildOf>() {
        child.0 = entity;
    }
}
