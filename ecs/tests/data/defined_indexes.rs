//! Indexes of fields of components that are defined while the program runs.

use crate::worlds::{Random, seeds};
use ecs::by_name::{
    ColumnError, DefineError, Despawned, FieldType, FieldValue, Fields, Kind, KindError, KindQuery,
    OwnedValue, Redefinition, RestoreError, Row, Values,
};
use ecs::{Component, CopyError, Entity, RelateError, World};

#[derive(Component, Default, Clone, Debug)]
#[component(default, clone)]
struct Health(u32);

fn team() -> Fields {
    Fields::new().text("note").u8("team").index("team")
}

fn score() -> Fields {
    Fields::new().record("at", Fields::new().i64("points").bool("won")).ordered_index("at.points")
}

fn badge() -> Fields {
    Fields::new().text("name").entity("by").unique("name")
}

/// Returns a world with all three, and their kinds.
fn world() -> (World, [Kind; 3]) {
    let mut world = World::new();
    let all = [("IndexedTeam", team()), ("IndexedScore", score()), ("IndexedBadge", badge())];
    let kinds = world.define_all(&all).unwrap();
    (world, [kinds[0], kinds[1], kinds[2]])
}

fn at(points: i64) -> FieldValue {
    FieldValue::Record(vec![points.into(), false.into()])
}

/// Checks each index against all values.
#[track_caller]
fn check(world: &World) {
    let field = |name: &str, path: &str| {
        let kind = world.kind(name).unwrap();
        let value =
            move |entity: &Entity| world.kind_value(kind, *entity).unwrap().field(path).unwrap();
        let all = world.kind_entities(kind).iter();
        let mut all: Vec<(FieldValue, Entity)> =
            all.map(|entity| (value(entity), *entity)).collect();
        all.sort_by_key(|(_, entity)| *entity);
        (world.kind_index(kind).unwrap(), all)
    };
    let (teams, all) = field("IndexedTeam", "team");
    for number in 0..6_u8 {
        let value = FieldValue::U8(number);
        let expected = all.iter().filter(|(own, _)| *own == value).map(|(_, entity)| *entity);
        assert!(teams.get(number).unwrap().eq(expected), "{number}");
    }
    let (scores, mut all) = field("IndexedScore", "at.points");
    let points = |value: &FieldValue| match value {
        FieldValue::I64(points) => *points,
        other => panic!("{other:?}"),
    };
    all.sort_by_key(|(value, entity)| (points(value), entity.index()));
    for from in -3..4 {
        let expected = all.iter().filter(|(value, _)| (from..from + 3).contains(&points(value)));
        let range = FieldValue::I64(from)..FieldValue::I64(from + 3);
        assert!(scores.range(range).unwrap().eq(expected.map(|(_, entity)| *entity)));
    }
    assert!(scores.range(..).unwrap().rev().eq(all.iter().rev().map(|(_, entity)| *entity)));
    let (badges, all) = field("IndexedBadge", "name");
    for (name, entity) in all {
        assert!(badges.get(name).unwrap().eq([entity]));
    }
    world.check_invariants();
}

#[test]
fn entities_are_found_by_the_value_of_a_field() {
    let (mut world, [team, score, badge]) = world();
    let [a, b, c] = [(); 3].map(|()| world.spawn(Health(1)).id());
    check(&world);
    for (entity, number, points) in [(a, 1_u8, 30), (b, 2, 10), (c, 1, 20)] {
        world.insert_fields(team, entity, &["x".into(), number.into()]).unwrap();
        world.insert_fields(score, entity, &[at(points)]).unwrap();
    }
    world.insert_fields(badge, b, &["Bob".into(), a.into()]).unwrap();
    check(&world);
    let teams = world.kind_index(team).unwrap();
    assert!(teams.get(1_u8).unwrap().eq([a, c]));
    assert_eq!((teams.find(1_u8), teams.find(7_u8)), (Ok(Some(a)), Ok(None)));
    let scores = world.kind_index(score).unwrap();
    assert!(scores.range(FieldValue::I64(20)..).unwrap().eq([c, a]));
    assert!(scores.get(10_i64).unwrap().eq([b]));
    let answer = scores.range(..=FieldValue::I64(20)).unwrap();
    let view = world.view::<&Health>().among(answer).among(teams.get(1_u8).unwrap());
    assert!(view.iter().map(|(entity, _)| entity).eq([c]));
    assert!(view.explain().to_string().contains("the index of `Indexed"));
    assert!(format!("{scores:?}").contains("IndexedScore.at.points"));

    // The properties of kinds show it.
    assert!(team.is_indexed() && !team.is_unique() && badge.is_indexed() && badge.is_unique());
}

