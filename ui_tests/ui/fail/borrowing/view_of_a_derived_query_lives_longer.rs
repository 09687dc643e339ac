use ecs::{Component, Query, View};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Living<'w>(&'w mut Health);

fn longer<'w>(view: View<'_, Living<'w>>) -> Option<Living<'w>> {
    view.into_iter().next()
}

fn main() {}
