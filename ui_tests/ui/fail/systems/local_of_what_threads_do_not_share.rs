//! A schedule may go to another thread.

use ecs::{Local, Schedule};
use std::rc::Rc;

fn count(_: Local<Rc<u32>>) {}

fn main() {
    let _ = Schedule::new().add(count);
}
