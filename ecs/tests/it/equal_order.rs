//! Pools with the same members in the same order are walked as slices, however they came by that
//! order; pools that only look alike are not.

use crate::fixtures::{Position, Tag, Velocity};
use crate::loops;
use ecs::{Component, Entity, PlanKind, World};
use std::collections::BTreeMap;

#[derive(Component, Debug, PartialEq)]
struct Mass(f32);

/// Entities with three components that came and went together: in step, in no page's order.
fn churned(count: usize) -> World {
    let mut world = World::new();
    let bundle = |at: usize| (Position(at as f32), Velocity(at as f32), Mass(at as f32));
    let mut entities = world.spawn_batch((0..count).map(bundle));
    for at in 0..count {
        let gone = at * 7 % count;
        world.despawn(entities[gone]).unwrap();
        entities[gone] = world.spawn(bundle(count + at)).id();
    }
    world
}

/// Panics unless each way to iterate yields each match once, with its own values. Returns the number of chunks.
#[track_caller]
fn check(world: &mut World) -> usize {
    loops::check(world, None);
    let value = |entity| (entity, world.get::<Velocity>(entity).unwrap().0);
    let mut left: BTreeMap<_, _> = loops::expected(world).into_iter().map(value).collect();
    assert_eq!(world.view::<(Position, Velocity)>().count(), left.len());
    for (entity, position, velocity) in world.view::<(Position, Velocity)>() {
        assert_eq!(position.0, velocity.0, "{entity}");
    }
    world.view_mut::<(&mut Position, &Velocity)>().for_each(|(entity, position, velocity)| {
        assert_eq!(left.remove(&entity), Some(velocity.0));
        position.0 += 0.5;
        assert_eq!(position.0, velocity.0 + 0.5);
        position.0 -= 0.5;
    });
    assert!(left.is_empty(), "for_each");
    let mut chunks = 0;
    world.view::<(Position, Velocity)>().for_each_chunk(|_| chunks += 1);
    chunks
}

fn kind(world: &World) -> PlanKind {
    world.view::<(Position, Velocity)>().explain().kind
}

#[test]
fn pools_edited_together_stay_in_step() {
    for count in [1, 2] {
        check(&mut churned(count)); // nothing to be gained
    }
    for count in [7, 64, 100, 2_500] {
        let mut world = churned(count);
        let plan = world.view::<(Position, Velocity)>().explain();
        assert_eq!((plan.kind, plan.candidates), (PlanKind::All, count));
        assert_eq!(check(&mut world), 1);
        let three = world.view_mut::<(&mut Position, &Velocity, &Mass)>();
        assert_eq!(three.explain().kind, PlanKind::All);
    }
    // If pages are known to be in order, nothing is compared.
    for (count, kind) in [(1, PlanKind::Dense), (5_000, PlanKind::All), (20_000, PlanKind::All)] {
        let mut world = World::new();
        world.spawn_batch((0..count).map(|at| (Position(at as f32), Velocity(at as f32))));
        assert_eq!((self::kind(&world), check(&mut world)), (kind, 1));
    }
}

#[test]
fn pages_in_one_order_may_have_other_members() {
    // Positions of 0 to 99 and of 2,248; velocities of the same, but of 2,198 instead of 50, in its
    // place. That is as far from 2,248 as their positions in the pool are.
    let mut world = World::new();
    let entities = world.spawn_batch((0..3_000).map(|_| ()));
    for at in (0..100).chain([2_248]) {
        world.insert(entities[at], Position(at as f32)).unwrap();
        let other = if at == 50 { 2_198 } else { at };
        world.insert(entities[other], Velocity(other as f32)).unwrap();
    }
    assert_eq!(world.pool::<Velocity>().len(), world.pool::<Position>().len());
    assert_ne!(kind(&world), PlanKind::All);
    check(&mut world);
    assert_eq!(world.view::<(Position, Velocity)>().count(), 100);
    // Or lie elsewhere.
    let mut world = World::new();
    let entities = world.spawn_batch((0..2_048).map(|at| Position(at as f32)));
    for at in (1_024..2_048).chain(0..1_024) {
        world.insert(entities[at], Velocity(at as f32)).unwrap();
    }
    assert_eq!(kind(&world), PlanKind::Words);
    check(&mut world);
}

