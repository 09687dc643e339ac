//! Groups: their members, their order, and that views use them.

use crate::fixtures::{Asleep, Ledger, Mass, Position, Tag, Tracked, Velocity, panics, scattered};
use ecs::{Component, Entity, Group, GroupRef, Has, PlanKind, Query, View, World};

/// The matches of a view, sorted.
macro_rules! matches {
    ($view:expr) => {{
        let mut entities: Vec<Entity> = $view.into_iter().map(|item| item.0).collect();
        entities.sort_unstable();
        entities
    }};
}

#[test]
fn views_take_the_groups_path_and_find_the_same() {
    let mut world = World::new();
    scattered(&mut world, 1_000);
    let kind = |world: &World| world.view::<(Position, Velocity)>().explain().kind;
    assert_eq!(kind(&world), PlanKind::Words);
    let before = matches!(world.view::<(Position, Velocity)>());
    world.declare_group(Group::owning::<(Velocity, Position)>()).unwrap();
    assert_eq!(kind(&world), PlanKind::Group);
    assert_eq!(matches!(world.view::<(Position, Velocity)>()), before);
    assert_eq!(matches!(world.view::<(&Velocity, &Position)>()), before);
    let view = world.view::<(Position, Velocity)>();
    let (entities, positions, velocities) = view.as_slices().unwrap();
    assert_eq!((entities.len(), view.count()), (before.len(), before.len()));
    for (at, entity) in entities.iter().enumerate() {
        assert_eq!(world.get::<Position>(*entity), Some(&positions[at]));
        assert_eq!(world.get::<Velocity>(*entity), Some(&velocities[at]));
    }
    let mut chunks = 0;
    world.view::<(Position, Velocity)>().for_each_chunk(|(chunk, _, _)| {
        assert_eq!(chunk, entities);
        chunks += 1;
    });
    assert_eq!(chunks, 1);
    assert_eq!(
        world.view::<(Position, Velocity)>().explain().to_string(),
        format!("walks the {} members of the group owning (`Position`, `Velocity`)", before.len())
    );
}

#[test]
fn a_group_with_more_requirements_does_not_serve_the_pair() {
    fn with(declare: impl FnOnce(&mut World)) {
        let mut world = World::new();
        scattered(&mut world, 1_000);
        let before = matches!(world.view::<(Position, Velocity)>());
        declare(&mut world);
        assert_eq!(matches!(world.view::<(Position, Velocity)>()), before);
        assert_eq!(world.view::<(Position, Velocity)>().count(), before.len());
        let mut folded = 0;
        world.view::<(Position, Velocity)>().for_each(|_| folded += 1);
        assert_eq!(folded, before.len());
    }
    with(|world| {
        world.declare_group(Group::owning::<(Position, Velocity)>().without::<Asleep>()).unwrap();
    });
    with(|world| {
        world.declare_group(Group::owning::<(Position, Velocity)>().with::<Mass>()).unwrap();
    });
    with(|world| {
        world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
    });
}

#[test]
fn a_group_serves_optional_terms_tags_filters_and_writers() {
    #[derive(Query)]
    struct Moving<'w> {
        entity: Entity,
        position: &'w mut Position,
        velocity: &'w Velocity,
        mass: Option<&'w Mass>,
        asleep: Has<Asleep>,
    }
    let mut world = World::new();
    scattered(&mut world, 500);
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    assert_eq!(world.view_mut::<Moving>().explain().kind, PlanKind::Group);
    let mut seen = 0;
    for moving in world.view_mut::<Moving>() {
        let index = moving.entity.index();
        assert_eq!(moving.mass, (index % 5 == 0).then_some(&Mass(index)));
        assert_eq!(moving.asleep.get(), index % 4 == 0);
        moving.position.0 += moving.velocity.0;
        seen += 1;
    }
    world.view_mut::<Moving>().for_each(|moving| {
        assert_eq!(moving.position.0, 2.0 * moving.velocity.0);
        assert_eq!(moving.mass.is_some(), moving.entity.index() % 5 == 0);
        seen += 1;
    });
    assert_eq!(seen, 2 * (0..500).filter(|at| at % 3 != 0).count());
    // A filter in the type, one in the query: the same request.
    let with = world.view::<Position>().with::<Velocity>();
    assert_eq!(with.explain().kind, PlanKind::Group);
    assert!(with.as_slices().is_some());
}

