//! Rows become entities, and keys become relations.

use arrow_buffer::OffsetBuffer;
use ecs::{ChildOf, Component, Entity, MapEntities, Name, World};
use ecs_tables::arrow_array::{
    ArrayRef, Decimal128Array, DictionaryArray, Float64Array, Int64Array, ListArray, RecordBatch,
    StringArray, StringViewArray, StructArray, TimestampSecondArray, new_null_array, record_batch,
    types::Int8Type,
};
use ecs_tables::arrow_schema::{DataType, Field, Schema, TimeUnit};
use ecs_tables::{Columns, Keys, ParquetWriter, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Component, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Position {
    x: f32,
    y: f32,
}
#[derive(Component, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Target(#[component(entities)] Option<Entity>);
#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
struct Health(u8);
#[derive(Component)]
#[component(relation)]
struct From(Entity);

type Ships<'w> = (Option<&'w Name>, &'w Position, Option<&'w Target>, Option<&'w ChildOf>);

/// Ships with parents and targets; some of these are dead.
fn fleet() -> World {
    let mut world = World::new();
    let gone = world.spawn_empty().id();
    let mut last = world.spawn((Name::new("first"), Position { x: 0.0, y: 1.0 })).id();
    world.despawn(gone).unwrap();
    for number in 0..20_u8 {
        let mut ship = world.spawn(Position { x: number.into(), y: 0.5 });
        if number % 2 == 0 {
            ship.insert(ChildOf(last));
        }
        if number % 3 == 0 {
            ship.insert(Target((number % 4 == 0).then_some(last)));
        }
        last = ship.id();
    }
    world
}

#[test]
fn a_world_comes_back_under_other_handles() {
    let world = fleet();
    let table = Table::of(world.view::<Ships>()).unwrap();
    let mut other = World::new();
    other.spawn_batch((0..100).map(Health));
    let entities = table.spawn::<Ships>(&mut other).unwrap();
    assert_eq!(entities.len(), 21);
    let old: Vec<Entity> = world.view::<&Position>().into_iter().map(|it| it.0).collect();
    let new = |entity| entities[old.iter().position(|it| *it == entity).unwrap()];
    for &entity in &old {
        let became = new(entity);
        assert_eq!(other.name(became), world.name(entity));
        assert_eq!(other.get::<Position>(became), world.get::<Position>(entity));
        assert_eq!(other.parent(became), world.parent(entity).map(new));
        let target = world.get::<Target>(entity).map(|target| Target(target.0.map(new)));
        assert_eq!(other.get::<Target>(became), target.as_ref());
    }
}

/// Handles within a type of its own, and in a list.
#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
struct Orders {
    follow: Follow,
    posts: Vec<Entity>,
}
#[derive(MapEntities, Serialize, Deserialize, Debug, PartialEq)]
struct Follow {
    leader: Option<Entity>,
}

#[test]
fn handles_in_types_within_components_become_those_of_the_new_entities() {
    let mut world = World::new();
    let leader = world.spawn_empty().id();
    let orders = |leader, post| Orders { follow: Follow { leader }, posts: vec![post] };
    world.insert(leader, orders(Some(leader), leader)).unwrap();
    let table = Table::of(world.view::<&Orders>()).unwrap();
    let mut other = World::new();
    other.spawn_batch((0..9).map(Health));
    let new = table.spawn::<(&Orders,)>(&mut other).unwrap()[0];
    assert_eq!(other.get::<Orders>(new), Some(&orders(Some(new), new)));

    // Without the entities of the rows, the handles have no meaning.
    let refused = |world: &mut World, all: &[Orders], column: &str| {
        let columns = Columns::new().with::<Orders>("Orders").unwrap();
        let table = Table::of_records(&columns, all.iter().map(|orders| Row { orders }));
        let error = table.unwrap().spawn::<(&Orders,)>(world).unwrap_err().to_string();
        let words = format!(
            "column `{column}` has handles of entities, and the table has no column `entity` that says which rows \
             they name: write the table of rows with `Entity`, or read the column as `records`"
        );
        assert_eq!((error, world.len()), (words, 0));
    };
    let none = || Orders { follow: Follow { leader: None }, posts: vec![] };
    let mut empty = World::new();
    refused(&mut empty, &[none(), orders(Some(leader), leader)], "Orders.follow.leader");
    refused(&mut empty, &[none(), orders(None, leader)], "Orders.posts");
    let columns = Columns::new().with::<Orders>("Orders").unwrap();
    let table = Table::of_records(&columns, [Row { orders: &none() }]).unwrap();
    assert_eq!(table.spawn::<(&Orders,)>(&mut empty).unwrap().len(), 1);
}

/// A row of one component.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(rename = "Orders")]
    orders: &'a Orders,
}

