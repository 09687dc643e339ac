//! Plans describe the matches: in random worlds, with random groups.

use crate::fixtures::Random;
use ecs::by_name::{Kind, KindQuery};
use ecs::{
    ChildOf, Component, Entity, EntitySet, Group, GroupRef, Has, Plan, PlanKind, ResMut, Resource,
    Up, With, Without, World,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Component)]
#[component(track)]
struct A(u32);
#[derive(Component)]
struct B(u64);
#[derive(Component)]
struct C(#[expect(dead_code, reason = "a value in a pool")] u8);
#[derive(Component)]
struct D;
/// Stored in columns.
#[derive(Component)]
#[component(layout = "soa")]
struct E {
    x: u32,
    y: u32,
}

#[derive(Resource)]
struct Score(u32);

/// Indices on a page.
const PAGE: usize = 1024;

/// The terms of a query.
struct Asked {
    required: &'static [&'static str],
    excluded: &'static [&'static str],
    any: &'static [&'static str],
    /// `true` if it has an optional term.
    is_optional: bool,
    /// The marks of the query, if there are no other terms.
    among: Option<&'static str>,
}

impl Asked {
    /// Returns the number of entities that match it.
    fn matches(&self, world: &World, changed: &BTreeSet<Entity>) -> usize {
        let [required, excluded, any] = [self.required, self.excluded, self.any]
            .map(|names| names.iter().map(|name| pool(world, name)).collect::<Vec<_>>());
        let is_met = |entity: &Entity| {
            let mut all = [&required, &excluded, &any].map(|pools| pools.iter().copied());
            let has =
                |kind: Option<Kind>| kind.is_some_and(|it| world.kind_value(it, *entity).is_some());
            all[0].all(has) && !all[1].any(has) && (any.is_empty() || all[2].any(has))
        };
        let is_among = |entity: &Entity| self.among.is_none() || changed.contains(entity);
        world.entities().filter(is_among).filter(is_met).count()
    }
}

fn pool(world: &World, name: &str) -> Option<Kind> {
    world.kinds().find(|kind| kind.name() == name)
}

fn sorted<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
}

/// The number of entities that are looked up at a time; the ones without the optional component
/// come first.
const BLOCK: usize = 256;

/// Returns `true` if entities were found on a walk along these.
fn are_met(walked: &[Entity], found: &[Entity]) -> bool {
    let blocks: BTreeMap<Entity, usize> =
        walked.iter().enumerate().map(|(at, &entity)| (entity, at / BLOCK)).collect();
    let blocks: Option<Vec<usize>> =
        found.iter().map(|entity| blocks.get(entity).copied()).collect();
    blocks.is_some_and(|blocks| blocks.is_sorted())
}

