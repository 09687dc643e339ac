//! The map: tracks around the airport, coloured by height, as an SVG drawing.

use std::fmt::Display;

use svg::Document;
use svg::node::element::{
    Circle, ClipPath, Definitions, Group, Line, Path, Rectangle, Style, Text, Title,
};

use super::flights::{KnownFlight, Pass};
use super::replay::{AUDIO_FT, Outcome, PROXIMITY_KM};
use super::tracks::TrackPoint;
use super::{legend, paths};

/// The distance that the map shows to either side of the airport.
pub const HALF_KM: f64 = 70.0;

/// The drawing and the square map in it, in SVG units.
const WIDTH: f64 = 1160.0;
const HEIGHT: f64 = 960.0;
const MAP_SIZE: f64 = 820.0;
const MAP_LEFT: f64 = 72.0;
const MAP_TOP: f64 = 84.0;

const STYLE: &str = "
text { font-family: 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif; fill: #dfe4ea; font-size: 13px }
.title { font-size: 23px; font-weight: bold }
.subtitle, .note { fill: #98a1ae }
.heading { font-weight: bold; font-size: 14px }
.middle { text-anchor: middle }
.end { text-anchor: end }
.halo { paint-order: stroke; stroke: #12161d; stroke-width: 4px; stroke-linejoin: round }
.strong { font-weight: bold }
.grid { stroke: #1e2530; stroke-width: 1 }
.ring { fill: none; stroke: #48525f; stroke-width: 1; stroke-dasharray: 2 4 }
.range { fill: none; stroke: #dfe4ea; stroke-width: 1.6; stroke-dasharray: 9 5 }
.frame { fill: none; stroke: #dfe4ea; stroke-width: 1.2 }
.tick { stroke: #dfe4ea; stroke-width: 1.2 }
.tracks path, path.quiet { fill: none; stroke-width: 1.1; stroke-opacity: .55; stroke-linejoin: round }
.audible path, path.loud { fill: none; stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round }
.airport { fill: #12161d; stroke: #fff; stroke-width: 2.4 }
.nearest { fill: none; stroke: #fff; stroke-width: 2 }
";

/// Kilometres from the airport in SVG units from the middle of the map; y points down there.
pub fn to_map(east_km: f64, north_km: f64) -> (f64, f64) {
    let scale = MAP_SIZE / (2.0 * HALF_KM);
    (east_km * scale, -north_km * scale)
}

/// Draws the events. `nearest` is the nearest pass, which gets a mark.
pub fn draw(outcome: &Outcome, nearest: Option<&(&KnownFlight, Pass)>) -> Document {
    let half = MAP_SIZE / 2.0;
    let square = Rectangle::new().set("x", -half).set("y", -half);
    let square = square.set("width", MAP_SIZE).set("height", MAP_SIZE);
    let clip = ClipPath::new().set("id", "map").add(square.clone());
    let inside = Group::new()
        .set("clip-path", "url(#map)")
        .add(grid())
        .add(tracks(outcome, false))
        .add(range())
        .add(tracks(outcome, true))
        .add(marks(outcome, nearest));
    let map = Group::new()
        .set("transform", format!("translate({} {})", MAP_LEFT + half, MAP_TOP + half))
        .add(square.clone().set("fill", "#12161d"))
        .add(inside)
        .add(square.set("class", "frame"))
        .add(axes(&outcome.airport.icao));
    let legend = legend::draw(outcome, nearest)
        .set("transform", format!("translate({} {MAP_TOP})", MAP_LEFT + MAP_SIZE + 34.0));
    Document::new()
        .set("viewBox", (0, 0, WIDTH, HEIGHT))
        .set("width", WIDTH)
        .set("height", HEIGHT)
        .add(Title::new(format!("Air traffic around {}", outcome.airport.icao)))
        .add(Style::new(STYLE))
        .add(Definitions::new().add(clip))
        .add(Rectangle::new().set("width", WIDTH).set("height", HEIGHT).set("fill", "#1a1f28"))
        .add(title(outcome))
        .add(map)
        .add(legend)
}

/// A text with a class of [`STYLE`].
pub fn text(class: &str, (x, y): (f64, f64), content: impl Into<String>) -> Text {
    Text::new(content).set("class", class).set("x", x).set("y", y)
}

/// A whole number with commas at the thousands.
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A line with a class of [`STYLE`].
pub fn line(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Line {
    Line::new().set("class", class).set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
}

fn title(outcome: &Outcome) -> Group {
    let airport = &outcome.airport;
    let title = format!("Air traffic around {} ({})", airport.name, airport.icao);
    let subtitle = format!(
        "audible flights are within {PROXIMITY_KM} km and less than {} ft above the airport",
        thousands(AUDIO_FT)
    );
    Group::new().add(text("title", (MAP_LEFT, 42.0), title)).add(text(
        "subtitle",
        (MAP_LEFT, 66.0),
        subtitle,
    ))
}

/// The multiples of 10 km on the map, as kilometres and as the place on the map.
fn tens() -> impl Iterator<Item = (f64, f64)> {
    (-6..=6).map(|ten| f64::from(ten * 10)).map(|km| (km, to_map(km, 0.0).0))
}

fn grid() -> Group {
    let half = MAP_SIZE / 2.0;
    let lines = tens().fold(Group::new(), |group, (_, at)| {
        let across = line("grid", (-half, at), (half, at));
        group.add(line("grid", (at, -half), (at, half))).add(across)
    });
    [10.0, 20.0, 30.0, 40.0].into_iter().fold(lines, |group, km| {
        group.add(Circle::new().set("class", "ring").set("r", to_map(km, 0.0).0))
    })
}

fn range() -> Group {
    let radius = to_map(PROXIMITY_KM, 0.0).0;
    let label = format!("{PROXIMITY_KM} km");
    Group::new().add(Circle::new().set("class", "range").set("r", radius)).add(text(
        "middle halo strong",
        (0.0, -radius - 8.0),
        label,
    ))
}

fn axes(icao: &str) -> Group {
    let half = MAP_SIZE / 2.0;
    let group = tens().fold(Group::new(), |group, (km, at)| {
        let group = group.add(line("tick", (at, half), (at, half + 6.0))).add(line(
            "tick",
            (-half - 6.0, -at),
            (-half, -at),
        ));
        if km % 20.0 != 0.0 {
            return group;
        }
        group.add(text("middle", (at, half + 21.0), km.to_string())).add(text(
            "end",
            (-half - 10.0, -at + 4.5),
            km.to_string(),
        ))
    });
    let upwards = text("middle", (0.0, -half - 46.0), format!("km north of {icao}"))
        .set("transform", "rotate(-90)");
    group.add(text("middle", (0.0, half + 42.0), format!("km east of {icao}"))).add(upwards)
}

/// The audible parts of all tracks, or the others.
fn tracks(outcome: &Outcome, audible: bool) -> Group {
    let class = if audible { "audible" } else { "tracks" };
    let flights = outcome.tracks.iter();
    flights
        .filter_map(|(&flight, track)| paths::draw(outcome.flights.get(flight), track, audible))
        .fold(Group::new().set("class", class), Group::add)
}

/// The airport in the middle, and the nearest pass.
fn marks(outcome: &Outcome, nearest: Option<&(&KnownFlight, Pass)>) -> Group {
    let group = Group::new().add(airport_mark()).add(text(
        "halo strong",
        (11.0, 20.0),
        outcome.airport.icao.as_str(),
    ));
    match nearest.and_then(|(flight, pass)| find(outcome, flight, pass)) {
        None => group,
        Some(point) => {
            let (x, y) = to_map(point.east_km, point.north_km);
            group.add(nearest_mark().set("transform", format!("translate({x:.1} {y:.1})")))
        }
    }
}

pub fn airport_mark() -> Circle {
    Circle::new().set("class", "airport").set("r", 5)
}

pub fn nearest_mark() -> Path {
    Path::new().set("class", "nearest").set("d", "M-10 -4V-10H-4M4 -10H10V-4M10 4V10H4M-4 10H-10V4")
}

/// The point of the track where the pass was.
fn find<'a>(outcome: &'a Outcome, flight: &KnownFlight, pass: &Pass) -> Option<&'a TrackPoint> {
    let id = outcome.flights.find(&flight.icao24, &flight.callsign)?;
    outcome.tracks.get(&id)?.iter().find(|point| point.time_s >= pass.time_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(10_000.0), "10,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
