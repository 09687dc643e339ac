use ecs::Component;

#[derive(Component)]
#[component(clone, layout = "soa")]
struct Place {
    x: f32,
    label: String,
}

fn main() {}
