//! The recording, played into a world of entities.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use std::path::Path;

use ecs::save::Limits;
use ecs::{
    CollectorId, Commands, Entity, EntityMap, Index, Inserted, Removed, Res, Resource, Sharing,
    View, With, World, schedule,
};
use serde::{Deserialize, Serialize};

use super::airport::Airport;
use super::components::{
    Audio, Contact, Flight, LastSeen, Position, Proximity, Sighting, Velocity,
};
use super::error::Error;
use super::flights::{FlightId, Flights, Pass};
use super::geo::{chord, distance_km, offset_km, slant_km};
use super::report::Report;
use super::tracks::{TrackPoint, Tracks};

/// A flight has [`Proximity`] up to this distance along the ground, this one included.
pub const PROXIMITY_KM: f64 = 50.0;

/// A flight has [`Audio`] below this height above the airport, this one not included.
pub const AUDIO_FT: f64 = 10_000.0;

/// A flight is lost when its last report is older than this.
pub const LOST_AFTER_S: f64 = 60.0;

/// The counters of the replay.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[resource(save = "counts")]
pub struct Counts {
    pub reports: u64,
    pub ticks: u64,
    /// The most flights alive at once, after a tick's losses.
    pub peak: usize,
    /// The audible flights of a tick, summed over all ticks.
    pub audible: usize,
}

/// The time of the tick that ends.
#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "now")]
struct Now(f64);

/// The tracks, if they are kept.
#[derive(Resource, Default, Serialize, Deserialize)]
#[resource(save = "tracks")]
struct Kept(Tracks);

/// The flights whose pass begins, and those whose pass may end, since the last tick.
#[derive(Resource)]
#[resource(save = skip)]
struct Passes {
    began: CollectorId,
    ended: CollectorId,
    /// The audible entities, and their flights, which remain after an entity has ended.
    audible: EntityMap<Flight>,
}

schedule! {
    /// The systems at the end of a tick. The systems that follow audible flights overlap with the
    /// systems that draw.
    pub struct Tick {
        find_near,
        despawn_lost,
        sync,
        count,
        follow_passes,
        together(listen, record_tracks),
    }
}

/// A flight is near if the index of places finds it about the airport, and its distance is small enough.
fn find_near(
    airport: &Airport,
    places: Index<Position>,
    positions: View<&Position>,
    near: View<&Proximity>,
    commands: &mut Commands,
) {
    // A little more than the limit, because the distance decides.
    let about = places.near(airport.place().on_sphere(), chord(PROXIMITY_KM) * 1.000_001);
    let mut found = Vec::new();
    for (entity, position) in positions.iter_many(about) {
        let distance_km = distance_km(airport.place(), position.place());
        if distance_km <= PROXIMITY_KM {
            commands.insert(entity, Proximity { distance_km });
            found.push(entity);
        }
    }
    for (entity, _) in near {
        if found.binary_search(&entity).is_err() {
            commands.remove::<Proximity>(entity);
        }
    }
}

fn despawn_lost(
    contacts: View<Contact>,
    now: &Now,
    flights: &mut Flights,
    commands: &mut Commands,
) {
    for Contact { entity, flight, last_seen } in contacts {
        if now.0 - last_seen.time_s > LOST_AFTER_S {
            commands.despawn(entity);
            flights.get_mut(flight.0).entity = None;
        }
    }
}

fn count(alive: View<&Flight>, counts: &mut Counts) {
    counts.ticks += 1;
    counts.peak = counts.peak.max(alive.len());
}

/// A pass begins when a flight is both near and low, and ends when it is not any more, or is lost.
fn follow_passes(world: &mut World) {
    let &Now(now_s) = world.resource();
    world.resource_scope(|world, passes: &mut Passes| {
        for entity in world.drain(passes.ended) {
            if world.has::<(Proximity, Audio)>(entity) {
                continue; // lost it, and has it again
            }
            if let Some(Flight(flight)) = passes.audible.remove(entity) {
                world.resource_mut::<Flights>().end(flight, now_s);
            }
        }
        for entity in world.drain(passes.began) {
            let Some(&flight) = world.get::<Flight>(entity) else { continue };
            if passes.audible.insert(entity, flight).is_none() {
                world.resource_mut::<Flights>().begin(flight.0, now_s);
            }
        }
    });
}

