use ecs::World;
use std::rc::Rc;

fn main() {
    World::new().view::<Rc<u32>>();
}
