//! Public tables of flights go through a world, a file, another process and Parquet, and no value changes.
//!
//! Here are a few rows of each table; `tables/check_flights.sh` takes all of them.

#[expect(dead_code, reason = "nothing here calls the example's `main`")]
#[path = "../../examples/flights.rs"]
mod example;

use ecs_tables::Table;
use ecs_tables::arrow_array::Array;
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

fn data() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data").into()
}

/// Returns the rows of a file by the names of its columns, as text.
fn rows(from: impl std::io::Read) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(from);
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    (names, rows.collect())
}

/// Checks that a table that was exported has all values of one that was imported.
fn compare(exported: &Path, name: &str, component: &str) -> usize {
    let (names, rows) = rows(File::open(data().join(format!("{name}.csv"))).unwrap());
    let table = Table::read_parquet(File::open(exported.join(format!("{name}.parquet"))).unwrap());
    let table = table.unwrap();
    assert_eq!(table.num_rows(), rows.len());
    let mut written = Vec::new();
    table.write_csv(&mut written).unwrap();
    let (columns, values) = self::rows(&written[..]);
    for (at, name) in names.iter().enumerate() {
        let column = format!("{component}.{name}");
        let found = columns.iter().position(|it| *it == column).unwrap();
        let array = table.batch().column_by_name(&column).unwrap();
        for (row, (value, expected)) in values.iter().zip(&rows).enumerate() {
            let (value, expected) = (&value[found], &expected[at]);
            assert_eq!(array.is_null(row), expected == "NA", "{column} {row}");
            let numbers = (value.parse::<f64>(), expected.parse::<f64>());
            match numbers {
                (Ok(value), Ok(expected)) => {
                    assert_eq!(value.to_bits(), expected.to_bits(), "{column} {row}");
                }
                _ if expected != "NA" => assert_eq!(value, expected, "{column} {row}"),
                _ => {}
            }
        }
    }
    rows.len()
}

/// Runs in a process of its own.
#[test]
#[ignore = "the test below runs it"]
fn export_in_another_process() {
    let folder = PathBuf::from(std::env::var("ECS_FLIGHTS").unwrap());
    example::export(&folder.join("world.ecs"), &folder).unwrap();
}

#[test]
fn real_tables_come_back_from_another_process() {
    let folder = std::env::temp_dir().join(format!("ecs_flights_{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut bytes = Vec::new();
    let left_out = example::import(&data()).unwrap().save().to_bytes(&mut bytes).unwrap();
    assert!(left_out.is_empty());
    fs::write(folder.join("world.ecs"), bytes).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "flights::export_in_another_process", "--ignored"])
        .env("ECS_FLIGHTS", &folder)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));

    let components = ["Airline", "Airport", "Plane", "Weather", "Flight"];
    let names = ["airlines", "airports", "planes", "weather", "flights"];
    let counts = names.iter().zip(components).map(|(name, it)| compare(&folder, name, it));
    assert!(counts.sum::<usize>() > 500);

    // Each relation leads to the row that the key names, and is missing where no row has the key.
    let read = |name: &str| {
        let table = Table::read_parquet(File::open(folder.join(name)).unwrap()).unwrap();
        let mut csv = Vec::new();
        table.write_csv(&mut csv).unwrap();
        rows(&csv[..])
    };
    let (columns, flights) = read("flights.parquet");
    let at = |name: &str| columns.iter().position(|it| it == name).unwrap();
    let mut found = Vec::new();
    for (table, key, named, relation) in [
        ("airlines.parquet", "Airline.carrier", "Flight.carrier", "OfAirline"),
        ("airports.parquet", "Airport.faa", "Flight.origin", "From"),
        ("airports.parquet", "Airport.faa", "Flight.dest", "To"),
        ("planes.parquet", "Plane.tailnum", "Flight.tailnum", "ByPlane"),
    ] {
        let (columns, rows) = read(table);
        let key = columns.iter().position(|it| it == key).unwrap();
        let entities: HashMap<_, _> = rows.iter().map(|row| (&row[key], &row[0])).collect();
        let mut missing = 0;
        for flight in &flights {
            let target = entities.get(&flight[at(named)]).map_or("", |it| it.as_str());
            assert_eq!(flight[at(relation)], target);
            missing += usize::from(target.is_empty());
        }
        found.push(missing);
    }
    assert!(found[0] == 0 && found[1] == 0 && found[2] > 0 && found[3] > 0, "{found:?}");
    assert!(flights.iter().any(|flight| !flight[at("InWeather")].is_empty()));
    fs::remove_dir_all(&folder).unwrap();
}
