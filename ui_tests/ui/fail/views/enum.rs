use ecs::Views;

#[derive(Views)]
enum Sides {
    Players,
}

fn main() {}
