use ecs::Component;

#[derive(Component)]
struct Position(f32);

ecs::check_query!((&Position, Option<&mut Position>));

fn main() {}
