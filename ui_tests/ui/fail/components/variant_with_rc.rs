use ecs::Component;
use std::rc::Rc;

#[derive(Component)]
enum Shared { Nobody, Some { owner: Rc<u32>, next: Option<Box<Self>> } }

fn main() {}
