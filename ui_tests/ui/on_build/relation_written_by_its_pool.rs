use ecs::{ChildOf, World};

fn main() {
    _ = World::new().pool_mut::<ChildOf>().as_mut_slice();
}
