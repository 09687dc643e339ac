use ecs::{Component, Query, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Living<'w>(&'w mut Health);

#[derive(Views)]
struct Sides<'w>(View<'w, Living<'w>>, View<'w, Health>);

fn main() {}
