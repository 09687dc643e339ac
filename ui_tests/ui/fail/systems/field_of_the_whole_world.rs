//! The whole world stands alone.

use ecs::{Local, Views, World};

#[derive(Views)]
struct All<'w> {
    world: &'w mut World,
    seen: Local<'w, u32>,
}

fn main() {}