/// A flight that is both near and low is audible.
fn listen(
    near_and_low: View<(&Flight, &Velocity, &Proximity, &Audio)>,
    now: &Now,
    flights: &mut Flights,
    counts: &mut Counts,
) {
    for (_, flight, &velocity, &proximity, &audio) in near_and_low {
        counts.audible += 1;
        let slant_km = slant_km(proximity.distance_km, audio.height_ft);
        flights.record(flight.0, Pass { time_s: now.0, slant_km, proximity, audio, velocity });
    }
}

/// Adds the flights that reported in this tick to their tracks.
fn record_tracks(sightings: View<Sighting>, now: &Now, airport: &Airport, kept: &mut Kept) {
    for sighting in sightings {
        if sighting.last_seen.time_s < now.0 {
            continue;
        }
        let position = sighting.position;
        let (east_km, north_km) = offset_km(airport.place(), position.place());
        kept.0.entry(sighting.flight.0).or_default().push(TrackPoint {
            time_s: now.0,
            east_km,
            north_km,
            height_ft: position.altitude_ft - airport.elevation_ft,
            audible: sighting.proximity.is_some() && sighting.audio.is_some(),
        });
    }
}

/// A world that follows the reports.
///
/// A tick is a run of reports with the same time. It ends when a later report comes, or when the
/// recording ends: then systems process the changes by the reports.
pub struct Replay {
    world: World,
    tick: Tick,
    /// The time of the saved world; earlier reports are in it.
    resumed_s: f64,
    /// The time of the tick under way.
    now_s: Option<f64>,
    /// The timeline of the tick with the most flights, if it was requested.
    timeline: Option<String>,
}

/// The results of the replay.
pub struct Outcome {
    pub airport: Airport,
    pub flights: Flights,
    pub counts: Counts,
    /// Empty unless they were requested.
    pub tracks: Tracks,
    /// `None` unless it was requested.
    pub timeline: Option<String>,
}

impl Replay {
    /// An empty sky. Tracks take memory for every report, so they are kept on request.
    pub fn new(airport: Airport, keep_tracks: bool, draw_timeline: bool, sharing: Sharing) -> Self {
        let mut world = World::new();
        let passes = Passes {
            began: world
                .collector::<(Inserted<Proximity>, Inserted<Audio>, With<(Proximity, Audio)>)>(),
            ended: world.collector::<(Removed<Proximity>, Removed<Audio>)>(),
            audible: EntityMap::default(),
        };
        world.insert_resource(passes);
        world.insert_resource(airport);
        world.insert_resource(Flights::default());
        world.insert_resource(Counts::default());
        world.insert_resource(Now(f64::NEG_INFINITY));
        world.insert_resource(Kept::default());
        let mut tick = Tick::new();
        tick.switch("record_tracks", keep_tracks);
        tick.set_timed(draw_timeline);
        tick.set_sharing(sharing);
        let (resumed_s, timeline) = (f64::NEG_INFINITY, draw_timeline.then(String::new));
        Self { world, tick, resumed_s, now_s: None, timeline }
    }

    /// Goes on from the [saved](Self::save) state of another replay of the recording, at its airport, and with its
    /// tracks.
    pub fn resume(&mut self, path: &Path) -> Result<(), Error> {
        let bytes =
            std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let wrong = |source| Error::Resume { path: path.to_owned(), source };
        self.world.register::<(Flight, Position, Velocity, LastSeen, Proximity, Audio)>();
        self.world.register::<(Res<Airport>, Res<Flights>, Res<Counts>, Res<Now>, Res<Kept>)>();
        self.world.load(&bytes, &Limits::default()).map_err(|error| wrong(error.into()))?;
        // The bytes are a world; check that it belongs to a replay.
        let flights = self.world.resource::<Flights>();
        if !self.world.pool::<Flight>().as_slice().iter().all(|&Flight(id)| flights.has(id)) {
            return Err(wrong("a flight is none that is known".into()));
        }
        let heard = self.world.view::<(&Flight, With<(Proximity, Audio)>)>();
        let audible = heard.into_iter().map(|(entity, flight)| (entity, *flight)).collect();
        self.world.resource_mut::<Passes>().audible = audible;
        self.resumed_s = self.world.resource::<Now>().0;
        Ok(())
    }