#[test]
fn unreadable_rows_leave_the_world_unchanged() {
    let table = |batch: RecordBatch| Table::from_batch(&batch).unwrap();
    let mut world = World::new();
    let mut why = |table: &Table| {
        let error = table.spawn::<(&Position, Option<&ChildOf>)>(&mut world).unwrap_err();
        assert!(world.is_empty());
        error.to_string()
    };
    let rows = |child: [Option<&str>; 2], entity: [&str; 2]| {
        table(
            record_batch!(
                ("entity", Utf8, entity.to_vec()),
                ("Position.x", Float64, [0.5, 1.5]),
                ("Position.y", Int32, [0, 1]),
                ("ChildOf", Utf8, child.to_vec())
            )
            .unwrap(),
        )
    };
    assert_eq!(
        why(&rows([None, Some("7v1")], ["0v1", "1v1"])),
        "`ChildOf` points to entities that are no rows of the table"
    );
    assert_eq!(
        why(&rows([None, Some("ship")], ["0v1", "1v1"])),
        "row 1: column `ChildOf`: an entity is written as its index and its generation, `12v3`"
    );
    assert_eq!(
        why(&rows([None, None], ["0v1", "0v1"])),
        "row 1: column `entity` has the handle of another row, too"
    );
    assert_eq!(
        why(&rows([None, None], ["a", "0v1"])),
        "row 0: column `entity` holds no handle such as `12v3`"
    );
    assert_eq!(
        why(&table(record_batch!(("Position.x", Float32, [0.5])).unwrap())),
        "there is no column `Position.y` among Position.x"
    );
    let nulls = record_batch!(
        ("Position.x", Float32, [Some(0.5), None]),
        ("Position.y", Float32, [0.5, 0.5]),
        ("ChildOf", Utf8, ["", ""])
    );
    assert_eq!(
        why(&table(nulls.unwrap())),
        "row 1: column `Position.x` is null, and the type holds no null"
    );
    assert!(
        rows([None, Some("0v1")], ["0v1", "1v1"])
            .spawn::<(&Position, Option<&ChildOf>)>(&mut world)
            .is_ok()
    );
}

