//! Optional filters: they yield whether a match passes, independent of groups.

use crate::fixtures::{Mass, Position, Velocity, scattered};
use ecs::{Entity, Group, Has, Query, With, WithAny, Without, World};
use std::collections::BTreeMap;

type Declare = fn(&mut World);

/// No group, and groups that own the required component with or without the filtered ones.
const DECLARED: [&[Declare]; 7] = [
    &[],
    &[|world| world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap()],
    &[
        |world| world.declare_group(Group::owning::<Position>()).unwrap(),
        |world| world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap(),
    ],
    &[
        |world| world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap(),
        |world| world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap(),
    ],
    &[|world| world.declare_group(Group::owning::<(Position, Mass)>()).unwrap()],
    &[|world| world.declare_group(Group::owning::<Position>().without::<Velocity>()).unwrap()],
    &[
        |world| world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap(),
        |world| world.declare_group(Group::observing::<Position>().without::<Mass>()).unwrap(),
    ],
];

/// Compares all ways to iterate a query, and lookups of single entities, with the expected answers.
macro_rules! check {
    ($world:ident, $query:ty, |$entity:ident, $item:ident| $answer:expr, $expected:expr) => {{
        let view = || $world.view::<(&Position, $query)>();
        let all = $world.pool::<Position>().keys().iter().copied();
        let expected: BTreeMap<Entity, _> = all.map(|$entity| ($entity, $expected)).collect();
        let mut ways = [(); 4].map(|()| BTreeMap::new());
        for ($entity, _, $item) in view() {
            assert!(ways[0].insert($entity, $answer).is_none(), "{} comes twice", $entity);
        }
        view().for_each(|($entity, _, $item)| {
            assert!(ways[1].insert($entity, $answer).is_none(), "{} comes twice", $entity);
        });
        let mut rest = view().into_iter();
        for ($entity, _, $item) in rest.by_ref().take(100) {
            ways[2].insert($entity, $answer);
        }
        rest.for_each(|($entity, _, $item)| _ = ways[2].insert($entity, $answer));
        for &$entity in expected.keys() {
            let $item = view().get($entity).unwrap().2;
            ways[3].insert($entity, $answer);
        }
        for (way, found) in ["`for`", "`for_each`", "both", "`get`"].iter().zip(ways) {
            assert_eq!(found, expected, "{} by {way}", stringify!($query));
        }
        assert_eq!(view().count(), expected.len());
    }};
}

#[derive(Query)]
struct Light<'w> {
    velocity: &'w Velocity,
    _light: Without<Mass>,
}

#[test]
fn optional_filters_yield_the_same_answers_beside_any_groups() {
    for declared in DECLARED {
        let mut world = World::new();
        scattered(&mut world, 700);
        for declare in declared {
            declare(&mut world);
        }
        let has = |entity| (world.has::<Velocity>(entity), world.has::<Mass>(entity));
        check!(world, Option<Without<Velocity>>, |entity, item| item.is_some(), !has(entity).0);
        check!(world, Option<With<Velocity>>, |entity, item| item.is_some(), has(entity).0);
        check!(
            world,
            Option<Without<(Velocity, Mass)>>,
            |entity, item| item.is_some(),
            has(entity) == (false, false)
        );
        check!(
            world,
            Option<With<(Velocity, Mass)>>,
            |entity, item| item.is_some(),
            has(entity) == (true, true)
        );
        check!(
            world,
            Option<WithAny<(Velocity, Mass)>>,
            |entity, item| item.is_some(),
            has(entity) != (false, false)
        );
        check!(world, Has<Velocity>, |entity, item| item, has(entity).0);
        check!(
            world,
            Option<(&Velocity, Without<Mass>)>,
            |entity, item| item.map(|(velocity,)| velocity),
            world.get::<Velocity>(entity).filter(|_| !has(entity).1)
        );
        check!(
            world,
            Option<(&Velocity, Option<Without<Mass>>)>,
            |entity, item| item.map(|(velocity, light)| (velocity, light.is_some())),
            world.get::<Velocity>(entity).map(|velocity| (velocity, !has(entity).1))
        );
        check!(
            world,
            Option<Light>,
            |entity, item| item.map(|light| light.velocity),
            world.get::<Velocity>(entity).filter(|_| !has(entity).1)
        );
        check!(world, Option<Entity>, |entity, item| item, Some(entity));
    }
}
