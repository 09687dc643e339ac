//! Chains of nested groups, declared in every order, of worlds that are edited before, between and after the
//! declarations.

use crate::fixtures::{Asleep, Mass, Position, Random, Tag, Velocity};
use ecs::by_name::Kind;
use ecs::{Component, Entity, Group, World};
use std::collections::BTreeSet;

type Declare = fn(&mut World);

macro_rules! chain {
    ($($group:expr,)+) => {
        &[$(|world| world.declare_group($group).unwrap()),+]
    };
}

/// Chains of groups; each group encloses the next one of its chain.
const CHAINS: [&[Declare]; 6] = [
    // All exclude one component.
    chain![
        Group::owning::<Position>().without::<Asleep>(),
        Group::owning::<(Position, Velocity)>().without::<Asleep>(),
        Group::owning::<(Position, Velocity, Mass)>().without::<Asleep>(),
    ],
    // Two groups differ only in their excluded components.
    chain![
        Group::owning::<Position>(),
        Group::owning::<Position>().without::<Asleep>(),
        Group::owning::<Position>().without::<(Asleep, Tag)>(),
        Group::owning::<(Position, Mass)>().without::<(Asleep, Tag)>(),
    ],
    // A group observes a component that the next one owns.
    chain![
        Group::owning::<Position>().with::<Velocity>(),
        Group::owning::<(Position, Velocity)>().without::<Asleep>(),
        Group::owning::<(Position, Velocity)>().with::<Mass>().without::<Asleep>(),
    ],
    chain![
        Group::owning::<Velocity>(),
        Group::owning::<(Velocity, Mass)>(),
        Group::owning::<(Velocity, Mass, Tag)>(),
        Group::owning::<(Velocity, Mass, Tag, Position)>(),
    ],
    // All observe a rare component, whose pool has its own order.
    chain![
        Group::owning::<Position>().with::<Tag>(),
        Group::owning::<(Position, Velocity)>().with::<Tag>(),
        Group::owning::<(Position, Velocity, Mass)>().with::<Tag>(),
    ],
    // Two nested groups, and two that own other pools or none.
    chain![
        Group::owning::<Position>(),
        Group::owning::<(Position, Velocity)>().without::<Tag>(),
        Group::observing::<(Position, Mass)>().without::<Tag>(),
        Group::owning::<Mass>().with::<Position>().without::<Asleep>(),
    ],
];

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
                &kind.entities(world)[..members.len()],
                members,
                "{group}: `{}`",
                kind.name()
            );
        }
    }
}

fn toggle<T: Component + Default>(world: &mut World, entity: Entity) {
    if world.remove::<T>(entity).is_none() {
        world.insert(entity, T::default()).unwrap();
    }
}

/// Applies a random edit to one entity, to several, or to most of them.
fn edit(world: &mut World, random: &mut Random) {
    let mut all: Vec<Entity> = world.entities().collect();
    let rotation = random.below(all.len().max(1));
    all.rotate_left(rotation);
    let some = match random.below(3) {
        0 => all.len() * 3 / 4,
        _ => 1 + random.below(5),
    };
    all.truncate(some);
    let Some(&one) = all.first().filter(|_| all.len() < 50) else {
        world.clear();
        world.spawn_batch((0..20_u8).map(|at| (Position(f32::from(at)), Velocity(0.0))));
        return;
    };
    let speed = |at: usize| f32::from(u8::try_from(at % 256).unwrap());
    let numbered = || all.iter().enumerate().map(|(at, &entity)| (entity, speed(at)));
    match random.below(24) {
        0 => toggle::<Position>(world, one),
        1 => toggle::<Velocity>(world, one),
        2 => toggle::<Tag>(world, one),
        3..6 => toggle::<Asleep>(world, one),
        6 if world.remove::<Mass>(one).is_none() => world.insert(one, Mass(1)).unwrap(),
        6 => {}
        7 => world.insert(one, (Mass(2), Position(1.0), Velocity(1.0), Asleep)).unwrap(),
        8 => world.insert(one, (Tag, Velocity(2.0))).unwrap(),
        9 => world.despawn(one).unwrap(),
        10 => _ = world.spawn((Position(1.0), Velocity(1.0), Mass(1))).id(),
        11 => _ = world.spawn((Asleep, Position(1.0), Mass(1))).id(),
        12 => _ = world.spawn_batch((0..7).map(|at| (Velocity(0.0), Mass(at), Tag, Position(1.0)))),
        13 => _ = world.spawn_batch((0..5).map(|_| (Position(0.0), Velocity(0.0), Asleep))),
        14 => world.insert_batch(all.iter().map(|&it| (it, (Asleep, Position(2.0))))).unwrap(),
        15 => world.insert_batch(numbered().map(|(it, at)| (it, Velocity(at)))).unwrap(),
        16 => world.insert_batch(all.iter().rev().map(|&it| (it, Mass(9)))).unwrap(),
        17 => _ = world.remove_batch::<Asleep>(&all),
        18 => _ = world.remove_batch::<Position>(&all),
        19 => _ = world.remove_batch::<Velocity>(&all),
        20 => _ = world.remove_batch::<Tag>(&all),
        21 => _ = world.remove::<(Mass, Velocity)>(one),
        22 => _ = world.despawn_batch(&all),
        _ => world.remove_except::<(Position, Mass)>(one).unwrap(),
    }
}

/// Returns all permutations of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![vec![]], |shorter, next| {
        let with_next = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, next);
                longer
            })
        };
        shorter.into_iter().flat_map(with_next).collect()
    })
}

#[test]
fn nested_groups_declared_in_any_order_keep_their_members_in_front() {
    let rounds = std::env::var("ECS_GROUP_ROUNDS").map_or(1, |text| text.parse().unwrap());
    for seed in 1..=rounds {
        for (chain, order) in CHAINS
            .iter()
            .flat_map(|chain| orders(chain.len()).into_iter().map(move |it| (chain, it)))
        {
            let (mut world, mut random) = (World::new(), Random(seed));
            let mut edit_some = |world: &mut World, count| {
                for _ in 0..count {
                    edit(world, &mut random);
                    check(world);
                }
            };
            for &at in &order {
                edit_some(&mut world, 8);
                chain[at](&mut world);
                check(&world);
            }
            edit_some(&mut world, 16);
        }
    }
}

/// Members of the innermost group leave and enter all three groups at once.
#[test]
fn a_component_excluded_by_nested_groups_moves_entities_out_of_all_of_them() {
    let mut world = World::new();
    for declare in CHAINS[0] {
        declare(&mut world);
    }
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
