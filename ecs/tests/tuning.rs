//! Worlds that choose their groups: their counts, advice and changes.

use ecs::layout::Layout;
use ecs::save::Limits;
use ecs::{Component, Entity, Group, GroupRef, PlanKind, World};

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct A(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct B(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct C(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct D(u32);

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }
}

/// A world of this many entities; one in `every` has each component, in random order.
fn scattered(count: usize, every: usize) -> (World, Vec<Entity>) {
    let mut random = Random(42);
    let mut world = World::new();
    let entities = world.spawn_batch((0..count).map(|_| ()));
    let mut order = entities.clone();
    for component in 0..4 {
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        for &entity in &order[..count / every] {
            let value = entity.index();
            match component {
                0 => world.insert(entity, A(value)).map(drop),
                1 => world.insert(entity, B(value)).map(drop),
                2 => world.insert(entity, C(value)).map(drop),
                _ => world.insert(entity, D(value)).map(drop),
            }
            .unwrap();
        }
    }
    (world, entities)
}

fn names(world: &World) -> Vec<String> {
    world.groups().map(|group| group.to_string()).collect()
}

/// Calls `frame` so often, and tunes after each.
fn frames(world: &mut World, count: usize, mut frame: impl FnMut(&mut World)) {
    for _ in 0..count {
        frame(world);
        Layout::of(world).tune();
    }
}

fn walk_ab(world: &mut World) {
    world.view::<(&A, &B)>().for_each(|_| ());
}

const AB: &str = "group owning (`A`, `B`)";

#[test]
fn a_join_that_is_walked_often_gets_a_group() {
    let (mut world, _) = scattered(10_000, 5);
    frames(&mut world, 5, walk_ab);
    assert!(names(&world).is_empty(), "nobody asked it to observe");
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    assert_eq!(names(&world), [AB]);
    assert!(world.groups().all(GroupRef::is_tuned));
    assert_eq!(world.view::<(&A, &B)>().explain().kind, PlanKind::Group);
    world.check_invariants();
}

#[test]
fn a_world_that_stops_observing_keeps_its_groups_and_counts_no_more() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    Layout::of(&mut world).observe(false);
    frames(&mut world, 40, |world| world.view::<(&C, &D)>().for_each(|_| ()));
    assert_eq!(names(&world), [AB]);
    assert_eq!(Layout::of(&mut world).advice().to_string(), NOTHING);
}

const NOTHING: &str = "no query costs anything that a group could save";

#[test]
fn every_way_to_walk_is_counted_once() {
    let (mut world, _) = scattered(2_000, 5);
    let walks: [fn(&mut World); 8] = [
        |world| world.view::<(&A, &B)>().for_each(|_| ()),
        |world| world.view::<(&A, &B)>().into_iter().for_each(|_| ()),
        |world| _ = world.view::<(&A, &B)>().iter().next(),
        |world| world.view_mut::<(&mut A, &B)>().for_each(|_| ()),
        |world| world.view::<(&B, &A)>().for_each_chunk(|_| ()),
        |world| world.view::<(&A, &B)>().par_for_each(|_| ()),
        |world| _ = world.view::<(&A, &B)>().par_fold(|| 0, |sum, _| sum + 1, |a, b| a + b),
        |world| _ = world.view::<(&A, &B)>().single(),
    ];
    for (at, walk) in walks.iter().enumerate() {
        for declared in [false, true] {
            if declared {
                world.declare_group(Group::owning::<(A, B)>()).unwrap();
            }
            Layout::of(&mut world).reset();
            Layout::of(&mut world).observe(true);
            for _ in 0..4 {
                walk(&mut world);
                Layout::of(&mut world).advice();
            }
            let advice = Layout::of(&mut world).advice();
            let walks: Vec<_> =
                advice.queries.iter().map(|it| (it.query.as_str(), it.walks)).collect();
            assert_eq!(walks, [("(&A, &B)", 1.0)], "way {at}, declared: {declared}");
        }
        world.drop_group(Group::owning::<(A, B)>()).unwrap();
    }
}

