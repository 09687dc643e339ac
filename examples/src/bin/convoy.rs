//! Finds aircraft that fly in convoys.
//!
//! Replays recorded position reports of real aircraft, and keeps two relations. Each aircraft is the child of
//! its airline, which is despawned with its last aircraft. Each aircraft follows the nearest one ahead that
//! flies in about its direction. When reports of that one stop, its followers follow the aircraft that it
//! followed.
//!
//! ```text
//! cargo run --profile example -p ecs_examples --bin convoy
//! ```

use ecs::{ChildOf, Component, Entity, EntityMap, Name, RelateError, World};
use std::collections::HashMap;
use std::process::ExitCode;

/// The position of the last report.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
struct Report {
    time_s: u32,
    lat: f64,
    lon: f64,
    altitude_ft: f64,
    /// Degrees clockwise from north.
    track: f64,
}

/// Flies behind this one.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(relation, acyclic, at_end = Behind::pass_on)]
struct Behind {
    leader: Entity,
    km: f64,
}

/// The number of relations that were passed on.
#[derive(Component, Default)]
struct PassedOn(usize);

impl Behind {
    fn pass_on(world: &mut World, follower: Entity, was: Self) {
        if let Some(&next) = world.get::<Self>(was.leader) {
            let km = was.km + next.km;
            world.relate(follower, Self { leader: next.leader, km }).expect("a line stays a line");
            world.view_mut::<&mut PassedOn>().for_each(|(_, count)| count.0 += 1);
        }
    }
}

/// An aircraft is gone when it was not heard of for so long.
const SILENT_S: u32 = 60;
/// Convoys are formed anew so often.
const TICK_S: u32 = 60;
/// One follows another at most so far ahead, above this height, in about its own direction.
const NEAR_KM: f64 = 80.0;
const LOWEST_FT: f64 = 2_000.0;
const ALIKE_DEGREES: f64 = 40.0;

/// A line of aircraft, the first one leading.
#[derive(Debug, Default, PartialEq)]
struct Convoy {
    time_s: u32,
    names: Vec<String>,
    km: f64,
}

/// The results of the recording.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    reports: usize,
    aircraft: usize,
    most_airlines: usize,
    longest: Convoy,
    passed_on: usize,
    refused: usize,
    ended_together: usize,
}

const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/flights.csv");

