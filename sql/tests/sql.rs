//! Queries over saved worlds.

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
