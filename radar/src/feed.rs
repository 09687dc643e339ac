//! The reports, as they come: flights are spawned, follow their reports, and end when they are not heard of any more.

use std::collections::HashMap;
use std::path::Path;

use ecs::{Commands, Entity, Name, Replaced, Resource, View, With, World};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::components::{Flight, LastSeen, Position, Trail, Velocity};
use crate::passes::Nearest;
use crate::place::offset_km;

/// A flight is lost when its last report is older than this.
const LOST_AFTER_S: f64 = 60.0;

/// The most positions of a trail.
const TRAIL: usize = 60;

/// A row of the recording.
#[derive(Deserialize)]
struct Report {
    time_s: f64,
    icao24: String,
    callsign: String,
    lat: f64,
    lon: f64,
    altitude_ft: f64,
    groundspeed_kt: f64,
    track_deg: f64,
    vertical_rate_fpm: f64,
}

/// All reports.
#[derive(Resource)]
#[resource(clone = skip, save = skip)]
pub struct Recording {
    reports: Vec<Report>,
}

/// The number of the next report.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
#[resource(clone, save = "next report")]
struct Next(usize);

/// The flights that are alive, by the addresses of their transponders: an index of the world.
#[derive(Resource, Default)]
#[resource(clone = skip, save = skip)]
struct Known(HashMap<String, Entity>);

impl Recording {
    pub fn read(path: &Path) -> Result<Self, csv::Error> {
        let reports: Result<Vec<Report>, csv::Error> =
            csv::Reader::from_path(path)?.deserialize().collect();
        Ok(Self { reports: reports? })
    }

    /// Returns the time of the last report.
    pub fn end_s(&self) -> f64 {
        self.reports.last().map_or(0.0, |report| report.time_s)
    }
}

/// Removes a flight from the list when its entity is despawned, for whatever reason. Lists all anew when a
/// saved world is loaded, or the program goes back.
pub fn observe(world: &mut World) {
    world.insert_resource(Known::default());
    world.insert_resource(Next::default());
    world.on::<Replaced>(|world, _| {
        let flights = world.view::<&Flight>();
        let known =
            flights.iter().map(|(entity, flight)| (flight.icao24.clone(), entity)).collect();
        world.insert_resource(Known(known));
    });
    world.on_remove::<Flight>(|world, entity| {
        let Some(icao24) = world.get::<Flight>(entity).map(|flight| flight.icao24.clone()) else {
            return;
        };
        world.resource_mut::<Known>().0.remove(&icao24);
    });
}

/// A system: takes the reports until now.
pub fn feed(world: &mut World) {
    let now_s = world.resource::<Clock>().now_s;
    world.resource_scope(|world, recording: &mut Recording| {
        while let Some(report) = recording.reports.get(world.resource::<Next>().0)
            && report.time_s <= now_s
        {
            world.resource_mut::<Next>().0 += 1;
            take(world, report);
        }
    });
}

fn take(world: &mut World, report: &Report) {
    let known = world.resource::<Known>().0.get(&report.icao24).copied();
    let is_lost = |entity: &Entity| {
        world.get::<LastSeen>(*entity).is_none_or(|seen| report.time_s - seen.time_s > LOST_AFTER_S)
    };
    let entity = match known {
        Some(entity) if !is_lost(&entity) => entity,
        lost => {
            // In a leap of the time a flight is lost and heard of again in one frame.
            if let Some(lost) = lost {
                world.despawn(lost).expect("it is known as long as it lives");
            }
            let callsign =
                if report.callsign.is_empty() { &report.icao24 } else { &report.callsign };
            let flight = Flight { icao24: report.icao24.clone() };
            let entity = world.spawn((flight, Name::new(callsign.clone()), Trail::default())).id();
            world.resource_mut::<Known>().0.insert(report.icao24.clone(), entity);
            entity
        }
    };
    let (east_km, north_km) = offset_km(report.lat, report.lon);
    if let Some(trail) = world.get_mut::<Trail>(entity) {
        if trail.0.len() == TRAIL {
            trail.0.remove(0);
        }
        #[expect(clippy::cast_possible_truncation, reason = "tens of metres are enough on a map")]
        trail.0.push(
            [east_km, north_km, report.altitude_ft].map(|it| (it * 100.0).round() as f32 / 100.0),
        );
    }
    let &Report { time_s, altitude_ft, .. } = report;
    let (speed_kt, track_deg, climb_fpm) =
        (report.groundspeed_kt, report.track_deg, report.vertical_rate_fpm);
    world.entity_mut(entity).insert((
        LastSeen { time_s },
        Velocity { speed_kt, track_deg, climb_fpm },
        Position { east_km, north_km, altitude_ft },
    ));
}

/// A system: ends the flights that were not heard of for a while.
pub fn forget_lost(
    flights: View<(&LastSeen, With<Flight>)>,
    clock: &Clock,
    commands: &mut Commands,
) {
    for (entity, seen) in flights {
        if clock.now_s - seen.time_s > LOST_AFTER_S {
            commands.despawn(entity);
        }
    }
}

/// Begins anew: the reports until now come again with the next frame.
pub fn rewind(world: &mut World) {
    let flights = world.pool::<Flight>().keys().to_vec();
    world.despawn_batch(&flights);
    *world.resource_mut() = Next::default();
    *world.resource_mut() = Nearest::default();
}
