//! hecs.

use crate::ledger::{Value, tick};
use crate::library::{Library, Loaded, Ran};
use hecs::serialize::row::{self, DeserializeContext, SerializeContext, try_serialize};
use hecs::{CommandBuffer, Entity, EntityBuilder, EntityRef, World};
use serde::de::MapAccess;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct First(Value);
#[derive(Serialize, Deserialize)]
struct Second(Value);

pub struct Hecs(World);

impl Library for Hecs {
    const NAME: &str = "hecs";
    type Entity = Entity;

    fn new() -> Self {
        Self(World::new())
    }
    fn spawn_empty(&mut self) -> Entity {
        self.0.spawn(())
    }
    fn spawn(&mut self, first: Value, second: Value) -> Entity {
        self.0.spawn((First(first), Second(second)))
    }
    fn insert(&mut self, entity: Entity, first: Value) {
        self.0.insert_one(entity, First(first)).unwrap();
    }
    fn remove(&mut self, entity: Entity) {
        drop(self.0.remove_one::<First>(entity).unwrap());
    }
    fn despawn(&mut self, entity: Entity) {
        self.0.despawn(entity).unwrap();
    }
    fn is_alive(&mut self, entity: Entity) -> bool {
        self.0.contains(entity)
    }
    fn first(&mut self, entity: Entity) -> Option<u32> {
        self.0.get::<&First>(entity).ok().map(|first| first.0.id())
    }
    fn second(&mut self, entity: Entity) -> Option<u32> {
        self.0.get::<&Second>(entity).ok().map(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(Entity, u32)> {
        self.0
            .query::<(Entity, &First)>()
            .iter()
            .map(|(entity, first)| (entity, first.0.id()))
            .collect()
    }
    fn both(&mut self) -> Vec<(Entity, u32, u32)> {
        let mut both = self.0.query::<(Entity, &First, &Second)>();
        both.iter().map(|(entity, a, b)| (entity, a.0.id(), b.0.id())).collect()
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        self.0.query::<&mut First>().iter().for_each(|first| f(&mut first.0));
    }

    fn clear(&mut self) -> Ran {
        self.0.clear();
        Some(())
    }
    fn spawn_batch(&mut self, values: impl Iterator<Item = (Value, Value)>) -> Ran {
        self.0.spawn_batch(values.map(|(first, second)| (First(first), Second(second))));
        Some(())
    }
    fn load(&mut self, loaded: Loaded) -> Ran {
        let mut bytes = Vec::new();
        row::serialize(&self.0, &mut Context, &mut serde_json::Serializer::new(&mut bytes))
            .unwrap();
        let bytes = loaded.part(&bytes);
        match row::deserialize(&mut Context, &mut serde_json::Deserializer::from_slice(bytes)) {
            Ok(world) => self.0 = world,
            Err(error) => assert!(loaded == Loaded::Part, "{error}"),
        }
        Some(())
    }
    fn command(&mut self, [a, b]: [Entity; 2], [first, second]: [Value; 2]) -> Ran {
        let mut commands = CommandBuffer::new();
        commands.insert_one(a, First(first));
        commands.queue(|_| tick());
        commands.insert_one(b, First(second));
        commands.run_on(&mut self.0);
        Some(())
    }
}

#[derive(Serialize, Deserialize)]
enum Id {
    First,
    Second,
}

struct Context;

impl SerializeContext for Context {
    fn serialize_entity<S: SerializeMap>(
        &mut self,
        entity: EntityRef<'_>,
        mut map: S,
    ) -> Result<S::Ok, S::Error> {
        try_serialize::<First, _, _>(&entity, &Id::First, &mut map)?;
        try_serialize::<Second, _, _>(&entity, &Id::Second, &mut map)?;
        map.end()
    }
}

impl DeserializeContext for Context {
    fn deserialize_entity<'de, M: MapAccess<'de>>(
        &mut self,
        mut map: M,
        entity: &mut EntityBuilder,
    ) -> Result<(), M::Error> {
        while let Some(key) = map.next_key()? {
            match key {
                Id::First => entity.add::<First>(map.next_value()?),
                Id::Second => entity.add::<Second>(map.next_value()?),
            };
        }
        Ok(())
    }
}
