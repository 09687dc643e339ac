//! Airports, and how to find one by its code.

use std::io::Read;
use std::path::Path;

use ecs::Resource;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::error::Error;
use super::geo::LatLon;
use super::rows::{self, Rows};
use super::suggest::suggest;

const COLUMNS: [&str; 7] = ["icao", "iata", "name", "city", "lat", "lon", "elevation_ft"];

/// A row of the table of airports.
#[derive(Resource, Clone, Debug, Serialize, Deserialize)]
#[resource(save = "airport")]
pub struct Airport {
    pub icao: String,
    pub iata: String,
    pub name: String,
    pub city: String,
    pub lat: f64,
    pub lon: f64,
    pub elevation_ft: f64,
}

impl Airport {
    pub fn place(&self) -> LatLon {
        LatLon { lat: self.lat, lon: self.lon }
    }

    /// Returns the text of a suggestion, such as `LFPO (Paris-Orly Airport, ORY)`.
    fn label(&self) -> String {
        let Self { icao, iata, name, .. } = self;
        if iata.is_empty() {
            format!("{icao} ({name})")
        } else {
            format!("{icao} ({name}, {iata})")
        }
    }
}

/// Finds the airport with this ICAO code, in either case, in a file.
pub fn find(path: &Path, icao: &str) -> Result<Airport, Error> {
    let airports = read(path, rows::open(path, &ProgressBar::hidden())?)?;
    let found = airports.iter().find(|airport| airport.icao.eq_ignore_ascii_case(icao));
    found.cloned().ok_or_else(|| Error::UnknownAirport {
        wanted: icao.to_owned(),
        path: path.to_owned(),
        near: suggest(&airports, icao).into_iter().map(Airport::label).collect(),
    })
}

fn read(path: &Path, input: impl Read) -> Result<Vec<Airport>, Error> {
    let mut rows = Rows::new(path, input, &COLUMNS)?;
    let mut airports = Vec::new();
    while rows.advance()? {
        let airport: Airport = rows.parse()?;
        rows.check_filled("icao", &airport.icao)?;
        rows.check_range("lat", airport.lat, -90.0..=90.0)?;
        rows.check_range("lon", airport.lon, -180.0..=180.0)?;
        rows.check_finite("elevation_ft", airport.elevation_ft)?;
        airports.push(airport);
    }
    Ok(airports)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(row: &str) -> String {
        let table = format!("{}\nLFPO,ORY,Orly,Paris,48.7,2.3,291\n{row}\n", COLUMNS.join(","));
        read(Path::new("a.csv"), table.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn malformed_airports() {
        let start = "a.csv: line 3, column";
        let cases = [
            ("LFXX,,,,90.5,0,0", "lat: 90.5 is not between -90 and 90"),
            ("LFXX,,,,0,inf,0", "lon: inf is not a finite number"),
            ("LFXX,,,,0,0,high", "elevation_ft: `high` is not a number"),
            (",,,,0,0,0", "icao: empty"),
        ];
        for (row, expected) in cases {
            assert_eq!(problem(row), format!("{start} {expected}"));
        }
    }
}
