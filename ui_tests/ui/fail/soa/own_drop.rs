use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Voice { volume: f32, sample: String }

impl Drop for Voice {
    fn drop(&mut self) {}
}

fn main() {}
