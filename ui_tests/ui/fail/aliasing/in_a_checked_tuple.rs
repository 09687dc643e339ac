use ecs::Component;

#[derive(Component)]
struct Position(f32);

ecs::check_query!((&mut Position, &Position));

fn main() {}
