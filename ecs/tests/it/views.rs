use crate::fixtures::{Asleep, Mass, Position, Tag, Velocity, panics, scattered};
use ecs::{
    Component, DisjointError, Entity, EntityRef, Group, Has, PlanKind, Query, SingleError, With,
    WithAny, Without, World,
};

#[derive(Component, Debug, PartialEq)]
struct Wrapper<T>(T);

/// A hundred movers; every third is tagged, the first ten have no velocity.
fn scene() -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities: Vec<Entity> = (0..100)
        .map(|at| {
            let mut entity = world.spawn(Position(at as f32));
            if at % 3 == 0 {
                entity.add::<Tag>();
            }
            if at >= 10 {
                entity.insert(Velocity(1.0));
            }
            entity.id()
        })
        .collect();
    (world, entities)
}

#[test]
fn every_kind_of_term() {
    let (mut world, entities) = scene();
    assert_eq!(world.view::<Position>().count(), 100);
    assert_eq!(world.view::<&Position>().iter().count(), 100);
    assert_eq!(world.view::<(Position, Velocity)>().into_iter().count(), 90);
    assert_eq!(
        world.view::<(Position, Option<&Velocity>)>().iter().filter_map(|item| item.2).count(),
        90
    );
    assert_eq!(world.view::<(Position, Has<Tag>)>().iter().filter(|item| item.2).count(), 34);
    assert_eq!(world.view::<(Position, With<Tag>, Without<Velocity>)>().count(), 4);
    assert_eq!(world.view::<Option<&Velocity>>().count(), 100);
    for (_, position, velocity) in world.view_mut::<(&mut Position, Option<&mut Velocity>)>() {
        if let Some(velocity) = velocity {
            position.0 += velocity.0;
            velocity.0 = 0.0;
        }
    }
    assert_eq!(world.get::<Position>(entities[20]), Some(&Position(21.0)));
    assert_eq!(world.get::<Velocity>(entities[20]), Some(&Velocity(0.0)));
}

#[test]
fn filters() {
    let (world, _) = scene();
    assert_eq!(world.view::<Position>().with::<Tag>().count(), 34);
    assert_eq!(world.view::<Position>().without::<Tag>().count(), 66);
    assert_eq!(world.view::<Position>().with::<(Tag, Velocity)>().count(), 30);
    assert_eq!(world.view::<Position>().without::<(Tag, Velocity)>().count(), 6);
    assert_eq!(world.view::<Position>().with_any::<(Tag, Velocity)>().count(), 94);
    assert_eq!(world.view::<Position>().with::<Velocity>().without::<Tag>().count(), 60);
    // Components that no entity has.
    assert_eq!(world.view::<Position>().with::<Wrapper<u8>>().count(), 0);
    assert_eq!(world.view::<Position>().without::<Wrapper<u8>>().count(), 100);
    assert_eq!(world.view::<Wrapper<u8>>().iter().count(), 0);
}

#[test]
fn a_view_is_addressable() {
    let (mut world, entities) = scene();
    let view = world.view::<(Position, Velocity)>();
    assert_eq!(view.get(entities[20]), Some((entities[20], &Position(20.0), &Velocity(1.0))));
    assert_eq!(view.get(entities[5]), None);
    assert!(view.matches(entities[20]) && !view.matches(entities[5]));
    assert_eq!(format!("{view:?}").split('(').next_back(), Some("90 entities)"));
    let mut view = world.view_mut::<&mut Position>();
    view.get_mut(entities[3]).unwrap().1.0 = 50.0;
    let [(_, a), (_, b)] = view.get_disjoint_mut([entities[3], entities[4]]).unwrap();
    core::mem::swap(a, b);
    assert_eq!(view.get_mut(entities[4]).unwrap().1.0, 50.0);
    for (_, position) in &mut view {
        position.0 = 1.0;
    }
    assert_eq!(view.iter_mut().map(|(_, position)| position.0).sum::<f32>(), 100.0);
}

#[test]
fn disjoint_access_refuses_repeats_and_strangers() {
    let (mut world, entities) = scene();
    let mut view = world.view_mut::<(&mut Position, &Velocity)>();
    let (a, b, slow) = (entities[20], entities[21], entities[1]);
    for entities in [[a, a, b], [a, b, a], [b, a, a]] {
        assert_eq!(view.get_disjoint_mut(entities).unwrap_err(), DisjointError::Repeated(a));
    }
    let error = view.get_disjoint_mut([a, slow]).unwrap_err();
    assert_eq!(error, DisjointError::NoMatch(slow));
    assert_eq!(error.to_string(), "entity 1v1 does not match the query");
    assert_eq!(DisjointError::Repeated(a).to_string(), "entity 20v1 was requested twice");
}

