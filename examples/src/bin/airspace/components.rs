//! The components of the replay.

use ecs::{Component, Entity, Query};
use ecs_space::Grid;
use serde::{Deserialize, Serialize};

use super::flights::FlightId;
use super::geo::LatLon;

/// Which flight the entity is, for as long as it is alive.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
#[component(save = "flight")]
pub struct Flight(pub FlightId);

/// The position of the last report. Flights are found by their places on the ground.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "position", index(kind = Grid<3, f64>, by = Position::on_sphere))]
pub struct Position {
    pub lat: f64,
    pub lon: f64,
    /// Above the sea, as received.
    pub altitude_ft: f64,
}

impl Position {
    pub fn place(&self) -> LatLon {
        LatLon { lat: self.lat, lon: self.lon }
    }

    fn on_sphere(&self) -> [f64; 3] {
        self.place().on_sphere()
    }
}

/// The motion in the last report.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "velocity")]
pub struct Velocity {
    pub groundspeed_kt: f64,
    /// Clockwise from north.
    pub track_deg: f64,
    pub vertical_rate_fpm: f64,
}

/// The time of the last report.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "last seen")]
pub struct LastSeen {
    pub time_s: f64,
}

/// The flight is near the airport; only then is this there.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "proximity")]
pub struct Proximity {
    /// Along the ground.
    pub distance_km: f64,
}

/// The flight is low over the airport's level; only then is this there.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "audio")]
pub struct Audio {
    /// Above the airport.
    pub height_ft: f64,
}

/// The components that decide whether a flight is still there.
#[derive(Query)]
pub struct Contact<'w> {
    pub entity: Entity,
    pub flight: &'w Flight,
    pub last_seen: &'w LastSeen,
}

/// The components from which a track is drawn.
#[derive(Query)]
pub struct Sighting<'w> {
    pub flight: &'w Flight,
    pub position: &'w Position,
    pub last_seen: &'w LastSeen,
    pub proximity: Option<&'w Proximity>,
    pub audio: Option<&'w Audio>,
}
