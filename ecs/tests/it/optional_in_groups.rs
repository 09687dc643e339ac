//! Optional components that a group owns with required ones: its front has them, the rest has not.

use crate::fixtures::{Mass, Position, Velocity, scattered};
use ecs::{Component, Entity, Group, PlanKind, Query, World};
use std::collections::BTreeSet;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(bit = 40)]
struct Rare(u32);
/// Has the bit of another one, and is in no world unless it is inserted.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(bit = 40)]
struct Unknown(u32);

/// Entities in another order than their indices; some are gone.
fn thinned(count: u32) -> World {
    let mut world = World::new();
    let entities = scattered(&mut world, count);
    for (&entity, at) in entities.iter().zip(0..).step_by(5) {
        world.insert(entity, Rare(at)).unwrap();
    }
    entities.iter().step_by(11).for_each(|&entity| world.despawn(entity).unwrap());
    world
}

/// Panics unless positions come with the velocities of their entities. Returns the number of chunks.
#[track_caller]
fn check(world: &World) -> usize {
    let view = || world.view::<(Position, Option<&Velocity>)>();
    let same = |entity, position, velocity| {
        assert_eq!(world.get::<Position>(entity), Some(position));
        assert_eq!(world.get::<Velocity>(entity), velocity);
        entity
    };
    let expected: BTreeSet<_> = world.view::<Position>().into_iter().map(|item| item.0).collect();
    let count = expected.len();
    assert_eq!(view().count(), count);
    for begun in [0, 1, 30, 400, count.saturating_sub(1), count, count + 1] {
        let mut found = Vec::new();
        let mut rest = view().into_iter();
        for (entity, position, velocity) in rest.by_ref().take(begun) {
            found.push(same(entity, position, velocity));
        }
        let (least, most) = rest.size_hint();
        assert!(
            least <= count - found.len() && most.is_none_or(|most| count - found.len() <= most)
        );
        rest.for_each(|(entity, position, velocity)| found.push(same(entity, position, velocity)));
        assert_eq!(found.len(), count, "{begun}: each once");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }
    let mut each = BTreeSet::new();
    view().for_each(|(entity, position, velocity)| {
        each.insert(same(entity, position, velocity));
    });
    assert_eq!(each, expected);
    let (mut chunks, mut found) = (0, Vec::new());
    view().for_each_chunk(|(entities, positions, velocities)| {
        chunks += 1;
        for (at, &entity) in entities.iter().enumerate() {
            let velocity = velocities.map(|velocities| &velocities[at]);
            found.push(same(entity, &positions[at], velocity));
        }
    });
    assert_eq!(found.len(), count, "each once");
    chunks
}

#[test]
fn the_front_has_the_optional_component() {
    let mut world = thinned(1_000);
    assert!(check(&world) > 2);
    let group = Group::owning::<(Velocity, Position)>();
    world.declare_group(group).unwrap();
    assert_eq!(check(&world), 2);
    let plan = world.view::<(Position, Option<&Velocity>)>().explain();
    assert_eq!((plan.kind, plan.candidates), (PlanKind::All, world.pool::<Position>().len()));
    let movers: Vec<_> =
        world.view::<(Position, Velocity)>().into_iter().map(|item| item.0).collect();
    // No entity has one, then all do.
    world.remove_batch::<Velocity>(&movers);
    assert_eq!(check(&world), 1);
    let all: Vec<_> = world.view::<Position>().into_iter().map(|item| item.0).collect();
    world.insert_batch(all.iter().map(|&entity| (entity, Velocity(1.0)))).unwrap();
    assert_eq!(check(&world), 1);
    world.remove_batch::<Position>(&all);
    assert_eq!(check(&world), 0);
    world.drop_group(group).unwrap();
    check(&world);
}

#[test]
fn other_groups_are_not_used() {
    let owning = Group::owning::<(Position, Velocity)>;
    let (mut observing, mut excluding) = (thinned(1_000), thinned(1_000));
    observing.declare_group(owning().with::<Mass>()).unwrap();
    excluding.declare_group(owning().without::<Mass>()).unwrap();
    for world in [&mut observing, &mut excluding] {
        check(world);
        world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
        check(world);
    }
}

#[test]
fn filters_are_tested() {
    let mut world = thinned(1_000);
    for _ in 0..2 {
        let mut seen = 0;
        world.view::<(Position, Option<&Velocity>)>().without::<Mass>().for_each(|item| {
            assert_eq!((item.2, world.get::<Mass>(item.0)), (world.get::<Velocity>(item.0), None));
            seen += 1;
        });
        for item in world.view::<(Position, Option<&Velocity>)>().with::<Mass>() {
            assert_eq!(item.2, world.get::<Velocity>(item.0));
            assert!(world.has::<Mass>(item.0));
            seen += 1;
        }
        assert_eq!(seen, world.view::<Position>().count());
        world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    }
}

