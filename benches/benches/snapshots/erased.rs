//! Values that are read one by one, each by code for its type, and each through a trait object of the reader.

use super::{Health, Position, TENTH, Velocity, values};
use serde::Deserialize;

const COUNT: usize = TENTH as usize * 1_000;

/// Three columns, in the format of postcard.
pub fn write() -> [Vec<u8>; 3] {
    let [mut positions, mut velocities, mut healths] = [const { Vec::new() }; 3];
    for (position, velocity, health) in values(TENTH) {
        positions.extend(postcard::to_allocvec(&position).unwrap());
        velocities.extend(postcard::to_allocvec(&velocity).unwrap());
        healths.extend(postcard::to_allocvec(&health).unwrap());
    }
    [positions, velocities, healths]
}

fn column<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Vec<T> {
    let mut from = postcard::Deserializer::from_bytes(bytes);
    let mut values = Vec::with_capacity(COUNT);
    values.extend((0..COUNT).map(|_| T::deserialize(&mut from).unwrap()));
    values
}

fn erased_column<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Vec<T> {
    let mut from = postcard::Deserializer::from_bytes(bytes);
    let mut values = Vec::with_capacity(COUNT);
    values.extend((0..COUNT).map(|_| {
        let mut erased = <dyn erased_serde::Deserializer>::erase(&mut from);
        erased_serde::deserialize::<T>(&mut erased).unwrap()
    }));
    values
}

type Columns = (Vec<Position>, Vec<Velocity>, Vec<Health>);

pub fn read([positions, velocities, healths]: &[Vec<u8>; 3]) -> Columns {
    (column(positions), column(velocities), column(healths))
}

pub fn read_erased([positions, velocities, healths]: &[Vec<u8>; 3]) -> Columns {
    (erased_column(positions), erased_column(velocities), erased_column(healths))
}
