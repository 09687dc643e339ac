use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "")]
struct Health(u32);

fn main() {}
