use ecs::Component;

#[derive(Component)]
struct Muted;

#[derive(Component)]
#[query(without(Muted))]
struct Audio(f32);

fn main() {}