#[test]
fn single() {
    let mut world = World::new();
    assert_eq!(world.view::<Tag>().single(), Err(SingleError::None));
    let one = world.spawn(Tag).id();
    assert_eq!(world.view::<Tag>().single(), Ok((one, &Tag)));
    world.spawn(Tag);
    let error = world.view::<Tag>().single().unwrap_err();
    assert_eq!(error.to_string(), "more than one entity matches the query");
    assert_eq!(SingleError::None.to_string(), "no entity matches the query");
}

#[test]
fn aliasing_by_generic_components_is_found_when_the_view_is_built() {
    let mut world = World::new();
    world.spawn((Wrapper(1_u8), Wrapper(2_u16)));
    for (_, a, b) in world.view_mut::<(&mut Wrapper<u8>, &Wrapper<u16>)>() {
        a.0 += u8::try_from(b.0).unwrap();
    }
    let message = panics(|| world.view_mut::<(&mut Wrapper<u8>, &Wrapper<u8>)>().count()).unwrap();
    assert!(
        message.contains("reads `Wrapper<u8>`, which another of its terms writes"),
        "{message}"
    );
    assert!(message.contains("&mut it::views::Wrapper<u8>"), "{message}");
    let optional =
        panics(|| world.view_mut::<(Option<&mut Wrapper<u8>>, &mut Wrapper<u8>)>().count());
    assert!(optional.unwrap().contains("ask for each component once"));
}

#[test]
fn the_only_required_pool_leads_where_that_is_best() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..4_000).map(|_| ()));
    for (at, &entity) in entities.iter().enumerate().filter(|(at, _)| at % 3 != 0) {
        world.insert(entity, Position(at as f32)).unwrap();
    }
    for &entity in entities.iter().step_by(5) {
        world.insert(entity, Tag).unwrap();
    }
    let matches = (0..4_000_u16).filter(|at| at % 3 != 0 && at % 5 != 0);
    let expected: Vec<f32> = matches.map(f32::from).collect();
    let without = || world.view::<Position>().without::<Tag>();
    let plan = without().explain();
    assert_eq!((plan.kind, plan.driver), (PlanKind::Dense, Some("Position")));
    assert_eq!((without().count(), without().is_empty()), (expected.len(), false));
    let optional = || world.view::<(Position, Option<&Tag>)>();
    assert_eq!(optional().explain().kind, PlanKind::Dense);
    // Begun by `next` and ended by `fold`, within 64 members and at their end.
    for begun in [0, 1, 63, 64, 65, 2_000] {
        let mut found = Vec::new();
        let mut iter = without().into_iter();
        found.extend(iter.by_ref().take(begun).map(|(_, position)| position.0));
        iter.for_each(|(_, position)| found.push(position.0));
        assert_eq!(found, expected, "{begun}");
        let mut tags = 0;
        let mut iter = optional().into_iter();
        tags += iter.by_ref().take(begun).filter(|item| item.2.is_some()).count();
        iter.for_each(|item| tags += usize::from(item.2.is_some()));
        assert_eq!(tags, (0..4_000).step_by(5).filter(|at| at % 3 != 0).count(), "{begun}");
    }
    let mut chunked = Vec::new();
    without().for_each_chunk(|(entities, positions)| {
        assert_eq!(entities.len(), positions.len());
        chunked.extend(positions.iter().map(|position| position.0));
    });
    assert_eq!(chunked, expected);

    // Few match: words find them sooner. Then none does not, in long runs: words as well.
    for &entity in &entities[..3_990] {
        world.insert(entity, Tag).unwrap();
    }
    let view = world.view::<Position>().without::<Tag>();
    assert_eq!((view.explain().kind, view.count()), (PlanKind::Words, 5));
    let mut world = World::new();
    world.spawn_batch((0..4_000).map(|at| Position(at as f32)));
    let view = world.view::<Position>().without::<Tag>();
    assert_eq!((view.explain().kind, view.count()), (PlanKind::Words, 4_000));
}

#[test]
fn one_is_named_in_the_singular() {
    let mut world = World::new();
    world.spawn((Position(0.0), Wrapper(1_u8)));
    let nothing = world.view::<Option<&Tag>>().explain();
    assert_eq!(nothing.to_string(), "looks at the 1 entity index");
    let plan = world.view::<Position>().explain();
    assert_eq!(plan.to_string(), "walks the 1 member of `Position`");
    let view = format!("{:?}", world.view::<Position>());
    assert!(view.ends_with("(1 entity)"), "{view}");
    assert_eq!(format!("{:?}", world.pool::<Position>()), "PoolRef<Position>(1 entity)");
    assert_eq!(format!("{:?}", world.pool_mut::<Position>()), "PoolMut<Position>(1 entity)");
}