#[test]
fn wrong_questions_and_wrong_indexes_are_refused() {
    let (mut world, [team, ..]) = world();
    let plain = world.define("IndexedNot", Fields::new().u8("x")).unwrap();
    _ = world.pool_mut::<Health>();
    let text = |error: KindError| error.to_string();
    let error = world.kind_index(plain).map(drop).unwrap_err();
    assert_eq!(error, KindError::NotIndexed("IndexedNot"));
    let health = world.kind_index(Kind::of::<Health>()).map(drop).unwrap_err();
    assert_eq!(
        text(health),
        "`Health` has no index of a field: state one by `Fields::index`; a type in Rust is found by `World::index`"
    );
    let teams = world.kind_index(team).unwrap();
    let text_of = "`IndexedTeam` is found by `team`: expected a value of the type `u8`, not `i32`";
    assert_eq!(text(teams.get(3_i32).unwrap_err()), text_of);
    assert_eq!(text(teams.find(3_i32).unwrap_err()), text_of);
    assert_eq!(
        text(teams.range(..).map(drop).unwrap_err()),
        "the index of `IndexedTeam` finds equal values, and no ranges: state it by `Fields::ordered_index`"
    );
    let (_, [_, score, _]) = self::world();
    let (other, _) = self::world();
    let scores = other.kind_index(score).unwrap();
    let wrong = scores.range(FieldValue::I32(3)..).map(drop).unwrap_err();
    assert!(matches!(wrong, KindError::WrongKey("IndexedScore", "at.points", _)));

    let count = world.kinds().count();
    for (fields, text) in [
        (
            Fields::new().u8("a").index("b"),
            "an index is of `b`, and there is no such field: name one of the fields",
        ),
        (
            Fields::new().f32("a").index("a"),
            "`a` is a `f32`, which is no key of an index: integers, booleans, handles and texts are keys",
        ),
        (
            Fields::new().list("a", FieldType::U8).unique("a"),
            "`a` is a `Vec<u8>`, which is no key of an index: integers, booleans, handles and texts are keys",
        ),
        (
            Fields::new().u8("a").u8("b").index("a").unique("b"),
            "`b` has a second index, and a component has one at most: leave one out",
        ),
    ] {
        let error = world.define("IndexedWrong", fields).unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error),
            (text, DefineError::WrongIndex(text.into()))
        );
    }
    let record = Fields::new().record("at", Fields::new().u8("x").index("x"));
    assert_eq!(world.define("IndexedWrong", record), Err(DefineError::RuledRecord("at".into())));
    let new = Fields::new().requires("IndexedBadge");
    let error = world.define("IndexedWrong", new).unwrap_err().to_string();
    let unique = "it is unique, so only one entity could have its default";
    assert_eq!(error, format!("component `IndexedWrong` cannot require `IndexedBadge`: {unique}"));
    let both = [("IndexedA", Fields::new().requires("IndexedB")), ("IndexedB", badge())];
    assert!(world.define_all(&both).unwrap_err().to_string().ends_with(unique));
    assert_eq!(
        world.define("IndexedTeam", Fields::new().text("note").u8("team")),
        Err(DefineError::Differs("IndexedTeam".into()))
    );
    assert_eq!(world.kinds().count(), count);
}

