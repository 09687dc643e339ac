//! The term that reads the sources of a match, compared with lists that are looked up by hand.

use ecs::{
    ChildOf, Component, Entity, EntityRef, Group, Has, Query, Resource, Schedule, Sources, Up,
    View, Views, With, WithAny, Without, World,
};
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

#[derive(Component, Debug, PartialEq)]
struct Belt(u32);
#[derive(Component, Debug, PartialEq)]
struct Weight(u32);
#[derive(Component, Debug, PartialEq)]
struct Fragile;
#[derive(Component, Debug, PartialEq)]
#[component(relation)]
struct CarriedBy(Entity);
/// Is stored in columns.
#[derive(Component, Debug, PartialEq)]
#[component(layout = "soa")]
struct Size {
    x: u32,
    y: u32,
}
#[derive(Component)]
#[component(track)]
struct Speed(u32);

/// Steele, Lea and Flood's `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit as u64).unwrap()
    }
}

/// A world after random edits: some entities carry others, some of which carry nothing.
fn random_world(random: &mut Random) -> (World, Vec<Entity>) {
    let mut world = World::new();
    match random.below(4) {
        0 => world.declare_group(Group::owning::<(Belt, Weight)>()).unwrap(),
        1 => world.declare_group(Group::observing::<(Belt, Speed)>()).unwrap(),
        2 => world.declare_group(Group::owning::<Belt>().without::<Fragile>()).unwrap(),
        _ => {}
    }
    let most = if random.below(8) == 0 { 3_000 } else { 60 };
    let count = 2 + random.below(most);
    let entities: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    for step in 0..2 * count {
        let number = u32::try_from(step).unwrap();
        let entity = entities[random.below(count)];
        let target = entities[random.below(1 + count / 3)];
        if !world.is_alive(entity) {
            continue;
        }
        match random.below(12) {
            0..3 => drop(world.insert(entity, Belt(number))),
            3..5 => drop(world.insert(entity, Weight(number))),
            5 => drop(world.insert(entity, Fragile)),
            6 => drop(world.insert(entity, (Size { x: number, y: 2 * number }, Speed(number)))),
            7..10 => drop(world.insert(entity, CarriedBy(target))),
            10 => drop(world.remove::<CarriedBy>(entity)),
            _ if random.below(4) == 0 => drop(world.despawn(entity)),
            _ => drop(world.remove::<Belt>(entity)),
        }
    }
    (world, entities)
}

/// The sum of what a match carries, and how many have a weight, found by hand.
fn carried(world: &World, entity: Entity) -> (u32, usize) {
    let weights = world.related::<CarriedBy>(entity).filter_map(|item| world.get::<Weight>(item));
    weights.fold((0, 0), |(sum, count), weight| (sum + weight.0, count + 1))
}

fn is_target(world: &World, entity: Entity) -> bool {
    world.related::<CarriedBy>(entity).len() > 0
}

fn sum<'w, R: ecs::Relation>(items: Sources<'w, R, &'w Weight>) -> (u32, usize) {
    items.fold((0, 0), |(sum, count), (_, weight)| (sum + weight.0, count + 1))
}

fn rounds() -> u64 {
    std::env::var("ECS_SOURCE_ROUNDS").map_or(60, |rounds| rounds.parse().unwrap())
}

#[derive(Query)]
struct Loaded<'w> {
    entity: Entity,
    belt: &'w Belt,
    items: Sources<'w, CarriedBy, &'w Weight>,
    fragile: Option<Sources<'w, CarriedBy, With<Fragile>>>,
}

#[derive(Query)]
#[query(without(Fragile))]
struct Nested<'w> {
    loaded: Loaded<'w>,
    handles: (Sources<'w, CarriedBy>, Has<Weight>),
}

type ByEntity = BTreeMap<Entity, (u32, usize)>;
type Loads<'w> = (&'w Belt, Sources<'w, CarriedBy, &'w Weight>);
type Part<'w> = Option<(Option<Sources<'w, CarriedBy>>, Has<Weight>, &'w mut Speed)>;

