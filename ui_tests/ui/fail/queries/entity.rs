use ecs::{Entity, World};

fn main() {
    World::new().view::<Entity>();
}
