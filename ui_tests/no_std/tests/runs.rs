//! The library without the standard library, on threads that the test has from it.

use ecs_no_std::{Lock, Marked, Position, Velocity, some_world, step};
use std::thread;

#[path = "../../../ecs/tests/it/execution_order.rs"]
mod execution_order;

#[derive(ecs::Component)]
struct Mass(f32);

#[test]
fn a_world_behaves_as_with_std() {
    let mut world = some_world(3_000);
    assert_eq!(step(&mut world), [2_000, 3_000, 1]);
    let bob = world.entity_named("Bob").expect("he was named");
    assert!(world.despawn(bob).is_err() && world.get::<Lock>(bob).is_some());
    let plan = world.view::<(Position, Velocity)>().explain();
    assert_eq!(
        plan.to_string(),
        "walks the 3000 members of the group owning (`Position`, `Velocity`)"
    );
    let (_, position, _) = world.view::<(Position, Velocity)>().iter().nth(1).unwrap();
    assert_eq!((*position.x, *position.y), (2.0, 2.0));
}

/// Without `std`, all threads share the buffers that loops leave to later ones.
#[test]
fn loops_in_loops_and_on_threads_find_the_same() {
    let world = some_world(999);
    let count = || {
        let mut pairs = 0;
        for _ in world.view::<Position>().with::<Marked<0>>().iter().take(9) {
            pairs += world.view::<Position>().without::<Marked<0>>().into_iter().count();
        }
        pairs
    };
    thread::scope(|scope| {
        let threads = [(); 8].map(|()| scope.spawn(|| (0..50).map(|_| count()).max()));
        for thread in threads {
            assert_eq!(thread.join().unwrap(), Some(9 * 666));
        }
    });
}

/// Each instance of a generic type looks in the registry each time, other types only at their first use.
#[test]
fn threads_that_meet_types_first_agree_on_their_numbers() {
    fn see<const WHY: u32>() -> bool {
        let mut world = ecs::World::new();
        let entity = world.spawn_empty().insert(Marked::<WHY>).id();
        world.has::<Marked<WHY>>(entity) && !world.has::<Marked<0>>(entity)
    }
    thread::scope(|scope| {
        let threads = [(); 8].map(|()| {
            scope.spawn(|| see::<1>() && see::<2>() && see::<3>() && see::<4>() && see::<5>())
        });
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    });
}

/// Loops that threads may share run on one thread, and find the same; the test with the feature has the same sum.
#[test]
fn loops_for_several_threads_run_on_one() {
    let mut world = ecs::World::new();
    world.spawn_batch((0..10_000_u16).map(|at| Mass(f32::from(at % 97) * 0.1)));
    let masses = world.view::<Mass>();
    let sum = masses.par_fold(|| 0.0_f32, |sum, (_, mass)| sum + mass.0, |a, b| a + b);
    assert_eq!(sum.to_bits(), 0x473b_5866);
    world.view_mut::<&mut Mass>().par_for_each(|(_, mass)| mass.0 = 1.0);
    world.view_mut::<&mut Mass>().par_for_each_chunk(|(_, masses)| {
        for mass in masses {
            mass.0 += 1.0;
        }
    });
    assert!(world.view::<Mass>().iter().all(|(_, mass)| mass.0 > 1.5));
}

/// Systems have the same result as on threads, in the test with the feature.
#[test]
fn a_schedule_comes_to_the_same() {
    let result = execution_order::result_of(|frame, world| frame.run(world).unwrap());
    assert_eq!(result, execution_order::RESULT);
}
