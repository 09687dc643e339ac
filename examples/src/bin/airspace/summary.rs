//! The output of the program: a table for people, and a last line for other programs.

use std::fmt;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use super::flights::{Flights, Heard, KnownFlight, Pass};
use super::replay::{Counts, Outcome};

/// The most passes in the table.
const SHOWN: usize = 10;

/// The line that other programs read:
///
/// ```text
/// reports=14602 flights=88 ticks=720 peak=31 audible=6183 passes=78 nearest=AFR69CR 0.15km t=2710
/// ```
///
/// It ends in `nearest=none` if nothing was audible.
pub struct Summary<'a> {
    counts: Counts,
    flights: usize,
    passes: &'a [(&'a KnownFlight, Pass)],
}

impl<'a> Summary<'a> {
    pub fn new(counts: Counts, flights: &Flights, passes: &'a [(&'a KnownFlight, Pass)]) -> Self {
        Self { counts, flights: flights.len(), passes }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { reports, ticks, peak, audible } = self.counts;
        let (flights, passes) = (self.flights, self.passes.len());
        write!(f, "reports={reports} flights={flights} ticks={ticks} peak={peak} ")?;
        write!(f, "audible={audible} passes={passes} nearest=")?;
        match self.passes.first() {
            None => f.write_str("none"),
            Some((flight, Pass { slant_km, time_s, .. })) => {
                write!(f, "{} {slant_km:.2}km t={time_s}", flight.label())
            }
        }
    }
}

/// The nearest passes, for people.
pub fn table(outcome: &Outcome, passes: &[(&KnownFlight, Pass)]) -> String {
    let airport = &outcome.airport;
    let title = format!("{} ({}), {}", airport.name, airport.icao, airport.city);
    if passes.is_empty() {
        return format!("{title}: no flight was audible");
    }
    let shown = passes.len().min(SHOWN);
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header([
        "flight",
        "icao24",
        "slant km",
        "ground km",
        "height ft",
        "speed kt",
        "track °",
        "climb ft/min",
        "t s",
        "heard s",
    ]);
    for (flight, pass) in &passes[..shown] {
        table.add_row(row(flight, pass));
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{title}: the nearest {shown} of {} passes\n{table}", passes.len())
}

/// Such as `5–10`; without an end, it was audible until the last tick.
fn heard(Heard { from_s, to_s }: &Heard) -> String {
    format!("{from_s}–{}", to_s.map_or(String::new(), |to_s| to_s.to_string()))
}

fn row(flight: &KnownFlight, pass: &Pass) -> [String; 10] {
    let Pass { time_s, slant_km, proximity, audio, velocity } = pass;
    [
        flight.label().to_owned(),
        flight.icao24.clone(),
        format!("{slant_km:.2}"),
        format!("{:.2}", proximity.distance_km),
        format!("{:.0}", audio.height_ft),
        format!("{:.0}", velocity.groundspeed_kt),
        format!("{:.0}", velocity.track_deg),
        format!("{:+.0}", velocity.vertical_rate_fpm),
        time_s.to_string(),
        flight.heard_at(*time_s).map(heard).unwrap_or_default(),
    ]
}
