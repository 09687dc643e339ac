//! The order of pools in files.

use ecs::save::Limits;
use ecs::{Component, Entity, PlanKind, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "position")]
struct Position(u32);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "speed")]
struct Speed(u32);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "asleep")]
struct Asleep;

fn known() -> World {
    let mut world = World::new();
    world.register::<(Position, Speed, Asleep)>();
    world
}

fn filled(count: u32) -> (World, Vec<Entity>) {
    let mut world = known();
    let all = (0..count).map(|at| {
        let mut entity = world.spawn(Position(at));
        if at % 3 != 1 {
            entity.insert(Speed(at));
        }
        if at % 5 == 2 {
            entity.insert(Asleep);
        }
        entity.id()
    });
    let all = all.collect();
    (world, all)
}

fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

fn frame(world: &mut World) -> Vec<Entity> {
    let view = world.view_mut::<(&mut Position, &Speed)>();
    let mut seen = Vec::new();
    view.for_each(|(entity, position, speed)| {
        position.0 = position.0.wrapping_add(speed.0);
        seen.push(entity);
    });
    seen
}

#[test]
fn a_loaded_world_goes_on_exactly_like_the_saved_one() {
    // Before pools are ordered, while they enter, when they are, and with edits that were not repaired.
    for frames in [0, 100, 190, 194, 196, 200, 210, 400] {
        let (mut world, all) = filled(3_000);
        (0..frames).for_each(|_| _ = frame(&mut world));
        all.iter().step_by(27).for_each(|it| world.despawn(*it).unwrap());
        let mut loaded = known();
        loaded.load(&bytes_of(&world), &Limits::default()).unwrap();
        loaded.check_invariants();
        for at in 0..250 {
            for world in [&mut world, &mut loaded] {
                world.spawn((Position(at), Speed(1)));
                world.take::<Speed>(all[at as usize * 9 + 2]);
            }
            assert!(frame(&mut world) == frame(&mut loaded), "frame {at} after {frames}");
            if at % 7 == 0 {
                assert!(
                    bytes_of(&world) == bytes_of(&loaded),
                    "bytes of frame {at} after {frames}"
                );
            }
        }
        assert_eq!(loaded.view::<(&Position, &Speed)>().explain().kind, PlanKind::Runs);
    }
}

#[test]
fn a_world_without_ordering_stays_so_and_sorted_pools_stay_sorted() {
    let (mut world, _) = filled(500);
    world.pool_mut::<Speed>().sort_by_key(|speed| u32::MAX - speed.0).unwrap();
    world.order_pools();
    let bytes = bytes_of(&world);
    let mut loaded = known();
    loaded.load(&bytes, &Limits::default()).unwrap();
    assert!(!loaded.pool::<Speed>().is_ordered() && loaded.pool::<Position>().is_ordered());
    loaded.set_ordering(false);
    loaded.load(&bytes, &Limits::default()).unwrap();
    assert!(!loaded.is_ordering() && !loaded.pool::<Speed>().is_ordered());
    assert_ne!(loaded.view::<(&Position, &Asleep)>().explain().kind, PlanKind::Runs);
    loaded.check_invariants();
}

/// Each byte is changed, and the end is cut off. The loaded world is consistent, and stays so.
#[test]
fn orders_are_not_trusted() {
    let (mut world, all) = filled(80);
    world.order_pools();
    all.iter().step_by(27).for_each(|it| world.despawn(*it).unwrap());
    world.spawn((Position(1), Asleep));
    let with = bytes_of(&world);
    world.set_ordering(false);
    let without = bytes_of(&world).len();
    assert!(with.len() > without + 100, "there is an order to spoil");
    let (mut loaded, mut refused) = (0, 0);
    for at in without..with.len() {
        for flip in [1, 4, 0x10, 0x7f, 0x80] {
            let mut bytes = with.clone();
            bytes[at] ^= flip;
            let mut world = known();
            if world.load(&bytes, &Limits::default()).is_err() {
                refused += 1;
                continue;
            }
            loaded += 1;
            world.check_invariants();
            for round in 0..3 {
                let has = |it: &Entity| world.has::<(&Position, &Speed)>(*it);
                let expected = world.entities().filter(has).count();
                assert_eq!(frame(&mut world).len(), expected, "byte {at} ^ {flip}, round {round}");
                world.check_invariants();
                world.despawn(all[round * 9 + 1]).unwrap();
                world.spawn((Position(1), Speed(1)));
            }
        }
        assert!(known().load(&with[..at.max(without + 1)], &Limits::default()).is_err());
    }
    assert!(loaded > 100 && refused > 100, "{loaded} loaded, {refused} refused");
}