#[test]
fn each_way_of_iterating_reads_the_sources() {
    for seed in 0..rounds() {
        let (mut world, entities) = random_world(&mut Random(seed));
        let belts = world.view::<Belt>().iter().map(|(entity, _)| entity);
        let is_match = |entity: &Entity| is_target(&world, *entity);
        let expected: ByEntity =
            belts.filter(is_match).map(|entity| (entity, carried(&world, entity))).collect();

        let view = || world.view::<Loads<'_>>();
        let same = |found: ByEntity, way: &str| assert_eq!(found, expected, "{seed}: {way}");
        same(view().iter().map(|(entity, _, items)| (entity, sum(items))).collect(), "iter");
        let found = Mutex::new(ByEntity::new());
        let take = || std::mem::take(&mut *found.lock().unwrap());
        let add = |entity, of| assert_eq!(found.lock().unwrap().insert(entity, of), None);
        view().for_each(|(entity, _, items)| add(entity, sum(items)));
        same(take(), "for_each");
        view().par_for_each(|(entity, _, items)| add(entity, sum(items)));
        same(take(), "par_for_each");
        let chunk = |(entities, belts, sources): ecs::Chunk<'_, Loads<'_>>| {
            assert_eq!((entities.len(), belts.len()), (sources.len(), sources.len()));
            entities.iter().zip(sources).for_each(|(entity, items)| add(*entity, sum(items)));
        };
        view().for_each_chunk(chunk);
        same(take(), "for_each_chunk");
        view().par_for_each_chunk(chunk);
        same(take(), "par_for_each_chunk");
        let parts = view().into_parts(3).flatten();
        same(parts.map(|(entity, _, items)| (entity, sum(items))).collect(), "into_parts");
        let total = view().par_fold(|| 0, |all, (_, _, items)| all + sum(items).0, |a, b| a + b);
        assert_eq!(total, expected.values().map(|of| of.0).sum::<u32>());
        let sorted = view().sorted_by_key(|(entity, ..)| *entity);
        same(sorted.map(|(entity, _, items)| (entity, sum(items))).collect(), "sorted_by_key");
        let many = view().iter_many(&entities).map(|(entity, _, items)| (entity, sum(items)));
        same(many.collect(), "iter_many");
        view().for_each_many(&entities, |(entity, _, items)| add(entity, sum(items)));
        same(take(), "for_each_many");
        let found = entities.iter().filter_map(|entity| view().get(*entity));
        same(found.map(|(entity, _, items)| (entity, sum(items))).collect(), "get");
        assert_eq!(view().count(), expected.len());
        assert_eq!(view().is_empty(), expected.is_empty());
        assert!(entities.iter().all(|it| view().matches(*it) == expected.contains_key(it)));
        let pairs = view().iter_combinations::<2>();
        assert_eq!(
            pairs.take(9).count(),
            (expected.len() * (expected.len().max(1) - 1) / 2).min(9)
        );
        match view().single() {
            Ok((entity, _, items)) => same([(entity, sum(items))].into(), "single"),
            Err(_) => assert_ne!(expected.len(), 1),
        }
        for plan in [ecs::PlanKind::Words, ecs::PlanKind::Dense, ecs::PlanKind::Group] {
            let view = view().with_plan(plan);
            same(view.into_iter().map(|(entity, _, items)| (entity, sum(items))).collect(), "plan");
        }
        if let [a, b, ..] = expected.keys().copied().collect::<Vec<_>>()[..] {
            let mut view = world.view_mut::<(&mut Belt, Sources<CarriedBy, &Weight>)>();
            let pair = view.get_disjoint_mut([a, b]).unwrap();
            assert_eq!(pair.map(|(entity, _, items)| sum(items) == expected[&entity]), [true; 2]);
            assert!(view.get_disjoint_mut([a, a]).is_err());
            assert_eq!(sum(view.get_mut(a).unwrap().2), expected[&a]);
        }
    }
}

