pub mod parts {
    struct Metres(f32);

    #[derive(ecs::Component)]
    #[component(layout = "soa")]
    pub struct Proximity { distance: Metres, angle: f32 }
}

fn main() {}