#[test]
fn looking_at_single_entities_and_single_pools_is_not_counted() {
    let (mut world, entities) = scattered(2_000, 5);
    Layout::of(&mut world).observe(true);
    for _ in 0..4 {
        world.view::<&A>().for_each(|_| ());
        for &entity in &entities {
            _ = world.view::<(&A, &B)>().get(entity);
        }
        assert!(!world.view::<(&A, &B)>().is_empty());
        _ = world.view::<(&A, &B)>().explain();
        Layout::of(&mut world).advice();
    }
    assert_eq!(Layout::of(&mut world).advice().queries, []);
}

#[test]
fn counts_are_the_same_on_any_number_of_threads() {
    let count = |threads: usize| {
        let (mut world, _) = scattered(2_000, 5);
        Layout::of(&mut world).observe(true);
        for _ in 0..4 {
            std::thread::scope(|scope| {
                for thread in 0..threads {
                    let world = &world;
                    scope.spawn(move || {
                        for at in (0..120).filter(|at| at % threads == thread) {
                            match at % 3 {
                                0 => world.view::<(&A, &B)>().for_each(|_| ()),
                                1 => world.view::<(&C, &B)>().for_each(|_| ()),
                                _ => _ = world.view::<(&A, &D)>().without::<C>().iter().count(),
                            }
                        }
                    });
                }
            });
            Layout::of(&mut world).tune();
        }
        (names(&world), Layout::of(&mut world).advice())
    };
    let alone = count(1);
    assert_eq!(alone.1.queries.len(), 3);
    // The first threads of the process add to counters of their own, later ones share some.
    for threads in [2, 3, 8, 24] {
        assert_eq!(count(threads), alone);
    }
}

#[test]
fn churn_that_outweighs_walks_gets_no_group_and_ends_one() {
    let (mut world, entities) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    let churn = |world: &mut World| {
        walk_ab(world);
        for &entity in entities.iter().step_by(2) {
            world.remove::<B>(entity);
        }
        for &entity in entities.iter().step_by(4) {
            world.insert(entity, B(0)).unwrap();
        }
    };
    frames(&mut world, 60, churn);
    assert_eq!(names(&world), [""; 0]);
    let advice = Layout::of(&mut world).advice();
    let reason = advice.queries[0].reason.as_deref();
    assert_eq!(reason, Some("the edits of a group would cost more than it saves"));
    // After a while of walks alone one pays; then it does not any more.
    frames(&mut world, 800, walk_ab);
    assert_eq!(names(&world), [AB]);
    frames(&mut world, 400, churn);
    assert_eq!(names(&world), [""; 0]);
}

#[test]
fn batches_and_despawns_count_as_edits() {
    let ways: [fn(&mut World, &[Entity]); 3] = [
        |world, entities| {
            world.insert_batch(entities.iter().map(|&entity| (entity, B(0)))).unwrap();
            world.remove_batch::<B>(entities);
        },
        |world, _| {
            let made = world.spawn_batch((0..2_000).map(|at| (A(at), B(at))));
            world.despawn_batch(&made);
        },
        |world, _| {
            let made: Vec<Entity> = (0..2_000).map(|at| world.spawn((A(at), B(at))).id()).collect();
            for entity in made {
                world.despawn(entity).unwrap();
            }
        },
    ];
    for (at, way) in ways.into_iter().enumerate() {
        let (mut world, entities) = scattered(10_000, 5);
        let given: Vec<Entity> = entities
            .into_iter()
            .filter(|&entity| world.get::<A>(entity).is_some() && world.get::<B>(entity).is_none())
            .collect();
        Layout::of(&mut world).observe(true);
        for _ in 0..4 {
            walk_ab(&mut world);
            way(&mut world, &given);
            Layout::of(&mut world).advice();
        }
        let advice = Layout::of(&mut world).advice();
        let each = if at == 0 { given.len() as u64 } else { 2_000 };
        // Not the edits of the first interval: by then no view had named the components.
        assert!(advice.edits.contains(&("B", 2 * each * 3)), "way {at}: {:?}", advice.edits);
        let reason = advice.queries[0].reason.as_deref();
        assert_eq!(reason, Some("the edits of a group would cost more than it saves"), "way {at}");
    }
}