    /// Ends the tick under way: all that there is then, as bytes.
    pub fn save(&mut self) -> Result<Vec<u8>, Error> {
        self.end_tick()?;
        let mut bytes = Vec::new();
        let left_out = self.world.save().to_bytes(&mut bytes);
        let left_out = left_out.map_err(|error| Error::World(error.into()))?;
        assert!(left_out.is_empty(), "all that flights have is saved: {left_out:?}");
        Ok(bytes)
    }

    /// Returns `true` if a report is in the world already that this one goes on from.
    pub fn has(&self, report: &Report<'_>) -> bool {
        report.time_s <= self.resumed_s
    }

    /// Takes the next report, after the end of the tick before if it belongs to a new one.
    pub fn report(&mut self, report: &Report<'_>) -> Result<(), Error> {
        match self.now_s {
            Some(now_s) if report.time_s <= now_s => {}
            _ => {
                self.end_tick()?;
                self.now_s = Some(report.time_s);
            }
        }
        self.world.resource_mut::<Counts>().reports += 1;
        self.update(report);
        Ok(())
    }

    /// Ends the last tick.
    pub fn finish(mut self) -> Result<Outcome, Error> {
        self.end_tick()?;
        let Self { mut world, timeline, .. } = self;
        let counts = taken(&mut world);
        let (airport, flights) = (taken(&mut world), taken(&mut world));
        let Kept(tracks) = taken(&mut world);
        Ok(Outcome { airport, flights, counts, tracks, timeline })
    }

    /// Brings a flight's entity in line with its report; spawns it if it is not alive.
    fn update(&mut self, report: &Report<'_>) {
        let airport = self.world.resource::<Airport>();
        let height_ft = report.altitude_ft - airport.elevation_ft;

        let flights = self.world.resource_mut::<Flights>();
        let id = flights.find_or_insert(report.icao24, report.callsign);
        let entity = flights.get(id).entity.unwrap_or_else(|| self.spawn(id));
        let &Report { time_s, lat, lon, altitude_ft, .. } = report;
        let &Report { groundspeed_kt, track_deg, vertical_rate_fpm, .. } = report;
        let mut flight = self.world.entity_mut(entity);
        flight.insert((
            Position { lat, lon, altitude_ft },
            Velocity { groundspeed_kt, track_deg, vertical_rate_fpm },
            LastSeen { time_s },
        ));
        if height_ft < AUDIO_FT {
            flight.insert(Audio { height_ft });
        } else {
            flight.remove::<Audio>();
        }
    }

    fn spawn(&mut self, flight: FlightId) -> Entity {
        let entity = self.world.spawn(Flight(flight)).id();
        self.world.resource_mut::<Flights>().get_mut(flight).entity = Some(entity);
        entity
    }

    /// Ends the tick under way, if there is one.
    fn end_tick(&mut self) -> Result<(), Error> {
        let Some(now_s) = self.now_s.take() else { return Ok(()) };
        let Self { world, tick, timeline, .. } = self;
        world.insert_resource(Now(now_s));
        let peak = world.resource::<Counts>().peak;
        tick.run(world).map_err(|error| Error::World(error.into()))?;
        if let Some(timeline) = timeline
            && world.resource::<Counts>().peak > peak
        {
            *timeline = tick.timeline();
        }
        Ok(())
    }
}

/// A resource that is there from the beginning to the end.
fn taken<T: Resource>(world: &mut World) -> T {
    world.remove_resource().expect("no other code takes it")
}