#[test]
fn observed_terms_are_looked_up_without_tests() {
    let mut world = World::new();
    let entities = scattered(&mut world, 10_000);
    for &entity in &entities[1_000..] {
        world.insert(entity, Asleep).unwrap();
    }
    let group = Group::owning::<Mass>().with::<Position>().without::<Asleep>();
    world.declare_group(group).unwrap();
    let view = || world.view::<(Position, Mass)>().without::<Asleep>();
    assert_eq!((view().explain().kind, view().as_slices()), (PlanKind::Group, None));
    let check = |position: &Position, mass: &Mass| assert_eq!(position.0, mass.0 as f32);
    let mut seen = 0;
    for (_, position, mass) in view() {
        check(position, mass);
        seen += 1;
    }
    view().for_each(|(_, position, mass)| check(position, mass));
    view().for_each_chunk(|(_, positions, masses)| check(&positions[0], &masses[0]));
    assert_eq!(seen, (0..1_000).filter(|at| at % 5 == 0 && at % 4 != 0).count());
    // Owned components are read as slices, if nothing else is read.
    let owned = world.view::<&Mass>().with::<Position>().without::<Asleep>();
    assert_eq!(owned.as_slices().unwrap().1.len(), seen);
}

#[test]
fn a_view_with_more_terms_is_driven_by_the_best_group() {
    let mut world = World::new();
    let entities = scattered(&mut world, 5_000);
    // Few of many entities have this.
    for &entity in entities.iter().step_by(1300) {
        world.insert(entity, Tag).unwrap();
        world.insert(entity, Velocity(1.0)).unwrap();
        world.insert(entity, Mass(0)).unwrap();
    }
    world.declare_group(Group::observing::<(Velocity, Mass)>()).unwrap();
    world.declare_group(Group::observing::<(Velocity, Mass, Position)>()).unwrap();
    let view = world.view::<(Velocity, Position, Mass, Asleep)>();
    assert_eq!(view.explain().kind, PlanKind::Words, "the group is no smaller than the words");
    let few = Group::observing::<(Tag, Mass)>();
    world.declare_group(few).unwrap();
    for &entity in entities[1..5_000].iter().step_by(195) {
        world.insert(entity, Tag).unwrap();
        world.remove::<Mass>(entity);
    }
    let view = world.view::<(Tag, Mass, Position, Asleep)>();
    let plan = view.explain();
    assert_eq!(plan.kind, PlanKind::Dense);
    let name = world.groups().find(|group| group.len() == 4).unwrap().to_string();
    assert_eq!(
        plan.to_string(),
        format!("looks up the 4 members of the {name} in the other pools")
    );
    assert_eq!(matches!(view), [0, 1300, 2600, 3900].map(|at: usize| entities[at]));
    // A group does not keep a filter by alternatives.
    let any = world.view::<(Tag, Mass)>().with_any::<(Asleep, Position)>();
    assert_eq!(any.explain().kind, PlanKind::Dense);
    assert_eq!(any.count(), 4);
}

#[test]
fn a_view_without_a_group_says_which_would_help() {
    let mut world = World::new();
    world.spawn_batch((0..20_000).map(|at| Position(at as f32)));
    let moving = world.spawn_batch((0..20_000).map(|at| Velocity(at as f32)));
    world.insert(moving[5], Position(0.0)).unwrap();
    let plan = world.view::<(Position, Velocity)>().without::<Tag>().explain();
    assert_eq!((plan.kind, plan.group), (PlanKind::Words, None));
    let helpful = plan.helpful.unwrap();
    assert_eq!(helpful, "group observing (`Position`, `Velocity`) without (`Tag`)");
    for &entity in &moving[100..200] {
        world.insert(entity, Position(0.0)).unwrap();
    }
    let plan = world.view::<(Position, Velocity)>().without::<Tag>().explain();
    let owning = "group owning (`Position`, `Velocity`) without (`Tag`)";
    assert_eq!(plan.helpful.as_deref(), Some(owning), "of more matches a list would take longer");
    for &entity in &moving[100..200] {
        world.remove::<Position>(entity).unwrap();
    }
    let terms = Group::observing::<(Position, Velocity)>().without::<Tag>();
    world.declare_group(terms).unwrap();
    let plan = world.view::<(Position, Velocity)>().without::<Tag>().explain();
    assert_eq!((plan.candidates, plan.helpful), (1, None));
}

