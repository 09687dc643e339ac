//! From the points of a track to strokes on the map.

use std::fmt::Write as _;

use svg::node::element::{Group, Path, Title};

use super::flights::KnownFlight;
use super::map::{HALF_KM, to_map};
use super::palette;
use super::replay::LOST_AFTER_S;
use super::tracks::TrackPoint;

/// A part of a track in one colour.
struct Stroke {
    band: u8,
    audible: bool,
    /// An SVG path: `M` where it begins, `L` for every further point.
    path: String,
}

/// Returns the parts of a flight's track that were audible, or the parts that were not; `None` if
/// there are none on the map. Hovering over them shows the flight's name.
pub fn draw(flight: &KnownFlight, track: &[TrackPoint], audible: bool) -> Option<Group> {
    let mut strokes = strokes(track);
    strokes.retain(|stroke| stroke.audible == audible);
    if strokes.is_empty() {
        return None;
    }
    let mut name = flight.label().to_owned();
    if let Some(pass) = flight.nearest {
        let _ = write!(name, ", at its nearest {:.2} km at t={}", pass.slant_km, pass.time_s);
    }
    let group = Group::new().add(Title::new(name));
    Some(strokes.into_iter().fold(group, |group, Stroke { band, path, .. }| {
        group.add(Path::new().set("stroke", palette::color(band)).set("d", path))
    }))
}

/// Cuts a track wherever its colour or its audibility changes, and where it was lost for a while.
fn strokes(track: &[TrackPoint]) -> Vec<Stroke> {
    let mut strokes: Vec<Stroke> = Vec::new();
    let mut end: Option<&TrackPoint> = None;
    for pair in track.windows(2) {
        let [from, to] = pair else { continue };
        if to.time_s - from.time_s > LOST_AFTER_S || off_map(from, to) {
            continue;
        }
        let band = palette::band(f64::midpoint(from.height_ft, to.height_ft));
        let audible = from.audible && to.audible;
        let goes_on = end == Some(from);
        match strokes.last_mut() {
            Some(stroke) if goes_on && stroke.band == band && stroke.audible == audible => {
                append(&mut stroke.path, 'L', to);
            }
            _ => {
                let mut path = String::new();
                append(&mut path, 'M', from);
                append(&mut path, 'L', to);
                strokes.push(Stroke { band, audible, path });
            }
        }
        end = Some(to);
    }
    strokes
}

fn append(path: &mut String, command: char, point: &TrackPoint) {
    let (x, y) = to_map(point.east_km, point.north_km);
    // Writing into a String does not fail.
    let _ = write!(path, "{command}{x:.1} {y:.1}");
}

/// Returns `true` if both points are beyond the same edge.
fn off_map(from: &TrackPoint, to: &TrackPoint) -> bool {
    let beyond = |coordinate: fn(&TrackPoint) -> f64| {
        let (from, to) = (coordinate(from), coordinate(to));
        from.min(to) > HALF_KM || from.max(to) < -HALF_KM
    };
    beyond(|point| point.east_km) || beyond(|point| point.north_km)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(time_s: f64, east_km: f64, height_ft: f64, audible: bool) -> TrackPoint {
        TrackPoint { time_s, east_km, north_km: 0.0, height_ft, audible }
    }

    fn pieces(track: &[TrackPoint]) -> Vec<(bool, usize)> {
        let points = |stroke: &Stroke| stroke.path.matches(['M', 'L']).count();
        strokes(track).iter().map(|stroke| (stroke.audible, points(stroke))).collect()
    }

    #[test]
    fn level_flight_is_one_stroke() {
        let track = [0.0, 5.0, 10.0, 15.0].map(|time_s| point(time_s, time_s, 5_000.0, true));
        assert_eq!(pieces(&track), [(true, 4)]);
    }

    #[test]
    fn cuts() {
        let loud = [point(0.0, 0.0, 9_000.0, true), point(5.0, 1.0, 9_000.0, true)];
        let quiet = [point(10.0, 2.0, 9_000.0, false), point(15.0, 3.0, 9_000.0, false)];
        let higher = point(20.0, 4.0, 30_000.0, false);
        let back = point(100.0, 5.0, 30_000.0, false);
        assert_eq!(pieces(&[loud, quiet].concat()), [(true, 2), (false, 3)]);
        assert_eq!(pieces(&[quiet[0], quiet[1], higher]), [(false, 2), (false, 2)]);
        assert_eq!(pieces(&[quiet[0], quiet[1], back]), [(false, 2)], "lost in between");
    }

    #[test]
    fn tracks_off_the_map_are_left_out() {
        let at = |time_s, east_km| point(time_s, east_km, 9_000.0, false);
        let track = [at(0.0, 90.0), at(5.0, 89.0), at(10.0, 1.0), at(15.0, -89.0), at(20.0, -90.0)];
        assert_eq!(pieces(&track), [(false, 3)]);
    }
}
