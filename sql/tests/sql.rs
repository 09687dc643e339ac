//! Queries over saved worlds.

use ecs::by_name::{Fields, Redefinition};
use ecs::{Component, Entity, World};
use ecs_sql::Saved;
use serde::{Deserialize, Serialize, Serializer};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[expect(dead_code, reason = "nothing here calls the example's `main`")]
#[path = "../examples/ask.rs"]
mod ask;

#[derive(Component, Serialize, Deserialize)]
#[component(save = "health")]
struct Health(u32);

/// A component that can be saved and not be loaded.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "broken")]
struct Broken(Never);
#[derive(Serialize, Deserialize, Clone)]
#[serde(try_from = "u64")]
struct Never(u64);
impl TryFrom<u64> for Never {
    type Error = String;
    fn try_from(value: u64) -> Result<Self, String> {
        if value < 2 { Ok(Self(value)) } else { Err(format!("{value} is too much")) }
    }
}

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

#[derive(Component, Deserialize)]
#[component(save = "counted")]
struct Counted(u32);
impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WRITTEN.fetch_add(1, Relaxed);
        self.0.serialize(serializer)
    }
}

fn saved(world: &World) -> Saved {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    Saved::new(bytes)
}

#[test]
fn a_query_loads_only_the_components_that_it_names() {
    let mut world = World::new();
    // Only the first values are read again when they are saved.
    world.spawn_batch((0..100).map(|_| Broken(Never(1))));
    world.spawn((Health(3), Broken(Never(7))));
    let saved = saved(&world).table::<Health>("health").unwrap().table::<Broken>("broken").unwrap();
    let answer = saved.ask("select entity, value from health").unwrap();
    assert!(answer.to_string().contains("| 100v1  | 3     |"), "{answer}");
    let error = saved.ask("select * from broken").unwrap_err().to_string();
    assert!(error.contains("7 is too much") && error.contains("broken"), "{error}");
}

#[test]
fn rows_are_made_as_they_are_taken() {
    let mut world = World::new();
    world.spawn_batch((0..100_000).map(Counted));
    let saved = saved(&world).table::<Counted>("counted").unwrap();
    WRITTEN.store(0, Relaxed);
    assert_eq!(saved.ask("select value from counted limit 5").unwrap().num_rows(), 5);
    assert!((5..50_000).contains(&WRITTEN.load(Relaxed)), "{WRITTEN:?}");
    let answer = saved.ask("select sum(value) as sum, count(*) as count from counted").unwrap();
    assert!(answer.to_string().contains("| 4999950000 | 100000 |"), "{answer}");
}

#[test]
fn mistakes_are_errors() {
    let world = World::new();
    let saved = saved(&world).table::<Health>("health").unwrap();
    assert_eq!(saved.ask("select value from health").unwrap().num_rows(), 0);
    assert!(saved.ask("select").is_err());
    let error = saved.ask("select power from health").unwrap_err();
    assert!(error.to_string().contains("power"), "{error}");
    let error = saved.clone().table::<Health>("health").unwrap_err();
    assert!(error.to_string().contains("there is a table `health` already"), "{error}");
    let nothing = Saved::new(*b"nothing").table::<Health>("health").unwrap();
    assert!(nothing.ask("select * from health").is_err());
}

/// Returns the only value of an answer, as text, or the error.
fn only(saved: &Saved, sql: &str) -> Result<String, String> {
    let answer = saved.ask(sql).map_err(|error| error.to_string())?.to_string();
    let rows: Vec<&str> = answer.lines().skip(3).filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 1, "{answer}");
    Ok(rows[0].trim_matches(['|', ' ']).to_owned())
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "numbers")]
struct Numbers {
    u: u64,
    i: i64,
    b: i8,
    f: f64,
    at: chrono::DateTime<chrono::Utc>,
}

fn numbers() -> Saved {
    let mut world = World::new();
    let at = |text: &str| text.parse().unwrap();
    let early = at("1700-01-01T00:00:00Z");
    world.spawn(Numbers { u: u64::MAX, i: i64::MAX, b: 127, f: 0.5, at: early });
    world.spawn(Numbers { u: u64::MAX, i: i64::MAX, b: 127, f: 1.5, at: early });
    world.spawn(Numbers { u: 3, i: 1, b: 1, f: 1.0, at: at("1900-01-01T00:00:00Z") });
    saved(&world).table::<Numbers>("numbers").unwrap()
}

