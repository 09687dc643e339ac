use ecs::{View, Views};

struct Config;

#[derive(Views)]
struct Sides<'w> {
    configs: View<'w, &'w Config>,
}

fn main() {}
