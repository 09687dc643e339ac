use ecs::Resource;
use std::rc::Rc;

#[derive(Resource)]
struct Window {
    title: String,
    handle: Rc<str>,
}

fn main() {}