#[test]
fn a_declaration_in_any_order_is_the_same_group() {
    let mut world = World::new();
    let terms = Group::owning::<(Position, Velocity)>().with::<(Mass, Tag)>();
    world.declare_group(terms).unwrap();
    let again = Group::owning::<(Velocity, Position)>().with::<(Tag, Mass)>();
    world.declare_group(again).unwrap();
    assert_eq!(world.groups().count(), 1);
    world.drop_group(again).unwrap();
    assert_eq!(world.groups().count(), 0);
    assert_eq!(
        world.drop_group(terms).unwrap_err().to_string(),
        "no such group: declare it first with `World::declare_group`"
    );
}

#[test]
fn all_pairs_of_owning_groups_are_nested_or_refused() {
    // Checks whether the second group may be declared beside the first.
    macro_rules! pairs {
        ($($first:expr, $second:expr => $allowed:literal;)+) => {$(
            let mut world = World::new();
            scattered(&mut world, 60);
            world.declare_group($first).unwrap();
            let before: Vec<Vec<Entity>> = world.kinds().map(|kind| world.kind_entities(kind).to_vec()).collect();
            let result = world.declare_group($second);
            assert_eq!(result.is_ok(), $allowed, "{} beside {}", stringify!($second), stringify!($first));
            if result.is_err() {
                let after: Vec<Vec<Entity>> = world.kinds().map(|kind| world.kind_entities(kind).to_vec()).collect();
                assert_eq!(before, after, "a conflict touches nothing");
                assert_eq!(world.groups().count(), 1);
            }
            world.check_invariants();
        )+};
    }
    pairs! {
        Group::owning::<(Position, Velocity)>(), Group::owning::<(Position, Mass)>() => false;
        Group::owning::<(Position, Velocity)>(), Group::owning::<(Position, Velocity, Mass)>() => true;
        Group::owning::<(Position, Velocity, Mass)>(), Group::owning::<(Position, Velocity)>() => true;
        Group::owning::<Position>(), Group::owning::<(Position, Velocity)>() => true;
        Group::owning::<Position>().with::<Velocity>(), Group::owning::<(Position, Velocity)>() => true;
        Group::owning::<Position>().with::<Mass>(), Group::owning::<(Position, Velocity)>() => false;
        Group::owning::<Position>().without::<Asleep>(), Group::owning::<(Position, Velocity)>() => false;
        Group::owning::<Position>().without::<Asleep>(), Group::owning::<Position>() => true;
        Group::owning::<Position>().without::<Asleep>(),
            Group::owning::<(Position, Mass)>().without::<(Asleep, Tag)>() => true;
        Group::owning::<(Position, Velocity)>(), Group::observing::<(Position, Mass)>() => true;
        Group::owning::<(Position, Velocity)>(), Group::owning::<Mass>().with::<Position>() => true;
        Group::owning::<Position>().with::<Mass>(), Group::owning::<Position>().with::<Velocity>() => false;
        Group::owning::<(Position, Velocity)>(), Group::owning::<(Mass, Asleep)>() => true;
    }
}

#[test]
fn two_outer_groups_may_hold_one_inner() {
    let mut world = World::new();
    let entities = scattered(&mut world, 300);
    world.declare_group(Group::owning::<(Mass, Asleep)>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity, Mass, Asleep)>()).unwrap();
    for (step, entity) in entities.iter().enumerate() {
        match step % 4 {
            0 => drop(world.remove::<Mass>(*entity)),
            1 => world.insert(*entity, (Mass(1), Asleep)).unwrap(),
            2 => drop(world.remove::<Velocity>(*entity)),
            _ => world.insert(*entity, (Velocity(1.0), Mass(2))).unwrap(),
        }
        world.check_invariants();
    }
}

