//! The matches of queries by name in chunks, and their columns.

use crate::worlds::{Generic, Number, Place, Tag, Text};
use ecs::by_name::{ColumnError, FieldType, FieldValue, Fields, Kind, KindError, KindQuery};
use ecs::{ChildOf, Component, Entity, Group, World};

#[derive(Component, Clone, Debug, PartialEq)]
#[component(layout = "soa", track)]
struct Health {
    pub value: f32,
    pub most: f32,
    wounds: u32,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(track)]
struct Speed(f32);

#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[component(unique)]
struct Id(u32);

fn health(value: f32) -> Health {
    Health { value, most: 10.0, wounds: 0 }
}

fn lengths(world: &World, text: &str) -> Vec<usize> {
    let query = world.kinds_query(text).unwrap();
    query.chunks(world).unwrap().map(|chunk| chunk.entities().len()).collect()
}

#[test]
fn chunks_are_as_long_as_values_are_neighbours() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..1_000_u16).map(|at| (health(at.into()), Speed(1.0))));
    assert_eq!(lengths(&world, "Health"), [1_000]);
    assert_eq!(lengths(&world, "Health, Speed"), [1_000]);
    // Each second one has a tag: in groups and in order, these are neighbours.
    for entity in entities.iter().step_by(2) {
        world.insert(*entity, Tag).unwrap();
    }
    assert!(lengths(&world, "Health, Speed, Tag").len() > 100);
    world.order_pools();
    assert_eq!(lengths(&world, "Health, Speed, Tag"), [500]);
    assert_eq!(lengths(&world, "Health, Speed, !Tag"), [500]);
    assert_eq!(lengths(&world, "Health, ?Tag").iter().sum::<usize>(), 1_000);
    world.declare_group(Group::owning::<(Health, Speed)>().without::<Tag>()).unwrap();
    assert_eq!(lengths(&world, "Health, Speed, !Tag"), [500]);
    // A comparison ends a chunk where it fails.
    let mut world = World::new();
    world.spawn_batch((0..10_u8).map(|at| health(at.into())));
    assert_eq!(lengths(&world, "Health, Health.value != 4"), [4, 5]);
    assert_eq!(lengths(&world, "Health, Health.value < 3 | Health.value == 6"), [3, 1]);
    assert_eq!(lengths(&world, "Health, Health.value > 90"), [0; 0]);
}

#[test]
fn columns_have_the_values_of_the_entities() {
    let mut world = World::new();
    let mut all = Vec::new();
    for at in 0..300_u16 {
        let mut entity = world.spawn(Speed(f32::from(at)));
        if at % 3 != 0 {
            entity.insert(health(f32::from(at)));
        }
        if at % 7 != 0 {
            entity.insert(Place { x: 0.0, label: Some(at.to_string()), y: 1 });
        }
        all.push(entity.id());
    }
    for is_ordered in [false, true] {
        if is_ordered {
            world.order_pools();
        }
        let query = world.kinds_query("Speed, Health, ?Place").unwrap();
        let mut count = 0;
        for chunk in query.chunks(&world).unwrap() {
            let speed = chunk.column::<Speed>("Speed").unwrap();
            let value = chunk.column::<f32>("Health.value").unwrap();
            let label = chunk.column::<Option<String>>("Place.label");
            assert_eq!(
                (speed.len(), value.len()),
                (chunk.entities().len(), chunk.entities().len())
            );
            for (at, entity) in chunk.entities().iter().enumerate() {
                assert_eq!(world.get::<Speed>(*entity), Some(&speed[at]));
                assert_eq!(
                    world.get::<Health>(*entity).unwrap().value.to_bits(),
                    value[at].to_bits()
                );
                let place = world.get::<Place>(*entity).map(|it| it.label);
                assert_eq!(place, label.as_ref().ok().map(|label| &label[at]));
                count += 1;
            }
            if let Err(error) = label {
                assert_eq!(error, ColumnError::Missing("Place"));
                assert_eq!(error.to_string(), "the entities of this chunk have no `Place`");
            }
        }
        assert_eq!(count, 200);
        // Then they are written.
        let mut chunks = query.chunks_mut(&mut world).unwrap();
        let mut count = 0;
        while let Some(chunk) = chunks.next_chunk() {
            let speed = chunk.column_mut::<Speed>("Speed").unwrap();
            let value = chunk.column_mut::<f32>("Health.value").unwrap();
            let most = chunk.column::<f32>("Health.most").unwrap();
            for (speed, (value, most)) in speed.iter_mut().zip(value.iter_mut().zip(most)) {
                assert!((speed.0 - *value).abs() < 0.5 && (*most - 10.0).abs() < 0.5);
                (speed.0, *value) = (speed.0 + 1.0, *value + 1.0);
                count += 1;
            }
            if let Ok(label) = chunk.column_mut::<Option<String>>("Place.label") {
                label.iter_mut().for_each(|label| label.as_mut().unwrap().push('!'));
            }
        }
        assert_eq!(count, 200);
    }
    for (at, entity) in all.iter().enumerate() {
        let (has, more) = (at % 3 != 0, if at % 3 == 0 { 0.0 } else { 2.0 });
        let at = f32::from(u16::try_from(at).unwrap());
        assert_eq!(world.get::<Speed>(*entity), Some(&Speed(at + more)));
        assert!(!has || (world.get::<Health>(*entity).unwrap().value - at - 2.0).abs() < 0.5);
        if let Some(place) = world.get::<Place>(*entity) {
            assert_eq!(place.label.as_ref().unwrap().ends_with("!!"), has);
        }
    }
    world.check_invariants();
}

