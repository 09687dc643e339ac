#[derive(Component)]
struct Position {
    x: f32,
    y: f32,
}
