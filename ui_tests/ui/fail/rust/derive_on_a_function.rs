#[derive(ecs::Component)]
fn health() {}

fn main() {}
