//! Nested groups. `tests/random` declares chains of them in every order, in worlds that are edited at random.

use crate::fixtures::{Asleep, Mass, Position, Tag, Velocity};
use ecs::by_name::Kind;
use ecs::{Entity, Group, World};
use std::collections::BTreeSet;

/// Compares the members of each group with the components of all entities, and their order in each owned pool.
#[track_caller]
fn check(world: &World) {
    world.check_invariants();
    for group in world.groups() {
        let (owned, observed, excluded) = (group.owned(), group.observed(), group.excluded());
        let belongs = |entity: &Entity| {
            let has: BTreeSet<_> = world.components(*entity).map(Kind::name).collect();
            owned.iter().chain(&observed).all(|name| has.contains(name))
                && !excluded.iter().any(|name| has.contains(name))
        };
        let expected: BTreeSet<Entity> = world.entities().filter(belongs).collect();
        let members = group.members();
        assert_eq!(members.iter().copied().collect::<BTreeSet<_>>(), expected, "{group}");
        assert_eq!(members.len(), expected.len(), "{group} has each member once");
        for kind in world.kinds().filter(|kind| owned.contains(&kind.name())) {
            assert_eq!(
                &world.kind_entities(kind)[..members.len()],
                members,
                "{group}: `{}`",
                kind.name()
            );
        }
    }
}

/// Members of the innermost group leave and enter all three groups at once.
#[test]
fn a_component_excluded_by_nested_groups_moves_entities_out_of_all_of_them() {
    let mut world = World::new();
    world.declare_group(Group::owning::<Position>().without::<Asleep>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity)>().without::<Asleep>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity, Mass)>().without::<Asleep>()).unwrap();
    let entities: Vec<Entity> = (0..9)
        .map(|at| {
            let entity = world.spawn(Position(1.0)).id();
            if at % 3 > 0 {
                world.insert(entity, Velocity(1.0)).unwrap();
            }
            if at % 3 > 1 {
                world.insert(entity, Mass(1)).unwrap();
            }
            entity
        })
        .collect();
    let lens = |world: &World| world.groups().map(ecs::GroupRef::len).collect::<Vec<_>>();
    assert_eq!(lens(&world), [9, 6, 3]);
    for &entity in &entities {
        let before = lens(&world);
        world.insert(entity, Asleep).unwrap();
        check(&world);
        assert_eq!(world.view::<Position>().without::<Asleep>().count(), 8);
        world.remove::<Asleep>(entity);
        check(&world);
        assert_eq!(lens(&world), before);
    }
    world.insert_batch(entities.iter().map(|&entity| (entity, Asleep))).unwrap();
    check(&world);
    assert_eq!(lens(&world), [0, 0, 0]);
    world.remove_batch::<Asleep>(&entities);
    check(&world);
    assert_eq!(lens(&world), [9, 6, 3]);
}

#[test]
fn a_group_declared_around_two_nested_groups_preserves_their_order() {
    let outer = Group::owning::<Position>().with::<Tag>();
    let middle = Group::owning::<(Position, Velocity)>().with::<Tag>();
    let inner = Group::owning::<(Position, Velocity, Mass)>().with::<Tag>();
    let mut world = World::new();
    // Members of the outer group only come first, so that all entities have to move.
    let mut all = world.spawn_batch((0..5_u8).map(|at| Position(f32::from(at))));
    all.extend(world.spawn_batch((0..5_u8).map(|at| (Position(f32::from(at)), Velocity(1.0)))));
    all.extend(world.spawn_batch((0..5).map(|at| (Position(1.0), Velocity(1.0), Mass(at)))));
    world.spawn_batch((0..20).map(|_| Position(9.0)));
    // The smallest pool, which fills the outer group, has another order than the inner groups.
    for &entity in all.iter().rev() {
        world.insert(entity, Tag).unwrap();
    }
    world.declare_group(inner).unwrap();
    world.declare_group(middle).unwrap();
    let members = |world: &World| {
        let of_middle = world.group(middle).unwrap().members().to_vec();
        (world.group(inner).unwrap().members().to_vec(), of_middle)
    };
    let before = members(&world);
    assert_eq!((before.0.len(), before.1.len()), (5, 10));
    world.declare_group(outer).unwrap();
    check(&world);
    assert_eq!(members(&world), before, "the order of the inner groups is preserved");
    assert_eq!(world.group(outer).unwrap().len(), 15);
}
