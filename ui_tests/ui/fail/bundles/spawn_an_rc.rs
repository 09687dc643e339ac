use ecs::World;
use std::rc::Rc;

fn main() {
    World::new().spawn(Rc::new(5));
}
