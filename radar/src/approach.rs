//! Aircraft near the airport, and aircraft about to land: an index of places, and a relation.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use ecs::{ChildOf, Commands, Entity, Index, Name, View, With, World};

use crate::components::{Approaching, Flight, Near, Position, Runway, Velocity};
use crate::place::ELEVATION_FT;

/// A flight is near up to this distance along the ground.
const NEAR_KM: f64 = 50.0;

/// A flight approaches a runway that lies ahead, at most so far away, and so far aside.
const AHEAD_KM: f64 = 22.0;
const ASIDE_KM: f64 = 0.8;
/// The most that its track differs from the runway's bearing.
const TURNED_DEG: f64 = 12.0;
const LOW_FT: f64 = 6_000.0;

/// The runways that were in use in that hour: name, middle, length and bearing, as the tracks of the recording show.
const RUNWAYS: [(&str, (f64, f64), f64, f64); 2] =
    [("06/24", (-1.25, 0.4), 3.65, 61.8), ("07/25", (0.5, -0.48), 3.32, 74.6)];

/// Spawns the airport, and its runways as its children.
pub fn spawn_runways(world: &mut World) {
    let airport = world.spawn(Name::new("LFPO")).id();
    for (name, (east_km, north_km), length_km, bearing_deg) in RUNWAYS {
        let middle = Position { east_km, north_km, altitude_ft: ELEVATION_FT };
        world.spawn((Name::new(name), middle, Runway { length_km, bearing_deg }, ChildOf(airport)));
    }
}

/// A system: marks the flights that the index of places finds about the airport.
pub fn look_who_is_near(
    places: Index<Position>,
    flights: View<(&Position, Option<&Near>, With<Flight>)>,
    marked: View<&Near>,
    commands: &mut Commands,
) {
    // A little more than the limit, because the distance decides.
    let about = places.near([0.0, 0.0], NEAR_KM * 1.000_001);
    let mut found = Vec::new();
    for (entity, position, near) in flights.iter_many(about) {
        let distance_km = position.east_km.hypot(position.north_km);
        if distance_km > NEAR_KM {
            continue;
        }
        found.push(entity);
        if near.is_none_or(|near| near.distance_km.to_bits() != distance_km.to_bits()) {
            commands.insert(entity, Near { distance_km });
        }
    }
    for (entity, _) in marked {
        if found.binary_search(&entity).is_err() {
            commands.remove::<Near>(entity);
        }
    }
}

/// A system: points flights to the runway that they are about to land on.
pub fn follow(
    flights: View<(&Position, &Velocity, Option<&Approaching>, With<Near>)>,
    runways: View<(&Position, &Runway)>,
    commands: &mut Commands,
) {
    for (entity, position, velocity, now) in flights {
        let found =
            runways.iter().find(|(_, middle, runway)| is_ahead(position, velocity, middle, runway));
        match (found.map(|(runway, ..)| runway), now) {
            (Some(runway), Some(now)) if now.0 == runway => {}
            (Some(runway), _) => commands.insert(entity, Approaching(runway)),
            (None, Some(_)) => commands.remove::<Approaching>(entity),
            (None, None) => {}
        }
    }
}

/// Returns `true` if a flight that moves so is low, comes down, and has the runway before it.
fn is_ahead(position: &Position, velocity: &Velocity, middle: &Position, runway: &Runway) -> bool {
    let track = velocity.track_deg.to_radians();
    let (east, north) = (middle.east_km - position.east_km, middle.north_km - position.north_km);
    let ahead = east * track.sin() + north * track.cos();
    let bearing = runway.bearing_deg.to_radians();
    let aside = east * bearing.cos() - north * bearing.sin();
    // The runway is used in both directions.
    let turned = (velocity.track_deg - runway.bearing_deg + 90.0).rem_euclid(180.0) - 90.0;
    position.altitude_ft < LOW_FT
        && velocity.climb_fpm < 300.0
        && (0.0..AHEAD_KM).contains(&ahead)
        && aside.abs() < ASIDE_KM
        && turned.abs() < TURNED_DEG
}

/// Returns the name of the runway that a flight approaches.
pub fn runway_of(world: &World, flight: Entity) -> Option<&str> {
    world.target_of::<Approaching>(flight).and_then(|runway| world.name(runway))
}
