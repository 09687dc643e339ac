//! An equal world in hecs, saved and loaded as its columns, by postcard.

use super::{Health, MILLION, Position, Velocity, values};
use hecs::serialize::column::{
    DeserializeContext, SerializeContext, deserialize, deserialize_column, serialize,
    try_serialize, try_serialize_id,
};
use hecs::{Archetype, ColumnBatchBuilder, ColumnBatchType, World};
use serde::de::SeqAccess;
use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Id {
    Position,
    Velocity,
    Health,
}

struct Saving;

impl SerializeContext for Saving {
    fn component_count(&self, _: &Archetype) -> usize {
        3
    }
    fn serialize_component_ids<S: SerializeTuple>(
        &mut self,
        all: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize_id::<Position, _, _>(all, &Id::Position, &mut out)?;
        try_serialize_id::<Velocity, _, _>(all, &Id::Velocity, &mut out)?;
        try_serialize_id::<Health, _, _>(all, &Id::Health, &mut out)?;
        out.end()
    }
    fn serialize_components<S: SerializeTuple>(
        &mut self,
        all: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize::<Position, _>(all, &mut out)?;
        try_serialize::<Velocity, _>(all, &mut out)?;
        try_serialize::<Health, _>(all, &mut out)?;
        out.end()
    }
}

#[derive(Default)]
struct Loading(Vec<Id>);

impl DeserializeContext for Loading {
    fn deserialize_component_ids<'de, A: SeqAccess<'de>>(
        &mut self,
        mut all: A,
    ) -> Result<ColumnBatchType, A::Error> {
        let mut columns = ColumnBatchType::new();
        self.0.clear();
        while let Some(id) = all.next_element()? {
            match id {
                Id::Position => columns.add::<Position>(),
                Id::Velocity => columns.add::<Velocity>(),
                Id::Health => columns.add::<Health>(),
            };
            self.0.push(id);
        }
        Ok(columns)
    }
    fn deserialize_components<'de, A: SeqAccess<'de>>(
        &mut self,
        count: u32,
        mut all: A,
        columns: &mut ColumnBatchBuilder,
    ) -> Result<(), A::Error> {
        for id in &self.0 {
            match id {
                Id::Position => deserialize_column::<Position, _>(count, &mut all, columns)?,
                Id::Velocity => deserialize_column::<Velocity, _>(count, &mut all, columns)?,
                Id::Health => deserialize_column::<Health, _>(count, &mut all, columns)?,
            }
        }
        Ok(())
    }
}

pub fn world() -> World {
    let mut world = World::new();
    world.spawn_batch(values(MILLION));
    world
}

/// Appends the world, in the memory that is there.
pub fn save(world: &World, bytes: &mut Vec<u8>) {
    let mut to = postcard::Serializer { output: Bytes(bytes) };
    serialize(world, &mut Saving, &mut to).unwrap();
}

pub fn load(bytes: &[u8]) -> World {
    deserialize(&mut Loading::default(), &mut postcard::Deserializer::from_bytes(bytes)).unwrap()
}

struct Bytes<'a>(&'a mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Bytes<'_> {
    type Output = ();

    #[inline]
    fn try_extend(&mut self, data: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(data);
        Ok(())
    }
    #[inline]
    fn try_push(&mut self, data: u8) -> postcard::Result<()> {
        self.0.push(data);
        Ok(())
    }
    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}