fn main() -> ExitCode {
    match std::fs::read_to_string(RECORDING) {
        Ok(recording) => {
            print!("{}", told(&replay(&recording)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: cannot read {RECORDING}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn told(outcome: &Outcome) -> String {
    let Outcome { reports, aircraft, most_airlines, longest, passed_on, refused, ended_together } =
        outcome;
    let Convoy { time_s, names, km } = longest;
    format!(
        "{reports} reports of {aircraft} aircraft, of up to {most_airlines} airlines at a time\n\
         longest convoy: {} aircraft over {km:.0} km after {} min: {}\n\
         {passed_on} passed on as the one ahead was heard no more, {refused} circles refused, \
         {ended_together} ended with the sky\n",
        names.len(),
        time_s / 60,
        names.join(" < "),
    )
}

/// The aircraft and airlines that are in the air.
struct Sky {
    world: World,
    /// The parent of all airlines.
    root: Entity,
    airlines: HashMap<String, Entity>,
    aircraft: HashMap<String, Entity>,
    outcome: Outcome,
}

fn replay(recording: &str) -> Outcome {
    let mut world = World::new();
    let root = world.spawn(PassedOn::default()).id();
    let (airlines, aircraft) = (HashMap::new(), HashMap::new());
    let mut sky = Sky { world, root, airlines, aircraft, outcome: Outcome::default() };
    let mut next_tick = TICK_S;
    for row in recording.lines().skip(1) {
        let Some((name, report)) = read(row) else { continue };
        while report.time_s >= next_tick {
            sky.tick(next_tick);
            next_tick += TICK_S;
        }
        sky.hear(name, report);
    }
    sky.finish()
}

/// The callsign or address, and the report, of a row that has all.
fn read(row: &str) -> Option<(&str, Report)> {
    let mut fields = row.split(',');
    let time_s = fields.next()?.parse().ok()?;
    let (address, callsign) = (fields.next()?, fields.next()?);
    let mut number = || fields.next()?.parse::<f64>().ok();
    let (lat, lon, altitude_ft) = (number()?, number()?, number()?);
    let (_speed, track) = (number()?, number()?);
    let name = if callsign.is_empty() { address } else { callsign };
    Some((name, Report { time_s, lat, lon, altitude_ft, track }))
}

impl Sky {
    fn hear(&mut self, name: &str, report: Report) {
        self.outcome.reports += 1;
        if let Some(&aircraft) = self.aircraft.get(name) {
            self.world.insert(aircraft, report).expect("it was heard of lately");
            return;
        }
        self.outcome.aircraft += 1;
        let code = name.get(..3).unwrap_or(name).to_owned();
        let Self { world, root, airlines, .. } = self;
        let airline = *airlines
            .entry(code)
            .or_insert_with_key(|code| world.spawn((Name::new(code), ChildOf(*root))).id());
        let aircraft = self.world.spawn((Name::new(name), report, ChildOf(airline))).id();
        self.aircraft.insert(name.to_owned(), aircraft);
    }

    /// Despawns silent aircraft, and forms convoys.
    fn tick(&mut self, now: u32) {
        let Self { world, airlines, aircraft, outcome, .. } = self;
        let is_silent = |report: &Report| report.time_s + SILENT_S < now;
        let heard = world.view::<Report>().iter();
        let silent: Vec<_> = heard.filter(|(_, report)| is_silent(report)).collect();
        let silent: Vec<Entity> = silent.into_iter().map(|(entity, _)| entity).collect();
        world.despawn_batch(&silent);
        let idle: Vec<_> = airlines
            .values()
            .copied()
            .filter(|&airline| world.children(airline).len() == 0)
            .collect();
        world.despawn_batch(&idle);
        airlines.retain(|_, airline| world.is_alive(*airline));
        aircraft.retain(|_, entity| world.is_alive(*entity));
        outcome.most_airlines = outcome.most_airlines.max(airlines.len());

        world.pool_mut::<Behind>().clear();
        let all: Vec<(Entity, Report)> =
            world.view::<Report>().iter().map(|(entity, report)| (entity, *report)).collect();
        for &(follower, report) in &all {
            let others = all.iter().filter(|(other, _)| *other != follower);
            let ahead = others.filter_map(|(other, at)| Some((*other, km_ahead(&report, at)?)));
            let Some((leader, km)) = ahead.min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            match world.relate(follower, Behind { leader, km }) {
                Ok(()) => {}
                Err(RelateError::Circle(..)) => outcome.refused += 1,
                Err(error) => panic!("both are alive: {error}"),
            }
        }
        let convoy = longest(world, now);
        if convoy.names.len() > outcome.longest.names.len() {
            outcome.longest = convoy;
        }
    }

    /// All that are left end together.
    fn finish(mut self) -> Outcome {
        let passed_on = self.world.view::<PassedOn>().iter().map(|(_, count)| count.0).sum();
        let before = self.world.len();
        self.world.despawn(self.root).expect("nobody refuses");
        let ended_together = before - self.world.len();
        assert!(self.world.is_empty(), "airlines and aircraft end with the sky");
        Outcome { passed_on, ended_together, ..self.outcome }
    }
}

/// The longest line of aircraft that follow each other.
fn longest(world: &World, time_s: u32) -> Convoy {
    let mut steps = EntityMap::<Steps>::default();
    // Leaders come first: aircraft ahead are counted already.
    for entity in world.by_depth::<Behind>() {
        let before = world.get::<Behind>(entity).map_or(Steps::default(), |behind| {
            let ahead = steps.get(behind.leader).expect("leaders come first");
            Steps { count: ahead.count + 1, km: ahead.km + behind.km }
        });
        steps.insert(entity, before);
        assert_eq!(before.count, world.ancestors_of::<Behind>(entity).count(), "by the other way");
    }
    let Some((last, Steps { km, .. })) = steps.iter().max_by_key(|(_, steps)| steps.count) else {
        return Convoy::default();
    };
    let line = std::iter::once(last).chain(world.ancestors_of::<Behind>(last));
    let mut names: Vec<_> = line.map(|it| world.name(it).unwrap_or("?").to_owned()).collect();
    names.reverse();
    Convoy { time_s, names, km: *km }
}

/// The number of aircraft ahead, and the distance to the first along the line.
#[derive(Component, Clone, Copy, Debug, Default)]
struct Steps {
    count: usize,
    km: f64,
}

/// Returns the distance to `other` ahead, if it is ahead and flies about the same way.
fn km_ahead(own: &Report, other: &Report) -> Option<f64> {
    const KM_PER_DEGREE: f64 = 111.195;
    let north = (other.lat - own.lat) * KM_PER_DEGREE;
    let east = (other.lon - own.lon) * KM_PER_DEGREE * own.lat.to_radians().cos();
    let (km, bearing) = (north.hypot(east), east.atan2(north).to_degrees());
    let apart = |a: f64, b: f64| ((a - b + 540.0).rem_euclid(360.0) - 180.0).abs();
    let is_high = own.altitude_ft.min(other.altitude_ft) >= LOWEST_FT;
    let is_alike = apart(own.track, other.track) <= ALIKE_DEGREES;
    let is_ahead = apart(own.track, bearing) <= ALIKE_DEGREES;
    (is_high && is_alike && is_ahead && km > 0.0 && km <= NEAR_KM).then_some(km)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// Four that fly north in a line, 11 km apart; one that flies south beside them.
    fn recording(minutes: impl IntoIterator<Item = (u32, &'static [&'static str])>) -> String {
        let mut rows = String::from("time_s,icao24,callsign,lat,lon,..\n");
        for (minute, names) in minutes {
            for name in names {
                let place = f64::from(name.as_bytes()[3] - b'0') / 10.0;
                let track = if name.starts_with("OPP") { 180 } else { 0 };
                let time_s = minute * 60;
                writeln!(rows, "{time_s},x,{name},{place},0,30000,400,{track},0").unwrap();
            }
        }
        rows
    }

    #[test]
    fn followers_are_passed_on() {
        const ALL: &[&str] = &["AAA1", "AAA2", "BBB3", "AAA4", "OPP5"];
        const LEFT: &[&str] = &["AAA1", "BBB3", "AAA4", "OPP5"];
        let minutes = [(0, ALL), (1, ALL), (2, LEFT), (3, LEFT), (4, LEFT), (5, LEFT)];
        let outcome = replay(&recording(minutes));
        assert_eq!(outcome.longest.names, ["AAA4", "BBB3", "AAA2", "AAA1"]);
        assert!((outcome.longest.km - 33.4).abs() < 0.1);
        assert_eq!((outcome.passed_on, outcome.refused), (1, 0));
        assert_eq!((outcome.aircraft, outcome.most_airlines), (5, 3));
        assert_eq!(outcome.ended_together, 1 + 3 + 4);
    }

    #[test]
    fn the_recording_comes_to_this() {
        let recording = std::fs::read_to_string(RECORDING).unwrap();
        assert_eq!(
            told(&replay(&recording)),
            "14602 reports of 108 aircraft, of up to 19 airlines at a time\n\
             longest convoy: 8 aircraft over 201 km after 18 min: ASJ151 < THY2EB < AFR15XV < FHHCB < \
             AFR16NN < DAH1000 < MSR799 < EJU53MF\n\
             3 passed on as the one ahead was heard no more, 0 circles refused, 37 ended with the sky\n"
        );
    }

    #[test]
    fn rows_that_lack_something_are_left_out() {
        assert_eq!(read("5,39a415,,48.9525,2.3816,2275,156,,2560"), None);
        let (name, report) = read("5,39a415,,48.9525,2.3816,2275,156,249,2560").unwrap();
        assert_eq!((name, report.time_s, report.track), ("39a415", 5, 249.0));
    }
}
