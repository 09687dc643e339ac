use ecs::{Component, Entity, Query, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

#[derive(Query)]
struct Placed<'w> {
    position: &'w mut Position,
}

#[derive(Query)]
#[query(without(Frozen))]
struct Moving<'a> {
    entity: Entity,
    placed: Placed<'a>,
    velocity: Option<Moved<'a>>,
}

#[derive(Query)]
struct Moved<'x>(&'x Velocity);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Position(1.0), Velocity(2.0)));
    world.spawn_empty().insert((Position(1.0), Frozen));
    for moving in world.view_mut::<Moving>() {
        assert_eq!(moving.entity.index(), 0);
        moving.placed.position.0 += moving.velocity.map_or(0.0, |moved| moved.0.0);
    }
    for (_, placed, moved) in world.view_mut::<(Placed, Moved)>() {
        placed.position.0 += moved.0.0;
    }
    assert_eq!(world.view::<&Position>().iter().map(|(_, it)| it.0).sum::<f32>(), 6.0);
}
