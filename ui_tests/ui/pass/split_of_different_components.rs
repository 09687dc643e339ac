use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Target(Entity);
#[derive(Component)]
struct Velocity(f32);

pub(super) fn main() {
    let mut world = World::new();
    let goal = world.spawn_empty().insert(Position(9.0)).id();
    world.spawn_empty().insert((Position(1.0), Target(goal), Velocity(0.0)));
    let (hunters, positions) = world.split_mut::<((&Target, &mut Velocity), &Position)>();
    for (_, target, velocity) in hunters {
        velocity.0 = positions.get(target.0).unwrap().1.0;
    }
    let (one,) = world.split_mut::<(&mut Velocity,)>();
    assert_eq!(one.single().unwrap().1.0, 9.0);
}
