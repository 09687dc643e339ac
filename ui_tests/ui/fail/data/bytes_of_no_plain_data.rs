use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "health", bytes)]
struct Health(Option<u32>);

fn main() {}
