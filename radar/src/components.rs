//! The components of the radar. All are saved, so that the inspector can show and edit them.

use ecs::{Component, Entity, World};
use ecs_space::Grid;
use serde::{Deserialize, Serialize};

/// An aircraft that is heard of. Its [`Name`](ecs::Name) is its call sign.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(save = "flight", clone)]
pub struct Flight {
    /// The address of its transponder.
    pub icao24: String,
}

/// The position of the last report, seen from the airport. Flights are found by their places on the map.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(save = "position", track, clone, index(kind = Grid<2, f64>, by = Position::on_map))]
pub struct Position {
    pub east_km: f64,
    pub north_km: f64,
    pub altitude_ft: f64,
}

impl Position {
    fn on_map(&self) -> [f64; 2] {
        [self.east_km, self.north_km]
    }
}

/// The motion in the last report.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "velocity", clone)]
pub struct Velocity {
    pub speed_kt: f64,
    /// Clockwise from north.
    pub track_deg: f64,
    pub climb_fpm: f64,
}

/// The time of the last report.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(save = "last seen", clone)]
pub struct LastSeen {
    pub time_s: f64,
}

/// Its latest positions: east, north and altitude.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
#[component(save = "trail", clone)]
pub struct Trail(pub Vec<[f32; 3]>);

/// It is near the airport; only then is this there.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
#[component(save = "near", clone)]
pub struct Near {
    pub distance_km: f64,
}

/// The nearest approach, and its time.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(save = "pass", clone)]
pub struct Pass {
    pub slant_km: f64,
    pub time_s: f64,
}

/// A runway: its middle is its [`Position`].
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
#[component(save = "runway", clone)]
pub struct Runway {
    pub length_km: f64,
    /// Clockwise from north, and the other way round.
    pub bearing_deg: f64,
}

/// A flight is about to land on this runway. It ends with either of them.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(save = "approaching", relation, clone)]
pub struct Approaching(pub Entity);

/// Registers the components, so that they have names before any entity has one.
pub fn register(world: &mut World) {
    world
        .register::<(Flight, Position, Velocity, LastSeen, Trail, Near, Pass, Runway, Approaching)>(
        );
}