#[test]
fn columns_that_are_written_are_marked_and_others_are_not() {
    let mut world = World::new();
    let entities =
        world.spawn_batch((0..20_u8).map(|at| (health(at.into()), Speed(0.0), Team(at % 2))));
    let (mut healths, mut speeds) = (world.changes::<Health>(), world.changes::<Speed>());
    world.advance(&mut healths);
    world.advance(&mut speeds);
    let query = world.kinds_query("Health, Speed, Health.value < 5").unwrap();
    let mut chunks = query.chunks_mut(&mut world).unwrap();
    while let Some(chunk) = chunks.next_chunk() {
        _ = chunk.column::<Speed>("Speed").unwrap();
        let value = chunk.column_mut::<f32>("Health.value").unwrap();
        value.fill(1.0);
        assert!(chunk.column_mut::<u8>("Speed").is_err()); // marks nothing
    }
    world.advance(&mut healths);
    world.advance(&mut speeds);
    assert!(world.entities_in(healths.changed()).eq(entities[..5].iter().copied()));
    assert!(speeds.changed().is_empty());
}

#[test]
fn an_index_finds_values_that_a_column_got() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..6).map(|at| Team(at % 2)));
    assert_eq!(world.index::<Team>().get(&Team(1)).count(), 3);
    for team in [1, 7] {
        let query = world.kinds_query("Team").unwrap();
        let mut chunks = query.chunks_mut(&mut world).unwrap();
        let chunk = chunks.next_chunk().unwrap();
        chunk.column_mut::<Team>("Team").unwrap()[0].0 = team;
        assert!(
            world.index::<Team>().get(&Team(team)).any(|entity| entity == entities[0]),
            "{team}"
        );
    }
}