/// Returns the mistake in a plan for these matches, in that order.
fn mistake(world: &World, asked: &Asked, plan: &Plan, found: &[Entity]) -> Option<&'static str> {
    let smallest = asked
        .required
        .iter()
        .map(|name| pool(world, name).map_or(0, |kind| world.kind_entities(kind).len()))
        .min();
    let driver = plan.driver.map(|name| pool(world, name).expect("the driver is a pool"));
    let group: Option<GroupRef> = plan.group.as_ref().map(|name| {
        world.groups().find(|group| group.to_string() == *name).expect("the group is kept")
    });
    let is_known = |name: &&str| pool(world, name).is_some();
    if driver.is_none() && !asked.required.is_empty() && asked.required.iter().all(is_known) {
        return Some("a driver is named where there is one");
    }
    if driver.is_some_and(|driver| {
        !asked.required.contains(&driver.name())
            || Some(world.kind_entities(driver).len()) != smallest
    }) {
        return Some("the driver is the smallest required pool");
    }
    if let Some(group) = &group {
        let required = [group.owned(), group.observed()].concat();
        let excluded = group.excluded();
        if plan.candidates != group.len() {
            return Some("all members of the group are candidates");
        }
        if !required.iter().all(|name| asked.required.contains(name))
            || !excluded.iter().all(|name| asked.excluded.contains(name))
        {
            return Some("the group has all matches");
        }
        let is_all = required.len() == asked.required.len()
            && excluded.len() == asked.excluded.len()
            && asked.any.is_empty()
            && asked.among.is_none();
        if (plan.kind == PlanKind::Group) != is_all {
            return Some("the group has the matches and no others");
        }
        if plan.kind == PlanKind::Group && group.len() != found.len() {
            return Some("all members of the group match");
        }
        if let Some(owned) = group.owned().first() {
            let front = &world.kind_entities(pool(world, owned).unwrap())[..group.len()];
            if !are_met(front, found) {
                return Some("the group's members are walked");
            }
        }
        return match plan.kind {
            PlanKind::Group | PlanKind::Dense => None,
            _ => Some("a group is walked or looked up"),
        };
    }
    let indices = |entities: &[Entity]| entities.iter().map(|entity| entity.index()).max();
    let goes_up = asked.is_optional || found.is_sorted_by_key(|entity| entity.index());
    match (plan.kind, driver) {
        (PlanKind::All | PlanKind::Dense, Some(driver)) => {
            let members = world.kind_entities(driver);
            if plan.candidates != members.len() {
                return Some("all members of the driver are candidates");
            }
            if !are_met(members, found) {
                return Some("the driver's members are walked");
            }
            let is_all = plan.kind == PlanKind::All;
            (is_all && found.len() != members.len()).then_some("all members of the driver match")
        }
        (PlanKind::Words, Some(driver)) => {
            let pages =
                indices(world.kind_entities(driver)).map_or(0, |last| last as usize / PAGE + 1);
            let are_tested =
                plan.candidates.is_multiple_of(PAGE) && plan.candidates / PAGE >= pages;
            (!are_tested || !goes_up).then_some("the words of the driver are joined")
        }
        (PlanKind::Everyone, None) => {
            let all: Vec<_> = world.entities().collect();
            let are_tested = plan.candidates > indices(&all).map_or(0, |last| last as usize)
                || plan.candidates == 0 && all.is_empty();
            (!are_tested || !goes_up).then_some("everyone is looked at")
        }
        (_, None) if !asked.required.is_empty() => {
            (plan.candidates != 0 || !found.is_empty()).then_some("nothing is walked")
        }
        _ => Some("this is no way to walk without a group"),
    }
}

/// A group that would help, and the plan that says so.
type Advice = (String, fn(&World) -> Plan);

/// Compares the plan of each of these queries with the true one. All that was advised.
macro_rules! compare {
    ($world:ident $changed:ident: $($query:ty $(, $filter:ident::<$list:ty>)* $(; $among:ident $marked:ident)?
        => [$($required:ident)*] [$($excluded:ident)*] [$($any:ident)*];)+) => {{
        let mut advice = Vec::<Advice>::new();
        $({
            let asked = Asked {
                required: &[$(stringify!($required)),*],
                excluded: &[$(stringify!($excluded)),*],
                any: &[$(stringify!($any)),*],
                is_optional: stringify!($query).contains(['O', 'H']), // `Option`, `Has`
                among: [None, $(Some(stringify!($marked)))?].into_iter().last().flatten(),
            };
            let explain: fn(&World) -> Plan = |world| {
                world.view::<$query>()$(.$filter::<$list>())*.explain()
            };
            let view = || $world.view::<$query>()$(.$filter::<$list>())*$(.$among($marked))?;
            let (text, plan) = (concat!(stringify!($query) $(, " ", stringify!($filter), " ",
                stringify!($list))* $(, " ", stringify!($among))?), view().explain());
            let mut by_for = Vec::new();
            for item in view() {
                by_for.push(item.0);
            }
            let mut by_closure = Vec::new();
            view().for_each(|item| by_closure.push(item.0));
            let matches = asked.matches($world, $changed);
            assert_eq!(by_for.len(), matches, "{text}");
            for found in [by_for, by_closure] {
                if let Some(mistake) = mistake($world, &asked, &plan, &found) {
                    let kept: Vec<_> = $world.groups().collect();
                    panic!("not so: {mistake}; {text}: {plan}\n{plan:?}\nmatches: {matches}\n{kept:#?}");
                }
            }
            if let Some(helpful) = plan.helpful {
                assert!(asked.among.is_none(), "{text}: no group knows who changed");
                assert!(matches * 8 < plan.candidates, "{text}: not many tests are spared");
                let named = helpful.split('`').skip(1).step_by(2);
                assert_eq!(sorted(named), sorted(asked.required.iter().chain(asked.excluded).copied()));
                advice.push((helpful, explain));
            }
        })+
        advice
    }};
}

