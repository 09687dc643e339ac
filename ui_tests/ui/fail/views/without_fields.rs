use ecs::Views;

#[derive(Views)]
struct Sides;

fn main() {}