#[test]
fn each_wrong_request_is_an_error() {
    let mut world = World::new();
    let parent = world.spawn((Number(1), health(1.0), Tag)).id();
    world.spawn((Number(2), health(2.0), Id(3), ChildOf(parent)));
    let query = world.kinds_query("Health, Number, ?ChildOf, ?Id, ?Tag, !Text").unwrap_err();
    assert!(query.reason().starts_with("the world knows no component `Text`"));
    let query = world.kinds_query("Health, Number, ?ChildOf, ?Id, ?Tag").unwrap();
    {
        let mut chunks = query.chunks(&world).unwrap();
        let chunk = chunks.next().unwrap();
        for (path, error, message) in [
            (
                "Helth.value",
                ColumnError::NotRead("Helth.value".into(), Some("Health")),
                "the query reads no component of the column `Helth.value` (the nearest is `Health`)",
            ),
            (
                "Text",
                ColumnError::NotRead("Text".into(), None),
                "the query reads no component of the column `Text`",
            ),
            (
                "Health.valeu",
                ColumnError::NoColumn("Health", "valeu".into(), Some("value")),
                "`Health` has no column `valeu` (the nearest is `value`)",
            ),
            (
                "Health",
                ColumnError::InColumns("Health", "value"),
                "`Health` is stored in columns: ask for one of them, such as `Health.value`",
            ),
            (
                "Health.wounds",
                ColumnError::Private("Health", "wounds"),
                "the field `wounds` of `Health` is private: write `pub` before it",
            ),
            (
                "Health.value",
                ColumnError::OtherType("Health.value".into(), "f32", "u64"),
                "the values of `Health.value` are of the type `f32`, not `u64`",
            ),
            (
                "Number.0",
                ColumnError::Whole("Number", "0".into()),
                "`Number` is stored as a whole, so its field `0` is no slice: ask for `Number`, or add \
                 `#[component(layout = \"soa\")]` to it",
            ),
        ] {
            let found = chunk.column::<u64>(path).unwrap_err();
            assert_eq!((&found, &*found.to_string()), (&error, message), "{path}");
        }
        let error = chunk.column_mut::<Number>("Number").unwrap_err();
        assert_eq!(error, ColumnError::NotWritten("Number"));
        assert_eq!(
            error.to_string(),
            "`Number` is not written here: `KindQuery::chunks_mut` lends components that the query writes, and a \
             relation or a unique component is inserted anew"
        );
        assert_eq!(
            format!("{chunk:?}"),
            format!("KindChunk {{ entities: {:?}, .. }}", chunk.entities())
        );
        assert!(format!("{chunks:?}").starts_with("KindChunks { query: KindQuery"));
    }
    let mut chunks = query.chunks_mut(&mut world).unwrap();
    assert!(format!("{chunks:?}").starts_with("KindChunksMut { query: KindQuery"));
    let (mut lent, mut seen) = (0, 0);
    while let Some(chunk) = chunks.next_chunk() {
        // A column that is lent to be read is read again; one that is written is lent once.
        let value = chunk.column::<f32>("Health.value").unwrap();
        assert_eq!(chunk.column::<f32>("Health.value").unwrap(), value);
        let again = ColumnError::Lent("Health.value".into());
        assert_eq!(chunk.column_mut::<f32>("Health.value"), Err(again));
        assert_eq!(chunk.column::<f32>("Health.value").unwrap(), value);
        assert_eq!(
            chunk.column_mut::<u8>("Health.most").unwrap_err().to_string(),
            "the values of `Health.most` are of the type `f32`, not `u8`"
        );
        let most = chunk.column_mut::<f32>("Health.most").unwrap();
        assert_eq!(most.len(), value.len());
        for error in [
            chunk.column_mut::<f32>("Health.most").unwrap_err(),
            chunk.column::<f32>("Health.most").unwrap_err(),
        ] {
            assert_eq!(
                error.to_string(),
                "the column `Health.most` is lent already: a column that is written is lent once by each chunk"
            );
        }
        for written in
            [chunk.column_mut::<ChildOf>("ChildOf").err(), chunk.column_mut::<Id>("Id").err()]
        {
            assert!(matches!(written, Some(ColumnError::NotWritten("ChildOf" | "Id"))));
        }
        lent += usize::from(chunk.column::<Id>("Id").is_ok());
        seen += usize::from(chunk.column::<ChildOf>("ChildOf").is_ok_and(|it| it[0].0 == parent));
        assert!(matches!(chunk.column_mut::<u32>("Health.wounds"), Err(ColumnError::Private(..))));
    }
    assert_eq!((lent, seen), (1, 1));
}