#[test]
fn one_member_more_or_elsewhere_and_they_are_not() {
    let mut world = churned(1_000);
    let more = world.spawn(Position(9.0)).id();
    assert_eq!(kind(&world), PlanKind::Words, "another length");
    check(&mut world);
    world.despawn(more).unwrap();
    assert_eq!(kind(&world), PlanKind::All);

    // Two members of one pool change places: not the ones that are compared first.
    for (count, at) in [(1_000, 501), (5_000, 0), (5_000, 1_024), (5_000, 2_047), (5_000, 4_998)] {
        let mut world = churned(count);
        let (one, last) = {
            let entities = world.pool::<Velocity>().keys();
            (entities[at], entities[count - 1])
        };
        let velocity = world.remove::<Velocity>(one).unwrap();
        world.insert(one, velocity).unwrap();
        assert_eq!(world.pool::<Velocity>().keys()[at], last);
        assert_eq!(world.pool::<Velocity>().len(), world.pool::<Position>().len());
        let expected = if at == 0 { PlanKind::Words } else { PlanKind::Dense };
        assert_eq!(kind(&world), expected, "{count} with another one at {at}");
        check(&mut world);
    }

    // Equally many members, but others.
    let mut world = churned(1_000);
    let last = *world.pool::<Velocity>().keys().last().unwrap();
    world.remove::<Velocity>(last).unwrap();
    world.spawn(Velocity(7.0));
    assert_eq!(world.pool::<Velocity>().len(), world.pool::<Position>().len());
    assert_eq!(kind(&world), PlanKind::Dense, "another member");
    check(&mut world);

    // Sorted alike, they are in step again.
    let mut world = churned(1_000);
    world.pool_mut::<Velocity>().sort_by(|a, b| b.0.total_cmp(&a.0)).unwrap();
    assert_eq!(kind(&world), PlanKind::Words);
    check(&mut world);
    world.pool_mut::<Position>().sort_by(|a, b| b.0.total_cmp(&a.0)).unwrap();
    assert_eq!((kind(&world), check(&mut world)), (PlanKind::All, 1));
}

#[test]
fn filters_must_be_in_step_too() {
    let mut world = churned(1_000);
    let view = world.view::<(Position, Velocity)>().with::<Mass>();
    assert_eq!((view.explain().kind, view.into_iter().count()), (PlanKind::All, 1_000));
    let view = world.view::<(Position, Velocity)>().without::<Tag>();
    assert_ne!(view.explain().kind, PlanKind::All, "who has a tag is not known from the others");
    assert_eq!(world.view::<(Position, Option<&Velocity>)>().explain().kind, PlanKind::Dense);

    let entities: Vec<_> = world.pool::<Position>().keys().to_vec();
    for &entity in entities.iter().rev() {
        world.insert(entity, Tag).unwrap();
    }
    let view = world.view::<(Position, Velocity)>().with::<Tag>();
    assert_eq!((view.explain().kind, view.into_iter().count()), (PlanKind::Words, 1_000));
    let view = world.view::<Position>().with::<Velocity>();
    assert_eq!(view.explain().kind, PlanKind::All);
    let mut seen = Vec::new();
    view.for_each(|(entity, _)| seen.push(entity));
    assert_eq!(seen, entities);
}

