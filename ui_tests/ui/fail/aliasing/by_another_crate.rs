use ecs::Query;
use engine::Position as Place;

#[derive(Query)]
struct Steer<'w> {
    a: &'w mut Place,
    b: engine::Placed<'w>,
}

fn main() {}
