use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "stock", instance = "all")]
struct Stock(u32);

fn main() {}