#[test]
fn sums_of_whole_numbers_are_exact_decimals() {
    let saved = numbers();
    let sum = |sql: &str| only(&saved, sql).unwrap();
    let twice = (2 * u128::from(u64::MAX) + 3).to_string();
    assert_eq!(sum("select sum(u) from numbers"), twice);
    assert_eq!(sum("select sum(u) from numbers group by entity is null"), twice);
    assert_eq!(sum("select sum(i) from numbers"), u64::MAX.to_string());
    assert_eq!(sum("select sum(-i) from numbers"), format!("-{}", u64::MAX));
    assert_eq!(sum("select sum(b) from numbers"), "255");
    assert_eq!(sum("select sum(distinct u) from numbers"), (u128::from(u64::MAX) + 3).to_string());
    assert_eq!(sum("select sum(u) from numbers where u < 0"), "");
    assert_eq!(sum("select sum(f) from numbers"), "3.0");
    assert_eq!(sum("select sum(u) + 1 from numbers"), (2 * u128::from(u64::MAX) + 4).to_string());
    // In a window, also one that leaves rows behind, and beside counts of distinct values.
    let windows =
        "select max(s) from (select sum(u) over (order by i desc, entity) as s from numbers)";
    assert_eq!(sum(windows), twice);
    let sliding = "select max(s) from (select sum(u) over (order by i desc, entity
        rows between 1 preceding and current row) as s from numbers)";
    assert_eq!(sum(sliding), (2 * u128::from(u64::MAX)).to_string());
    assert_eq!(
        sum("select s from (select sum(u) as s, count(distinct i) as c from numbers) where c = 2"),
        twice
    );
    assert_eq!(
        sum(
            "select s from (select sum(u) as s, count(distinct i) as c from numbers group by f < 9) where c = 2"
        ),
        twice
    );
    assert_eq!(sum("select arrow_typeof(sum(b)) from numbers"), "Decimal128(28, 0)");
    assert_eq!(sum("select sum(cast(null as bigint)) from numbers"), "");
}

#[test]
fn averages_do_not_wrap_around() {
    let saved = numbers();
    let mean = |sql: &str| only(&saved, sql).unwrap().parse::<f64>().unwrap();
    let third = 2.0 / 3.0;
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-9;
    assert!(near(mean("select avg(u) from numbers"), third * 2.0_f64.powi(64)));
    assert!(near(mean("select mean(i) from numbers"), third * 2.0_f64.powi(63)));
    assert!(near(mean("select avg(b) from numbers"), 85.0));
    assert!(near(
        mean("select avg(cast(u as decimal(38, 0))) from numbers"),
        third * 2.0_f64.powi(64)
    ));
    assert!(near(mean("select median(u) from numbers"), 2.0_f64.powi(64)));
}

#[test]
fn sums_of_decimals_are_exact_or_refused() {
    let saved = numbers();
    let nines = "9".repeat(38);
    let long = format!("select sum(cast('{nines}' as decimal(38, 0))) from numbers");
    assert_eq!(only(&saved, &long).unwrap(), format!("2{}7", "9".repeat(37)));
    let long = "select sum(arrow_cast(1, 'Decimal256(76, 0)')) from numbers";
    let error = only(&saved, long).unwrap_err();
    assert!(
        error.contains("decimals of 76 digits may be out of range: cast them to at most 63"),
        "{error}"
    );
    assert_eq!(
        only(&saved, "select sum(arrow_cast(1.5, 'Decimal64(18, 1)')) from numbers").unwrap(),
        "4.5"
    );
}

#[test]
fn sums_of_durations_that_are_out_of_range_are_errors() {
    let saved = numbers();
    let lasting = "(arrow_cast(at, 'Timestamp(Nanosecond, Some(\"UTC\"))') - to_timestamp('1990-01-01T00:00:00Z'))";
    let long = "select sum(arrow_cast(9000000000000000000, 'Duration(Nanosecond)')) from numbers";
    let error = only(&saved, long).unwrap_err();
    assert!(error.contains("the sum of 3 values of Duration(ns) is out of range"), "{error}");
    for sql in [
        long.to_owned(),
        format!("select sum(-{lasting}) from numbers"),
        format!("select sum({lasting}) from numbers"),
    ] {
        let found = only(&saved, &sql);
        assert!(found.as_ref().is_err(), "{sql}: {found:?}");
    }
    let mean = long.replace("sum", "avg");
    let expected = only(
        &saved,
        "select arrow_cast(9000000000000000000, 'Duration(Nanosecond)') from numbers limit 1",
    );
    assert_eq!(only(&saved, &mean).unwrap(), expected.unwrap());
    let grouped = "select sum(arrow_cast(u % 5, 'Duration(Second)')) from numbers group by f > 9";
    assert_eq!(only(&saved, grouped).unwrap(), "PT3S");
    let none = "select sum(arrow_cast(i, 'Duration(Second)')) from numbers where i < 0";
    assert_eq!(only(&saved, none).unwrap(), "");
    let sliding = "select max(s) from (select sum(arrow_cast(i % 8, 'Duration(Millisecond)')) over
        (order by i desc, entity rows between 1 preceding and current row) as s from numbers)";
    assert_eq!(only(&saved, sliding).unwrap(), "PT0.014S");
    let interval = "select sum(interval '1 month 2 days') from numbers";
    assert_eq!(only(&saved, interval).unwrap(), "3 mons 6 days");
    let interval = "select sum(interval '2000000000 days') from numbers";
    assert!(only(&saved, interval).unwrap_err().contains("is out of range"));
    let distinct =
        only(&saved, "select sum(distinct arrow_cast(i, 'Duration(Second)')) from numbers");
    assert!(distinct.unwrap_err().contains("select the distinct values in a subquery"));
}