#[test]
fn advice_amid_a_pause_does_not_multiply_edits() {
    let (mut world, entities) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    let frame = |world: &mut World| {
        walk_ab(world);
        for &entity in &entities[..5] {
            world.insert(entity, B(0)).unwrap();
            world.remove::<B>(entity);
        }
    };
    frames(&mut world, 200, frame);
    let edits = |world: &mut World| {
        let edits = Layout::of(world).advice().edits;
        edits.iter().find(|(name, _)| *name == "B").map_or(0, |(_, count)| *count)
    };
    let before = edits(&mut world);
    frames(&mut world, 70, frame);
    let new = edits(&mut world) - before;
    assert!(new <= 70 * 10, "{new} edits were counted of 700");
}

#[test]
fn values_that_are_replaced_by_a_batch_are_no_edits() {
    let (mut world, _) = scattered(10_000, 5);
    let members = world.pool::<B>().keys().to_vec();
    Layout::of(&mut world).observe(true);
    for _ in 0..4 {
        walk_ab(&mut world);
        world.insert_batch(members.iter().map(|&entity| (entity, B(7)))).unwrap();
        Layout::of(&mut world).advice();
    }
    assert_eq!(Layout::of(&mut world).advice().edits, []);
}

#[test]
fn a_pool_that_two_joins_would_own_goes_to_the_dearer_one() {
    let (mut world, _) = scattered(20_000, 4);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, |world| {
        walk_ab(world);
        world.view::<(&B, &C)>().for_each(|_| ());
        walk_ab(world);
    });
    assert_eq!(names(&world), [AB]);
    let advice = Layout::of(&mut world).advice();
    let yields = advice.queries.iter().find(|it| it.query == "(&B, &C)").unwrap();
    assert_eq!(
        yields.reason.as_deref(),
        Some(
            "group owning (`B`, `C`) cannot stand beside group owning (`A`, `B`), which saves more"
        )
    );
}

#[test]
fn joins_of_which_one_requires_more_get_nested_groups() {
    let (mut world, _) = scattered(20_000, 2);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 60, |world| {
        walk_ab(world);
        world.view::<(&A, &B, &C)>().for_each(|_| ());
    });
    assert_eq!(names(&world), [AB, "group owning (`A`, `B`, `C`)"]);
    world.check_invariants();
}

#[test]
fn a_new_join_in_a_settled_world_is_weighed_at_the_next_calls() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 430, walk_ab); // the next reading is some thirty calls away
    let mut calls = 0;
    while names(&world) == [AB] && calls < 200 {
        for _ in 0..20 {
            world.view::<(&C, &D)>().for_each(|_| ());
        }
        frames(&mut world, 1, walk_ab);
        calls += 1;
    }
    assert!(calls <= 64 + 10, "{calls} calls");
    assert_eq!(names(&world), [AB, "group owning (`C`, `D`)"]);
}

#[test]
fn pools_in_one_order_get_no_group() {
    let mut world = World::new();
    world.spawn_batch((0..20_000).map(|at| (A(at), B(at))));
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    assert_eq!(names(&world), [""; 0]);
    let advice = Layout::of(&mut world).advice();
    let reason = advice.queries[0].reason.as_deref();
    assert_eq!(reason, Some("its pools have the same members in one order"));
}

#[test]
fn phases_do_not_make_the_layout_flap() {
    let (mut world, _) = scattered(20_000, 5);
    Layout::of(&mut world).observe(true);
    let mut changes = 0;
    for frame in 0..1_200 {
        if frame / 60 % 2 == 0 {
            walk_ab(&mut world);
        } else {
            world.view::<(&B, &C)>().for_each(|_| ());
        }
        let tuned = Layout::of(&mut world).tune();
        changes +=
            usize::from(frame > 400 && !(tuned.declared.is_empty() && tuned.dropped.is_empty()));
    }
    assert!(changes <= 1, "{changes} changes");
}

