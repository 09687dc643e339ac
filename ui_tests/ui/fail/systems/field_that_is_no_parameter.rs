//! A plain value comes from nowhere.

use ecs::{Local, Views};

#[derive(Views)]
struct Timing<'w> {
    step: f32,
    seen: Local<'w, u32>,
}

fn wait(_: Timing) {}

fn main() {
    ecs::World::new().run(wait);
}
