use ecs::Component;

struct Label;

#[derive(Component)]
#[component(clone, layout = "soa")]
struct Place {
    x: f32,
    label: Label,
}

fn main() {}
