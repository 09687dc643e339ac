//! A flag has no value.

use ecs::Component;

#[derive(Component)]
#[component(track = true)]
struct Health(u32);

fn main() {}