#[test]
fn an_outer_group_that_comes_later_keeps_the_inner_one_in_front() {
    let mut world = World::new();
    let entities = scattered(&mut world, 200);
    // The smallest pool, in an order of its own.
    for &entity in entities.iter().rev().step_by(2) {
        world.insert(entity, Tag).unwrap();
    }
    let inner = Group::owning::<(Position, Velocity)>().with::<Tag>();
    world.declare_group(inner).unwrap();
    let before = world.group_mut(inner).unwrap().members().to_vec();
    world.declare_group(Group::owning::<Position>().with::<Tag>()).unwrap();
    world.check_invariants();
    assert_eq!(world.group_mut(inner).unwrap().members(), before);
    assert_eq!(world.view::<(Position, Tag)>().count(), 100);
}

#[test]
fn one_edit_may_enter_and_leave_several_groups() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
    world.declare_group(Group::observing::<Position>().without::<Mass>()).unwrap();
    let lens = |world: &World| world.groups().map(GroupRef::len).collect::<Vec<_>>();
    let entity = world.spawn(Position(1.0)).id();
    assert_eq!(lens(&world), [1, 0, 0]);
    world.insert(entity, (Mass(1), Velocity(1.0))).unwrap();
    assert_eq!(lens(&world), [0, 1, 1]);
    world.insert(entity, (Mass(2), Velocity(2.0))).unwrap(); // replaced: nothing moves
    assert_eq!(lens(&world), [0, 1, 1]);
    assert_eq!(world.remove::<Mass>(entity), Some(Mass(2)));
    assert_eq!(lens(&world), [1, 1, 0]);
    world.despawn(entity).unwrap();
    assert_eq!(lens(&world), [0, 0, 0]);
    world.spawn_batch((0..9).map(|at| (Position(at as f32), Velocity(0.0))));
    assert_eq!(lens(&world), [9, 9, 0]);
    world.check_invariants();
    world.clear();
    assert_eq!(lens(&world), [0, 0, 0]);
    world.check_invariants();
}

