use ecs::{ChildOf, World};

fn main() {
    World::new().view_mut::<&mut ChildOf>();
}