#[test]
fn a_group_may_keep_required_components_and_an_inner_one_the_rest() {
    #[derive(Query)]
    struct Heavy<'w> {
        entity: Entity,
        position: &'w mut Position,
        velocity: &'w Velocity,
        mass: Option<&'w Mass>,
    }
    let make = || {
        let mut world = thinned(1_000);
        let all: Vec<_> = world.view::<Position>().into_iter().map(|item| item.0).collect();
        let some: Vec<_> = all.into_iter().filter(|entity| entity.index() % 4 == 0).collect();
        world.remove_batch::<Position>(&some);
        world
    };
    let mut world = make();
    let matches = world.view::<(Position, Velocity)>().count();
    for inner_first in [true, false] {
        let mut world = make();
        if inner_first {
            world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
        }
        world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
        world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
        for _ in 0..2 {
            let mut found = BTreeSet::new();
            for Heavy { entity, position, velocity, mass } in world.view_mut::<Heavy>() {
                assert_eq!(position.0, velocity.0);
                assert_eq!(
                    mass,
                    entity.index().is_multiple_of(5).then(|| Mass(entity.index())).as_ref()
                );
                assert!(found.insert(entity));
            }
            world.view_mut::<Heavy>().for_each(|heavy| assert!(found.remove(&heavy.entity)));
            assert!(found.is_empty());
            assert_eq!(world.view_mut::<Heavy>().count(), matches);
        }
    }
    // The group of both, and none that has the optional component.
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    assert_eq!(world.view_mut::<Heavy>().into_iter().count(), matches);
}

#[test]
fn several_components_may_be_optional_together() {
    #[derive(Query)]
    struct Both<'w> {
        velocity: &'w Velocity,
        mass: &'w Mass,
    }
    let mut world = thinned(1_000);
    let count = |world: &World| {
        let view = world.view::<(Position, Option<Both>)>();
        view.into_iter().fold((0, 0), |(with, all), (entity, _, both)| {
            let expected = world.get::<Velocity>(entity).zip(world.get::<Mass>(entity));
            assert_eq!(both.map(|both| (both.velocity, both.mass)), expected);
            (with + usize::from(expected.is_some()), all + 1)
        })
    };
    let before = count(&world);
    world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
    let view = world.view::<(Position, Option<Both>)>();
    assert_eq!(view.explain().kind, PlanKind::All);
    assert_eq!(count(&world), before);
    // One group does not serve two optional components.
    world.declare_group(Group::owning::<(Position, Mass)>()).unwrap();
    for (entity, _, mass, velocity) in world.view::<(Position, Option<&Mass>, Option<&Velocity>)>()
    {
        assert_eq!(mass, world.get::<Mass>(entity));
        assert_eq!(velocity, world.get::<Velocity>(entity));
    }
}

#[test]
fn a_group_is_not_used_for_a_component_that_shares_a_bit() {
    let mut world = thinned(100);
    world.declare_group(Group::owning::<(Position, Rare)>()).unwrap();
    let unknown = |world: &World| {
        let view = world.view::<(Position, Option<&Unknown>)>();
        view.into_iter().filter_map(|item| item.2.cloned()).collect::<Vec<_>>()
    };
    assert_eq!(unknown(&world), []);
    let (first, ..) = world.view::<Position>().into_iter().next().unwrap();
    world.insert(first, Unknown(7)).unwrap();
    assert_eq!(unknown(&world), [Unknown(7)]);
    let all: Vec<_> = world.view::<Position>().into_iter().map(|item| item.0).collect();
    world.insert_batch(all.iter().rev().map(|&entity| (entity, Unknown(8)))).unwrap();
    assert!(unknown(&world).iter().all(|value| *value == Unknown(8)));
    assert_eq!(unknown(&world).len(), all.len());
}

#[test]
fn both_halves_are_written() {
    let mut world = thinned(1_000);
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    world.view_mut::<(&mut Position, Option<&mut Velocity>)>().for_each(
        |(_, position, velocity)| {
            position.0 += 1.0;
            if let Some(velocity) = velocity {
                velocity.0 += 2.0;
            }
        },
    );
    for (entity, position, velocity) in world.view_mut::<(&mut Position, Option<&mut Velocity>)>() {
        assert_eq!(position.0, entity.index() as f32 + 1.0);
        assert_eq!(velocity.is_some(), !entity.index().is_multiple_of(3));
        assert!(velocity.is_none_or(|velocity| velocity.0 == entity.index() as f32 + 2.0));
    }
}