/// Each of three components leaves and comes back, of members of the inner group, of the outer one,
/// and of others, with entities behind every boundary.
#[test]
fn any_component_may_go_and_come_in_a_chain_of_groups() {
    fn lose_and_gain<T: Component + Clone>(world: &mut World, entities: &[Entity]) {
        for &entity in entities {
            let lens: Vec<usize> = world.groups().map(GroupRef::len).collect();
            let Some(value) = world.remove::<T>(entity) else { continue };
            assert!(world.remove::<T>(entity).is_none() && world.get::<T>(entity).is_none());
            world.check_invariants();
            world.insert(entity, value.clone()).unwrap();
            world.check_invariants();
            world.insert(entity, value).unwrap(); // replaced: nothing moves
            assert_eq!(world.groups().map(GroupRef::len).collect::<Vec<_>>(), lens);
        }
        world.check_invariants();
    }
    let mut world = World::new();
    let mut entities = Vec::new();
    for at in 0..48_u32 {
        let entity = world.spawn_empty().id();
        if at % 2 == 0 {
            world.insert(entity, Position(at as f32)).unwrap();
        }
        if at % 3 != 0 {
            world.insert(entity, Velocity(at as f32)).unwrap();
        }
        if at % 4 < 2 {
            world.insert(entity, Mass(at)).unwrap();
        }
        entities.push(entity);
    }
    world.declare_group(Group::owning::<Position>().with::<Velocity>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
    world.declare_group(Group::observing::<(Velocity, Mass)>().without::<Position>()).unwrap();
    for _ in 0..2 {
        lose_and_gain::<Position>(&mut world, &entities);
        lose_and_gain::<Velocity>(&mut world, &entities);
        lose_and_gain::<Mass>(&mut world, &entities);
        entities.reverse();
    }
    for (at, entity) in (0..).zip(&entities) {
        assert_eq!(world.get::<Mass>(*entity).map(|mass| mass.0), (at % 4 < 2).then_some(at));
    }
}

/// A removal that no group watches leaves its mark; a group that is declared later must not see it.
#[test]
fn components_removed_before_a_declaration_do_not_count() {
    let mut world = World::new();
    let entities = scattered(&mut world, 60);
    for &entity in &entities {
        world.remove::<Mass>(entity);
    }
    for &entity in &entities[..30] {
        world.remove::<Asleep>(entity);
    }
    world.check_invariants();
    let heavy = Group::owning::<(Position, Mass)>();
    world.declare_group(heavy).unwrap();
    world.declare_group(Group::observing::<Velocity>().without::<Asleep>()).unwrap();
    world.check_invariants();
    for (at, &entity) in entities.iter().enumerate() {
        world.insert(entity, (Position(0.0), Velocity(0.0))).unwrap();
        let without = at < 30 || at % 4 != 0;
        assert_eq!(world.view::<Velocity>().without::<Asleep>().matches(entity), without);
    }
    assert_eq!(world.view::<(Position, Mass)>().count(), 0);
    world.check_invariants();
    // The edits again, once the group is dropped.
    world.insert(entities[0], Mass(1)).unwrap();
    assert_eq!(world.view::<(Position, Mass)>().count(), 1);
    world.drop_group(heavy).unwrap();
    world.remove::<Mass>(entities[0]);
    world.declare_group(Group::observing::<(Position, Mass)>()).unwrap();
    world.insert(entities[0], Position(1.0)).unwrap();
    assert_eq!(world.view::<(Position, Mass)>().count(), 0);
    world.check_invariants();
    world.despawn(entities[0]).unwrap();
    world.check_invariants();
}

/// The world has too many indices for a declaration to visit all entities.
#[test]
fn components_removed_before_a_declaration_do_not_count_in_a_large_world() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..6_000).map(|_| (Position(0.0), Mass(1), Asleep)));
    world.remove_batch::<Mass>(&entities[10..]);
    world.remove_batch::<Asleep>(&entities[20..]);
    world.remove_batch::<Position>(&entities[30..]);
    world.declare_group(Group::owning::<Mass>().with::<Velocity>()).unwrap();
    world.declare_group(Group::observing::<Velocity>().without::<Asleep>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    world.check_invariants();
    let some = || entities.iter().step_by(7).copied();
    for entity in some() {
        world.insert(entity, Velocity(0.0)).unwrap();
    }
    world.check_invariants();
    world.insert_batch(some().map(|entity| (entity, (Velocity(1.0), Tag)))).unwrap();
    world.check_invariants();
    assert_eq!(world.view::<(Mass, Velocity)>().count(), 2);
    assert_eq!(world.view::<Velocity>().without::<Asleep>().count(), some().count() - 3);
    assert_eq!(world.view::<(Position, Velocity)>().count(), 5);
    for entity in some() {
        world.insert(entity, (Asleep, Mass(2))).unwrap();
        world.remove::<Asleep>(entity);
    }
    world.check_invariants();
    world.despawn_batch(&entities[..3_000]);
    world.check_invariants();
}

#[test]
fn a_pool_that_is_only_observed_keeps_its_order() {
    let mut world = World::new();
    let entities = scattered(&mut world, 200);
    let order = |world: &World| {
        (world.pool::<Position>().keys().to_vec(), world.pool::<Asleep>().keys().to_vec())
    };
    let before = order(&world);
    world.declare_group(Group::owning::<Mass>().with::<Position>().without::<Asleep>()).unwrap();
    world.declare_group(Group::owning::<Velocity>().with::<(Position, Mass)>()).unwrap();
    world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
    assert_eq!(order(&world), before);
    for &entity in &entities {
        world.remove::<Mass>(entity);
        world.insert(entity, (Mass(1), Velocity(0.0))).unwrap();
    }
    assert_eq!(order(&world), before);
    world.check_invariants();
}

