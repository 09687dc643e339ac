use ecs::{Component, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Sides<'w>(View<'w, &'w mut Health>, View<'w, &'w mut Health>);

fn main() {}
