#![allow(unsafe_code)]
use ecs::Component;

#[derive(Component)]
struct Raw(*mut u8);
unsafe impl Send for Raw {}

fn main() {}