#[test]
fn variants_and_fields_may_have_the_names_of_own_columns() {
    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    #[expect(non_camel_case_types, reason = "names of own columns")]
    enum Any {
        value(u8),
        entity(u16),
        Kind { value: u8, entity: u8 },
        other(u8),
        Nothing,
    }
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "kind")]
    struct Kind(Any);
    #[derive(Serialize, Deserialize)]
    struct Inner {
        value: Option<u8>,
        other: Option<u8>,
    }
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "maybe")]
    struct Maybe(Option<Inner>);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "plain")]
    struct Plain {
        value: u8,
        entity: u8,
    }
    let mut world = World::new();
    let all = [
        Any::value(1),
        Any::entity(2),
        Any::Kind { value: 3, entity: 4 },
        Any::other(5),
        Any::Nothing,
    ];
    world.spawn_batch(all.map(Kind));
    world.spawn((
        Maybe(Some(Inner { value: Some(6), other: Some(8) })),
        Plain { value: 7, entity: 9 },
    ));
    let saved = saved(&world).table::<Kind>("kind").unwrap().table::<Maybe>("maybe").unwrap();
    let saved = saved.table::<Plain>("plain").unwrap();
    let names = |table: &str| -> Vec<String> {
        let answer = saved.ask(&format!("select * from {table}")).unwrap();
        answer.schema().fields().iter().map(|field| field.name().clone()).collect()
    };
    assert_eq!(
        names("kind"),
        [
            "entity",
            "value",
            "Kind.value",
            "Kind.entity",
            "Kind.Kind.value",
            "Kind.Kind.entity",
            "other"
        ]
    );
    assert_eq!(names("maybe"), ["entity", "value", "Maybe.value", "other"]);
    assert_eq!(names("plain"), ["entity", "value", "Plain.entity"]);
    assert_eq!(only(&saved, "select \"Kind.value\" from kind where value = 'value'").unwrap(), "1");
    assert_eq!(
        only(&saved, "select \"Kind.Kind.value\" from kind where value = 'Kind'").unwrap(),
        "3"
    );
    assert_eq!(only(&saved, "select sum(other) from kind").unwrap(), "5");
}

#[test]
fn values_of_a_later_version_are_no_empty_table() {
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "health", version = 2)]
    struct Later(u32);
    let mut world = World::new();
    world.spawn(Later(3));
    let saved = saved(&world).table::<Health>("health").unwrap();
    let error = saved.ask("select * from health").unwrap_err().to_string();
    assert!(error.contains("`health` is saved in version 2, which is later"), "{error}");
}

#[test]
fn flights_are_joined_by_relations_as_by_keys() {
    let data = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/tests/data"));
    let world = ask::flights::import(data).unwrap();
    let saved = ask::tables(saved(&world)).unwrap();
    let by_relation = saved.ask(
        "select name, count(*) as flights, avg(arr_delay) as delay from flights
         join of_airline on of_airline.entity = flights.entity
         join airlines on airlines.entity = of_airline.value
         group by name order by name",
    );
    let by_key = saved.ask(
        "select name, count(*) as flights, avg(arr_delay) as delay from flights
         join airlines on airlines.carrier = flights.carrier
         group by name order by name",
    );
    let by_relation = by_relation.unwrap();
    assert!(by_relation.num_rows() > 5);
    assert_eq!(by_relation.to_string(), by_key.unwrap().to_string());
    let warm = "select count(*) as flights from flights
        join in_weather on in_weather.entity = flights.entity
        join weather on weather.entity = in_weather.value
        where weather.time_hour <> flights.time_hour or weather.origin <> flights.origin";
    assert!(saved.ask(warm).unwrap().to_string().contains("| 0       |"));
    let days = "select count(*) as flights from flights
        where time_hour >= timestamp '2013-07-01T00:00:00Z'";
    let answer = saved.ask(days).unwrap().to_string();
    let lines = std::fs::read_to_string(data.join("flights.csv")).unwrap();
    let is_late = |line: &&str| line.rsplit(',').next() >= Some("2013-07-01T00:00:00Z");
    let count = lines.lines().skip(1).filter(is_late).count();
    assert!(count > 50 && answer.contains(&format!("| {count} ")), "{answer} {count}");
}

