use ecs::{ChildOf, World};

fn main() {
    World::new().pool_mut::<ChildOf>().retain(|_, _| true);
}
