use ecs::Component;
use std::rc::Rc;

#[derive(Component)]
struct Shared(Rc<u32>);

fn main() {}
