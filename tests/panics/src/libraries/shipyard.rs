//! shipyard.

use crate::ledger::{Value, tick};
use crate::library::{Library, Loaded, Ran};
use serde::{Deserialize, Serialize};
use shipyard::sparse_set::SparseSet;
use shipyard::{Component, EntityId, IntoIter, View, ViewMut, Workload, World};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Component, Clone, Serialize, Deserialize)]
struct First(Value);
#[derive(Component, Clone)]
struct Second(Value);

pub struct Shipyard(World);

impl Library for Shipyard {
    const NAME: &str = "shipyard";
    type Entity = EntityId;

    fn new() -> Self {
        Self(World::new())
    }
    fn spawn_empty(&mut self) -> EntityId {
        self.0.add_entity(())
    }
    fn spawn(&mut self, first: Value, second: Value) -> EntityId {
        self.0.add_entity((First(first), Second(second)))
    }
    fn insert(&mut self, entity: EntityId, first: Value) {
        self.0.add_component(entity, First(first));
    }
    fn remove(&mut self, entity: EntityId) {
        self.0.delete_component::<First>(entity);
    }
    fn despawn(&mut self, entity: EntityId) {
        assert!(self.0.delete_entity(entity));
    }
    fn is_alive(&mut self, entity: EntityId) -> bool {
        self.0.is_entity_alive(entity)
    }
    fn first(&mut self, entity: EntityId) -> Option<u32> {
        self.0.get::<&First>(entity).ok().map(|first| first.0.id())
    }
    fn second(&mut self, entity: EntityId) -> Option<u32> {
        self.0.get::<&Second>(entity).ok().map(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(EntityId, u32)> {
        self.0.run(|firsts: View<First>| {
            firsts.iter().with_id().map(|(entity, first)| (entity, first.0.id())).collect()
        })
    }
    fn both(&mut self) -> Vec<(EntityId, u32, u32)> {
        self.0.run(|firsts: View<First>, seconds: View<Second>| {
            let both = (&firsts, &seconds).iter().with_id();
            both.map(|(entity, (a, b))| (entity, a.0.id(), b.0.id())).collect()
        })
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        self.0.run(|mut firsts: ViewMut<First>| {
            (&mut firsts).iter().for_each(|first| f(&mut first.0));
        });
    }

    fn clear(&mut self) -> Ran {
        self.0.clear();
        Some(())
    }
    fn spawn_batch(&mut self, values: impl Iterator<Item = (Value, Value)>) -> Ran {
        self.0.bulk_add_entity(values.map(|(first, second)| (First(first), Second(second))));
        Some(())
    }
    fn observe_insertions(&mut self, f: fn()) -> Ran {
        self.0.run(|mut firsts: ViewMut<First>| firsts.on_insertion(move |_, _| f()));
        Some(())
    }
    fn observe_removals(&mut self, f: fn()) -> Ran {
        self.0.run(|mut firsts: ViewMut<First>| firsts.on_removal(move |_, _| f()));
        Some(())
    }
    fn sort(&mut self) -> Ran {
        self.0.run(|mut firsts: ViewMut<First>| {
            firsts.sort_unstable_by(|a, b| {
                tick();
                b.0.id().cmp(&a.0.id())
            });
        });
        Some(())
    }
    /// Copies an entity of another world: within a world there is no such call.
    fn copy(&mut self, _: EntityId) -> Ran {
        let mut other = Self::new();
        other.0.register_clone::<(SparseSet<First>, SparseSet<Second>)>();
        let entity = other.spawn(Value::new(), Value::new());
        other.0.clone_entity_to(&mut self.0, entity);
        Some(())
    }
    fn schedule(&mut self) -> Ran {
        let workload = Workload::new("systems")
            .with_system(|mut firsts: ViewMut<First>| {
                (&mut firsts).iter().for_each(|first| first.0 = Value::new());
                tick();
            })
            .with_system(|seconds: View<Second>| assert!(!seconds.is_empty()))
            .with_system(|_: View<First>, _: View<Second>| {});
        workload.add_to_world(&self.0).unwrap();
        let run = catch_unwind(AssertUnwindSafe(|| self.0.run_default_workload().unwrap()));
        if let Err(panic) = run {
            self.0.run_default_workload().unwrap();
            resume_unwind(panic);
        }
        Some(())
    }
    /// Loads one component: entities and each of the components are loaded one by one.
    fn load(&mut self, loaded: Loaded) -> Ran {
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::new(&mut bytes);
        assert!(self.0.serialize::<_, View<First>>(&mut serializer).is_ok());
        let mut deserializer = serde_json::Deserializer::from_slice(loaded.part(&bytes));
        let result = self.0.deserialize::<_, ViewMut<First>>(&mut deserializer);
        assert_eq!(result.is_ok(), loaded == Loaded::All);
        Some(())
    }
}