#[test]
fn plans_are_explained() {
    let (mut world, _) = scene();
    let plan = world.view::<Position>().explain();
    assert_eq!((plan.kind, plan.driver, plan.candidates), (PlanKind::All, Some("Position"), 100));
    assert_eq!(plan.to_string(), "walks the 100 members of `Position`");
    let plan = world.view::<(Position, Tag)>().explain();
    assert_eq!(plan.to_string(), "joins 16 words of bits, driven by `Tag`");
    assert_eq!(
        world.view::<Option<&Tag>>().explain().to_string(),
        "looks at the 100 entity indices"
    );
    world.spawn((Position(0.0), Wrapper(1_u8)));
    let plan = world.view::<(Position, Wrapper<u8>)>().explain();
    assert_eq!(plan.to_string(), "looks up the 1 member of `Wrapper` in the other pools");
}

/// Returns the names of all groups. Components are listed in the order of their first use in the process.
fn group_names(world: &World) -> Vec<String> {
    world.groups().map(|group| group.to_string()).collect()
}

#[test]
fn plans_of_nested_groups_are_explained() {
    let (mut world, entities) = scene();
    for &entity in &entities[20..23] {
        world.insert(entity, Mass(1)).unwrap();
    }
    let explain = |world: &World| {
        [
            world.view::<(Position, Velocity)>().explain().to_string(),
            world.view::<(Position, Velocity, Mass)>().explain().to_string(),
            world.view::<(Position, Velocity, Option<&Mass>)>().explain().to_string(),
            world
                .view::<(Position, Velocity)>()
                .with::<Mass>()
                .without::<Tag>()
                .explain()
                .to_string(),
        ]
    };
    let by_velocity = "joins 16 words of bits, driven by `Velocity`";
    let by_mass = "looks up the 3 members of `Mass` in the other pools";
    assert_eq!(explain(&world), [by_velocity, by_mass, by_velocity, by_mass]);

    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    world.declare_group(Group::owning::<(Position, Velocity, Mass)>()).unwrap();
    let [outer, inner] = &group_names(&world)[..] else { unreachable!() };
    let outer = format!("walks the 90 members of the {outer}");
    let inner = format!("walks the 3 members of the {inner}");
    assert_eq!(explain(&world), [&outer, &inner, &outer, by_mass]);
}

#[test]
fn plans_name_a_group_that_would_help() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..20_000).map(|at| Position(at as f32)));
    let half = |first: usize| entities.iter().skip(first).step_by(2);
    world.insert_batch(half(0).map(|&entity| (entity, Velocity(1.0)))).unwrap();
    world.insert_batch(half(1).map(|&entity| (entity, Mass(1)))).unwrap();
    let explain = |world: &World| {
        [
            world.view::<(Position, Velocity)>().explain().to_string(),
            world.view::<(Position, Velocity)>().with::<Mass>().explain().to_string(),
        ]
    };
    let words = "joins 320 words of bits, driven by `Velocity`";
    let helpful =
        "a group observing (`Position`, `Velocity`, `Mass`) would spare most of the tests";
    let apart = format!("{words}; {helpful}");
    assert_eq!(explain(&world), [words, &apart]);
    world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
    assert_eq!(explain(&world), [words, &apart], "to look up so many would take longer");

    world.insert(entities[0], Mass(1)).unwrap();
    world.declare_group(Group::observing::<(Velocity, Mass)>()).unwrap();
    let plan = world.view::<(Velocity, Mass)>().without::<Tag>().explain();
    let name = group_names(&world).pop().unwrap();
    let looked_up = format!("looks up the 1 member of the {name} in the other pools");
    assert_eq!(plan.to_string(), looked_up);
}

#[test]
fn plans_distinguish_empty_pools() {
    let mut world = World::new();
    let entity = world.spawn((Position(0.0), Tag)).id();
    world.despawn(entity).unwrap();
    world.shrink_to_fit();
    assert_eq!(world.view::<Position>().explain().to_string(), "walks the 0 members of `Position`");
    assert_eq!(world.view::<Tag>().explain().to_string(), "walks the 0 members of `Tag`");
    let plan = world.view::<Velocity>().explain();
    assert_eq!(plan.driver, None);
    assert_eq!(
        plan.to_string(),
        "walks nothing: the world has never had a component that is required"
    );
}