fn compare(world: &World, marked: &EntitySet, changed: &BTreeSet<Entity>) -> Vec<Advice> {
    compare! { world changed:
        A => [A] [] [];
        (A, Option<&B>) => [A] [] [];
        (A, Option<&B>, Option<&C>) => [A] [] [];
        (A, B) => [A B] [] [];
        (B, C) => [B C] [] [];
        (A, E) => [A E] [] [];
        (A, B, Option<&C>) => [A B] [] [];
        (A, B, Option<&E>) => [A B] [] [];
        (A, C, Option<&B>) => [A C] [] [];
        (B, E, Option<&A>) => [B E] [] [];
        (A, B, Option<&C>, Option<&E>) => [A B] [] [];
        (A, B, C) => [A B C] [] [];
        (A, B, C, Option<&E>) => [A B C] [] [];
        (A, B, E) => [A B E] [] [];
        (A, B, C, E) => [A B C E] [] [];
        (A, Has<B>) => [A] [] [];
        (A, B, Has<C>) => [A B] [] [];
        (A, B, With<C>) => [A B C] [] [];
        A, with::<B> => [A B] [] [];
        A, with::<D> => [A D] [] [];
        A, without::<D> => [A] [D] [];
        (A, B), without::<C> => [A B] [C] [];
        (A, B), without::<D> => [A B] [D] [];
        (A, B, Option<&C>), without::<D> => [A B] [D] [];
        (A, B, C), without::<D> => [A B C] [D] [];
        (A, C), with::<B> => [A B C] [] [];
        (A, B), with::<C>, without::<D> => [A B C] [D] [];
        (A, B), with_any::<(C, D)> => [A B] [] [C D];
        (A, Option<&B>), with_any::<(C, D)> => [A] [] [C D];
        Option<&A> => [] [] [];
        Has<A>, without::<B> => [] [B] [];
        (With<D>,) => [D] [] [];
        A; among marked => [A] [] [];
        (A, B); among marked => [A B] [] [];
        (A, B, C); among marked => [A B C] [] [];
        (A, Option<&B>); among marked => [A] [] [];
        A, without::<D>; among marked => [A] [D] [];
        (A, B), without::<D>; among marked => [A B] [D] [];
        (B, C); among marked => [B C] [] [];
        Option<&A>; among marked => [] [] [];
        (With<D>,); among marked => [D] [] [];
        (A, Up<ChildOf, &B>) => [A ChildOf] [] [];
        (A, B, Up<ChildOf, &A>) => [A B ChildOf] [] [];
        (A, Option<Up<ChildOf, &B>>) => [A] [] [];
        (A, Up<ChildOf, &B>), without::<D>; among marked => [A ChildOf] [D] [];
    }
}

/// Tries to keep a group: one of each shape; several own the same pools.
fn declare(world: &mut World, which: usize) {
    macro_rules! groups {
        ($($at:literal => $group:expr,)+) => {
            match which {
                $($at => drop(world.declare_group($group)),)+
                _ => unreachable!(),
            }
        };
    }
    groups! {
        0 => Group::owning::<(A, B)>(),
        1 => Group::owning::<(A, B, C)>(),
        2 => Group::owning::<(A, B, C, E)>(),
        3 => Group::owning::<(A, B)>().without::<D>(),
        4 => Group::owning::<(A, B, C)>().without::<D>(),
        5 => Group::owning::<A>().with::<B>(),
        6 => Group::owning::<(A, B)>().with::<C>(),
        7 => Group::owning::<A>(),
        8 => Group::owning::<C>().with::<(A, B)>(),
        9 => Group::owning::<(B, E)>(),
        10 => Group::observing::<(A, B)>(),
        11 => Group::observing::<(A, C)>(),
        12 => Group::observing::<(A, B)>().without::<D>(),
        13 => Group::observing::<A>().without::<D>(),
        14 => Group::observing::<(A, B, C)>(),
        15 => Group::owning::<D>().with::<A>(),
    }
}

