use ecs::Component;

#[derive(Component)]
#[component(debug, layout = "soa")]
struct Place {
    x: f32,
    y: f32,
}

fn main() {}