#[test]
fn iterators_over_groups_have_an_exact_size() {
    let mut world = World::new();
    scattered(&mut world, 300);
    let hints = |world: &World| {
        let mut items = world.view::<(Mass, Option<&Tag>)>().with::<Position>().into_iter();
        let first = items.size_hint();
        items.by_ref().take(7).for_each(drop);
        (first, items.size_hint(), items.count())
    };
    let ungrouped = hints(&world);
    assert_eq!((ungrouped.0, ungrouped.2), ((0, Some(60)), 53));
    for partly in [false, true] {
        let mut world = World::new();
        scattered(&mut world, 300);
        if partly {
            world.declare_group(Group::owning::<Mass>().with::<Position>()).unwrap();
        } else {
            world.declare_group(Group::owning::<(Mass, Position)>()).unwrap();
        }
        assert_eq!(hints(&world), ((60, Some(60)), (53, Some(53)), 53));
        let mut slices = world.view::<&Mass>().with::<Position>().into_iter();
        assert_eq!((slices.next().is_some(), slices.size_hint()), (true, (59, Some(59))));
    }
}

#[test]
fn groups_that_do_not_own_read_components_serve_only_few_matches() {
    let kinds = |every: usize| {
        let groups: [fn(&mut World); 4] = [
            |_| (),
            |world| world.declare_group(Group::observing::<(Position, Mass)>()).unwrap(),
            |world| world.declare_group(Group::owning::<Position>().with::<Mass>()).unwrap(),
            |world| world.declare_group(Group::owning::<(Position, Mass)>()).unwrap(),
        ];
        groups.map(|declare| {
            let mut world = World::new();
            let entities = world.spawn_batch((0..20_000).map(|_| ()));
            let half = entities.iter().step_by(2).map(|&entity| (entity, Position(0.0)));
            world.insert_batch(half).unwrap();
            let others = entities.iter().skip(1).step_by(2).chain(entities.iter().step_by(every));
            world.insert_batch(others.map(|&entity| (entity, Mass(0)))).unwrap();
            declare(&mut world);
            world.view::<(Position, Mass)>().explain().kind
        })
    };
    assert_eq!(kinds(20), [PlanKind::Words, PlanKind::Words, PlanKind::Words, PlanKind::Group]);
    assert_eq!(kinds(200), [PlanKind::Words, PlanKind::Words, PlanKind::Group, PlanKind::Group]);
    assert_eq!(kinds(2_000), [PlanKind::Words, PlanKind::Group, PlanKind::Group, PlanKind::Group]);
}

#[test]
fn components_that_share_a_bit_are_distinguished() {
    #[derive(Component)]
    #[component(bit = 3)]
    struct One(u32);
    #[derive(Component)]
    #[component(bit = 3)]
    struct Other(u32);
    // A group of one is not taken for a group of the other, be the other unknown or not.
    let mut world = World::new();
    world.declare_group(Group::owning::<(One, Tag)>()).unwrap();
    world.spawn((One(1), Tag));
    assert_eq!(world.view::<(&Other, Tag)>().count(), 0);
    assert_eq!(world.view::<(&Other, Tag)>().into_iter().count(), 0);
    let alone = world.spawn(Other(2)).id();
    let others = [3, 4].map(|number| world.spawn((Other(number), Tag)).id());
    let view = || world.view::<(&Other, Tag)>();
    assert_ne!(view().explain().kind, PlanKind::Group);
    let found = |view: View<(&Other, Tag)>| {
        view.into_iter().map(|(entity, other, _)| (entity, other.0)).collect::<Vec<_>>()
    };
    assert_eq!(found(view()), [(others[0], 3), (others[1], 4)]);
    let mut folded = Vec::new();
    view().for_each(|(entity, other, _)| folded.push((entity, other.0)));
    assert_eq!(folded, found(view()));
    assert!(view().count() == 2 && !view().matches(alone));
    assert_eq!(world.view::<(&One, Tag)>().explain().kind, PlanKind::Group);

    let mut world = World::new();
    world.declare_group(Group::owning::<One>().with::<Tag>().without::<Other>()).unwrap();
    let a = world.spawn((One(1), Tag)).id();
    let b = world.spawn((Other(2), Tag)).id();
    world.spawn((One(3), Other(4), Tag));
    let view = || world.view::<(&One, Tag)>().without::<Other>();
    assert_eq!(world.groups().next().unwrap().members(), [a]);
    assert_eq!(view().iter().map(|(entity, one, _)| (entity, one.0)).collect::<Vec<_>>(), [(a, 1)]);
    world.insert(b, One(5)).unwrap();
    assert_eq!(world.remove::<Other>(b).unwrap().0, 2);
    assert_eq!(world.view::<(One, Tag)>().without::<Other>().count(), 2);
    world.check_invariants();
}

