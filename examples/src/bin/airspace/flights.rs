//! Every flight of the recording, identified by its transponder's address and its callsign.
//!
//! An entity is despawned when nothing has been heard of its flight for a while; the flight stays
//! known, and is the same one when it is heard of again.

use std::collections::HashMap;

use ecs::{Entity, Resource};
use serde::{Deserialize, Serialize, Serializer};

use super::components::{Audio, Proximity, Velocity};

/// The flight's place in [`Flights`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FlightId(usize);

/// A flight, alive at the moment or not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownFlight {
    pub icao24: String,
    pub callsign: String,
    /// Its entity while it is alive.
    pub entity: Option<Entity>,
    /// The intervals in which it was audible, in order.
    pub heard: Vec<Heard>,
    /// Its nearest pass, if it ever was audible.
    pub nearest: Option<Pass>,
}

impl KnownFlight {
    /// Returns the interval around this time in which it was heard.
    pub fn heard_at(&self, time_s: f64) -> Option<&Heard> {
        self.heard.iter().rfind(|heard| heard.from_s <= time_s)
    }

    /// Returns the callsign, or the address if it has none.
    pub fn label(&self) -> &str {
        if self.callsign.is_empty() { &self.icao24 } else { &self.callsign }
    }
}

/// From which tick on a flight was audible, and in which it was not any more, if it fell silent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Heard {
    pub from_s: f64,
    pub to_s: Option<f64>,
}

/// An audible flight at one tick.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Pass {
    pub time_s: f64,
    pub slant_km: f64,
    pub proximity: Proximity,
    pub audio: Audio,
    pub velocity: Velocity,
}

/// All flights, in the order in which they were first heard of.
#[derive(Resource, Debug, Default, Deserialize)]
#[resource(save = "flights")]
#[serde(from = "Vec<KnownFlight>")]
pub struct Flights {
    known: Vec<KnownFlight>,
    /// Few aircraft change their callsign, so the second step is a short walk. That way a look-up
    /// hashes one string and allocates nothing.
    by_icao24: HashMap<String, Vec<FlightId>>,
}

/// Saves the flights, from which the rest is computed.
impl Serialize for Flights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.known.serialize(serializer)
    }
}

impl From<Vec<KnownFlight>> for Flights {
    fn from(known: Vec<KnownFlight>) -> Self {
        let mut by_icao24 = HashMap::<_, Vec<_>>::new();
        for (index, flight) in known.iter().enumerate() {
            by_icao24.entry(flight.icao24.clone()).or_default().push(FlightId(index));
        }
        Self { known, by_icao24 }
    }
}

impl Flights {
    /// Returns the flight with this address and callsign.
    pub fn find(&self, icao24: &str, callsign: &str) -> Option<FlightId> {
        let candidates = self.by_icao24.get(icao24)?;
        candidates.iter().copied().find(|&FlightId(index)| self.known[index].callsign == callsign)
    }

    /// Returns the flight with this address and callsign; adds it if there is none.
    pub fn find_or_insert(&mut self, icao24: &str, callsign: &str) -> FlightId {
        if let Some(flight) = self.find(icao24, callsign) {
            return flight;
        }
        let flight = FlightId(self.known.len());
        self.known.push(KnownFlight {
            icao24: icao24.to_owned(),
            callsign: callsign.to_owned(),
            entity: None,
            heard: Vec::new(),
            nearest: None,
        });
        self.by_icao24.entry(icao24.to_owned()).or_default().push(flight);
        flight
    }

    pub fn get(&self, FlightId(index): FlightId) -> &KnownFlight {
        &self.known[index]
    }

    pub fn get_mut(&mut self, FlightId(index): FlightId) -> &mut KnownFlight {
        &mut self.known[index]
    }

    /// Keeps the pass if the flight had none as near. If several are equally near, the first stays.
    pub fn record(&mut self, flight: FlightId, pass: Pass) {
        let nearest = &mut self.get_mut(flight).nearest;
        if nearest.as_ref().is_none_or(|nearest| pass.slant_km < nearest.slant_km) {
            *nearest = Some(pass);
        }
    }

    /// The flight can be heard from now on.
    pub fn begin(&mut self, flight: FlightId, from_s: f64) {
        self.get_mut(flight).heard.push(Heard { from_s, to_s: None });
    }

    /// The flight cannot be heard any more.
    pub fn end(&mut self, flight: FlightId, to_s: f64) {
        if let Some(heard) = self.get_mut(flight).heard.last_mut() {
            heard.to_s = Some(to_s);
        }
    }

    /// Returns `true` if there is such a flight; a saved world may name others.
    pub fn has(&self, FlightId(index): FlightId) -> bool {
        index < self.known.len()
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The flights that were ever audible, each with its nearest pass, nearest first.
    pub fn passes(&self) -> Vec<(&KnownFlight, Pass)> {
        let heard = |flight| -> Option<(&KnownFlight, Pass)> { Some((flight, flight.nearest?)) };
        let mut passes: Vec<_> = self.known.iter().filter_map(heard).collect();
        passes.sort_by(|(_, left), (_, right)| {
            let by_distance = left.slant_km.total_cmp(&right.slant_km);
            by_distance.then(left.time_s.total_cmp(&right.time_s))
        });
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(time_s: f64, slant_km: f64) -> Pass {
        let proximity = Proximity { distance_km: slant_km };
        Pass { time_s, slant_km, proximity, audio: Audio::default(), velocity: Velocity::default() }
    }

    #[test]
    fn both_parts_identify_a_flight() {
        let mut flights = Flights::default();
        let first = flights.find_or_insert("3944f0", "AFR1");
        let second = flights.find_or_insert("3944f0", "AFR2");
        let third = flights.find_or_insert("3944f1", "AFR1");
        assert!(first != second && second != third && first != third);
        assert_eq!(flights.find_or_insert("3944f0", "AFR1"), first);
        assert_eq!(flights.find("3944f0", ""), None);
        assert_eq!(flights.len(), 3);
    }

    #[test]
    fn no_callsign_no_matter() {
        let mut flights = Flights::default();
        let silent = flights.find_or_insert("3944f0", "");
        assert_eq!(flights.get(silent).label(), "3944f0");
    }

    #[test]
    fn passes_keep_the_nearest_and_the_first() {
        let mut flights = Flights::default();
        let far = flights.find_or_insert("a", "FAR");
        let near = flights.find_or_insert("b", "NEAR");
        flights.find_or_insert("c", "NEVER");
        flights.record(far, pass(0.0, 9.0));
        for (time_s, slant_km) in [(0.0, 5.0), (5.0, 2.0), (10.0, 2.0), (15.0, 3.0)] {
            flights.record(near, pass(time_s, slant_km));
        }
        let passes = flights.passes();
        let seen: Vec<_> =
            passes.iter().map(|(known, pass)| (known.label(), pass.time_s)).collect();
        assert_eq!(seen, [("NEAR", 5.0), ("FAR", 0.0)]);
    }
}
