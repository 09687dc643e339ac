use bytemuck::{Pod, Zeroable};
use ecs::Component;

#[derive(Component, Clone, Copy, Pod, Zeroable, serde::Serialize, serde::Deserialize)]
#[component(save = "health", bytes)]
#[repr(C)]
struct Health {
    now: u32,
    most: u8,
}

fn main() {}