/// Arrays as other programs write them.
#[test]
fn tables_of_other_programs_are_read() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Line {
        city: String,
        kind: Option<Kind>,
        seen: chrono::DateTime<chrono::Utc>,
        at: Option<At>,
        count: u8,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    enum Kind {
        Small,
        Large,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct At {
        x: i64,
    }
    let kinds: DictionaryArray<Int8Type> = [Some("Small"), None].into_iter().collect();
    let field = Arc::new(Field::new("x", DataType::Int64, true));
    let at = StructArray::new(
        vec![field].into(),
        vec![Arc::new(Int64Array::from(vec![1, 2]))],
        Some(vec![false, true].into()), // the first is missing, whatever its field says
    );
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("city", Arc::new(StringViewArray::from(vec!["Rome", "a city with a long name"]))),
        ("kind", Arc::new(kinds)),
        ("seen", Arc::new(TimestampSecondArray::from(vec![0, 1]).with_timezone("UTC"))),
        ("at", Arc::new(at)),
        ("count", Arc::new(Float64Array::from(vec![0.0, 255.0]))),
    ];
    let table = Table::from_batch(&RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    let lines: Vec<Line> = table.records().unwrap();
    let rome = Line {
        city: "Rome".into(),
        kind: Some(Kind::Small),
        seen: "1970-01-01T00:00:00Z".parse().unwrap(),
        at: None,
        count: 0,
    };
    assert_eq!(lines[0], rome);
    assert_eq!((&lines[1].kind, &lines[1].at, lines[1].count), (&None, &Some(At { x: 2 }), 255));

    let why = |name, array: ArrayRef| {
        let mut columns = vec![];
        for field in table.batch().schema_ref().fields() {
            let is_other = field.name() == name;
            let own = table.batch().column_by_name(field.name()).unwrap();
            columns.push((field.name().as_str(), if is_other { &array } else { own }.clone()));
        }
        let table = Table::from_batch(&RecordBatch::try_from_iter(columns).unwrap()).unwrap();
        table.records::<Line>().unwrap_err().to_string()
    };
    assert_eq!(
        why("count", Arc::new(Int64Array::from(vec![0, 256]))),
        "row 1: column `count`: invalid value: integer `256`, expected u8"
    );
    assert_eq!(
        why("kind", Arc::new(StringArray::from(vec!["Large", "Huge"]))),
        "row 1: column `kind`: \"Huge\" is none of the variants Small, Large"
    );
    assert_eq!(
        why("city", Arc::new(Int64Array::from(vec![0, 256]))),
        "row 0: column `city`: invalid type: integer `0`, expected a string"
    );
    let halves = Decimal128Array::from(vec![1, 2]);
    assert_eq!(
        why("count", Arc::new(halves)),
        "column `count` of Decimal128(38, 10) is not read: convert it to a number, text, a Timestamp or Date32"
    );
    let twice = record_batch!(("a", UInt8, [1]), ("a", UInt8, [1])).unwrap();
    let error = Table::from_batch(&twice).unwrap_err();
    assert_eq!(error.to_string(), "two columns are named `a`: rename one");
}

#[test]
fn lists_of_structs_of_other_programs_are_read() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Route {
        stops: Vec<Option<Stop>>,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Stop {
        at: At,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct At {
        x: i64,
    }
    let within = |name, array: ArrayRef, nulls: Option<Vec<bool>>| -> ArrayRef {
        let field = Arc::new(Field::new(name, array.data_type().clone(), true));
        Arc::new(StructArray::new(vec![field].into(), vec![array], nulls.map(Into::into)))
    };
    let at = within("x", Arc::new(Int64Array::from(vec![1, 2, 3])), None);
    let stops = within("at", at, Some(vec![true, false, true]));
    let item = Arc::new(Field::new("element", stops.data_type().clone(), true));
    let stops = ListArray::new(item, OffsetBuffer::from_lengths([2, 0, 1]), stops, None);
    let batch = RecordBatch::try_from_iter([("stops", Arc::new(stops) as ArrayRef)]).unwrap();
    let stop = |x| Some(Stop { at: At { x } });
    let expected = [vec![stop(1), None], vec![], vec![stop(3)]].map(|stops| Route { stops });
    assert_eq!(Table::from_batch(&batch).unwrap().records::<Route>().unwrap(), expected);
}

#[test]
fn a_key_column_becomes_a_relation() {
    #[derive(Component, Deserialize)]
    struct Airport {}
    #[derive(Component, Deserialize)]
    struct Flight {
        number: u16,
    }
    let airports = record_batch!(("faa", Utf8, ["EWR", "JFK"]), ("hour", Int32, [1, 1])).unwrap();
    let airports = Table::from_batch(&airports).unwrap();
    let flights = record_batch!(
        ("number", UInt16, [1, 2, 3, 4]),
        ("origin", Utf8, [Some("JFK"), None, Some("LGA"), Some("EWR")]),
        ("hour", Int64, [1, 1, 1, 2])
    );
    let flights = Table::from_batch(&flights.unwrap()).unwrap();

    let mut world = World::new();
    let from = world.spawn_batch(airports.records::<Airport>().unwrap());
    let entities = world.spawn_batch(flights.records::<Flight>().unwrap());
    let links = Keys::new(&airports, &["faa"], &from).unwrap().find(&flights, &["origin"]).unwrap();
    assert_eq!(links.targets(), [Some(from[1]), None, None, Some(from[0])]);
    assert_eq!(links.unknown(), [2]);
    links.insert(&mut world, &entities, From);
    assert!(world.related::<From>(from[1]).eq([entities[0]]));
    assert!(!world.has::<From>(entities[1]) && !world.has::<From>(entities[2]));

    // The keys have two columns, whatever the width of their numbers.
    let both = Keys::new(&airports, &["faa", "hour"], &from).unwrap();
    let links = both.find(&flights, &["origin", "hour"]).unwrap();
    assert_eq!(links.targets(), [Some(from[1]), None, None, None]);

    let why = |table: &Table, columns: &[&str]| {
        Keys::new(table, columns, &vec![from[0]; table.num_rows()]).unwrap_err().to_string()
    };
    assert_eq!(why(&airports, &["hour"]), "row 1: the key of hour belongs to another row, too");
    assert_eq!(why(&flights, &["origin"]), "row 1: the key of origin is null");
    assert_eq!(why(&airports, &["name"]), "there is no column `name` among faa, hour");
    let floats = Table::from_batch(&record_batch!(("x", Float32, [0.5])).unwrap()).unwrap();
    assert_eq!(why(&floats, &["x"]), "column `x` of Float32 is no key");
    let error = Keys::new(&airports, &["faa"], &[]).unwrap_err();
    assert_eq!(error.to_string(), "there are 2 rows, and 0 entities");
    let error = both.find(&flights, &["hour", "origin"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the columns hour, origin hold whole numbers, text, and the keys text, whole numbers"
    );
    assert!(world.pool::<Flight>().iter().all(|(_, flight)| flight.number < 5));
}

#[test]
fn a_file_that_is_no_parquet_is_refused() {
    let error = Table::read_parquet(bytes::Bytes::from("no such file")).unwrap_err();
    assert!(error.to_string().starts_with("the parquet file failed: "), "{error}");
    let columns = Columns::of::<Position>().unwrap();
    let table = Table::of_records(&columns, [Position { x: 0.5, y: 1.5 }]).unwrap();
    let mut file = Vec::new();
    table.write_parquet(&mut file).unwrap();
    for end in [0, 4, file.len() / 2, file.len() - 1] {
        assert!(Table::read_parquet(bytes::Bytes::copy_from_slice(&file[..end])).is_err());
    }
}

/// A column of this array, and one of it within a struct that may be missing.
fn tables_of(array: &ArrayRef) -> [Table; 2] {
    let field = Arc::new(Field::new("text", array.data_type().clone(), true));
    let is_missing = (0..array.len()).map(|row| row % 2 == 0).collect::<Vec<_>>();
    let within = StructArray::new(vec![field].into(), vec![array.clone()], Some(is_missing.into()));
    let batch = |array| RecordBatch::try_from_iter([("text", array)]).unwrap();
    [batch(array.clone()), batch(Arc::new(within))].map(|batch| Table::from_batch(&batch).unwrap())
}

#[test]
fn columns_without_values_are_null_whatever_their_type() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Line {
        text: Option<String>,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Within {
        text: Line,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Lists {
        text: Option<Vec<Option<String>>>,
    }
    let dictionary =
        |key: DataType, values: DataType| DataType::Dictionary(Box::new(key), Box::new(values));
    let texts = [
        dictionary(DataType::Int8, DataType::Utf8),
        dictionary(DataType::Int32, DataType::LargeUtf8),
        dictionary(DataType::UInt64, DataType::Utf8View),
        dictionary(DataType::UInt16, dictionary(DataType::Int8, DataType::Utf8)),
        dictionary(DataType::Int16, DataType::Null),
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Null,
    ];
    for data in texts {
        for rows in [0, 1, 3] {
            let array = new_null_array(&data, rows);
            let [table, within] = tables_of(&array);
            let none = |row: &Line| row.text.is_none();
            let lines = table.records::<Line>().unwrap();
            assert!(lines.len() == rows && lines.iter().all(none), "{data}");
            let lines = within.records::<Within>().unwrap();
            assert!(lines.len() == rows && lines.iter().all(|line| none(&line.text)), "{data}");
            let mut csv = Vec::new();
            table.write_csv(&mut csv).unwrap();
            assert_eq!(csv, format!("text\n{}", "\n".repeat(rows)).into_bytes(), "{data}");
            if !data.to_string().contains("Null") {
                let keys = Keys::new(&table, &["text"], &vec![Entity::PLACEHOLDER; rows]);
                assert_eq!(keys.is_ok(), rows == 0, "{data}");
            }
            let mut file = Vec::new();
            // Some of these dictionaries are none of Parquet's.
            if table.write_parquet(&mut file).is_ok()
                && let Ok(read) = Table::read_parquet(bytes::Bytes::from(file))
            {
                assert_eq!(read.records::<Line>().unwrap().len(), rows, "{data}");
            }
            let item = Arc::new(Field::new("item", data.clone(), true));
            let nested = (0..rows).map(|row| usize::from(row + 1 == rows));
            let items = new_null_array(&data, rows.min(1));
            let list = ListArray::new(item, OffsetBuffer::from_lengths(nested), items, None);
            let [lists, _] = tables_of(&(Arc::new(list) as ArrayRef));
            let lists = lists.records::<Lists>().unwrap();
            assert!(
                lists.len() == rows
                    && lists.iter().flat_map(|it| it.text.iter().flatten()).all(Option::is_none)
            );
        }
    }
    // Types that are not read are errors, with or without values.
    for data in [
        dictionary(DataType::Int8, DataType::Decimal128(38, 10)),
        DataType::Time32(TimeUnit::Second),
    ] {
        let [table, _] = tables_of(&new_null_array(&data, 2));
        assert!(table.records::<Line>().unwrap_err().to_string().contains("is not read"), "{data}");
    }
}

#[test]
fn a_panic_of_the_library_for_parquet_is_an_error() {
    let data = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8View));
    let [table, _] = tables_of(&new_null_array(&data, 3));
    let error = table.write_parquet(Vec::new()).unwrap_err().to_string();
    assert!(error.contains("its library panicked: "), "{error}");
    let columns =
        Columns::from_schema(&Schema::new(vec![Field::new("text", DataType::Utf8, true)]));
    let mut file = ParquetWriter::new(Vec::new(), &columns.unwrap()).unwrap();
    // A table of other columns is refused, and the file goes on.
    let mut world = World::new();
    world.spawn_named("Alice");
    let error = file.write(&Table::of(world.view::<&Name>()).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file has the columns `text` of Utf8, the table `entity` of LargeUtf8, `Name` of LargeUtf8"
    );
    let [fits, _] = tables_of(&(Arc::new(StringArray::from(vec!["a"])) as ArrayRef));
    file.write(&fits).unwrap();
    let file = file.finish().unwrap();
    let read = Table::read_parquet(bytes::Bytes::from(file)).unwrap();
    assert_eq!(read.batch().columns(), fits.batch().columns());
}
