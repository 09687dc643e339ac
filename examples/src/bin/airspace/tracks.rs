//! The ways that flights took, kept for the map.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::flights::FlightId;

/// The points of every flight that was drawn, in the order of time.
pub type Tracks = BTreeMap<FlightId, Vec<TrackPoint>>;

/// A flight at one tick, as seen from the airport.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackPoint {
    pub time_s: f64,
    pub east_km: f64,
    pub north_km: f64,
    pub height_ft: f64,
    pub audible: bool,
}
