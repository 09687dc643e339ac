use ecs::Component;

#[derive(serde::Serialize, serde::Deserialize)]
struct Label;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "place", layout = "soa")]
struct Place {
    x: f32,
    label: Label,
}

fn main() {}
