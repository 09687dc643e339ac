use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Voice<T> { volume: f32, sample: T }

impl<T> Drop for Voice<T> {
    fn drop(&mut self) {}
}

fn main() {}
