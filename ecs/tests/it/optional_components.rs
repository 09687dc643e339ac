//! Optional components that few entities have: entities that lack all of them come first, and each match comes once.

use crate::fixtures::{Position, Velocity, scattered};
use ecs::{Component, Entity, Has, World};
use std::collections::BTreeSet;
use std::sync::Mutex;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(track)]
struct Rare(u32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Rarer(u32);

/// Entities in another order than their indices. One in `apart` is rare, and some rare ones are rarer.
fn world_of(count: u32, apart: usize) -> World {
    let mut world = World::new();
    let entities = scattered(&mut world, count);
    for (&entity, at) in entities.iter().zip(0..).step_by(apart) {
        world.insert(entity, Rare(at)).unwrap();
        if at.is_multiple_of(3) {
            world.insert(entity, Rarer(at)).unwrap();
        }
    }
    world.insert(entities[1], Rarer(1)).unwrap();
    entities.iter().step_by(11).for_each(|&entity| world.despawn(entity).unwrap());
    world
}

fn distinct(found: &[Entity]) -> BTreeSet<Entity> {
    let set: BTreeSet<_> = found.iter().copied().collect();
    assert_eq!(set.len(), found.len(), "each once");
    set
}

/// Each way to walk finds the entities with a position and these components, with the values of single reads.
/// The order.
macro_rules! check {
    ($world:ident, $query:ty, $($required:ty)?, |$entity:ident, $($item:ident),+| $expected:expr) => {{
        let view = || $world.view::<$query>();
        let is_asked_for = |_entity: &Entity| true $(&& $world.has::<$required>(*_entity))?;
        let expected: BTreeSet<_> = $world.pool::<Position>().keys().iter().copied().filter(is_asked_for).collect();
        let count = expected.len();
        macro_rules! same {
            ($pattern:expr) => {{
                let ($entity, $($item),+) = $pattern;
                assert_eq!(($($item,)+), $expected);
                $entity
            }};
        }
        assert_eq!(view().count(), count);
        let by_for: Vec<_> = view().into_iter().map(|item| same!(item)).collect();
        assert_eq!(distinct(&by_for), expected);
        let mut order = Vec::new();
        view().for_each(|item| order.push(same!(item)));
        assert_eq!(distinct(&order), expected);
        for begun in [1, 70, 900, count - 1, count].map(|begun| begun.min(count)) {
            let mut rest = view().into_iter();
            let mut found: Vec<_> = rest.by_ref().take(begun).map(|item| same!(item)).collect();
            let (least, most) = rest.size_hint();
            let left = count - begun;
            assert!(least <= left && most.is_none_or(|most| left <= most), "{least} {left} {most:?}");
            let again: Vec<_> = rest.clone().map(|item| same!(item)).collect();
            rest.by_ref().for_each(|item| found.push(same!(item)));
            assert!(rest.next().is_none());
            assert_eq!(distinct(&found), expected);
            assert_eq!(again, found[begun..]);
        }
        let found = Mutex::new(Vec::new());
        view().par_for_each(|item| found.lock().unwrap().push(same!(item)));
        assert_eq!(distinct(&found.into_inner().unwrap()), expected);
        order
    }};
}

#[test]
fn each_match_is_yielded_once_with_its_components() {
    for (count, apart) in [(3_000, 40), (3_000, 7), (20_000, 400), (5_000, 4_999), (1_100, 2)] {
        let world = world_of(count, apart);
        check!(world, (&Position, Has<Rare>), , |entity, position, is_rare| {
            (world.get::<Position>(entity).unwrap(), world.has::<Rare>(entity))
        });
        let order = check!(
            world,
            (&Position, &Velocity, Option<&Rare>),
            Velocity,
            |entity, at, speed, rare| {
                (
                    world.get::<Position>(entity).unwrap(),
                    world.get::<Velocity>(entity).unwrap(),
                    world.get::<Rare>(entity),
                )
            }
        );
        let is_rare = |entity: &Entity| world.has::<Rare>(*entity);
        let lacking = order.iter().take_while(|entity| !is_rare(entity)).count();
        let is_apart = order[lacking..].iter().all(is_rare);
        assert_eq!(
            is_apart,
            apart > 8,
            "{apart}: those that lack it come first, where few have it"
        );
        check!(world, (&Position, Option<&Rare>, Has<Rarer>), , |entity, position, rare, is_rarer| {
            (world.get::<Position>(entity).unwrap(), world.get::<Rare>(entity), world.has::<Rarer>(entity))
        });
        check!(world, (&Position, Option<(&Rare, Option<&Rarer>)>), , |entity, position, rare| {
            let rare = world.get::<Rare>(entity).map(|rare| (rare, world.get::<Rarer>(entity)));
            (world.get::<Position>(entity).unwrap(), rare)
        });
    }
}

#[test]
fn only_existing_components_are_written_and_marked() {
    let mut world = world_of(5_000, 50);
    let all: BTreeSet<_> = world.pool::<Rare>().keys().iter().copied().collect();
    let is_met = |entity: &Entity| world.has::<(Position, Velocity)>(*entity);
    let rare: BTreeSet<_> = all.iter().copied().filter(is_met).collect();
    let mut changes = world.changes::<Rare>();
    for in_one in [true, false] {
        let before: Vec<_> =
            rare.iter().map(|entity| world.get::<Rare>(*entity).unwrap().0).collect();
        let add =
            |(_, position, speed, rare): (Entity, &mut Position, &Velocity, Option<&mut Rare>)| {
                position.0 += speed.0;
                if let Some(rare) = rare {
                    rare.0 += 1;
                }
            };
        let mut view = world.view_mut::<(&mut Position, &Velocity, Option<&mut Rare>)>();
        if in_one {
            view.for_each(add);
        } else {
            view.iter_mut().for_each(add);
        }
        let after: Vec<_> =
            rare.iter().map(|entity| world.get::<Rare>(*entity).unwrap().0).collect();
        assert!(before.iter().zip(&after).all(|(before, after)| before + 1 == *after));
        world.advance(&mut changes);
        assert_eq!(changes.changed().len(), rare.len());
    }
    // Among changed entities, none is searched twice.
    world.view_mut::<&mut Rare>().for_each(|_| {});
    world.advance(&mut changes);
    let mut found = Vec::new();
    let view = world.view::<(&Position, Option<&Rarer>)>().among(changes.changed());
    view.for_each(|(entity, ..)| found.push(entity));
    assert_eq!(distinct(&found), all);
}

/// Neighbours with and without the optional component meet at the border of 64 indices, where runs may continue.
#[test]
fn runs_end_where_the_optional_component_ends() {
    #[derive(Component, Clone, Copy, Debug, PartialEq)]
    struct Part(u32);
    for (start, end) in
        [(0, 64), (64, 128), (0, 512), (128, 1_024), (63, 129), (960, 1_088), (0, 2_000), (64, 65)]
    {
        let mut world = World::new();
        let entities = world.spawn_batch((0..2_000_u16).map(|at| Position(f32::from(at))));
        let some = entities[start..end].iter().zip(0..).map(|(&entity, at)| (entity, Part(at)));
        world.insert_batch(some).unwrap();
        check!(world, (&Position, Option<&Part>), , |entity, position, part| {
            (world.get::<Position>(entity).unwrap(), world.get::<Part>(entity))
        });
        let view = world.view::<(&Position, Option<&Part>)>();
        view.for_each_chunk(|(entities, positions, parts)| {
            for (at, &entity) in entities.iter().enumerate() {
                assert_eq!(world.get::<Position>(entity), Some(&positions[at]));
                assert_eq!(world.get::<Part>(entity), parts.map(|parts| &parts[at]));
            }
        });
        world.declare_group(ecs::Group::observing::<(Position, Part)>()).unwrap();
        check!(world, (&Position, Has<Part>), , |entity, position, has_part| {
            (world.get::<Position>(entity).unwrap(), world.has::<Part>(entity))
        });
    }
}