/// The number of groups that [`declare`] can declare.
const GROUPS: usize = 16;

/// A world of up to `size` entities, each with some of the components, some of them gone again.
fn some_world(random: &mut Random, size: usize) -> World {
    let mut world = World::new();
    // The probability of each component, in sixteenths; and empty entities between them.
    let likely: [usize; 5] = std::array::from_fn(|_| [0, 1, 8, 15, 16][random.below(5)]);
    let apart = [0, 0, 3, 200][random.below(4)];
    let are_related = random.below(2) == 0;
    for _ in 0..random.below(4) {
        declare(&mut world, random.below(GROUPS));
    }
    let mut entities = Vec::new();
    for at in 0..u32::try_from(random.below(size + 1)).unwrap() {
        for _ in 0..random.below(apart + 1) {
            world.spawn_empty();
        }
        let entity = world.spawn_empty().id();
        entities.push(entity);
        if are_related && random.below(2) == 0 {
            _ = world.attach(entity, entities[random.below(entities.len())]); // but to itself
        }
        let mut is = |which: usize| random.below(16) < likely[which];
        let given = [is(0), is(1), is(2), is(3), is(4)];
        let _ = given[0] && world.insert(entity, A(at)).is_ok();
        let _ = given[1] && world.insert(entity, B(at.into())).is_ok();
        let _ = given[2] && world.insert(entity, C(7)).is_ok();
        let _ = given[3] && world.insert(entity, D).is_ok();
        let _ = given[4] && world.insert(entity, E { x: at, y: at }).is_ok();
    }
    for _ in 0..[0, 0, size / 4][random.below(3)].min(entities.len()) {
        let entity = entities[random.below(entities.len())];
        match random.below(5) {
            0 => drop(world.remove::<A>(entity)),
            1 => drop(world.remove::<B>(entity)),
            2 => drop(world.remove::<C>(entity)),
            3 => drop(world.insert(entity, A(0))),
            _ => drop(world.despawn(entity)),
        }
    }
    for _ in 0..random.below(4) {
        declare(&mut world, random.below(GROUPS));
    }
    world
}

#[test]
fn plans_describe_the_matches() {
    let mut random = Random(77);
    let mut used = 0;
    for round in 0..90 {
        let size = [0, 3, 20, 400, 1_500][round % 5];
        let mut world = some_world(&mut random, size);
        let mut seen = world.changes::<A>();
        let mut changed = BTreeSet::new();
        let all = world.pool::<A>().keys().to_vec();
        for _ in 0..[0, 1, size / 8, size * 2][random.below(4)].min(all.len() * 4) {
            let entity = all[random.below(all.len())];
            world.get_mut::<A>(entity).unwrap().0 += 1;
            changed.insert(entity);
        }
        world.advance(&mut seen);
        assert_eq!(seen.changed().len(), changed.len());
        let advice = compare(&world, seen.changed(), &changed);
        compare_ways_to_ask(&mut world);
        for (helpful, explain) in advice {
            // Advised groups can be declared, and are used then.
            match &*helpful {
                "group owning (`A`, `B`)" => {
                    world.declare_group(Group::owning::<(A, B)>()).unwrap();
                }
                "group owning (`A`, `B`) without (`D`)" => {
                    world.declare_group(Group::owning::<(A, B)>().without::<D>()).unwrap();
                }
                "group observing (`A`, `B`)" => {
                    world.declare_group(Group::observing::<(A, B)>()).unwrap();
                }
                "group observing (`A`, `B`) without (`D`)" => {
                    world.declare_group(Group::observing::<(A, B)>().without::<D>()).unwrap();
                }
                _ => continue,
            }
            used += 1;
            let plan = explain(&world);
            assert!(plan.kind == PlanKind::Group && plan.helpful.is_none(), "{plan}");
        }
    }
    assert!(used > 4, "only {used} groups were advised");
}

