//! Columns come from types, and values come back from them.

#![expect(
    clippy::option_option,
    clippy::items_after_statements,
    reason = "types stand beside their tests"
)]

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use ecs::{Component, Entity, World};
use ecs_tables::arrow_array::Array;
use ecs_tables::arrow_array::cast::AsArray;
use ecs_tables::arrow_schema::{DataType, Field, Schema, TimeUnit};
use ecs_tables::{Columns, Row, Table, TableError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

/// Returns names, types and `?` for columns that may be null.
fn shown(columns: &Columns) -> Vec<String> {
    let shown = |field: &Field| {
        let mark = if field.is_nullable() { "?" } else { "" };
        format!("{} {}{mark}", field.name(), field.data_type())
    };
    columns.schema().fields().iter().map(|field| shown(field)).collect()
}

fn of<T: DeserializeOwned>() -> Vec<String> {
    shown(&Columns::of::<T>().unwrap())
}

/// Checks that records come back from a table, from a file of Parquet, and from CSV unless they hold lists.
#[track_caller]
fn returns<T: Serialize + DeserializeOwned + PartialEq + Debug>(records: &[T]) {
    let columns = Columns::of::<T>().unwrap();
    let table = Table::of_records(&columns, records).unwrap();
    assert_eq!(*table.batch().schema_ref(), columns.schema());
    assert_eq!(table.records::<T>().unwrap(), records);
    let mut file = Vec::new();
    table.write_parquet(&mut file).unwrap();
    let read = Table::read_parquet(bytes::Bytes::from(file)).unwrap();
    assert_eq!(read.records::<T>().unwrap(), records);
    let mut csv = Vec::new();
    if table.write_csv(&mut csv).is_ok() {
        let read = Table::read_csv(&csv[..], &columns, &[]).unwrap();
        assert_eq!(read.records::<T>().unwrap(), records, "{}", String::from_utf8_lossy(&csv));
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Point,
    Circle(f32),
    Square { side: Option<f32>, depth: u8 },
    Line(u8, u8),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
enum Mood {
    Calm,
    Angry,
}

#[test]
fn numbers_and_texts_are_columns_of_their_type() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct All {
        a: i8,
        b: i16,
        c: i32,
        d: i64,
        e: u8,
        f: u16,
        g: u32,
        h: u64,
        i: f32,
        j: f64,
        k: bool,
        l: char,
        m: String,
        n: u128,
        o: NonZeroU32,
        p: IpAddr,
    }
    assert_eq!(
        of::<All>(),
        [
            "a Int8",
            "b Int16",
            "c Int32",
            "d Int64",
            "e UInt8",
            "f UInt16",
            "g UInt32",
            "h UInt64",
            "i Float32",
            "j Float64",
            "k Boolean",
            "l LargeUtf8",
            "m LargeUtf8",
            "n LargeUtf8",
            "o UInt32",
            "p LargeUtf8"
        ]
    );
    let one = |k, l: char, p: &str| All {
        a: i8::MIN,
        b: i16::MIN,
        c: i32::MIN,
        d: i64::MIN,
        e: u8::MAX,
        f: u16::MAX,
        g: u32::MAX,
        h: u64::MAX,
        i: f32::MIN_POSITIVE,
        j: 0.1,
        k,
        l,
        m: format!("{l}, \"{l}\"\n"),
        n: u128::MAX,
        o: NonZeroU32::MAX,
        p: p.parse().unwrap(),
    };
    returns(&[one(false, 'ß', "10.0.0.1"), one(true, '"', "::2")]);
}

#[test]
fn any_option_comes_back_as_it_was() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
    struct Cargo {
        tons: Option<u32>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
    struct Ship {
        number: Option<u32>,
        twice: Option<Option<u32>>,
        name: Option<String>,
        tag: Option<()>,
        mood: Option<Mood>,
        shape: Option<Shape>,
        cargo: Option<Cargo>,
        at: Option<(f32, f32)>,
        all: Option<Vec<Option<Mood>>>,
        to: Option<Entity>,
    }
    assert_eq!(
        of::<Ship>(),
        [
            "number UInt32?",
            "twice Boolean?",
            "twice.Some UInt32?",
            "name LargeUtf8?",
            "tag Boolean?",
            "mood LargeUtf8?",
            "shape LargeUtf8?",
            "shape.Circle Float32?",
            "shape.Square.side Float32?",
            "shape.Square.depth UInt8?",
            "shape.Line.0 UInt8?",
            "shape.Line.1 UInt8?",
            "cargo Boolean?",
            "cargo.tons UInt32?",
            "at.0 Float32?",
            "at.1 Float32?",
            "all LargeList(LargeUtf8)?",
            "to LargeUtf8?",
        ]
    );
    let none = Ship::default();
    let full = Ship {
        number: Some(0),
        twice: Some(Some(0)),
        name: Some(String::new()),
        tag: Some(()),
        mood: Some(Mood::Angry),
        shape: Some(Shape::Point),
        cargo: Some(Cargo { tons: None }),
        at: Some((0.0, 1.0)),
        all: None,
        to: Some(World::new().spawn_empty().id()),
    };
    let mut ships = vec![none.clone(), full.clone()];
    ships.push(Ship { twice: Some(None), cargo: Some(Cargo { tons: Some(3) }), ..none });
    ships.push(Ship { shape: Some(Shape::Square { side: None, depth: 1 }), ..full.clone() });
    ships.push(Ship { shape: Some(Shape::Line(1, 2)), ..full });
    returns(&ships);
    for ship in &mut ships {
        ship.all = Some(vec![None, Some(Mood::Calm)]);
    }
    ships[0].all = Some(Vec::new());
    returns(&ships);
}

#[test]
fn enums_are_names_of_variants_beside_their_fields() {
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Body(Shape);
    let mut world = World::new();
    let shapes = [Shape::Circle(1.5), Shape::Point, Shape::Square { side: Some(2.0), depth: 3 }];
    world.spawn_batch(shapes.map(Body));
    let table = Table::of(world.view::<&Body>()).unwrap();
    let mut csv = Vec::new();
    table.write_csv(&mut csv).unwrap();
    assert_eq!(
        String::from_utf8(csv).unwrap(),
        "entity,Body,Body.Circle,Body.Square.side,Body.Square.depth,Body.Line.0,Body.Line.1\n\
         0v1,Circle,1.5,,,,\n1v1,Point,,,,,\n2v1,Square,,2.0,3,,\n"
    );
    let mut other = World::new();
    let entities = table.spawn::<(&Body,)>(&mut other).unwrap();
    assert!(other.get::<Body>(entities[0]) == Some(&Body(Shape::Circle(1.5))));
}

#[test]
fn fields_and_variants_may_have_the_names_of_own_columns() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
    struct Some_ {
        some: Option<u8>,
        some_: Option<u8>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[expect(non_camel_case_types, reason = "names of own columns")]
    enum Flat {
        entity(u8),
        value { value: u8, variant: u8 },
        key(u8),
        item(u8),
        some(Option<u8>),
        variant(u8),
        variant_(u8),
        Nothing,
    }
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Kinds {
        one: Flat,
        all: Vec<Flat>,
        options: Vec<Option<Some_>>,
        twice: Vec<Option<Option<Some_>>>,
        map: BTreeMap<String, Flat>,
    }
    let some = |some, some_| Some_ { some, some_ };
    let flats = [
        Flat::entity(1),
        Flat::value { value: 2, variant: 3 },
        Flat::key(4),
        Flat::item(5),
        Flat::some(None),
        Flat::some(Some(6)),
        Flat::variant(7),
        Flat::variant_(8),
        Flat::Nothing,
    ];
    let all: Vec<Kinds> = flats
        .iter()
        .map(|flat| Kinds {
            one: flat.clone(),
            all: flats.to_vec(),
            options: vec![None, Some(some(None, None)), Some(some(None, Some(1)))],
            twice: vec![None, Some(None), Some(Some(some(Some(2), None)))],
            map: [("a".to_owned(), flat.clone())].into(),
        })
        .collect();
    returns(&all);
    let columns = of::<Kinds>();
    let has = |start: &str| columns.iter().any(|column| column.starts_with(start));
    assert!(has("all LargeList(non-null Struct(\"variant__\": non-null LargeUtf8"), "{columns:?}");
    assert!(has("options LargeList(non-null Struct(\"some__\": Boolean"), "{columns:?}");

    #[derive(Component, Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Kind(Flat);
    let mut world = World::new();
    world.spawn_batch(flats.iter().cloned().map(Kind));
    let table = Table::of(world.view::<&Kind>()).unwrap();
    let mut other = World::new();
    let entities = table.spawn::<(&Kind,)>(&mut other).unwrap();
    assert!(
        entities.iter().zip(flats).all(|(it, flat)| other.get::<Kind>(*it) == Some(&Kind(flat)))
    );
}

#[test]
fn lists_and_maps_are_lists_of_their_items() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Route {
        stops: Vec<Stop>,
        shapes: Vec<Shape>,
        nested: Vec<Vec<u8>>,
        prices: BTreeMap<String, Vec<Option<f64>>>,
        triple: [u8; 3],
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Stop {
        at: (f32, f32),
        cargo: Option<Option<u32>>,
    }
    let stop = |cargo| Stop { at: (1.0, 2.0), cargo };
    let prices = [("a".into(), vec![Some(0.5), None]), ("b".into(), vec![])].into();
    let full = Route {
        stops: vec![stop(None), stop(Some(None)), stop(Some(Some(3)))],
        shapes: vec![Shape::Point, Shape::Line(1, 2)],
        nested: vec![vec![], vec![1, 2]],
        prices,
        triple: [1, 2, 3],
    };
    let empty = Route {
        stops: vec![],
        shapes: vec![],
        nested: vec![],
        prices: BTreeMap::new(),
        triple: [0; 3],
    };
    returns(&[empty, full]);
}

#[test]
fn times_are_timestamps() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Seen {
        system: SystemTime,
        utc: DateTime<Utc>,
        local: NaiveDateTime,
        date: NaiveDate,
        maybe: Option<DateTime<Utc>>,
    }
    assert_eq!(
        of::<Seen>(),
        [
            "system Timestamp(ns, \"UTC\")",
            "utc Timestamp(ns, \"UTC\")",
            "local Timestamp(ns)",
            "date Date32",
            "maybe Timestamp(ns, \"UTC\")?"
        ]
    );
    let seen = |nanos: u32, maybe| {
        let utc = DateTime::from_timestamp(1_234_567_890, nanos).unwrap();
        Seen {
            system: SystemTime::UNIX_EPOCH + Duration::new(1_234_567_890, nanos),
            utc,
            local: utc.naive_utc(),
            date: utc.date_naive(),
            maybe,
        }
    };
    returns(&[seen(0, None), seen(123_456_789, "1901-02-03T04:05:06.7Z".parse().ok())]);

    let far = Seen { utc: "3000-01-01T00:00:00Z".parse().unwrap(), ..seen(0, None) };
    let columns = Columns::of::<Seen>().unwrap();
    let error = Table::of_records(&columns, [&far]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 0: column `utc`: `3000-01-01T00:00:00Z` is too fine or out of range, for Timestamp(ns, \"UTC\")"
    );
    let micros = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let columns = columns.with_type("utc", micros).unwrap();
    let table = Table::of_records(&columns, [&far]).unwrap();
    assert_eq!(table.records::<Seen>().unwrap(), [far]);
    let error = Table::of_records(&columns, [seen(1, None)]).unwrap_err(); // a nanosecond is not lost
    assert!(error.to_string().contains("is too fine or out of range"), "{error}");
}

#[test]
fn a_placeholder_handle_is_null() {
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    #[component(save = "aim")]
    struct Aim(#[component(entities)] Entity);
    let mut world = World::new();
    let buoy = world.spawn_empty().id();
    let aims = [Aim(buoy), Aim(Entity::PLACEHOLDER)];
    world.spawn_batch(aims);
    let table = Table::of(world.view::<&Aim>()).unwrap();
    let aims = table.batch().column_by_name("Aim").unwrap().as_string::<i64>();
    assert_eq!(aims.iter().collect::<Vec<_>>(), [Some("0v1"), None]);
    let mut other = World::new();
    let read = table.spawn::<(&Aim,)>(&mut other).unwrap();
    // The buoy is no row of the table.
    assert!(read.iter().all(|&it| other.get::<Aim>(it) == Some(&Aim(Entity::PLACEHOLDER))));
}

#[test]
fn tables_of_one_type_agree_whatever_they_hold() {
    #[derive(Component, Serialize, Deserialize)]
    struct Note {
        text: Option<String>,
        shape: Option<Shape>,
    }
    let mut world = World::new();
    let empty = Table::of(world.view::<&Note>()).unwrap();
    world.spawn(Note { text: None, shape: None });
    let nulls = Table::of(world.view::<&Note>()).unwrap();
    world.spawn(Note { text: Some("a".into()), shape: Some(Shape::Line(1, 2)) });
    let full = Table::of(world.view::<&Note>()).unwrap();
    assert_eq!((empty.num_rows(), nulls.num_rows(), full.num_rows()), (0, 1, 2));
    assert!(empty.num_columns() == 8 && empty.batch().schema() == nulls.batch().schema());
    assert_eq!(nulls.batch().schema(), full.batch().schema());
}

#[test]
fn types_without_columns_are_refused_by_name() {
    #[derive(Deserialize, Debug)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its columns are asked for")]
    enum Any {
        A(u8),
        B(String),
    }
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its columns are asked for")]
    struct Tree {
        all: Vec<Tree>,
    }
    #[derive(Deserialize)]
    #[serde(try_from = "u32")]
    struct Even;
    impl TryFrom<u32> for Even {
        type Error = String;
        fn try_from(value: u32) -> Result<Self, String> {
            Err(format!("{value} is never even enough"))
        }
    }
    fn why<T: DeserializeOwned>() -> String {
        match Columns::new().with::<T>("it") {
            Err(TableError::Columns(what)) => {
                what.split_once("`: ").expect("it names the type").1.to_owned()
            }
            other => panic!("{other:?}"),
        }
    }
    let remedy = ": give its columns by `Columns::from_schema`";
    assert!(why::<Any>().starts_with("the type does not list its parts"));
    assert!(why::<Any>().ends_with(remedy));
    assert_eq!(why::<Tree>(), format!("the type holds itself{remedy}"));
    assert_eq!(why::<Even>(), "1 is never even enough");
    let twice = Columns::new().with::<u8>("a").unwrap().with::<u8>("a").unwrap_err();
    assert_eq!(twice.to_string(), "the columns of `u8`: two columns are named `a`: rename one");
}

#[test]
fn given_types_hold_fitting_values_and_no_others() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Line {
        number: i64,
        float: f64,
    }
    let line = |number, float| Line { number, float };
    let columns = Columns::of::<Line>().unwrap();
    let columns = columns.with_type("number", DataType::UInt8).unwrap();
    let columns = columns.with_type("float", DataType::Float32).unwrap();
    let lines = [line(0, 0.5), line(255, f64::INFINITY)];
    let table = Table::of_records(&columns, &lines).unwrap();
    assert_eq!(table.records::<Line>().unwrap(), lines);
    let why =
        |line| Table::of_records(&columns, [Line { number: 1, float: 1.0 }, line]).unwrap_err();
    let error = why(line(256, 0.0));
    assert!(matches!(error, TableError::Value { row: 1, .. }));
    assert_eq!(error.to_string(), "row 1: 256 does not fit column `number` of UInt8");
    assert_eq!(why(line(0, 0.1)).to_string(), "row 1: 0.1 does not fit column `float` of Float32");

    let error = columns.clone().with_type("none", DataType::UInt8).unwrap_err();
    assert_eq!(error.to_string(), "there is no column `none`");
    let error = columns.with_type("float", DataType::Float16).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column `float` of Float16 is not written: use Boolean, a number, a Timestamp, Date32, text or binary"
    );
}

#[test]
fn a_given_schema_says_how_values_are_spread() {
    #[derive(Serialize)]
    struct Line<'a> {
        b: (u8, Option<&'a str>),
        shape: Shape,
        all: Vec<Stop>,
        #[serde(skip_serializing_if = "Option::is_none")]
        more: Option<Stop>,
    }
    #[derive(Serialize)]
    struct Stop {
        x: u32,
    }
    let item = DataType::Struct([Field::new("x", DataType::UInt64, false)].into_iter().collect());
    let field = |name, data, nullable| Field::new(name, data, nullable);
    let schema = Schema::new(vec![
        field("shape", DataType::Utf8, false), // in another order than the fields
        field("shape.Circle", DataType::Float64, true),
        field("shape.Line.0", DataType::UInt8, true),
        field("shape.Line.1", DataType::UInt8, true),
        field("b.0", DataType::Int32, false),
        field("b.1", DataType::LargeUtf8, true),
        field("all", DataType::LargeList(Field::new("item", item, false).into()), false),
        field("more", DataType::Boolean, true),
        field("more.x", DataType::Int8, true),
    ]);
    let columns = Columns::from_schema(&schema).unwrap();
    let line = |shape, more| Line { b: (1, None), shape, all: vec![Stop { x: 7 }], more };
    let lines = [
        line(Shape::Circle(0.5), None),
        line(Shape::Line(1, 2), Some(Stop { x: 3 })),
        line(Shape::Point, None),
    ];
    let table = Table::of_records(&columns, &lines).unwrap();
    assert_eq!(**table.batch().schema_ref(), schema);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Read {
        b: (u64, Option<String>),
        more: Option<More>,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct More {
        x: i8,
    }
    let read: Vec<Read> = table.records().unwrap();
    assert_eq!(read[1], Read { b: (1, None), more: Some(More { x: 3 }) });
    assert_eq!(read[0].more, None);

    let square = line(Shape::Square { side: None, depth: 0 }, None);
    let error = Table::of_records(&columns, [square]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 0: the variant `Square` does not fit column `shape` of Utf8"
    );
    let names = |names: &[&str]| {
        let fields = names.iter().map(|name| Field::new(*name, DataType::UInt8, false));
        Columns::from_schema(&Schema::new(fields.collect::<Vec<_>>())).unwrap_err().to_string()
    };
    assert_eq!(
        names(&["a.x", "b", "a.y"]),
        "the columns of `a` stand apart: put them side by side, its own first"
    );
    assert!(names(&["a", "a.y"]).starts_with("column `a` of UInt8 has columns of its own"));
    assert_eq!(names(&["a", "a"]), "two columns are named `a`: rename one");
}

#[test]
fn fields_that_are_not_read_have_no_column() {
    #[derive(Serialize, Deserialize)]
    struct Line {
        #[serde(rename(serialize = "b"))]
        a: u8,
    }
    let columns = Columns::of::<Line>().unwrap();
    let error = Table::of_records(&columns, [Line { a: 1 }]).unwrap_err();
    assert_eq!(error.to_string(), "row 0: there is no column for the field `b`");
}

/// Rows that name all components of a view, in the order of the view.
#[test]
fn rows_have_the_columns_of_their_components() {
    #[derive(Component, Serialize, Deserialize)]
    struct Health(u32);
    #[derive(Component, Serialize, Deserialize)]
    struct Player;
    #[derive(Component, Serialize, Deserialize)]
    struct Empty {}
    fn of<R: Row>() -> Vec<String> {
        shown(&Columns::of_rows::<R>().unwrap())
    }
    assert_eq!(
        of::<(Entity, &Health, Option<&Player>, &Player2, &Empty)>(),
        [
            "entity LargeUtf8?",
            "Health UInt32",
            "Player Boolean?",
            "Player2 Boolean",
            "Empty Boolean"
        ]
    );
    #[derive(Component, Serialize, Deserialize)]
    struct Player2;
    let mut world = World::new();
    world.spawn((Health(3), Player2, Empty {}));
    let table = Table::of(world.view::<(&Health, Option<&Player>, &Player2, &Empty)>()).unwrap();
    let mut other = World::new();
    let read = table.spawn::<(&Health, Option<&Player>, &Player2, &Empty)>(&mut other).unwrap();
    assert!(other.has::<Player2>(read[0]) && other.has::<Empty>(read[0]));
    assert!(!other.has::<Player>(read[0]));
}

#[test]
fn many_records_of_numbers_come_back() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
    struct Body {
        at: (f32, f64),
        id: Id,
        flags: [bool; 2],
        small: Small,
        large: u64,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
    struct Id(i64);
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
    struct Small {
        a: i8,
        b: u8,
        c: i16,
        d: u16,
        e: i32,
        f: u32,
    }
    // Rows before, at and behind the ends of blocks.
    for count in [0_u32, 1, 2, 256, 257, 258, 1000] {
        let bodies: Vec<Body> = (0..count)
            .map(|at| {
                let low = at.to_le_bytes()[0];
                let signed = low.cast_signed();
                Body {
                    at: (f32::from(low) - 0.5, -f64::from(at)),
                    id: Id(-i64::from(at) * 3_000_000_000),
                    flags: [at % 3 == 0, at % 2 == 0],
                    small: Small {
                        a: signed,
                        b: low,
                        c: i16::from(signed) * 100,
                        d: u16::from(low) * 100,
                        e: -at.cast_signed() * 1_000_000,
                        f: u32::MAX - at,
                    },
                    large: u64::MAX - u64::from(at),
                }
            })
            .collect();
        returns(&bodies);
        let columns = Columns::of::<Body>().unwrap();
        let batch = columns.batches(&bodies, 5000).next();
        let table = Table::of_records(&columns, &bodies).unwrap();
        assert_eq!(batch.map_or(0, |batch| batch.unwrap().num_rows()), table.num_rows());
        // Columns of other types are filled one value at a time.
        let other = columns.with_type("large", DataType::LargeUtf8).unwrap();
        let other = Table::of_records(&other, &bodies).unwrap();
        for (at, name) in table.column_names().into_iter().enumerate() {
            let are_equal = table.batch().column(at) == other.batch().column(at);
            assert_eq!(are_equal, name != "large", "{name}");
        }
    }
}

/// Rows of handles and numbers only are written many at a time, with an option one at a time.
#[test]
fn many_entities_of_numbers_are_as_they_are_one_at_a_time() {
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
    struct Body {
        at: (f32, f64),
        is_left: bool,
        small: i8,
    }
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
    struct Score(u64);
    for count in [0_u32, 1, 2, 256, 257, 258, 1000] {
        let mut world = World::new();
        let before = world.spawn_batch((0..count).map(|_| Score(0)));
        before.iter().step_by(3).for_each(|entity| world.despawn(*entity).unwrap());
        world.clear(); // and generations differ
        let all: Vec<(Entity, Body, Score)> = (0..count)
            .map(|at| {
                let low = at.to_le_bytes()[0];
                let at_both = (f32::from(low) - 0.5, -f64::from(at));
                let body = Body { at: at_both, is_left: at % 3 == 0, small: low.cast_signed() };
                let score = Score(u64::MAX - u64::from(at));
                (world.spawn((body, score)).id(), body, score)
            })
            .collect();
        let many = Table::of(world.view::<(&Body, &Score)>()).unwrap();
        let one_at_a_time = Table::of(world.view::<(&Body, Option<&Score>)>()).unwrap();
        assert_eq!(many.num_rows(), all.len());
        assert_eq!(many.column_names(), one_at_a_time.column_names());
        for (at, name) in many.column_names().into_iter().enumerate() {
            assert_eq!(many.batch().column(at), one_at_a_time.batch().column(at), "{name}");
        }
        let handles = many.batch().column(0).as_string::<i64>();
        for (row, (entity, ..)) in all.iter().enumerate() {
            assert_eq!(handles.value(row), entity.to_string());
        }
        // Batches whose ends are within blocks, and a given order of the columns.
        let columns =
            Columns::new().with::<Score>("Score").unwrap().with::<Entity>("entity").unwrap();
        let mut rows = 0;
        for batch in columns.row_batches(world.view::<&Score>(), 300) {
            let batch = batch.unwrap();
            let scores = many.batch().column_by_name("Score").unwrap();
            let own = batch.batch().column_by_name("Score").unwrap();
            assert_eq!(own, &scores.slice(rows, batch.num_rows()));
            rows += batch.num_rows();
        }
        assert_eq!(rows, all.len());
        let mut other = World::new();
        let read = many.spawn::<(&Body, &Score)>(&mut other).unwrap();
        for (entity, (_, body, score)) in read.into_iter().zip(all) {
            assert_eq!(other.get::<Body>(entity), Some(&body));
            assert_eq!(other.get::<Score>(entity), Some(&score));
        }
    }
}

#[test]
fn entities_that_are_placeholders_are_null_among_many() {
    let mut entities = World::new().spawn_batch((0..600).map(|_| ()));
    for entity in entities.iter_mut().step_by(2) {
        *entity = Entity::PLACEHOLDER;
    }
    let table = Table::of(entities.iter().copied()).unwrap();
    let column = table.batch().column(0).as_string::<i64>();
    for (row, entity) in entities.iter().enumerate() {
        assert_eq!(column.is_null(row), *entity == Entity::PLACEHOLDER);
        assert!(column.is_null(row) || column.value(row) == entity.to_string());
    }
}

#[test]
fn records_that_write_fields_in_varying_order_come_back() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Pair {
        a: u32,
        b: u32,
    }
    impl Serialize for Pair {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeStruct;
            let mut pair = serializer.serialize_struct("Pair", 2)?;
            if self.a % 7 == 3 {
                pair.serialize_field("b", &self.b)?;
                pair.serialize_field("a", &self.a)?;
            } else {
                pair.serialize_field("a", &self.a)?;
                pair.serialize_field("b", &self.b)?;
            }
            pair.end()
        }
    }
    returns(&(0..2000).map(|a| Pair { a, b: a + 1 }).collect::<Vec<_>>());
}

#[test]
fn a_value_that_does_not_fit_among_many_is_named_by_its_row() {
    #[derive(Deserialize)]
    struct Line {
        number: u32,
    }
    impl Serialize for Line {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeStruct;
            let mut line = serializer.serialize_struct("Line", 1)?;
            if self.number < 700 {
                line.serialize_field("number", &self.number)?;
            } else {
                line.serialize_field("number", &-1)?;
            }
            line.end()
        }
    }
    let columns = Columns::of::<Line>().unwrap();
    let error = Table::of_records(&columns, (0..1000).map(|number| Line { number })).unwrap_err();
    assert_eq!(error.to_string(), "row 700: -1 does not fit column `number` of UInt32");
}
