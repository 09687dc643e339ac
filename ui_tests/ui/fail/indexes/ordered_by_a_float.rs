use ecs::Component;

#[derive(Component)]
#[component(index(ordered, by = degrees))]
struct Heat {
    degrees: f32,
}

fn main() {}
