use ecs::Component;

#[derive(Component, serde::Serialize)]
#[component(save = "health")]
struct Health(u32);

fn main() {}