#[test]
fn chunks_are_as_long_as_values_are_neighbours() {
    let mut world = World::new();
    world.spawn_batch((0..5000).map(|at| (Position(at as f32), Velocity(1.0))));
    let mut lengths = Vec::new();
    world.view_mut::<(&mut Position, &Velocity)>().for_each_chunk(|(entities, p, v)| {
        assert!(entities.len() == p.len() && p.len() == v.len());
        lengths.push(p.len());
    });
    assert_eq!(lengths, [5000]);
    let first = world.entities().next().unwrap();
    world.remove::<Velocity>(first).unwrap();
    lengths.clear();
    world.view::<(Position, Velocity)>().for_each_chunk(|(_, p, _)| lengths.push(p.len()));
    assert_eq!(lengths, [4998, 1], "the last one took the first one's place");
}

#[test]
fn order_is_the_same_for_the_same_history() {
    let order = || {
        let (mut world, entities) = scene();
        for entity in entities.iter().step_by(7) {
            world.remove::<Velocity>(*entity);
        }
        world.view::<(Position, Velocity)>().iter().map(|item| item.0).collect::<Vec<_>>()
    };
    assert_eq!(order(), order());
}

#[test]
fn iterators_say_how_many_at_most() {
    let (world, _) = scene();
    let mut items = world.view::<(Position, Tag)>().into_iter();
    assert_eq!(items.size_hint(), (0, Some(34)));
    assert_eq!(items.by_ref().count(), 34);
    assert!(items.next().is_none() && items.next().is_none());
}

/// A query without required components visits every entity.
#[test]
fn size_hint_bounds_hold_for_views_of_all_entities() {
    macro_rules! check {
        ($view:expr) => {{
            let count = $view.count();
            for begun in [0, 1, 2, 40, count / 2, count.saturating_sub(1), count, count + 1] {
                let mut rest = $view.into_iter();
                let taken = rest.by_ref().take(begun).count();
                let (least, most) = rest.size_hint();
                let left = count - taken;
                let is_right = least <= left && most.is_none_or(|most| left <= most);
                assert!(is_right, "{}: {left}, not {least} to {most:?}", stringify!($view));
                assert_eq!(rest.count(), left);
            }
        }};
    }
    let (mut world, entities) = scene();
    world.despawn_batch(&entities[5..9]);
    for declare in [
        |_: &mut World| (),
        |world: &mut World| {
            let group = Group::observing::<Position>().without::<Velocity>();
            world.declare_group(group).unwrap();
        },
    ] {
        declare(&mut world);
        check!(world.view::<Entity>());
        check!(world.view::<Entity>().without::<Velocity>());
        check!(world.view::<Entity>().with_any::<(Velocity, Tag)>());
        check!(world.view::<Option<&Velocity>>());
        check!(world.view::<(Has<Tag>,)>().without::<(Tag, Velocity)>());
        check!(world.view::<Without<Position>>());
    }
    let _reserved = [world.reserve_entity(), world.reserve_entity()];
    check!(world.view::<Entity>().without::<Velocity>());
}

/// All slices have the same length, and optional components may be missing.
#[test]
fn as_slices_returns_none_for_optional_terms() {
    let declared: [fn(&mut World); 4] = [
        |_| (),
        |world| world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap(),
        |world| {
            world.declare_group(Group::owning::<Position>()).unwrap();
            world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
        },
        |world| world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap(),
    ];
    for declare in declared {
        for all_have_it in [false, true] {
            let (mut world, entities) = scene();
            if all_have_it {
                let given = entities.iter().map(|&entity| (entity, (Position(1.0), Velocity(1.0))));
                world.insert_batch(given).unwrap();
            }
            declare(&mut world);
            assert!(world.view::<(&Position, Option<&Velocity>)>().as_slices().is_none());
            assert!(
                world
                    .view::<(&Position, Option<&Velocity>)>()
                    .without::<Tag>()
                    .as_slices()
                    .is_none()
            );
            assert!(world.view::<(&Position, &Velocity, Option<&Tag>)>().as_slices().is_none());
            let mut view = world.view_mut::<(&mut Position, Option<&mut Velocity>)>();
            assert!(view.as_mut_slices().is_none());
        }
    }
}

#[test]
fn sorting_the_items_of_a_view_is_stable() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..200_u8).map(|at| Position(f32::from(at))));
    let key = |entity: Entity| entity.index() % 3;
    let mut expected = entities;
    expected.sort_by_key(|entity| key(*entity));
    let sorted = world.view::<&Position>().sorted_by_key(|(entity, _)| key(*entity));
    assert!(sorted.map(|item| item.0).eq(expected.iter().copied()));
    let compare = |a: &(Entity, &Position), b: &(Entity, &Position)| key(a.0).cmp(&key(b.0));
    let sorted = world.view::<&Position>().sorted_by(compare);
    assert!(sorted.map(|item| item.0).eq(expected.iter().copied()));
}