/// Compares other ways to query: a view of a split beside a resource has the plan of a view, and so
/// has a query by names.
fn compare_ways_to_ask(world: &mut World) {
    world.insert_resource(Score(0));
    let [a, b, c, d] = [Kind::of::<A>(), Kind::of::<B>(), Kind::of::<C>(), Kind::of::<D>()];
    macro_rules! ways {
        ($($view:ty, $split:ty, $rows:expr => [$($required:ident)*] [$($excluded:ident)*];)+) => {$({
            let text = stringify!($view);
            let asked = Asked {
                required: &[$(stringify!($required)),*],
                excluded: &[$(stringify!($excluded)),*],
                any: &[],
                is_optional: false,
                among: None,
            };
            let query = $rows;
            let rows = world.kind_rows(&query).unwrap();
            let plan = rows.explain();
            let found: Vec<_> = rows.map(|row| row.entity()).collect();
            if let Some(mistake) = mistake(world, &asked, &plan, &found) {
                panic!("not so by names: {mistake}; {text}: {plan}\n{plan:?}");
            }
            let plan = world.view::<$view>().explain();
            let (view, score) = world.split_mut::<($split, ResMut<Score>)>();
            assert_eq!(view.explain(), plan, "{text} in a split");
            let mut by_split = Vec::new();
            view.for_each(|item| by_split.push(item.0));
            score.0 += 1;
            assert_eq!(by_split.len(), found.len(), "{text} in a split");
            assert_eq!(mistake(world, &asked, &plan, &by_split), None, "{text} in a split");
        })+};
    }
    ways! {
        &A, &mut A, KindQuery::new().read(a) => [A] [];
        (&A, &B), (&mut A, &B), KindQuery::new().read(a).read(b) => [A B] [];
        (&A, &B, With<C>), (&A, &mut B, With<C>), KindQuery::new().read(a).read(b).with(c) => [A B C] [];
        (&A, Without<D>), (&mut A, Without<D>), KindQuery::new().read(a).without(d) => [A] [D];
    }
    assert_eq!(world.resource::<Score>().0, 4);
}

#[test]
fn a_run_and_then_gaps_on_a_page_that_is_in_order() {
    let mut world = World::new();
    world.spawn_batch((0..200).map(|at| (A(at), B(u64::from(at)))));
    let all: Vec<Entity> = world.entities().collect();
    for at in (100..200).step_by(2) {
        world.insert(all[at], D).unwrap();
    }
    let expected: Vec<(Entity, u32)> =
        (0..200).filter(|at| *at < 100 || at % 2 == 1).map(|at| (all[at as usize], at)).collect();
    for plan in [PlanKind::Words, PlanKind::Dense, PlanKind::All] {
        let view = || world.view::<(&A, &B)>().without::<D>().with_plan(plan);
        let mut seen = Vec::new();
        view().for_each(|(entity, a, b)| seen.push((entity, a.0, b.0)));
        let in_for: Vec<_> = view().into_iter().map(|(entity, a, b)| (entity, a.0, b.0)).collect();
        for seen in [seen, in_for] {
            assert!(seen.iter().all(|(_, a, b)| u64::from(*a) == *b), "{plan:?}");
            assert!(seen.iter().map(|(entity, a, _)| (*entity, *a)).eq(expected.iter().copied()));
        }
    }
}

#[test]
fn a_plan_shows_the_set_that_a_view_is_restricted_to() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..100).map(|_| A(0)));
    let [few, many] = [3, 40].map(|count| world.entity_set(entities[..count].iter().copied()));
    let view = world.view::<&A>();
    assert_eq!(view.explain().among, None);
    let plan = view.among(&many).among(&few).explain();
    assert_eq!(plan.among, Some(3));
    assert!(plan.to_string().ends_with("; only the 3 entities of a set may match"), "{plan}");
    let plan = world.view::<&A>().in_order_of::<A>().among(&many).explain();
    assert_eq!(plan.among, Some(40));
}
