use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Sides<'w> {
    one: View<'w, &'w Health>,
    two: View<'_, &'w Health>,
}

fn main() {}