#[test]
fn queries_of_kinds_lend_chunks_too() {
    let mut world = World::new();
    let entity = world.spawn((Number(1), Text("a".into()))).id();
    let [number, text] = [Kind::of::<Number>(), Kind::of::<Text>()];
    let query = KindQuery::new().write(number).read(text).optional_write(Kind::of::<Place>());
    assert_eq!(query.chunks(&world).unwrap_err(), KindError::NotWritten("Number"));
    let mut chunks = query.chunks_mut(&mut world).unwrap();
    let chunk = chunks.next_chunk().unwrap();
    chunk.column_mut::<Number>("number").unwrap_or(&mut []); // by its name in files, if it has one
    let numbers = chunk.column_mut::<Number>(std::any::type_name::<Number>());
    assert_eq!(numbers.is_ok(), cfg!(not(feature = "serde")));
    assert_eq!(chunk.column_mut::<Text>("Text"), Err(ColumnError::NotWritten("Text")));
    assert_eq!(chunk.column::<f32>("Place.x"), Err(ColumnError::Missing("Place"))); // the world has no pool of it
    assert!(chunks.next_chunk().is_none());
    for (query, error) in [
        (KindQuery::new().write(number).read(number), KindError::Aliased("Number")),
        (KindQuery::new().write(Kind::of::<ChildOf>()), KindError::NotWritten("ChildOf")),
        (KindQuery::new().optional(number).without(text), KindError::NothingRequired),
    ] {
        assert_eq!(query.chunks_mut(&mut world).unwrap_err(), error);
    }
    let error = KindQuery::new().chunks(&world).unwrap_err();
    assert_eq!(error, KindError::NothingRequired);
    assert_eq!(
        error.to_string(),
        "the query requires no component, so its matches have no columns: name one that each match has"
    );
    // Tests alone have entities, in the order of the first pool, or of the targets of a relation.
    world.spawn(ChildOf(entity));
    for text in ["(Number)", "Sources(ChildOf)"] {
        let query = world.kinds_query(text).unwrap();
        assert_eq!(query.chunks(&world).unwrap().next().unwrap().entities(), [entity], "{text}");
        let mut chunks = query.chunks_mut(&mut world).unwrap();
        assert_eq!(chunks.next_chunk().unwrap().entities(), [entity], "{text}");
    }
}

#[test]
fn several_components_of_one_name_are_named_in_full() {
    let mut world = World::new();
    world.spawn((Generic(1_u8), Generic(2_u64)));
    let [small, wide] =
        [std::any::type_name::<Generic<u8>>(), std::any::type_name::<Generic<u64>>()];
    let query = world.kinds_query(&format!("`{small}`, `{wide}`")).unwrap();
    let mut chunks = query.chunks_mut(&mut world).unwrap();
    let chunk = chunks.next_chunk().unwrap();
    let error = chunk.column::<Generic<u8>>("Generic").unwrap_err();
    assert_eq!(error, ColumnError::Ambiguous("Generic".into(), vec![small, wide]));
    assert_eq!(
        error.to_string(),
        format!(
            "the query reads several components that are called `Generic`; name one in full: `{small}` `{wide}`"
        )
    );
    assert_eq!(chunk.column_mut(small), Ok(&mut [Generic(1_u8)][..]));
    assert_eq!(chunk.column(wide), Ok(&[Generic(2_u64)][..]));
}

