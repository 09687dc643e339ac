use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);
struct Config;

#[derive(Views)]
struct Sides<'w> {
    healths: View<'w, &'w mut Health>,
    config: Option<&'w Config>,
}

fn main() {}