#[test]
fn a_value_that_panics_as_it_is_replaced_leaves_its_groups_right() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Tracked, Tag)>().without::<Asleep>()).unwrap();
    let ledger = Ledger::default();
    let entity = world.spawn(ledger.bomb()).id();
    let put = panics(|| world.insert(entity, (Tag, ledger.tracked(), Asleep)));
    assert!(put.is_some());
    world.check_invariants();
    // The bundle went as far as the value that panicked.
    assert!(world.has::<(Tag, Tracked)>(entity) && !world.has::<Asleep>(entity));
    assert_eq!(world.view::<(Tracked, Tag)>().without::<Asleep>().count(), 1);
    world.insert(entity, Asleep).unwrap();
    assert_eq!(world.view::<(Tracked, Tag)>().without::<Asleep>().count(), 0);
    world.check_invariants();
    drop(world);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn panics_of_despawns_leave_groups_consistent() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Position, Tracked)>()).unwrap();
    let ledger = Ledger::default();
    let entities =
        world.spawn_batch((0..4).map(|at| {
            (Position(at as f32), if at == 1 { ledger.bomb() } else { ledger.tracked() })
        }));
    assert!(panics(|| world.despawn(entities[1])).is_some());
    world.check_invariants();
    assert_eq!((world.view::<(Position, Tracked)>().count(), ledger.alive()), (3, 3));
    assert!(!world.is_alive(entities[1]));
}

#[test]
fn a_batch_whose_iterator_panics_enters_its_groups() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Position, Tag)>()).unwrap();
    let batch = (0..10).map(|at| {
        assert!(at < 6, "no more");
        (Tag, Position(at as f32))
    });
    assert_eq!(panics(|| world.spawn_batch(batch)).as_deref(), Some("no more"));
    world.check_invariants();
    assert_eq!(world.view::<(Position, Tag)>().count(), 6);
}

#[test]
fn generations_stay_with_their_entities() {
    let mut world = World::new();
    let first = world.spawn_batch((0..20).map(|at| Position(at as f32)));
    for entity in first.iter().step_by(2) {
        world.despawn(*entity).unwrap();
    }
    world.spawn_batch((0..10).map(|at| (Position(at as f32), Tag)));
    world.declare_group(Group::owning::<(Tag, Position)>()).unwrap();
    world.check_invariants();
    for (entity, tag, position) in world.view::<(&Tag, &Position)>() {
        assert_eq!(entity.generation().get(), 2);
        assert_eq!(world.get::<Tag>(entity), Some(tag));
        assert_eq!(world.get::<Position>(entity), Some(position));
    }
    assert!(first.iter().step_by(2).all(|dead| world.get::<Position>(*dead).is_none()));
}

#[test]
fn a_generic_component_named_twice_is_refused() {
    #[derive(Component)]
    struct Of<T: Send + Sync + 'static>(T);
    let mut world = World::new();
    world.declare_group(Group::owning::<Of<u8>>().with::<Of<u16>>()).unwrap();
    let twice = panics(|| world.declare_group(Group::owning::<Of<u8>>().without::<Of<u8>>()));
    assert_eq!(
        twice.as_deref(),
        Some("a group names `Of` twice: own, observe or exclude each component once")
    );
    world.spawn((Of(1_u8), Of(2_u16)));
    assert_eq!(world.groups().next().map(GroupRef::len), Some(1));
}

