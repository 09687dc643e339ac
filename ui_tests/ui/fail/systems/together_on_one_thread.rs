use ecs::{CallingThread, NonSendMut, schedule};
use std::rc::Rc;

fn draw(_: CallingThread) {}
fn present(_: NonSendMut<Rc<str>>) {}

schedule! {
    struct Frame { together(draw, present) }
}

fn main() {
    Frame::new();
}
