//! The recording, played into a world of entities.

use ecs::{CollectorId, EntityMap, Inserted, Removed, With, World};

use super::airport::Airport;
use super::components::{
    Audio, Contact, Flight, LastSeen, Position, Proximity, Sighting, Velocity,
};
use super::error::Error;
use super::flights::{FlightId, Flights, Pass};
use super::geo::{distance_km, offset_km, slant_km};
use super::report::Report;
use super::tracks::{TrackPoint, Tracks};

/// A flight has [`Proximity`] up to this distance along the ground, this one included.
pub const PROXIMITY_KM: f64 = 50.0;

/// A flight has [`Audio`] below this height above the airport, this one not included.
pub const AUDIO_FT: f64 = 10_000.0;

/// A flight is lost when its last report is older than this.
pub const LOST_AFTER_S: f64 = 60.0;

/// What is counted on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub reports: u64,
    pub ticks: u64,
    /// The most flights alive at once, after a tick's losses.
    pub peak: usize,
    /// The audible flights of a tick, summed over all ticks.
    pub audible: usize,
}

/// A world that follows the reports.
///
/// A tick is a run of reports with the same time. It ends when a later report comes, or when the
/// recording does.
pub struct Replay {
    airport: Airport,
    world: World,
    flights: Flights,
    counts: Counts,
    /// The time of the tick under way.
    now_s: Option<f64>,
    tracks: Option<Tracks>,
    lost: Vec<(ecs::Entity, FlightId)>,
    /// Collect whose pass begins, and whose may end.
    began: CollectorId,
    ended: CollectorId,
    /// The entities that are audible, and their flights: known even when an entity has ended.
    audible: EntityMap<Flight>,
}

/// What remains when the recording has ended.
pub struct Outcome {
    pub airport: Airport,
    pub flights: Flights,
    pub counts: Counts,
    /// Empty unless they were asked for.
    pub tracks: Tracks,
}

impl Replay {
    /// An empty sky. Tracks take memory for every report, so they are kept on request.
    pub fn new(airport: Airport, keep_tracks: bool) -> Self {
        let mut world = World::new();
        let began =
            world.collect::<(Inserted<Proximity>, Inserted<Audio>, With<(Proximity, Audio)>)>();
        let ended = world.collect::<(Removed<Proximity>, Removed<Audio>)>();
        Self {
            airport,
            world,
            flights: Flights::default(),
            counts: Counts::default(),
            now_s: None,
            tracks: keep_tracks.then(Tracks::new),
            lost: Vec::new(),
            began,
            ended,
            audible: EntityMap::default(),
        }
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
        self.counts.reports += 1;
        self.update(report);
        Ok(())
    }

    /// Ends the last tick.
    pub fn finish(mut self) -> Result<Outcome, Error> {
        self.end_tick()?;
        let Self { airport, flights, counts, tracks, .. } = self;
        Ok(Outcome { airport, flights, counts, tracks: tracks.unwrap_or_default() })
    }

    /// Brings a flight's entity in line with its report; spawns it if it is not alive.
    fn update(&mut self, report: &Report<'_>) {
        let id = self.flights.find_or_insert(report.icao24, report.callsign);
        let known = self.flights.get_mut(id);
        let mut flight = match known.entity {
            Some(entity) => self.world.entity_mut(entity),
            None => self.world.spawn((Flight(id),)),
        };
        known.entity = Some(flight.id());

        let &Report { time_s, lat, lon, altitude_ft, .. } = report;
        let &Report { groundspeed_kt, track_deg, vertical_rate_fpm, .. } = report;
        flight.insert((
            Position { lat, lon, altitude_ft },
            Velocity { groundspeed_kt, track_deg, vertical_rate_fpm },
            LastSeen { time_s },
        ));

        let distance_km = distance_km(self.airport.place(), report.place());
        if distance_km <= PROXIMITY_KM {
            flight.insert(Proximity { distance_km });
        } else {
            flight.remove::<Proximity>();
        }

        let height_ft = altitude_ft - self.airport.elevation_ft;
        if height_ft < AUDIO_FT {
            flight.insert(Audio { height_ft });
        } else {
            flight.remove::<Audio>();
        }
    }

    /// Ends the tick under way, if there is one.
    fn end_tick(&mut self) -> Result<(), Error> {
        let Some(now_s) = self.now_s.take() else { return Ok(()) };
        self.despawn_lost(now_s)?;
        self.counts.ticks += 1;
        self.counts.peak = self.counts.peak.max(self.world.view::<Flight>().count());
        self.follow_passes(now_s);
        self.listen(now_s);
        self.record_tracks(now_s);
        Ok(())
    }

    fn despawn_lost(&mut self, now_s: f64) -> Result<(), Error> {
        // The view borrows the world, so it only says which ones go.
        for Contact { entity, flight, last_seen } in self.world.view::<Contact>() {
            if now_s - last_seen.time_s > LOST_AFTER_S {
                self.lost.push((entity, flight.0));
            }
        }
        for (entity, flight) in self.lost.drain(..) {
            self.world.despawn(entity).map_err(|error| Error::World(error.into()))?;
            self.flights.get_mut(flight).entity = None;
        }
        Ok(())
    }

    /// A pass begins when a flight is both near and low, and ends when it is not any more, or is lost.
    fn follow_passes(&mut self, now_s: f64) {
        for entity in self.world.drain(self.ended) {
            if self.world.has::<(Proximity, Audio)>(entity) {
                continue; // lost it, and has it again
            }
            if let Some(Flight(flight)) = self.audible.remove(entity) {
                self.flights.end(flight, now_s);
            }
        }
        for entity in self.world.drain(self.began) {
            let Some(&Flight(flight)) = self.world.get::<Flight>(entity) else { continue };
            if self.audible.insert(entity, Flight(flight)).is_none() {
                self.flights.begin(flight, now_s);
            }
        }
    }

    /// Whoever is both near and low is audible.
    fn listen(&mut self, time_s: f64) {
        for (entity, proximity, audio) in self.world.view::<(Proximity, Audio)>() {
            self.counts.audible += 1;
            let flight = self.world.get::<Flight>(entity);
            let velocity = self.world.get::<Velocity>(entity);
            let (Some(&Flight(flight)), Some(&velocity)) = (flight, velocity) else { continue };
            let slant_km = slant_km(proximity.distance_km, audio.height_ft);
            let (proximity, audio) = (*proximity, *audio);
            self.flights.record(flight, Pass { time_s, slant_km, proximity, audio, velocity });
        }
    }

    /// Adds the flights that reported in this tick to their tracks.
    fn record_tracks(&mut self, now_s: f64) {
        let Some(tracks) = &mut self.tracks else { return };
        for sighting in self.world.view::<Sighting>() {
            if sighting.last_seen.time_s < now_s {
                continue;
            }
            let position = sighting.position;
            let (east_km, north_km) = offset_km(self.airport.place(), position.place());
            tracks.entry(sighting.flight.0).or_default().push(TrackPoint {
                time_s: now_s,
                east_km,
                north_km,
                height_ft: position.altitude_ft - self.airport.elevation_ft,
                audible: sighting.proximity.is_some() && sighting.audio.is_some(),
            });
        }
    }
}
