//! The order of pools: when it changes, its effects on speed, and the parts that stay.

use ecs::{Component, Entity, Group, PlanKind, World};

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Position(u32);
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, track)]
struct Speed(u32);
#[derive(Component, Clone)]
#[component(clone)]
struct Asleep;

/// Spawns entities in turns: with a speed, without one, asleep.
fn filled(world: &mut World, count: u32) -> Vec<Entity> {
    let spawn = |at: u32| {
        let mut entity = world.spawn(Position(at));
        if at % 3 != 1 {
            entity.insert(Speed(at));
        }
        if at % 3 == 2 {
            entity.insert(Asleep);
        }
        entity.id()
    };
    (0..count).map(spawn).collect()
}

fn moving(world: &World) -> Vec<(u32, u32)> {
    let view = world.view::<(&Position, &Speed)>().without::<Asleep>();
    view.iter().map(|(_, position, speed)| (position.0, speed.0)).collect()
}

fn plan(world: &World) -> PlanKind {
    world.view::<(&Position, &Speed)>().explain().kind
}

fn frames(world: &mut World, count: u32) {
    for _ in 0..count {
        for (_, position, speed) in world.view_mut::<(&mut Position, &Speed)>() {
            position.0 = position.0.wrapping_add(speed.0);
        }
    }
}

#[test]
fn loops_over_scattered_matches_have_their_pools_ordered() {
    let mut world = World::new();
    filled(&mut world, 3_000);
    frames(&mut world, 600);
    assert_eq!(plan(&world), PlanKind::Runs);
    world.check_invariants();
    let mut without = World::new();
    without.set_ordering(false);
    filled(&mut without, 3_000);
    frames(&mut without, 600);
    assert_eq!(plan(&without), PlanKind::Words);
    let sorted = |world: &World| {
        let mut found = moving(world);
        found.sort_unstable();
        found
    };
    assert_eq!(sorted(&world), sorted(&without));
    world.set_ordering(false);
    assert_eq!(plan(&world), PlanKind::Words);
    assert_eq!(sorted(&world), sorted(&without), "members stay");
}

#[test]
fn loops_that_miss_the_caches_have_their_pools_ordered_soon() {
    let mut world = World::new();
    filled(&mut world, 120_000);
    frames(&mut world, 50);
    assert_eq!(plan(&world), PlanKind::Runs);
}

#[test]
fn small_loops_change_no_order() {
    let mut world = World::new();
    filled(&mut world, 60);
    let before = world.pool::<Position>().keys().to_vec();
    frames(&mut world, 10_000);
    assert_eq!(world.pool::<Position>().keys(), before);
}

