use ecs::Component;
use std::sync::Arc;

#[derive(Component, Clone)]
#[component(clone)]
struct Brain(Arc<dyn Fn() -> u32 + Send + Sync>);

fn main() {}
