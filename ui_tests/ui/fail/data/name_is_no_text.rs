use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = health)]
struct Health(u32);

fn main() {}
