use ecs::{ChildOf, Name, World};

fn main() {
    let mut world = World::new();
    world.register::<(Name, Name, Name, Name, Name, Name, Name, Name, Name, Name, Name, Name, ChildOf)>();
}
