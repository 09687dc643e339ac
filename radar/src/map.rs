//! The map: a page, and a method that returns a picture of the world for it.

use ecs::{Entity, World};
use ecs_remote::Options;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::approach::runway_of;
use crate::clock::Clock;
use crate::components::{Flight, Near, Position, Runway, Trail, Velocity};
use crate::passes::Nearest;

/// A flight on the map.
#[derive(Serialize)]
struct Blip<'w> {
    entity: Entity,
    name: Option<&'w str>,
    east: f32,
    north: f32,
    altitude_ft: f32,
    speed_kt: f32,
    track_deg: f32,
    near: bool,
    runway: Option<&'w str>,
    trail: &'w [[f32; 3]],
}

#[derive(Serialize)]
struct Strip<'w> {
    name: Option<&'w str>,
    position: &'w Position,
    runway: &'w Runway,
}

#[derive(Serialize)]
struct Frame<'w> {
    clock: &'w Clock,
    flights: Vec<Blip<'w>>,
    runways: Vec<Strip<'w>>,
    nearest: &'w Nearest,
}

/// Adds the page and its method to the served ones.
pub fn add_to(options: Options) -> Options {
    options
        .page("/radar", "text/html; charset=utf-8", include_str!("page/radar.html"))
        .page("/radar.js", "text/javascript; charset=utf-8", include_str!("page/radar.js"))
        .page("/radar.css", "text/css; charset=utf-8", include_str!("page/radar.css"))
        .method("radar.frame", |world, _| Ok(frame(world)))
}

#[expect(clippy::cast_possible_truncation, reason = "metres are enough on a map")]
fn frame(world: &World) -> Box<RawValue> {
    let flights = world.view::<(&Position, &Velocity, &Trail, Option<&Near>, &Flight)>();
    let runways = world.view::<(&Position, &Runway)>();
    let frame = Frame {
        clock: world.resource(),
        flights: flights
            .into_iter()
            .map(|(entity, position, velocity, trail, near, _)| Blip {
                entity,
                name: world.name(entity),
                east: position.east_km as f32,
                north: position.north_km as f32,
                altitude_ft: position.altitude_ft as f32,
                speed_kt: velocity.speed_kt as f32,
                track_deg: velocity.track_deg as f32,
                near: near.is_some(),
                runway: runway_of(world, entity),
                trail: &trail.0,
            })
            .collect(),
        runways: runways
            .into_iter()
            .map(|(entity, position, runway)| Strip { name: world.name(entity), position, runway })
            .collect(),
        nearest: world.resource(),
    };
    to_raw_value(&frame).expect("all of it is plain data")
}