#[test]
fn each_kind_of_query_reads_the_sources() {
    for seed in 100..100 + rounds() {
        let (mut world, entities) = random_world(&mut Random(seed));
        for (entity, belt, items) in world.view::<(&Belt, Option<Sources<CarriedBy, &Weight>>)>() {
            assert_eq!(items.is_some(), is_target(&world, entity));
            assert_eq!(items.map_or((0, 0), sum), carried(&world, entity));
            assert_eq!(world.get::<Belt>(entity), Some(belt));
        }
        let targets: Vec<_> = world.view::<Sources<CarriedBy>>().iter().collect();
        for (target, handles) in &targets {
            let len = handles.len();
            assert!(len > 0 && handles.clone().rev().count() == len);
            assert!(handles.clone().eq(world.related::<CarriedBy>(*target)));
        }
        let by_hand = entities.iter().filter(|entity| is_target(&world, **entity)).count();
        assert_eq!(targets.len(), by_hand);
        for (target, pairs) in
            world.view::<Sources<CarriedBy, (&Weight, Has<Fragile>, Without<Belt>)>>()
        {
            let all = world.related::<CarriedBy>(target);
            let wanted = all.filter(|it| world.has::<(&Weight, Without<Belt>)>(*it));
            let found = pairs.map(|(entity, weight, fragile)| {
                assert_eq!(world.get::<Weight>(entity), Some(weight));
                assert_eq!(world.has::<&Fragile>(entity), fragile);
                entity
            });
            assert!(found.eq(wanted));
        }
        for (target, sizes) in world.view::<Sources<CarriedBy, &Size>>() {
            let all = world.related::<CarriedBy>(target).filter_map(|it| world.get::<Size>(it));
            assert!(sizes.map(|(_, size)| (*size.x, *size.y)).eq(all.map(|it| (*it.x, *it.y))));
        }
        for (target, below) in world.view::<Sources<CarriedBy, Sources<CarriedBy, &Weight>>>() {
            let all = world.related::<CarriedBy>(target);
            let wanted = all.filter(|it| is_target(&world, *it)).map(|it| carried(&world, it));
            assert!(below.map(|(_, items)| sum(items)).eq(wanted));
        }
        for (_, wholes) in world.view::<Sources<CarriedBy, (EntityRef, Up<CarriedBy, &Belt>)>>() {
            for (source, whole, above) in wholes {
                assert_eq!(whole.id(), source);
                let target = world.target_of::<CarriedBy>(source).unwrap();
                assert_eq!(above, world.get::<Belt>(target));
            }
        }
        let mut seen = 0;
        for Nested { loaded, handles: (handles, weighs) } in world.view::<Nested>() {
            let entity = loaded.entity;
            assert_eq!(world.get::<Belt>(entity), Some(loaded.belt));
            assert!(handles.eq(world.related::<CarriedBy>(entity)));
            assert_eq!(weighs.get(), world.has::<&Weight>(entity));
            assert_eq!(sum(loaded.items), carried(&world, entity));
            let fragile = loaded.fragile.into_iter().flatten();
            let all = world.related::<CarriedBy>(entity);
            assert!(fragile.eq(all.filter(|it| world.has::<&Fragile>(*it))));
            seen += 1;
        }
        let view = world.view::<(&Belt, With<Sources<CarriedBy>>, Without<Fragile>)>();
        assert_eq!(view.count(), seen);
        // Writes and reads are of different components.
        for (entity, belt, items) in world.view_mut::<(&mut Belt, Sources<CarriedBy, &Weight>)>() {
            belt.0 = items.map(|(_, weight)| weight.0).sum();
            _ = entity;
        }
        for (entity, belt) in world.view::<Belt>().with::<Sources<CarriedBy>>() {
            assert_eq!(belt.0, carried(&world, entity).0);
        }
    }
}

