use ecs::Query;

#[derive(Query)]
struct Everything;

fn main() {}