#[test]
fn several_with_any_filters_must_all_pass() {
    let mut world = World::new();
    scattered(&mut world, 600);
    for &entity in world.pool::<Position>().keys().to_vec().iter().step_by(7) {
        world.insert(entity, Tag).unwrap();
    }
    let expected = |world: &World, test: &dyn Fn(Entity) -> bool| {
        let mut found: Vec<Entity> = world.entities().filter(|entity| test(*entity)).collect();
        found.sort();
        found
    };
    macro_rules! check {
        ($view:expr, |$entity:ident| $test:expr) => {{
            for plan in [None, Some(PlanKind::Words), Some(PlanKind::Dense), Some(PlanKind::Group)]
            {
                let mut found: Vec<Entity> =
                    $view.with_plan(plan).into_iter().map(|item| item.0).collect();
                found.sort();
                assert_eq!(found, expected(&world, &|$entity| $test), "{}", stringify!($view));
                assert_eq!($view.with_plan(plan).count(), found.len());
                assert!(found.iter().all(|entity| $view.matches(*entity)));
            }
        }};
    }
    let has = |entity| {
        let mass = world.has::<Mass>(entity);
        (world.has::<Velocity>(entity), mass, world.has::<Asleep>(entity), world.has::<Tag>(entity))
    };
    check!(
        world.view::<(Position,)>().with_any::<(Velocity, Mass)>().with_any::<(Asleep, Tag)>(),
        |entity| matches!(
            has(entity),
            (true, _, true, _) | (true, _, _, true) | (_, true, true, _) | (_, true, _, true)
        )
    );
    check!(
        world.view::<(Position,)>().with_any::<(Asleep, Tag)>().with_any::<(Mass,)>(),
        |entity| matches!(has(entity), (_, true, true, _) | (_, true, _, true))
    );
    check!(
        world
            .view::<(Position, WithAny<(Velocity, Tag)>)>()
            .with_any::<(Mass, Asleep)>()
            .without::<Tag>(),
        |entity| matches!(has(entity), (true, true, _, false) | (true, _, true, false))
    );
}

#[test]
fn disjoint_access_refuses_the_dead() {
    let (mut world, entities) = scene();
    let dead = entities[20];
    world.despawn(dead).unwrap();
    let heir = world.spawn(Position(7.0)).id();
    assert_eq!(heir.index(), dead.index());
    let mut view = world.view_mut::<&mut Position>();
    for pair in [[dead, heir], [heir, dead], [dead, dead]] {
        assert_eq!(view.get_disjoint_mut(pair).unwrap_err(), DisjointError::NoMatch(dead));
    }
    assert!(view.get_mut(dead).is_none() && view.get_disjoint_mut([heir]).is_ok());
    let mut everyone = world.view_mut::<Option<&mut Position>>();
    for pair in [[dead, heir], [heir, dead]] {
        assert_eq!(everyone.get_disjoint_mut(pair).unwrap_err(), DisjointError::NoMatch(dead));
    }
}

#[test]
fn a_world_without_entities_has_all_the_answers() {
    let emptied = || {
        let (mut world, entities) = scene();
        assert_eq!(world.despawn_batch(&entities), 100);
        world
    };
    let pair = Group::owning::<(Position, Velocity)>();
    for (mut world, is_grouped) in
        [(World::new(), false), (World::new(), true), (emptied(), false), (emptied(), true)]
    {
        if is_grouped {
            world.declare_group(pair).unwrap();
            world.declare_group(Group::observing::<Tag>().without::<Velocity>()).unwrap();
            world.group_mut(pair).unwrap().sort_by(|_, _| unreachable!());
        }
        for plan in [PlanKind::All, PlanKind::Words, PlanKind::Dense, PlanKind::Group] {
            let view = || world.view::<(Position, Velocity)>().with_plan(plan);
            assert_eq!((view().count(), view().is_empty(), view().iter().count()), (0, true, 0));
            assert!(view().as_slices().is_none_or(|(entities, p, v)| {
                entities.is_empty() && p.is_empty() && v.is_empty()
            }));
            view().for_each(|_| unreachable!());
            view().for_each_chunk(|_| unreachable!());
            assert!(!view().explain().to_string().is_empty());
            let rest = world.view::<(Position, Option<&Tag>)>().without::<Velocity>();
            assert_eq!(rest.with_plan(plan).into_iter().count(), 0);
        }
        assert_eq!(world.view::<(Option<&Position>, Has<Tag>)>().into_iter().count(), 0);
        assert_eq!(world.view::<Position>().as_slices().unwrap().1, []);
        assert!(world.view_mut::<&mut Position>().get_disjoint_mut([]).is_ok_and(|[]| true));
        let (a, b) = world.split_mut::<(&mut Position, (&Velocity, Option<&mut Tag>))>();
        assert_eq!((a.count(), b.into_iter().count()), (0, 0));
        assert_eq!(world.pool_mut::<Position>().as_mut_slice(), []);
        world.pool_mut::<Tag>().sort_like::<Position>().unwrap();
        world.spawn_batch::<(Position, Tag)>([]);
        world.insert_batch::<(Position, Tag)>([]).unwrap();
        assert_eq!((world.remove_batch::<Tag>(&[]), world.despawn_batch(&[])), (0, 0));
        world.clear();
        world.shrink_to_fit();
        world.check_invariants();
        assert!(world.is_empty() && world.entity_named("nobody").is_none());
    }
}

