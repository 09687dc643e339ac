//! The nearest passes: each report of a position is observed, so none is missed when the time leaps.

use ecs::{Entity, Name, Resource, World};
use serde::{Deserialize, Serialize};

use crate::components::{Flight, LastSeen, Pass, Position};
use crate::place::slant_km;

/// The number of passes that are kept.
const MOST: usize = 12;

/// The flights that came nearest to the airport, the nearest first; also flights that have ended.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[resource(save = "nearest", clone)]
pub struct Nearest(pub Vec<Line>);

/// A flight, and how near it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub flight: Entity,
    pub name: String,
    pub slant_km: f64,
    pub time_s: f64,
}

/// Observes positions that are new or changed.
pub fn observe(world: &mut World) {
    world.insert_resource(Nearest::default());
    world.on_insert::<Position>(look);
    world.on_update::<Position>(look);
}

fn look(world: &mut World, entity: Entity) {
    let Some((_, _, position, seen)) = world.view::<(&Flight, &Position, &LastSeen)>().get(entity)
    else {
        return; // a runway
    };
    let slant_km = slant_km(position.east_km, position.north_km, position.altitude_ft);
    let time_s = seen.time_s;
    if world.get::<Pass>(entity).is_some_and(|pass| pass.slant_km <= slant_km) {
        return;
    }
    let name = world.get::<Name>(entity).map(ToString::to_string).unwrap_or_default();
    world.insert(entity, Pass { slant_km, time_s }).expect("its position is being observed");
    let list = &mut world.resource_mut::<Nearest>().0;
    list.retain(|line| line.flight != entity);
    let at = list.partition_point(|line| line.slant_km <= slant_km);
    list.insert(at, Line { flight: entity, name, slant_km, time_s });
    list.truncate(MOST);
}
