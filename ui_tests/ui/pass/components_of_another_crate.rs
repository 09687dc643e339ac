use ecs::{Component, Query, World};
use engine::{Placed, Placement, Position};

#[derive(Component)]
struct Velocity(f32);

#[derive(Query)]
struct Moving<'w> {
    position: &'w mut Position,
    velocity: &'w Velocity,
}

#[derive(Query)]
struct Nested<'w> {
    placed: Placed<'w>,
    velocity: &'w mut Velocity,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Placement { position: Position(1.0) }, Velocity(2.0)));
    world.view_mut::<Moving>().for_each(|moving| moving.position.0 += moving.velocity.0);
    world.view_mut::<Nested>().for_each(|nested| nested.velocity.0 = nested.placed.position.0);
    assert_eq!(world.view::<Velocity>().single().unwrap().1.0, 3.0);
}