#[test]
fn views_of_a_split_walk_their_groups() {
    let mut world = World::new();
    scattered(&mut world, 100);
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    let (mut moving, masses) = world.split_mut::<((&mut Position, &Velocity), &Mass)>();
    assert_eq!(moving.explain().kind, PlanKind::Group);
    let (_, positions, velocities) = moving.as_mut_slices().unwrap();
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        position.0 -= velocity.0;
    }
    assert_eq!(masses.count(), 20);
    assert!(moving.iter_mut().all(|(_, position, _)| position.0 == 0.0));
}

#[test]
fn a_batch_enters_its_groups_as_one_entity_after_the_other_does() {
    type Declare = fn(&mut World);
    let declared: [Declare; 4] = [
        |world| world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap(),
        |world| {
            world.declare_group(Group::owning::<Position>()).unwrap();
            world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
        },
        |world| world.declare_group(Group::owning::<Velocity>().without::<Tag>()).unwrap(),
        |world| {
            world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
            world.declare_group(Group::owning::<Velocity>()).unwrap();
        },
    ];
    // Contents before the edit: nothing, members, or some that are in one of the pools only.
    let before: [fn(&mut World); 5] = [
        |_| {},
        |world| _ = world.spawn_batch([(Position(1.0), Velocity(1.0)); 3]),
        |world| _ = world.spawn(Position(1.0)),
        |world| _ = world.spawn((Velocity(1.0), Tag)),
        |world| {
            world.spawn_batch([(Position(1.0), Velocity(1.0)); 3]);
            let gone = world.spawn((Position(1.0), Tag)).id();
            world.spawn((Position(1.0), Velocity(1.0), Tag));
            world.despawn(gone).unwrap(); // its index comes again
        },
    ];
    let bundle = |at: u8| (Position(f32::from(at)), Velocity(f32::from(at)));
    for (declare, prepare) in declared.iter().flat_map(|d| before.iter().map(move |p| (d, p))) {
        let [mut one_by_one, mut batch] = [(), ()].map(|()| {
            let mut world = World::new();
            declare(&mut world);
            prepare(&mut world);
            world
        });
        // Some that belong there, some that are excluded, and some that lack a component.
        let other = |at: u8| Velocity(f32::from(at));
        (0..9).for_each(|at| _ = one_by_one.spawn(bundle(at)));
        (0..3).for_each(|at| _ = one_by_one.spawn((bundle(at), Tag)));
        (0..3).for_each(|at| _ = one_by_one.spawn(other(at)));
        batch.spawn_batch((0..9).map(bundle));
        batch.spawn_batch((0..3).map(|at| (bundle(at), Tag)));
        batch.spawn_batch((0..3).map(other));
        batch.spawn_batch::<(Position, Velocity)>([]);
        for world in [&one_by_one, &batch] {
            world.check_invariants();
        }
        let groups = |world: &World| {
            world.groups().map(|group| (group.to_string(), group.len())).collect::<Vec<_>>()
        };
        assert_eq!(groups(&batch), groups(&one_by_one));
        let matches = |world: &World| {
            let mut found: Vec<_> = world
                .view::<(&Position, &Velocity)>()
                .iter()
                .map(|(e, p, v)| (e, p.0, v.0))
                .collect();
            found.sort_by_key(|(entity, ..)| *entity);
            found
        };
        assert_eq!(matches(&batch), matches(&one_by_one));
    }
}

#[test]
fn a_component_removed_before_its_group_was_declared_excludes_no_entity() {
    let mut world = World::new();
    world.declare_group(Group::owning::<Position>()).unwrap();
    let entity = world.spawn(Velocity(0.0)).id();
    world.remove::<Velocity>(entity).unwrap();
    world.spawn_batch((0..5_000).map(|_| Tag));
    let group = Group::owning::<Position>().without::<Velocity>();
    world.declare_group(group).unwrap();
    world.insert(entity, Position(0.0)).unwrap();
    world.check_invariants();
    assert_eq!(world.group(group).unwrap().members(), [entity]);
}