#[test]
fn filters_at_the_end_yield_nothing_and_the_entity_comes_once() {
    let mut world = World::new();
    let entity = world.spawn((Position(1.0), Velocity(2.0), Tag)).id();
    world.spawn(Position(3.0));
    let position = &Position(1.0);
    assert!(world.view::<(&Position, With<Tag>)>().into_iter().eq([(entity, position)]));
    let tested = world.view::<(&Position, With<Tag>, Without<Mass>, WithAny<(Velocity, Mass)>)>();
    assert!(tested.iter().eq([(entity, position)]));
    assert_eq!(tested.get(entity), Some((entity, position)));
    let mut chunks = Vec::new();
    tested.for_each_chunk(|(entities, positions)| {
        chunks.push((entities.to_vec(), positions.to_vec()));
    });
    assert_eq!(chunks, [(vec![entity], vec![*position])]);
    let before: Vec<_> = world.view::<(With<Tag>, &Position)>().into_iter().collect();
    assert!(matches!(before[..], [(found, With { .. }, _)] if found == entity));
    assert!(world.view::<(Entity, &Position, With<Tag>)>().iter().eq([(entity, position)]));
    assert!(world.view::<(&Position, Entity, With<Tag>)>().iter().eq([(entity, position, entity)]));
    assert!(world.view::<With<Tag>>().iter().eq([entity]));
    assert!(world.view::<(With<Tag>, Without<Mass>)>().iter().eq([(entity,)]));
    assert!(world.view::<(With<Tag>,)>().iter().eq([(entity,)]));
    assert!(world.view::<(Entity, With<Tag>)>().iter().eq([(entity,)]));
}

#[test]
fn all_entities_are_a_query() {
    let mut world = World::new();
    let entities: Vec<_> = (0..100).map(|_| world.spawn_empty().id()).collect();
    world.despawn(entities[7]).unwrap();
    let alive: Vec<_> = world.entities().collect();
    assert!(world.view::<Entity>().iter().eq(alive.iter().copied()));
    assert!(world.view::<(Entity,)>().iter().map(|(entity,)| entity).eq(alive));
    assert_eq!(world.view::<Entity>().without::<Tag>().count(), 99);
    assert_eq!(world.view::<Entity>().get(entities[7]), None);
}