#[test]
fn a_bounded_call_postpones_longer_work() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    let mut postponed = Vec::new();
    for _ in 0..40 {
        walk_ab(&mut world);
        postponed = Layout::of(&mut world).tune_within(1_999).postponed;
    }
    assert_eq!(postponed, [(AB.to_string(), 2_000)]);
    assert_eq!(names(&world), [""; 0]);
    walk_ab(&mut world);
    let tuned = Layout::of(&mut world).tune_within(2_000);
    assert_eq!(tuned.to_string(), "declared the group owning (`A`, `B`)");
    assert_eq!(names(&world), [AB]);
}

#[test]
fn an_excluded_component_is_in_no_tuned_group() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    Layout::of(&mut world).exclude::<B>();
    assert_eq!(names(&world), [""; 0]);
    frames(&mut world, 40, walk_ab);
    assert_eq!(names(&world), [""; 0]);
    let reason = Layout::of(&mut world).advice().queries[0].reason.clone();
    assert_eq!(reason.as_deref(), Some("`B` is excluded from tuning"));
    Layout::of(&mut world).include::<B>();
    frames(&mut world, 60, walk_ab);
    assert_eq!(names(&world), [AB]);
}

#[test]
fn declared_groups_are_never_touched_and_tuned_ones_yield_to_them() {
    let (mut world, _) = scattered(10_000, 5);
    let cd = Group::owning::<(C, D)>();
    world.declare_group(cd).unwrap();
    Layout::of(&mut world).observe(true);
    frames(&mut world, 60, |world| {
        walk_ab(world);
        world.view::<(&B, &C)>().for_each(|_| ());
    });
    assert_eq!(names(&world), ["group owning (`C`, `D`)", AB]);
    let advice = Layout::of(&mut world).advice();
    assert_eq!(advice.unpaid.len(), 1);
    assert_eq!(advice.unpaid[0].group, "group owning (`C`, `D`)");
    // No tuned group is found by a declaration.
    assert!(world.group(Group::owning::<(A, B)>()).is_err());
    assert!(world.drop_group(Group::owning::<(A, B)>()).is_err());
    // One that needs its pools ends it.
    world.declare_group(Group::owning::<(B, Other)>()).unwrap();
    assert_eq!(names(&world), ["group owning (`C`, `D`)", "group owning (`B`, `Other`)"]);
    world.drop_group(Group::owning::<(B, Other)>()).unwrap();
    frames(&mut world, 60, walk_ab);
    assert_eq!(names(&world), ["group owning (`C`, `D`)", AB]);
    // Declared by the user, it is the user's.
    world.declare_group(Group::owning::<(A, B)>()).unwrap();
    Layout::of(&mut world).reset();
    assert_eq!(names(&world), ["group owning (`C`, `D`)", AB]);
    world.check_invariants();
}

#[derive(Component)]
struct Other;

#[test]
fn sorting_ends_the_tuned_groups_in_its_way() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    assert_eq!(names(&world), [AB]);
    let is_sorted = |world: &World| world.pool::<B>().as_slice().is_sorted_by_key(|b| b.0);
    world.pool_mut::<B>().sort_by_key(|b| b.0).unwrap();
    assert!(is_sorted(&world) && names(&world).is_empty());
    frames(&mut world, 60, walk_ab);
    assert!(is_sorted(&world), "no tuned group owns what is sorted");
    let reason = Layout::of(&mut world).advice().queries[0].reason.clone();
    assert_eq!(reason.as_deref(), Some("`B` is sorted by the program"));

    // The order of a declared group is not broken by one nested in it.
    let (mut world, _) = scattered(10_000, 2);
    let declared = Group::owning::<(A, B)>();
    world.declare_group(declared).unwrap();
    Layout::of(&mut world).observe(true);
    let walk_abc = |world: &mut World| world.view::<(&A, &B, &C)>().for_each(|_| ());
    frames(&mut world, 60, walk_abc);
    assert_eq!(world.groups().count(), 2);
    world.group_mut(declared).unwrap().sort_by_key(|(a, _)| a.0);
    let order = |world: &World| world.group(declared).unwrap().members().to_vec();
    assert!(order(&world).is_sorted());
    frames(&mut world, 60, walk_abc);
    assert!(order(&world).is_sorted());
}