#[test]
fn a_second_holder_of_a_unique_value_is_refused_and_nothing_has_changed() {
    let (mut world, [_, _, badge]) = world();
    let [a, b] = [(); 2].map(|()| world.spawn_empty().id());
    world.insert_fields(badge, a, &["Ann".into(), None::<Entity>.into()]).unwrap();
    let taken = |holder| KindError::Relation(RelateError::NotUnique("IndexedBadge", holder));
    let ann: [FieldValue; 2] = ["Ann".into(), b.into()];
    assert_eq!(world.insert_fields(badge, b, &ann), Err(taken(a)));
    assert_eq!(world.copy_kind(badge, a, b), Err(taken(a)));
    world.insert_fields(badge, a, &ann).unwrap(); // its own
    world.insert_fields(badge, b, &["Bob".into(), None::<Entity>.into()]).unwrap();
    assert_eq!(world.set_field(badge, b, "name", "Ann"), Err(taken(a)));
    assert_eq!(world.kind_value(badge, b).unwrap().field("name"), Some("Bob".into()));
    world.set_field(badge, b, "name", "Bob").unwrap();
    world.set_field(badge, b, "by", a).unwrap();
    world.set_field(badge, b, "name", "Eve").unwrap();
    assert_eq!(world.kind_index(badge).unwrap().find("Bob"), Ok(None));
    assert_eq!(world.kind_index(badge).unwrap().find("Eve"), Ok(Some(b)));
    let error = world.set_field(badge, b, "nome", "Ann").unwrap_err().to_string();
    assert_eq!(error, "no `IndexedBadge` was read: it has no field `nome`");

    // Values together, copies, merges and undo.
    let mut values = Values::new();
    values.add_default(&mut world, badge).unwrap();
    let c = world.spawn_values(values).unwrap();
    let mut values = Values::new();
    values.add_default(&mut world, badge).unwrap();
    let count = world.len();
    assert_eq!(world.spawn_values(values), Err(taken(c)));
    assert!(matches!(world.spawn_copies(a, 1), Err(CopyError::NotUnique(_))));
    let mut other = world.try_clone().unwrap();
    let text = other.merge(&mut world).unwrap_err().to_string();
    assert!(text.starts_with("`IndexedBadge` is unique, and entity "), "{text}");
    assert_eq!(world.len(), count);
    let despawned = world.take_entity(c).unwrap();
    world.insert_kind_default(badge, b).unwrap();
    let refused = RestoreError::Relation(RelateError::NotUnique("IndexedBadge", b));
    assert_eq!(world.check_restore(&despawned), Err(refused));
    world.remove_kind(badge, b).unwrap();
    world.restore(despawned).unwrap();
    let value = world.take_kind(badge, c).unwrap();
    world.insert_kind_default(badge, b).unwrap();
    assert_eq!(world.insert_value(c, value).unwrap_err().1, taken(b));
    check(&world);
}

#[test]
fn a_unique_component_is_not_lent_to_be_written() {
    let (mut world, [team, _, badge]) = world();
    let a = world.spawn_empty().id();
    world.insert_kind_default(badge, a).unwrap();
    world.insert_kind_default(team, a).unwrap();
    let query = KindQuery::new().write(badge);
    let error = world.for_each_row(&query, |_| ()).unwrap_err();
    assert_eq!(error, KindError::NotWritten("IndexedBadge"));
    assert!(query.chunks_mut(&mut world).is_err());
    let query = world.kinds_query("IndexedBadge, IndexedTeam").unwrap();
    let mut chunks = query.chunks_mut(&mut world).unwrap();
    let chunk = chunks.next_chunk().unwrap();
    let refused = Err(ColumnError::NotWritten("IndexedBadge"));
    assert_eq!(chunk.column_mut::<String>("IndexedBadge.name").map(drop), refused);
    assert_eq!(chunk.column::<String>("IndexedBadge.name").unwrap(), [""]);
    chunk.column_mut::<u8>("IndexedTeam.team").unwrap()[0] = 3;
    assert_eq!(world.kind_index(team).unwrap().find(3_u8), Ok(Some(a)));
    let error = world.for_each_row(&query, |row| {
        let error = row.set_field(badge, "name", "Ann").unwrap_err();
        assert_eq!(error, KindError::NotWritten("IndexedBadge"));
        row.set_field(team, "team", 4_u8).unwrap();
    });
    error.unwrap();
    check(&world);
}

