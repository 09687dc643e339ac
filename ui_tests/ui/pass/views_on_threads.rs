use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_batch((0..100).map(|_| (Position(1.0), Velocity(2.0))));
    let (positions, velocities) = world.split_mut::<(&mut Position, &mut Velocity)>();
    std::thread::scope(|scope| {
        scope.spawn(|| positions.for_each(|(_, position)| position.0 += 1.0));
        scope.spawn(|| velocities.for_each(|(_, velocity)| velocity.0 += 1.0));
    });
    let world = &world;
    std::thread::scope(|scope| {
        let reserved = scope.spawn(|| world.reserve_entity());
        let view = world.view::<(Position, Velocity)>();
        let count = scope.spawn(move || view.count());
        assert!(world.is_alive(reserved.join().unwrap()));
        assert_eq!(count.join().unwrap(), 100);
    });
}