#[test]
fn edits_are_repaired_before_a_loop_that_may_write() {
    let mut world = World::new();
    let all = filled(&mut world, 3_000);
    world.order_pools();
    for entity in all.iter().step_by(70) {
        world.despawn(*entity).unwrap();
    }
    for entity in
        all.iter().step_by(51).filter(|it| world.is_alive(**it)).copied().collect::<Vec<_>>()
    {
        world.take::<Asleep>(entity);
        world.insert(entity, Speed(1)).unwrap();
    }
    filled(&mut world, 20);
    world.check_invariants();
    assert_ne!(plan(&world), PlanKind::Runs, "nothing was repaired yet");
    let expected = {
        let mut all: Vec<_> = (world.view::<(&Position, &Speed)>().without::<Asleep>().iter())
            .map(|(entity, ..)| entity)
            .collect();
        all.sort();
        all
    };
    // The repair costs more than no loop has paid for; so some loops come first.
    for _ in 0..40 {
        _ = moving(&world);
    }
    let mut found: Vec<Entity> = Vec::new();
    for (entity, ..) in world.view_mut::<(&Position, &mut Speed)>().without::<Asleep>() {
        found.push(entity);
    }
    world.check_invariants();
    let without_sleepers = world.view::<(&Position, &Speed)>().without::<Asleep>();
    assert_eq!(without_sleepers.explain().kind, PlanKind::Runs);
    assert_eq!(plan(&world), PlanKind::Runs);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn sorted_pools_and_those_of_groups_keep_their_order() {
    let mut world = World::new();
    filled(&mut world, 3_000);
    world.order_pools();
    world.pool_mut::<Speed>().sort_by_key(|speed| u32::MAX - speed.0).unwrap();
    assert!(!world.pool::<Speed>().is_ordered() && world.pool::<Position>().is_ordered());
    let sorted = world.pool::<Speed>().keys().to_vec();
    world.order_pools();
    frames(&mut world, 600);
    assert_eq!(world.pool::<Speed>().keys(), sorted);
    let explained = world.view::<(&Position, &Speed)>().explain();
    assert_eq!(explained.pinned, Some("Speed"));
    assert!(explained.to_string().ends_with("; the pool of `Speed` keeps an order of its own"));
    world.pool_mut::<Speed>().set_ordering(true);
    assert_eq!(world.view::<(&Position, &Speed)>().explain().pinned, None);
    world.order_pools();
    assert_ne!(world.pool::<Speed>().keys(), sorted);
    assert_eq!(plan(&world), PlanKind::Runs);

    world.declare_group(Group::owning::<(Position, Speed)>()).unwrap();
    let members = world.pool::<Speed>().keys().to_vec();
    frames(&mut world, 600);
    world.order_pools();
    world.check_invariants();
    assert_eq!(world.pool::<Speed>().keys(), members);
}

#[test]
fn all_forms_of_loops_walk_runs() {
    let mut world = World::new();
    filled(&mut world, 1_000);
    let expected = {
        let mut all = moving(&world);
        all.sort_unstable();
        all
    };
    world.order_pools();
    assert_eq!(plan(&world), PlanKind::Runs);
    let check = |mut found: Vec<(u32, u32)>| {
        found.sort_unstable();
        assert_eq!(found, expected);
    };
    let view = || world.view::<(&Position, &Speed)>().without::<Asleep>();
    check(moving(&world));
    let mut found = Vec::new();
    view().for_each(|(_, position, speed)| found.push((position.0, speed.0)));
    check(found);
    let mut found = Vec::new();
    view().for_each_chunk(|(entities, positions, speeds)| {
        assert!(entities.len() == positions.len() && positions.len() == speeds.len());
        found.extend(positions.iter().zip(speeds).map(|(position, speed)| (position.0, speed.0)));
    });
    check(found);
    assert_eq!((view().count(), view().iter().len_of()), (expected.len(), expected.len()));
    let optional = world.view::<(&Position, Option<&Speed>)>();
    assert_eq!(optional.explain().kind, PlanKind::Runs);
    assert_eq!(optional.iter().filter(|it| it.2.is_some()).count(), 667);
    assert_eq!(optional.iter().count(), 1_000);
    let mut changes = world.changes::<Speed>();
    world.advance(&mut changes);
    world.view_mut::<(&Position, &mut Speed)>().with::<Asleep>().for_each(|it| it.2.0 += 1);
    world.advance(&mut changes);
    let among = world.view::<(&Position, &Speed)>().among(changes.changed());
    assert!(among.iter().count() == 333 && among.iter().all(|it| it.1.0 + 1 == it.2.0));
}

/// The number of items, counted one by one.
trait Counted: Iterator + Sized {
    fn len_of(mut self) -> usize {
        let mut count = 0;
        while self.next().is_some() {
            count += 1;
        }
        count
    }
}
impl<I: Iterator> Counted for I {}

#[test]
fn copies_and_rolled_back_worlds_go_on_alike() {
    let mut world = World::new();
    let all = filled(&mut world, 3_000);
    frames(&mut world, 70); // which is not enough
    let mut copy = world.try_clone().unwrap();
    let go_on = |world: &mut World| {
        let mut orders = Vec::new();
        for (at, entity) in all.iter().enumerate().step_by(11) {
            world.despawn(*entity).unwrap();
            if at % 2 == 0 {
                world.spawn((Position(7), Speed(7)));
            }
            frames(world, 2);
            orders.push(world.pool::<Position>().keys().to_vec());
        }
        assert_eq!(plan(world), PlanKind::Runs);
        orders
    };
    let saved = world.try_clone().unwrap();
    let orders = go_on(&mut world);
    assert!(orders == go_on(&mut copy));
    world.copy_from(&saved).unwrap();
    assert!(orders == go_on(&mut world));
}

#[test]
fn observers_may_edit_ordered_pools() {
    let mut world = World::new();
    let all = filled(&mut world, 1_000);
    world.on_remove::<Speed>(|world, entity| {
        // A loop that may write, within an edit.
        world.view_mut::<(&mut Position, &Speed)>().for_each(|(_, position, _)| position.0 ^= 1);
        world.insert(entity, Asleep).ok();
    });
    world.order_pools();
    for entity in all.iter().step_by(4) {
        world.take::<Speed>(*entity);
        world.check_invariants();
    }
}