#[test]
fn handles_are_text_that_is_parsed_again() {
    let mut world = World::new();
    let entity = world.spawn(Health(1)).id();
    let saved = saved(&world).table::<Health>("health").unwrap();
    let answer = saved.ask("select entity from health").unwrap().to_string();
    let handle = answer.lines().nth(3).unwrap().trim_matches(['|', ' ']);
    assert_eq!(handle.parse::<Entity>(), Ok(entity));
}

#[test]
fn a_component_without_a_type_is_a_table_like_one_with_a_type() {
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "Poison")]
    struct Poison {
        damage: f32,
        #[component(entities)]
        by: Option<Entity>,
        at: Place,
        value: u8,
    }
    #[derive(Serialize, Deserialize)]
    struct Place {
        x: i64,
    }
    let first = |world: &mut World| {
        let place = Fields::of_type("Place").i64("x");
        world.define(
            "Poison",
            Fields::new().f32("damage").entity("by").record("at", place).u8("value"),
        )
    };
    let mut world = World::new();
    let all = world.spawn_batch((0..20_000_u16).map(|at| {
        let place = Place { x: at.into() };
        Poison { damage: at.into(), by: None, at: place, value: at.to_le_bytes()[0] }
    }));
    world.get_mut::<Poison>(all[7]).unwrap().by = Some(all[3]);
    let saved = saved(&world).table::<Poison>("typed").unwrap().table_by("defined", first).unwrap();
    for rest in ["order by entity", "where \"at.x\" > 19990", "where by is not null", "limit 3"] {
        let [typed, defined] = ["typed", "defined"]
            .map(|table| saved.ask(&format!("select * from {table} {rest}")).unwrap());
        assert!(typed.num_rows() > 0);
        assert_eq!((typed.schema(), typed.to_string()), (defined.schema(), defined.to_string()));
    }

    // Files of the fields before are read by the same changes.
    let second = move |world: &mut World| {
        let kind = first(world)?;
        world.redefine(kind, &Redefinition::new().rename("damage", "harm").drop("by"))
    };
    let renamed = saved.table_by("renamed", second).unwrap();
    let answer = renamed.ask("select sum(harm) as sum from renamed").unwrap().to_string();
    assert!(answer.contains("199990000"), "{answer}");
    let error = renamed.ask("select by from renamed").unwrap_err().to_string();
    assert!(error.contains("by"), "{error}");
}

#[test]
fn a_component_by_its_kind_has_the_errors_of_its_definition() {
    let world = World::new();
    let wrong = |world: &mut World| world.define("A b", Fields::new());
    let error = saved(&world).table_by("a", wrong).unwrap_err().to_string();
    assert!(error.contains("`A b` is no name"), "{error}");
    // One with a type is found by name, too.
    let health = |world: &mut World| {
        world.register::<Health>();
        world.kind("health")
    };
    let saved = saved(&world).table_by("health", health).unwrap();
    assert_eq!(saved.ask("select entity, value from health").unwrap().num_rows(), 0);
    let error = saved.table_by("health", health).unwrap_err().to_string();
    assert!(error.contains("there is a table `health` already"), "{error}");
}

#[test]
fn a_later_definition_than_the_one_of_the_query_is_an_error() {
    let define = |world: &mut World| world.define("Later", Fields::new().u8("a"));
    let mut world = World::new();
    let kind = define(&mut world).unwrap();
    let kind = world.redefine(kind, &Redefinition::new().rename("a", "b")).unwrap();
    let entity = world.spawn_empty().id();
    world.insert_kind_default(kind, entity).unwrap();
    let saved = saved(&world).table_by("later", define).unwrap();
    let error = saved.ask("select * from later").unwrap_err().to_string();
    assert!(
        error.contains("`Later` is saved in version 2, which is later than the program's"),
        "{error}"
    );
}