#[test]
fn filters_test_whether_an_entity_is_a_target() {
    for seed in 200..200 + rounds() {
        let (world, entities) = random_world(&mut Random(seed));
        let of = |is_wanted: &dyn Fn(Entity) -> bool| {
            let alive = entities.iter().filter(|entity| world.is_alive(**entity));
            alive.filter(|entity| is_wanted(**entity)).copied().collect::<Vec<_>>()
        };
        macro_rules! check {
            ($query:ty $(, $filter:ident)?: |$entity:ident| $is_wanted:expr) => {
                let view = || world.view::<$query>()$(.$filter::<Sources<CarriedBy>>())?;
                let wanted = of(&|$entity| $is_wanted);
                let mut found: Vec<_> = view().iter().map(|item| item.0).collect();
                found.sort();
                assert_eq!(found, wanted, "{seed}");
                assert_eq!(view().count(), wanted.len());
                assert!(entities.iter().all(|it| view().matches(*it) == wanted.contains(it)));
                for plan in [ecs::PlanKind::Words, ecs::PlanKind::Dense, ecs::PlanKind::Group] {
                    assert_eq!(view().with_plan(plan).into_iter().count(), wanted.len());
                }
            };
        }
        let has_belt = |entity| world.has::<&Belt>(entity);
        check!(&Belt, with: |entity| has_belt(entity) && is_target(&world, entity));
        check!(&Belt, without: |entity| has_belt(entity) && !is_target(&world, entity));
        check!(&Belt, with_any: |entity| has_belt(entity) && is_target(&world, entity));
        check!((&Belt, Without<Sources<CarriedBy>>): |entity| has_belt(entity) && !is_target(&world, entity));
        check!((&Belt, WithAny<Sources<CarriedBy>>): |entity| has_belt(entity) && is_target(&world, entity));
        check!((Has<Belt>, Without<Sources<CarriedBy>>): |entity| !is_target(&world, entity));
        check!((Has<Belt>, Sources<CarriedBy>): |entity| is_target(&world, entity));
    }
}

#[test]
fn a_relation_that_no_entity_has_yet_has_no_targets() {
    let mut world = World::new();
    let belt = world.spawn(Belt(0)).id();
    assert!(world.view::<(&Belt, Sources<CarriedBy>)>().is_empty());
    assert!(world.view::<Belt>().with::<Sources<CarriedBy>>().is_empty());
    assert_eq!(world.view::<Belt>().without::<Sources<CarriedBy>>().count(), 1);
    let (_, _, none) = world.view::<(&Belt, Option<Sources<CarriedBy>>)>().get(belt).unwrap();
    assert!(none.is_none());
    world.spawn(ChildOf(belt)); // another relation
    assert!(world.view::<(&Belt, Sources<CarriedBy>)>().is_empty());
    assert_eq!(world.view::<(&Belt, Sources<ChildOf>)>().count(), 1);
}

#[test]
fn sources_stand_in_the_order_of_the_relation() {
    let mut world = World::new();
    let parent = world.spawn_empty().id();
    let children: Vec<_> =
        (0..4).map(|at| world.spawn((Weight(at), ChildOf(parent))).id()).collect();
    assert!(world.move_related::<ChildOf>(children[3], 0));
    world.despawn(children[1]).unwrap();
    let (_, handles) = world.view::<Sources<ChildOf>>().single().unwrap();
    assert!(handles.eq([children[3], children[0], children[2]]));
    let (_, mut weights) = world.view::<Sources<ChildOf, &Weight>>().single().unwrap();
    assert_eq!(weights.next_back(), Some((children[2], &Weight(2))));
    assert_eq!(weights.handles().len(), 2);
    assert_eq!(weights.size_hint(), (0, Some(2)));
    assert_eq!(format!("{weights:?}"), format!("[{:?}, {:?}]", children[3], children[0]));
    assert!(weights.clone().map(|(_, weight)| weight.0).eq([3, 0]));
    let mut folded = Vec::new();
    weights.for_each(|(_, weight)| folded.push(weight.0));
    assert_eq!(folded, [3, 0]);
}

#[test]
fn a_view_is_driven_by_the_targets_where_they_are_few() {
    let mut world = World::new();
    world.spawn_batch((0..5_000).map(Belt));
    let belt = world.spawn(Belt(7)).id();
    world.spawn(CarriedBy(belt));
    let plan = world.view::<(&Belt, Sources<CarriedBy>)>().explain();
    assert_eq!(plan.to_string(), "looks up the 1 member of `Sources` in the other pools");
    let plan = world.view::<Sources<ChildOf>>().explain();
    assert!(plan.to_string().starts_with("walks nothing"), "{plan}");
}