#[test]
fn a_world_that_is_read_has_tuned_groups_that_yield_to_sorting() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    Layout::of(&mut world).observe(false);
    let mut bytes = Vec::new();
    World::new().save().to_bytes(&mut bytes).unwrap();
    let mut read = world.read(&bytes, &Limits::default()).unwrap().0;
    assert_eq!(names(&read), [AB]);
    read.spawn(B(3));
    read.spawn_batch([2, 1].map(|at| (A(at), B(at))));
    read.pool_mut::<B>().sort_by_key(|b| b.0).unwrap();
    assert_eq!(read.pool::<B>().as_slice(), [B(1), B(2), B(3)]);
    read.check_invariants();
    assert!(names(&read).is_empty());
}

#[test]
fn a_copy_has_the_tuned_groups_and_goes_on_alike() {
    let (mut world, entities) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    let frame = |world: &mut World| {
        walk_ab(world);
        world.view::<(&C, &D)>().for_each(|_| ());
        for &entity in entities.iter().step_by(97) {
            world.remove::<D>(entity);
        }
    };
    frames(&mut world, 3, frame);
    let mut copy = world.try_clone().unwrap();
    for world in [&mut world, &mut copy] {
        frames(world, 40, frame);
    }
    assert_eq!((names(&copy), names(&copy).len()), (names(&world), 2));
    let order = |world: &World| world.view::<(&A, &B)>().iter().map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(order(&copy), order(&world));
    copy.check_invariants();

    // A world that is rolled back forgets its later tuning.
    let saved = world.try_clone().unwrap();
    Layout::of(&mut world).reset();
    world.copy_from(&saved).unwrap();
    assert_eq!(names(&world), names(&copy));
    assert!(world.groups().all(GroupRef::is_tuned));
}

#[test]
fn tuning_changes_only_the_order() {
    let sorted = |world: &World| {
        let mut found: Vec<_> = world
            .view::<(&A, Option<&B>)>()
            .iter()
            .map(|(it, a, b)| (it, *a, b.copied()))
            .collect();
        found.sort_by_key(|it| it.0);
        found
    };
    let (mut world, _) = scattered(10_000, 5);
    let before = sorted(&world);
    Layout::of(&mut world).observe(true);
    frames(&mut world, 60, |world| assert_eq!(sorted(world), before));
    assert_eq!(names(&world), [AB], "a group tells who has what is optional");
    assert_eq!(sorted(&world), before);
}

#[test]
fn advice_is_text_with_a_line_of_code() {
    let (mut world, _) = scattered(10_000, 5);
    Layout::of(&mut world).observe(true);
    for _ in 0..3 {
        world.view::<(&A, &B)>().with::<C>().without::<D>().for_each(|_| ());
        world.view::<(&A, &B)>().with::<C>().without::<D>().for_each(|_| ());
        Layout::of(&mut world).advice();
    }
    let text = Layout::of(&mut world).advice().to_string();
    let matches = world.view::<(&A, &B)>().with::<C>().without::<D>().count();
    assert_eq!(
        text.lines().next().unwrap().split(", cost").next().unwrap(),
        format!("(&A, &B, With<C>, Without<D>): 2.0 walks, {matches} matches of 2000")
    );
    let code = "world.declare_group(Group::owning::<(A, B)>().with::<C>().without::<D>())?;";
    assert!(text.lines().nth(1).unwrap().ends_with(code), "{text}");
}
