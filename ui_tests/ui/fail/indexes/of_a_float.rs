use ecs::Component;

#[derive(Component)]
#[component(index(by = degrees))]
struct Heat {
    degrees: f32,
}

fn main() {}