#[test]
fn columns_of_one_component_are_always_in_step() {
    #[derive(Component)]
    #[component(layout = "soa")]
    struct Body {
        height: u32,
        width: u32,
    }

    let mut world = World::new();
    let entities: Vec<_> = (0..2_000).map(|_| world.spawn_empty().id()).collect();
    for at in 0..2_000_u32 {
        let (height, width) = (at, at * 2);
        world.insert(entities[at as usize * 7 % 2_000], Body { height, width }).unwrap();
    }
    let view = world.view_mut::<(&mut body::height, &body::width)>();
    assert_eq!(view.explain().kind, PlanKind::All);
    let mut chunks = Vec::new();
    view.for_each_chunk(|(_, heights, widths)| {
        heights.iter_mut().zip(widths).for_each(|(height, width)| *height += width);
        chunks.push(heights.len());
    });
    assert_eq!(chunks, [2_000]);
    let is_thrice = |(_, body): (Entity, BodyRef<'_>)| *body.height * 2 == *body.width * 3;
    assert!(world.view::<Body>().into_iter().all(is_thrice));
}

#[test]
fn pools_that_were_seen_in_step_are_edited_apart() {
    type Edit = fn(&mut World, Entity);
    let edits: [Edit; 7] = [
        |world, entity| assert!(world.remove::<Velocity>(entity).is_some()),
        |world, entity| {
            let velocity = world.remove::<Velocity>(entity).unwrap();
            world.insert(entity, velocity).unwrap(); // as many as before, in another order
        },
        |world, entity| {
            let mut velocities = world.pool_mut::<Velocity>();
            let first = velocities.keys()[0];
            velocities.swap(first, entity).unwrap();
        },
        |world, _| {
            world.pool_mut::<Velocity>().sort_by(|a, b| b.0.total_cmp(&a.0)).unwrap();
        },
        |world, entity| {
            let velocities = world.remove_batch::<Velocity>(&[entity]);
            assert_eq!(velocities, 1);
            world.insert_batch([(entity, Velocity(0.0))]).unwrap();
            world.get_mut::<Position>(entity).unwrap().0 = 0.0;
        },
        |world, entity| {
            world.despawn(entity).unwrap();
            world.spawn(Position(0.0));
        },
        |world, _| world.pool_mut::<Velocity>().retain(|_, velocity| velocity.0 > 40.0),
    ];
    for edit in edits {
        let mut world = churned(100);
        check(&mut world);
        let entity = world.view::<Velocity>().iter().nth(50).unwrap().0;
        edit(&mut world, entity);
        check(&mut world);
    }
}

/// Else threads would see another order, as one or the other looks first.
#[test]
fn cached_facts_of_other_loops_change_no_order() {
    let mut world = World::new();
    // All indices, of two generations; the later ones come first.
    let mut entities = world.spawn_batch((0..4_000).map(|_| ()));
    for gone in (0..4_000).step_by(3) {
        world.despawn(entities[gone]).unwrap();
        entities[gone] = world.spawn_empty().id();
    }
    entities.rotate_left(2_048);
    for (at, &entity) in entities.iter().enumerate() {
        let value = at as f32 * 0.37;
        world.insert(entity, (Position(value), Velocity(value))).unwrap();
        world.insert(entity, Mass(value)).unwrap();
        // The pool of masses has forgotten that its pages are in order.
        if entity.index() % 1_024 < 3 {
            let neighbour = entities[(at + 500) % entities.len()];
            world.insert(neighbour, Mass(0.0)).unwrap();
            world.remove::<Mass>(neighbour);
        }
    }
    let look = |world: &World| {
        let order: Vec<Entity> =
            world.view::<(Position, Velocity)>().into_iter().map(|item| item.0).collect();
        let view = world.view::<(Position, Velocity)>();
        let sum = view.par_fold(|| 0.0_f32, |sum, (_, at, _)| sum + at.0, |a, b| a + b);
        (order, sum.to_bits(), kind(world))
    };
    let before = look(&world);
    world.view::<(Position, Velocity, Mass)>().for_each(|_| {});
    assert!(look(&world) == before);
}

/// The copied pools have the order of the source, whatever the order of the destination.
#[test]
fn copy_from_replaces_the_known_order_of_pools() {
    #[derive(Component, Clone)]
    #[component(clone)]
    struct Left(usize);
    #[derive(Component, Clone)]
    #[component(clone)]
    struct Right(usize);
    // Both pools have the same members in the same order, but not in index order.
    let churned = || {
        let mut world = World::new();
        let mut entities = world.spawn_batch((0..1_000).map(|at| (Left(at), Right(at))));
        for at in 0..1_000 {
            let gone = at * 7 % 1_000;
            world.despawn(entities[gone]).unwrap();
            entities[gone] = world.spawn((Left(1_000 + at), Right(1_000 + at))).id();
        }
        world
    };
    let look = |world: &World| {
        let mut count = 0;
        world.view::<(&Left, &Right)>().for_each(|(entity, left, right)| {
            assert_eq!((left.0, right.0), (world.get::<Left>(entity).unwrap().0, left.0));
            count += 1;
        });
        for (entity, left, right) in world.view::<(&Left, &Right)>() {
            assert_eq!((left.0, right.0), (world.get::<Left>(entity).unwrap().0, left.0));
        }
        assert_eq!(count, 1_000);
        world.view::<(&Left, &Right)>().explain().kind
    };
    let mut world = churned();
    assert_eq!(look(&world), PlanKind::All);
    let mut other = churned();
    let [first, second] = [100, 600].map(|at| other.pool::<Right>().keys()[at]);
    other.pool_mut::<Right>().swap(first, second).unwrap();
    world.copy_from(&other).unwrap();
    world.check_invariants();
    look(&world);
    // The known order of the source holds for its copies.
    let seen = churned();
    look(&seen);
    world.copy_from(&seen).unwrap();
    assert_eq!((look(&world), look(&seen.try_clone().unwrap())), (PlanKind::All, PlanKind::All));
}