#[test]
fn an_index_follows_its_field_through_redefinitions() {
    let (mut world, [team, score, badge]) = world();
    let entities: Vec<Entity> = (0..4).map(|_| world.spawn_empty().id()).collect();
    for (entity, name) in entities.iter().zip(["1", "2", "03", "4"]) {
        let number = u8::try_from(entity.index()).unwrap();
        world.insert_fields(team, *entity, &["".into(), number.into()]).unwrap();
        world.insert_fields(score, *entity, &[at(-i64::from(number))]).unwrap();
        world.insert_fields(badge, *entity, &[name.into(), None::<Entity>.into()]).unwrap();
    }
    let taken = world.take_kind(badge, entities[3]).unwrap();
    let rename =
        Redefinition::new().add("more", FieldType::U8, 0_u8).rename("team", "side").drop("note");
    let team = world.redefine(team, &rename.convert("side", FieldType::Text)).unwrap();
    assert_eq!(world.kind_index(team).unwrap().find("2"), Ok(Some(entities[2])));
    let rename = Redefinition::new().rename("at.points", "hits").rename("at", "so_far");
    let score = world.redefine(score, &rename).unwrap();
    let found = world.kind_index(score).unwrap();
    assert!(found.range(..FieldValue::I64(-1)).unwrap().eq([entities[3], entities[2]]));

    // A change that drops the field, or makes two values equal, is refused.
    let dropped = world.redefine(team, &Redefinition::new().drop("side")).unwrap_err();
    assert_eq!(
        dropped.to_string(),
        "an index is of `side`, and there is no such field: name one of the fields"
    );
    let float = world.redefine(team, &Redefinition::new().convert("side", FieldType::F32));
    assert!(matches!(float, Err(DefineError::WrongIndex(_))));
    let numbers = Redefinition::new().convert("name", FieldType::U8);
    let other = world.spawn_empty().id();
    world.insert_fields(badge, other, &["3".into(), None::<Entity>.into()]).unwrap();
    let error = world.redefine(badge, &numbers).unwrap_err();
    let text = format!(
        "`name` of {other} cannot be converted: it is unique, and equals the one of {}",
        entities[2]
    );
    assert_eq!(error.to_string(), text);
    assert_eq!(world.kind_index(badge).unwrap().find("03"), Ok(Some(entities[2])));
    world.despawn(other).unwrap();
    let badge = world.redefine(badge, &numbers).unwrap();
    assert_eq!(world.kind_index(badge).unwrap().find(3_u8), Ok(Some(entities[2])));

    // A value of the earlier fields is compared as one of the new ones.
    let other = world.spawn_empty().id();
    world.insert_fields(badge, other, &[4_u8.into(), None::<Entity>.into()]).unwrap();
    let (taken, error) = world.insert_value(entities[3], taken).unwrap_err();
    assert!(matches!(error, KindError::Relation(RelateError::NotUnique("IndexedBadge", _))));
    let holder = world.kind_index(badge).unwrap().find(4_u8).unwrap().unwrap();
    world.despawn(holder).unwrap();
    world.insert_value(entities[3], taken).unwrap();
    assert_eq!(world.kind_index(badge).unwrap().find(4_u8), Ok(Some(entities[3])));
    world.check_invariants();
}

