//! The example `tracks`: Cargo runs no tests of an example's own.

#[expect(dead_code, reason = "nothing here calls the example's `main`")]
#[path = "../../examples/tracks.rs"]
mod example;

use ecs_tables::arrow_array::cast::AsArray;
use ecs_tables::arrow_array::types::Float64Type;
use ecs_tables::{Columns, Table};

/// Each report of the recording is a row, and none is changed on the way.
#[test]
fn each_report_is_a_row() {
    let flights = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/flights.csv");
    let columns = Columns::of::<example::Row>().unwrap();
    let table = Table::of_records(&columns, example::replay(flights.as_ref()).unwrap()).unwrap();
    let mut reported = Vec::new();
    for line in csv::Reader::from_path(flights).unwrap().records() {
        let line = line.unwrap();
        reported.push((line[0].parse().unwrap(), line[2].to_owned(), line[5].parse().unwrap()));
    }
    let column = |name| table.batch().column_by_name(name).unwrap();
    let (times, heights) = (column("time_s"), column("position.altitude_ft"));
    let times = times.as_primitive::<Float64Type>().values().iter().copied();
    let heights = heights.as_primitive::<Float64Type>().values().iter().copied();
    let callsigns = column("callsign").as_string::<i64>().iter();
    let mut written: Vec<(f64, String, f64)> = times
        .zip(callsigns)
        .zip(heights)
        .map(|((time, callsign), height)| (time, callsign.unwrap().to_owned(), height))
        .collect();
    let by_time = |a: &(f64, String, f64), b: &(f64, String, f64)| a.partial_cmp(b).unwrap();
    reported.sort_by(by_time);
    written.sort_by(by_time);
    assert_eq!(written, reported);
}
