#[derive(Component)]
#[component(layout = "soa")]
struct Proximity {
    distance: f32,
    angle: f32,
    occlusion: f32,
}
