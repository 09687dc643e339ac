use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "stock", instance = "all")]
struct Stock<T>(T);

fn main() {}
