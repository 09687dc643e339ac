use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "health", version = 0)]
struct Health(u32);

fn main() {}
