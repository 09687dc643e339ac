//! Queries that are put together at run time, beside queries of types.

use crate::worlds::{Friends, Generic, Number, Place, Random, Tag, Text, random, seeds};
use ecs::by_name::{Kind, KindError, KindQuery, Row, Value};
use ecs::{ChildOf, Entity, PlanKind, With, World};

const WAYS: [Option<PlanKind>; 4] =
    [None, Some(PlanKind::Words), Some(PlanKind::Dense), Some(PlanKind::Group)];

fn entities(world: &World, query: &KindQuery) -> Vec<Entity> {
    world.kind_rows(query).unwrap().map(|row| row.entity()).collect()
}

#[test]
fn matches_are_those_of_typed_views() {
    let [number, text, tag] = [Kind::of::<Number>(), Kind::of::<Text>(), Kind::of::<Tag>()];
    for seed in seeds(15) {
        let world = random(seed);
        for plan in WAYS {
            let both = KindQuery::new().read(number).read(text).with_plan(plan);
            let typed = world.view::<(Entity, With<Number>, With<Text>)>().with_plan(plan);
            assert_eq!(entities(&world, &both), typed.iter().map(|(it,)| it).collect::<Vec<_>>());
            let lacks = KindQuery::new().read(number).without(tag).optional(text).with_plan(plan);
            let typed = world.view::<(Entity, With<Number>)>().without::<Tag>().with_plan(plan);
            assert_eq!(entities(&world, &lacks), typed.iter().map(|(it,)| it).collect::<Vec<_>>());
            let explained = world.kind_rows(&lacks).unwrap().explain();
            let typed = world.view::<(Entity, With<Number>)>().without::<Tag>().with_plan(plan);
            assert_eq!((explained.kind, explained.candidates), {
                let typed = typed.explain();
                (typed.kind, typed.candidates)
            });
        }
        let view = world.view::<(&Number, Option<&Text>, &Place)>();
        let query = KindQuery::new().read(number).optional(text).read(Kind::of::<Place>());
        assert_eq!(world.kind_rows(&query).unwrap().count(), view.count());
        for row in world.kind_rows(&query).unwrap() {
            let (_, one, other, place) = view.get(row.entity()).unwrap();
            assert_eq!(row.get(number).unwrap().get::<Number>(), Some(one));
            assert_eq!(row.get(text).and_then(Value::get::<Text>), other);
            let seen = row.get(Kind::of::<Place>()).unwrap().get::<Place>().unwrap();
            assert_eq!((seen.y, seen.label), (place.y, place.label));
            assert_eq!(row.values().count(), 2 + usize::from(other.is_some()));
        }
    }
}

#[test]
fn random_queries_match_as_every_entity_does_by_itself() {
    let mut known = World::new();
    known.spawn((
        Number(1),
        Text::default(),
        Tag,
        Place::default(),
        Friends::default(),
        Generic(1_u8),
    ));
    let kinds: Vec<Kind> = known.kinds().chain([Kind::of::<ChildOf>()]).collect();
    for seed in seeds(15) {
        let (mut world, mut random_of) = (random(seed), Random(seed));
        world.spawn_empty(); // reserved entities come alive
        for _ in 0..20 {
            let (mut query, mut tests) = (KindQuery::new(), Vec::new());
            for _ in 0..random_of.below(5) {
                let kind = kinds[random_of.below(kinds.len())];
                let way = random_of.below(4);
                query = match way {
                    0 => query.without(kind),
                    1 => query.with(kind),
                    2 => query.read(kind).optional(kinds[0]),
                    _ => query.write(kind),
                };
                tests.push((kind, way > 0));
            }
            let passes = |entity: &Entity| {
                tests.iter().all(|(kind, has)| world.kind_value(*kind, *entity).is_some() == *has)
            };
            let mut wanted: Vec<Entity> = world.entities().filter(passes).collect();
            wanted.sort_unstable();
            for plan in WAYS {
                let query = query.clone().with_plan(plan);
                let shared =
                    world.kind_rows(&query).map(|rows| rows.map(|row| row.entity()).collect());
                let mut found: Vec<Entity> = shared.unwrap_or_else(|_| {
                    let mut found = Vec::new();
                    _ = world.for_each_row(&query, |row| found.push(row.entity()));
                    found
                });
                found.sort_unstable();
                let is_refused = world.for_each_row(&query, |_| {}).is_err();
                assert!(found == wanted || is_refused, "{plan:?} {query:?}");
            }
        }
    }
}

