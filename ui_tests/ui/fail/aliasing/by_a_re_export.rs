use ecs::Query;

mod place {
    #[derive(ecs::Component)]
    pub struct Position(f32);
}
use place::Position;

#[derive(Query)]
struct Steer<'w>(&'w mut Position, &'w place::Position);

fn main() {}
