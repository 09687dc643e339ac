use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "stock")]
struct Stock<T>(T);

fn main() {}