#[test]
fn components_without_a_type_have_columns() {
    let mut world = World::new();
    let place = Fields::new().f32("x").f32("y");
    let fields = Fields::new().f32("damage").entity("by").text("source").record("at", place);
    let fields = fields.list("tags", FieldType::U8);
    let kind = world.define("Poison", fields).unwrap();
    // Values are compared before there are any.
    let compared =
        world.kinds_query("Poison.damage >= 2, Poison.source != 'toad', Poison.at.y < 9");
    let compared = compared.unwrap();
    _ = world.pool_mut::<Health>();
    let written = world.kinds_query("Poison, ?Health").unwrap();
    assert!(written.chunks_mut(&mut world).unwrap().next_chunk().is_none());
    let by = world.spawn(health(1.0)).id();
    let mut all = Vec::new();
    for (damage, source) in [(1.0, "snake"), (2.0, "snake"), (3.0, "toad"), (4.0, "bee")] {
        let entity = world.spawn(health(damage)).id();
        let place = FieldValue::Record(vec![damage.into(), 5_f32.into()]);
        let tags: Vec<FieldValue> = vec![7_u8.into()];
        let values = [damage.into(), by.into(), source.into(), place, tags.into()];
        world.insert_fields(kind, entity, &values).unwrap();
        all.push(entity);
    }
    assert!(world.kind_rows(&compared).unwrap().map(|row| row.entity()).eq([all[1], all[3]]));
    let of_entity = world.kinds_query("Poison.by == 0v1, Poison.by != 1v1").unwrap();
    assert_eq!(world.kind_rows(&of_entity).unwrap().count(), 4);
    let mut changes = world.kind_changes(kind).unwrap();
    let some = world.kinds_query("Poison, Health, Poison.damage > 2.5").unwrap();
    let mut chunks = some.chunks_mut(&mut world).unwrap();
    while let Some(chunk) = chunks.next_chunk() {
        let x = chunk.column::<f32>("Poison.at.x").unwrap();
        let source = chunk.column::<String>("Poison.source").unwrap();
        let damage = chunk.column_mut::<f32>("Poison.damage").unwrap();
        let value = chunk.column::<f32>("Health.value").unwrap();
        assert_eq!((x, &*damage, x.len()), (value, value, source.len()));
        assert_eq!(chunk.column::<Option<Entity>>("Poison.by"), Ok(&[Some(by); 2][..]));
        damage.iter_mut().for_each(|damage| *damage += 10.0);
        assert_eq!(
            chunk.column_mut::<f64>("Poison.at.y").unwrap_err().to_string(),
            "the values of `Poison.at.y` are of the type `f32`, not `f64`"
        );
        let error = chunk.column::<f32>("Poison.at").unwrap_err();
        assert_eq!(error, ColumnError::NoColumn("Poison", "at".into(), None));
        assert_eq!(chunk.column::<f32>("Poison"), Err(ColumnError::InColumns("Poison", "damage")));
    }
    world.advance_kind(&mut changes);
    assert!(world.entities_in(changes.changed()).eq(all[2..].iter().copied()));
    let value = world.kind_value(kind, all[3]).unwrap();
    assert_eq!(value.field("damage"), Some(14_f32.into()));
    let error = world.kinds_query("Poison.damag < 1").unwrap_err();
    let has = "`Poison` has no `damag` (the nearest is `damage`): it has";
    assert!(error.reason().starts_with(has), "{error}");
    assert!(world.kinds_query("Poison.source < 1").is_err());
    // Another world may have other fields under the name.
    let mut other = World::new();
    other.define("Poison", Fields::new().f32("strength")).unwrap();
    for query in [&compared, &written] {
        let error = other.kind_rows(query).unwrap_err();
        assert_eq!(error, KindError::Redefined("Poison"));
        assert_eq!(
            error.to_string(),
            "`Poison` has other fields here than the query was made for: make the query anew by this world"
        );
        assert_eq!(query.chunks(&other).unwrap_err(), error);
        assert_eq!(query.chunks_mut(&mut other).unwrap_err(), error);
        assert_eq!(other.for_each_row(query, |_| {}), Err(error));
    }
    let named = world.kinds_query("(Poison), Health").unwrap();
    assert_eq!(other.kind_rows(&named).unwrap().count(), 0);
}

#[test]
fn loops_over_chunks_pay_for_the_order_of_pools() {
    let mut world = World::new();
    for at in 0..4_000_u16 {
        let mut entity = world.spawn(Number(at.into()));
        if at % 2 == 0 {
            entity.insert(Text(String::new()));
        }
    }
    let query = world.kinds_query("Number, Text").unwrap();
    let count = |world: &mut World| {
        let (mut chunks, mut count) = (query.chunks_mut(world).unwrap(), 0);
        while chunks.next_chunk().is_some() {
            count += 1;
        }
        count
    };
    assert_eq!(count(&mut world), 2_000);
    let loops = (0..1_000).find(|_| count(&mut world) == 1);
    assert!(loops.is_some());
}