type Six = (Position, Velocity, Option<&'static Mass>, Entity, Has<Asleep>, Position);

#[test]
fn tuples_are_terms_of_tuples() {
    let mut world = World::new();
    let both = world.spawn((Position(1.0), Velocity(2.0), Mass(3))).id();
    let one = world.spawn((Position(4.0), Velocity(5.0), Asleep)).id();
    let pairs: Vec<_> =
        world.view::<(&Position, Option<(&Velocity, &Mass)>, Has<Asleep>)>().into_iter().collect();
    let expected = [
        (both, &Position(1.0), Some((&Velocity(2.0), &Mass(3))), false),
        (one, &Position(4.0), None, true),
    ];
    assert_eq!(pairs, expected);
    let nested: Vec<_> = world
        .view_mut::<((&mut Position, &Velocity, With<Asleep>), Has<Mass>)>()
        .into_iter()
        .map(|(entity, (position, velocity), has)| (entity, position.0 + velocity.0, has))
        .collect();
    assert_eq!(nested, [(one, 9.0, false)]);
    let alone = world.view::<Option<(Mass, Entity)>>().sorted_by_key(|(entity, _)| *entity);
    let alone: Vec<_> = alone.collect();
    assert_eq!(alone, [(both, Some((&Mass(3), both))), (one, None)]);
    // Eighteen terms.
    let (_, a, b, c) = world.view::<(Six, Six, Six)>().with::<Mass>().single().unwrap();
    assert_eq!(
        (a, a, a),
        (b, c, (&Position(1.0), &Velocity(2.0), Some(&Mass(3)), both, false, &Position(1.0)))
    );
}

#[test]
fn fields_of_structs_have_the_types_that_are_written() {
    #[derive(Query)]
    struct Looked<'w> {
        of: (Entity, &'w Position, Has<Tag>, With<Velocity>),
        has: Has<Mass>,
    }
    let mut world = World::new();
    let entity = world.spawn((Position(1.0), Velocity(2.0), Tag)).id();
    world.spawn(Position(3.0));
    let (found, Looked { of, has }) = world.view::<(Entity, Looked)>().single().unwrap();
    let (same, position, is_tagged, With { .. }) = of;
    assert_eq!((found, same, position), (entity, entity, &Position(1.0)));
    assert!(is_tagged.get() && !bool::from(has));
}

#[test]
fn items_in_the_order_of_lists_keys_and_choices() {
    let mut world = World::new();
    let entities = scattered(&mut world, 100);
    let list = [entities[3], entities[1], entities[3]];
    let found: Vec<_> = world.view::<Position>().iter_many(list).collect();
    assert_eq!(found.iter().map(|(entity, _)| *entity).collect::<Vec<_>>(), list);
    world.despawn(entities[3]).unwrap();
    assert_eq!(world.view::<Position>().iter_many(&list).count(), 1);
    let sorted = world.view_mut::<&mut Position>().sorted_by_key(|(entity, _)| *entity);
    assert!(sorted.map(|(entity, _)| entity).is_sorted());
    let sorted = world.view::<Position>().sorted_by(|(_, a), (_, b)| b.0.total_cmp(&a.0));
    assert!(sorted.rev().map(|(_, position)| position.0).is_sorted());
    let view = world.view::<Position>();
    assert_eq!((view.len(), view.iter().len()), (99, 99));
    assert_eq!(world.view_mut::<&mut Position>().len(), 99);
}

fn choices<const N: usize>(world: &World, all: &[Entity]) {
    let found: Vec<[Entity; N]> = world
        .view::<(Entity, With<Tag>)>()
        .iter_combinations()
        .map(|of| of.map(|it| it.0))
        .collect();
    let expected = (0..1_usize << all.len()).filter(|bits| bits.count_ones() as usize == N).count();
    assert_eq!(found.len(), expected);
    assert!(found.is_sorted() && found.iter().all(|choice| choice.is_sorted()));
    assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), expected);
}

#[test]
fn choices_are_all_and_each_once() {
    for count in 0..6 {
        let mut world = World::new();
        let all = world.spawn_batch((0..count).map(|_| Tag));
        choices::<0>(&world, &all);
        choices::<1>(&world, &all);
        choices::<2>(&world, &all);
        choices::<3>(&world, &all);
        choices::<5>(&world, &all);
    }
}

#[test]
fn whole_entities_are_read_beside_components() {
    let mut world = World::new();
    let tagged = world.spawn((Position(1.0), Tag)).id();
    let plain = world.spawn(Position(2.0)).id();
    let bare = world.spawn_empty().id();
    let found: Vec<_> = world
        .view::<(EntityRef, &Position)>()
        .into_iter()
        .map(|(entity, whole, position)| {
            assert_eq!((whole.id(), whole.get::<Position>()), (entity, Some(position)));
            (entity, whole.has::<Tag>(), whole.components().count())
        })
        .collect();
    assert_eq!(found, [(tagged, true, 2), (plain, false, 1)]);
    let all = world.view::<EntityRef>();
    assert!(all.iter().map(EntityRef::id).eq([tagged, plain, bare]));
    assert_eq!(all.get(bare), Some(world.entity(bare)));
    let kept: Vec<EntityRef<'_>> =
        world.view::<(EntityRef, With<Tag>)>().iter().map(|it| it.1).collect();
    assert_eq!(kept, [world.entity(tagged)]);
}

/// The search of an iterator goes back to its thread when the iterator is dropped, whatever became of the world.
#[test]
fn iterators_may_outlive_their_world() {
    let mut counts = Vec::new();
    for _ in 0..3 {
        // More than a thread keeps; dropped at the end of the block, as variables are.
        let (world, _) = scene();
        let mut views = [(); 9].map(|()| world.view::<(&Position, Option<&Mass>)>().into_iter());
        assert!(views.iter_mut().all(|items| items.next().is_some()));
        drop(world);
        let (mut world, _) = scene();
        let mut parts = world.view_mut::<(&mut Position, Option<&Mass>)>().into_parts(3);
        let mut part = parts.next().unwrap();
        assert!(part.next().is_some());
        drop(world);
        let (mut world, _) = scene();
        let mut items = world.view_mut::<(&mut Position, Option<&Mass>)>().into_iter();
        counts.push(items.by_ref().count());
        drop(world);
    }
    let (world, _) = scene();
    let count = world.view::<(&Position, Option<&Mass>)>().count();
    assert_eq!(counts, [count; 3]);
}

