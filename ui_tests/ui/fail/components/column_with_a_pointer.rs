#![allow(unsafe_code)]
use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Raw {
    at: *mut u8,
}
unsafe impl Send for Raw {}
unsafe impl Sync for Raw {}

fn main() {}
