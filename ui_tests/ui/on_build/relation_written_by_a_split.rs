use ecs::{ChildOf, Name, World};

fn main() {
    World::new().split_mut::<(&Name, Option<&mut ChildOf>)>();
}
