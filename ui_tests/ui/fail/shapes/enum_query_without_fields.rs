use ecs::Query;

#[derive(Query)]
enum Shape {
    Other,
}

fn main() {}
