use ecs::{Component, View};

#[derive(Component)]
struct Health(u32);

fn longer<'long>(view: View<'_, &'static Health>) -> View<'long, &'static Health> {
    view
}

fn main() {}