mod read_only {
    use ecs::{Component, Entity, Has, Mut, Query, View, With, Without, World};

    #[derive(Component, Debug, PartialEq)]
    #[component(track)]
    struct Place(i32);
    #[derive(Component, Debug, PartialEq)]
    struct Speed(i32);
    #[derive(Component)]
    struct Fixed;
    #[derive(Component)]
    #[component(layout = "soa")]
    struct Mass {
        grams: u32,
    }

    #[derive(Query)]
    #[query(without(Fixed))]
    #[expect(dead_code, reason = "the test reads the fields as a tuple")]
    struct Mover<'w> {
        place: &'w mut Place,
        entity: Entity,
        speed: Option<&'w mut Speed>,
    }
    #[derive(Query)]
    #[expect(dead_code, reason = "the test reads the fields as tuples")]
    enum Any<'w> {
        Quick(&'w mut Speed),
        Heavy { mass: MassMut<'w> },
    }

    fn world() -> (World, [Entity; 4]) {
        let mut world = World::new();
        let all = [
            world.spawn((Place(1), Speed(2))).id(),
            world.spawn((Place(3), Speed(4), Fixed)).id(),
            world.spawn((Place(5), Mass { grams: 6 })).id(),
            world.spawn(Speed(7)).id(),
        ];
        (world, all)
    }

    #[test]
    fn a_view_that_writes_is_read_while_it_is_shared() {
        let (mut world, [a, b, ..]) = world();
        let mut changes = world.changes::<Place>();
        world.advance(&mut changes);
        let mut view = world.view_mut::<(&mut Place, &Speed)>();
        for _ in 0..2 {
            let shared = &view;
            let items: Vec<_> = shared.read_only().iter().map(|(e, p, s)| (e, p.0, s.0)).collect();
            let (first, second) = (shared.read_only(), shared.read_only());
            assert_eq!(first.get(a), second.get(a));
            assert_eq!(items, [(a, first.get(a).unwrap().1.0, 2), (b, 3, 4)]);
            assert_eq!(first.count(), 2);
            view.get_mut(a).unwrap().1.0 += 10;
        }
        assert_eq!(view.read_only().get(a), Some((a, &Place(21), &Speed(2))));
        // Reading marks nothing.
        world.advance(&mut changes);
        assert_eq!(world.entities_in(changes.changed()).collect::<Vec<_>>(), [a]);
    }

    #[test]
    fn filters_and_sets_stay() {
        let (mut world, [a, b, ..]) = world();
        let set = world.entity_set([b]);
        let view = world.view_mut::<&mut Place>().with::<Speed>();
        assert!(view.read_only().iter().map(|it| it.0).eq([a, b]));
        assert!(view.read_only().among(&set).iter().map(|it| it.0).eq([b]));
        let (free, fixed) =
            world.split_mut::<((&mut Place, Without<Fixed>), (&mut Place, With<Fixed>))>();
        assert!(!free.read_only().matches(b) && fixed.read_only().matches(b));
        assert_eq!((free.read_only().count(), fixed.read_only().count()), (2, 1));
    }

    #[test]
    fn each_kind_of_term_is_read() {
        let (mut world, [a, b, c, d]) = world();
        let view = world.view_mut::<(Option<&mut Speed>, Mut<Place>, Has<Fixed>)>();
        let items: Vec<_> =
            view.read_only().iter().map(|(e, s, p, f)| (e, s.map(|s| s.0), p.0, f)).collect();
        assert_eq!(items, [(a, Some(2), 1, false), (b, Some(4), 3, true), (c, None, 5, false)]);
        let view = world.view_mut::<&mut Mass>();
        assert_eq!(*view.read_only().single().unwrap().1.grams, 6);
        let view = world.view_mut::<Mover>();
        let mut items: Vec<_> =
            view.read_only().iter().map(|(p, e, s)| (p.0, e, s.is_some())).collect();
        items.sort();
        assert_eq!(items, [(1, a, true), (5, c, false)]);
        let view = world.view_mut::<Any>();
        let read = view.read_only();
        let quick: Vec<_> =
            read.iter().map(|(quick, heavy)| (quick.is_some(), heavy.is_some())).collect();
        assert_eq!((quick.len(), read.matches(d)), (4, true));
        assert!(quick.contains(&(false, true)));
    }

    fn total(places: &View<&mut Place>) -> i32 {
        places.read_only().iter().map(|(_, place)| place.0).sum()
    }

    #[test]
    fn a_function_with_a_shared_view_reads() {
        let (mut world, _) = world();
        world.run(|mut places: View<&mut Place>| {
            let before = total(&places);
            places.iter_mut().for_each(|(_, place)| place.0 += 1);
            assert_eq!(total(&places), before + 3);
        });
    }
}