#[test]
fn a_world_that_becomes_a_copy_has_the_indexes_of_the_other_one() {
    let (mut world, [team, ..]) = world();
    let a = world.spawn_empty().id();
    world.insert_fields(team, a, &["".into(), 3_u8.into()]).unwrap();
    let mut plain = World::new();
    let unindexed = plain.define("IndexedTeam", Fields::new().text("note").u8("team")).unwrap();
    let b = plain.spawn_empty().id();
    plain.insert_kind_default(unindexed, b).unwrap();
    let mut first = plain.try_clone().unwrap();
    first.copy_from(&world).unwrap();
    assert_eq!(first.kind_index(team).unwrap().find(3_u8), Ok(Some(a)));
    first.set_field(team, a, "team", 4_u8).unwrap();
    assert_eq!(first.kind_index(team).unwrap().find(4_u8), Ok(Some(a)));
    world.copy_from(&plain).unwrap();
    assert_eq!(world.kind_index(team).map(drop), Err(KindError::NotIndexed("IndexedTeam")));
    world.insert_kind_default(unindexed, a).unwrap();
    world.copy_from(&first).unwrap();
    check(&world);
    assert_eq!(world.kind_index(team).unwrap().find(4_u8), Ok(Some(a)));
}

#[test]
fn indexes_are_exact_after_any_history() {
    for seed in seeds(20) {
        let (mut world, [team, score, badge]) = world();
        let mut random = Random(seed);
        if seed.is_multiple_of(2) {
            world.order_pools();
        }
        let (mut taken, mut despawned) = (Vec::<OwnedValue>::new(), Vec::<Despawned>::new());
        let names = ["", "ann", "bob", "eve", "zoe"];
        for step in 0..300 {
            let all: Vec<Entity> = world.entities().collect();
            let Some(&entity) = all.get(random.below(all.len() + 2)) else {
                world.spawn_empty();
                continue;
            };
            let number = u8::try_from(random.below(6)).unwrap();
            let points = i64::from(number) - 3;
            let kind = [team, score, badge][random.below(3)];
            match random.below(14) {
                0 | 1 => world.insert_fields(team, entity, &["".into(), number.into()]).unwrap(),
                2 | 3 => world.insert_fields(score, entity, &[at(points)]).unwrap(),
                4 | 5 => {
                    let name = names[random.below(5)];
                    let holder = world.kind_index(badge).unwrap().find(name).unwrap();
                    let is_free = holder.is_none_or(|holder| holder == entity);
                    let inserted =
                        world.insert_fields(badge, entity, &[name.into(), entity.into()]);
                    assert_eq!(inserted.is_ok(), is_free);
                }
                6 => {
                    _ = world.set_field(team, entity, "team", number);
                    _ = world.set_field(score, entity, "at", at(points));
                    _ = world.set_field(badge, entity, "name", names[random.below(5)]);
                }
                7 => _ = world.remove_kind(kind, entity),
                8 => taken.extend(world.take_kind(kind, entity)),
                9 => {
                    if let Some(value) = taken.pop() {
                        _ = world.insert_value(entity, value);
                    }
                }
                10 => despawned.extend(world.take_entity(entity)),
                11 => {
                    if let Some(entry) = despawned.pop() {
                        _ = world.restore(entry);
                    }
                }
                12 => {
                    let query = world.kinds_query("IndexedTeam").unwrap();
                    let mut chunks = query.chunks_mut(&mut world).unwrap();
                    while let Some(chunk) = chunks.next_chunk() {
                        let teams = chunk.column_mut::<u8>("IndexedTeam.team").unwrap();
                        teams.iter_mut().for_each(|team| *team = (*team + number) % 6);
                    }
                    let query = KindQuery::new().write(score);
                    let write =
                        |row: &mut Row<'_>| row.set_field(score, "at.points", points).unwrap();
                    world.for_each_row(&query, write).unwrap();
                }
                _ => {
                    let copies = world.spawn_copies(entity, 2);
                    assert!(copies.is_ok() || world.kind_value(badge, entity).is_some());
                    let clone = world.try_clone().unwrap();
                    check(&clone);
                    world.copy_from(&clone).unwrap();
                }
            }
            if step % 7 == 0 {
                check(&world);
            }
        }
        check(&world);
    }
}