#[test]
fn loops_mark_written_components_and_not_the_sources() {
    let mut world = World::new();
    let target = world.spawn(Speed(1)).id();
    let other = world.spawn(Speed(2)).id();
    let source = world.spawn((Weight(5), CarriedBy(target))).id();
    world.insert(source, Speed(0)).unwrap();
    let mut changes = world.changes::<Speed>();
    for (_, speed, items) in world.view_mut::<(&mut Speed, Sources<CarriedBy, &Weight>)>() {
        speed.0 += sum(items).0;
    }
    world.advance(&mut changes);
    let marked = |entity: Entity| world.view::<Speed>().among(changes.changed()).matches(entity);
    assert_eq!([target, other, source].map(marked), [true, false, false]);
    assert_eq!(world.get::<Speed>(target).unwrap().0, 6);
    // A part that is optional keeps its own marks behind it.
    world.insert_batch([(target, Belt(0)), (other, Belt(0))]).unwrap();
    world.view_mut::<(&Belt, Option<Sources<CarriedBy, &Fragile>>, Part<'_>)>().for_each(drop);
    world.advance(&mut changes);
    let marked = |entity: Entity| world.view::<Speed>().among(changes.changed()).matches(entity);
    assert_eq!([target, other, source].map(marked), [true, true, false]);
}

#[derive(Resource, Default)]
struct Total(u32);

#[derive(Views)]
struct Line<'w> {
    belts: View<'w, (&'w mut Belt, Sources<'w, CarriedBy, &'w Weight>)>,
    total: &'w mut Total,
}

#[test]
fn systems_read_sources_by_views_and_by_fields() {
    fn lighten(weights: View<&mut Weight>) {
        weights.for_each(|(_, weight)| weight.0 -= 1);
    }
    fn load(belts: View<(&mut Belt, Sources<CarriedBy, &Weight>)>) {
        belts.for_each(|(_, belt, items)| belt.0 = sum(items).0);
    }
    fn add_up(line: Line) {
        line.total.0 += line.belts.into_iter().map(|(_, _, items)| sum(items).0).sum::<u32>();
    }
    let mut world = World::new();
    world.insert_resource(Total::default());
    let belt = world.spawn(Belt(0)).id();
    world.spawn_batch([(Weight(3), CarriedBy(belt)), (Weight(4), CarriedBy(belt))]);
    let mut schedule = Schedule::new().add(lighten).add(load).add(add_up);
    schedule.run(&mut world).unwrap();
    assert_eq!((world.get::<Belt>(belt), world.resource::<Total>().0), (Some(&Belt(5)), 5));
}

/// A match of one view is looked up in the other.
#[test]
fn a_split_lends_handles_of_sources_beside_their_writer() {
    let mut world = World::new();
    let belt = world.spawn(Belt(10)).id();
    let items = world.spawn_batch([1, 2].map(|weight| (Weight(weight), CarriedBy(belt))));
    let (belts, mut weights) = world.split_mut::<((&Belt, Sources<CarriedBy>), &mut Weight)>();
    for (_, belt, carried) in belts {
        weights.for_each_many(carried, |(_, weight)| weight.0 += belt.0);
    }
    assert!(items.iter().map(|item| world.get::<Weight>(*item).unwrap().0).eq([11, 12]));
}

#[test]
fn two_instances_of_a_generic_component_are_compared_when_a_view_is_made() {
    #[derive(Component)]
    struct Of<T>(T);
    let mut world = World::new();
    let belt = world.spawn(Of(1_u8)).id();
    world.spawn((Of('a'), CarriedBy(belt)));
    let view = world.view_mut::<(&mut Of<u8>, Sources<CarriedBy, &Of<char>>)>();
    assert_eq!(view.into_iter().map(|(_, _, items)| items.count()).sum::<usize>(), 1);
    let refused = std::panic::catch_unwind(AssertUnwindSafe(|| {
        world.view_mut::<(&mut Of<u8>, Sources<CarriedBy, &Of<u8>>)>().count()
    }));
    let words = *refused.unwrap_err().downcast::<String>().unwrap();
    assert!(words.contains("which another of its terms writes"), "{words}");
}