#[test]
fn aliasing_queries_are_refused() {
    let mut world = World::new();
    world.spawn(Number(1));
    let [number, text] = [Kind::of::<Number>(), Kind::of::<Text>()];
    let aliased = Some(KindError::Aliased("Number"));
    for query in [
        KindQuery::new().write(number).write(number),
        KindQuery::new().write(number).read(number),
        KindQuery::new().read(number).read(text).optional_write(number),
        KindQuery::new().optional(number).write(number),
    ] {
        assert_eq!(world.for_each_row(&query, |_| {}).err(), aliased);
        assert_eq!(world.kind_rows(&query).err().is_some(), aliased.is_some());
    }
    let twice = KindQuery::new().read(number).read(number).with(number).optional(number);
    let mut count = 0;
    world.for_each_row(&twice, |_| count += 1).unwrap();
    assert_eq!(count, 1);
    let writes = KindQuery::new().write(number);
    let error = world.kind_rows(&writes).unwrap_err();
    assert_eq!(error, KindError::NotWritten("Number"));
    let words = "`Number` cannot be written here: `World::for_each_row` writes, and a relation is inserted anew";
    assert_eq!(error.to_string(), words);
    let relation = KindQuery::new().write(Kind::of::<ChildOf>());
    assert_eq!(world.for_each_row(&relation, |_| {}).err(), Some(KindError::NotWritten("ChildOf")));
}

#[test]
fn only_requested_components_are_lent() {
    let mut world = World::new();
    let entity = world.spawn((Number(1), Text("a".into()), Tag)).id();
    let [number, text, tag] = [Kind::of::<Number>(), Kind::of::<Text>(), Kind::of::<Tag>()];
    let query = KindQuery::new().write(number).read(text).with(tag);
    let mut count = 0;
    let seen = |row: &mut Row<'_>| {
        assert!(row.get(tag).is_none() && row.get_mut::<Text>().is_none());
        assert!(row.get_mut::<Tag>().is_none() && row.get_mut::<Place>().is_none());
        assert_eq!(row.get(text).unwrap().get::<Text>().unwrap().0, "a");
        row.get_mut::<Number>().unwrap().0 = 5;
        assert_eq!(row.get(number).unwrap().get::<Number>(), Some(&Number(5)));
        assert_eq!(format!("{row:?}"), format!("{entity}: Number(5), Text {{ .. }}"));
        count += 1;
    };
    world.for_each_row(&query, seen).unwrap();
    assert_eq!((count, world.get::<Number>(entity)), (1, Some(&Number(5))));
    let reads = KindQuery::new().read(number);
    let mut row = world.kind_rows(&reads).unwrap().next().unwrap();
    assert!(row.get_mut::<Number>().is_none()); // the world is only lent to be read
}

#[test]
fn lent_components_are_marked_as_changed() {
    let mut world = World::new();
    let all: Vec<Entity> =
        (0..3).map(|_| world.spawn((Friends::default(), Number(0))).id()).collect();
    let mut seen = world.changes::<Friends>();
    let friends = Kind::of::<Friends>();
    let query = KindQuery::new().write(friends);
    let push = |row: &mut Row<'_>| {
        if row.entity() == all[1] {
            row.get_mut::<Friends>().unwrap().0.push(all[0]);
        }
    };
    world.for_each_row(&query, push).unwrap();
    world.advance(&mut seen);
    let changed = world.view::<&Friends>().among(seen.changed());
    assert_eq!(changed.single().unwrap().0, all[1]);
}
