//! The recorded position reports, in the order of the file.

use std::cmp::Ordering;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::error::{Error, Problem};
use super::rows::Rows;

const COLUMNS: [&str; 9] = [
    "time_s",
    "icao24",
    "callsign",
    "lat",
    "lon",
    "altitude_ft",
    "groundspeed_kt",
    "track_deg",
    "vertical_rate_fpm",
];

/// One report: a flight was here, this high, and moved like this.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Report<'row> {
    pub time_s: f64,
    pub icao24: &'row str,
    /// The callsign as received: it may be empty.
    pub callsign: &'row str,
    pub lat: f64,
    pub lon: f64,
    /// The altitude as received: it may be plainly wrong.
    pub altitude_ft: f64,
    pub groundspeed_kt: f64,
    pub track_deg: f64,
    pub vertical_rate_fpm: f64,
}

/// Reads reports one by one and checks them.
pub struct Reports<R> {
    rows: Rows<R>,
    previous_s: f64,
}

impl<R: Read> Reports<R> {
    pub fn new(path: &Path, input: R) -> Result<Self, Error> {
        Ok(Self { rows: Rows::new(path, input, &COLUMNS)?, previous_s: f64::NEG_INFINITY })
    }

    /// The next report; None at the end of the recording.
    pub fn next(&mut self) -> Result<Option<Report<'_>>, Error> {
        if !self.rows.advance()? {
            return Ok(None);
        }
        let rows = &self.rows;
        let report: Report<'_> = rows.parse()?;
        rows.check_finite("time_s", report.time_s)?;
        rows.check_filled("icao24", report.icao24)?;
        rows.check_range("lat", report.lat, -90.0..=90.0)?;
        rows.check_range("lon", report.lon, -180.0..=180.0)?;
        rows.check_finite("altitude_ft", report.altitude_ft)?;
        rows.check_finite("groundspeed_kt", report.groundspeed_kt)?;
        rows.check_finite("track_deg", report.track_deg)?;
        rows.check_finite("vertical_rate_fpm", report.vertical_rate_fpm)?;
        if report.time_s.total_cmp(&self.previous_s) == Ordering::Less {
            let problem = Problem::Backwards { value: report.time_s, previous: self.previous_s };
            return Err(rows.error("time_s", problem));
        }
        self.previous_s = report.time_s;
        Ok(Some(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(rows: &str) -> String {
        let table = format!("{}\n{rows}\n", COLUMNS.join(","));
        let read = || {
            let mut reports = Reports::new(Path::new("f.csv"), table.as_bytes())?;
            while reports.next()?.is_some() {}
            Ok(())
        };
        read().map_or_else(|error: Error| error.to_string(), |()| String::new())
    }

    #[test]
    fn odd_reports_are_kept() {
        assert_eq!(problem("0,3944f0,,48.7,2.3,-275,0,0,0"), "", "no callsign, below the sea");
        assert_eq!(problem("0,3944f0,AFR1,90,-180,126700,0,359,-9e3"), "");
    }

    #[test]
    fn malformed_reports() {
        let start = "f.csv: line 2, column";
        let cases = [
            ("x,3944f0,AFR1,48,2,0,0,0,0", "time_s: `x` is not a number"),
            ("0,,AFR1,48,2,0,0,0,0", "icao24: empty"),
            ("0,3944f0,AFR1,,2,0,0,0,0", "lat: empty"),
            ("0,3944f0,AFR1,NaN,2,0,0,0,0", "lat: NaN is not a finite number"),
            ("0,3944f0,AFR1,91,2,0,0,0,0", "lat: 91 is not between -90 and 90"),
            ("0,3944f0,AFR1,48,-180.1,0,0,0,0", "lon: -180.1 is not between -180 and 180"),
            ("0,3944f0,AFR1,48,2,1e999,0,0,0", "altitude_ft: inf is not a finite number"),
            ("0,3944f0,AFR1,48,2,0,0,north,0", "track_deg: `north` is not a number"),
            ("0,3944f0,AFR1,48,2,0,0", "track_deg: missing, the row has 7 of 9 fields"),
        ];
        for (row, expected) in cases {
            assert_eq!(problem(row), format!("{start} {expected}"));
        }
    }

    #[test]
    fn time_may_stand_still_but_not_go_back() {
        let row = |time_s: &str| format!("{time_s},3944f0,AFR1,48,2,0,0,0,0\n");
        assert_eq!(problem(&[row("5"), row("5"), row("7.5")].concat()), "");
        assert_eq!(
            problem(&[row("5"), row("10"), row("5")].concat()),
            "f.csv: line 4, column time_s: 5 comes after 10, but time must not go back"
        );
    }
}
