use ecs::Component;

#[derive(Component, serde::Serialize)]
#[component(save = "label")]
struct Label(&'static str);

fn main() {}
