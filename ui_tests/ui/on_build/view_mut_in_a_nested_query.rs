use ecs::{Component, Query, World};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w mut Position);

pub(super) fn main() {
    World::new().view_mut::<(Placed, &Position)>();
}
