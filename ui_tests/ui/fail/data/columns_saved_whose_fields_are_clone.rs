use ecs::Component;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "place", layout = "soa")]
struct Place {
    x: f32,
    label: String,
}

fn main() {}
