//! specs. The second component is in a `VecStorage`, so two of its storages are tried.

use crate::ledger::{Value, tick};
use crate::library::{Library, Loaded, Ran};
use serde::{Deserialize, Serialize};
use specs::saveload::{
    DeserializeComponents, MarkerAllocator, SerializeComponents, SimpleMarker,
    SimpleMarkerAllocator,
};
use specs::{
    Builder, Component, DenseVecStorage, DispatcherBuilder, Entities, Entity, Join, LazyUpdate,
    ReadStorage, System, VecStorage, World, WorldExt, Write, WriteStorage,
};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Clone, Serialize, Deserialize)]
struct First(Value);
#[derive(Clone, Serialize, Deserialize)]
struct Second(Value);

impl Component for First {
    type Storage = DenseVecStorage<Self>;
}
impl Component for Second {
    type Storage = VecStorage<Self>;
}

/// The kind of the markers of saved entities.
struct Saved;
type Marker = SimpleMarker<Saved>;
type Allocator = SimpleMarkerAllocator<Saved>;

pub struct Specs(World);

impl Library for Specs {
    const NAME: &str = "specs";
    type Entity = Entity;

    fn new() -> Self {
        let mut world = World::new();
        world.register::<First>();
        world.register::<Second>();
        world.register::<Marker>();
        world.insert(Allocator::new());
        Self(world)
    }
    fn spawn_empty(&mut self) -> Entity {
        self.0.create_entity().build()
    }
    fn spawn(&mut self, first: Value, second: Value) -> Entity {
        self.0.create_entity().with(First(first)).with(Second(second)).build()
    }
    fn insert(&mut self, entity: Entity, first: Value) {
        self.0.write_storage().insert(entity, First(first)).unwrap();
    }
    fn remove(&mut self, entity: Entity) {
        self.0.write_storage::<First>().remove(entity);
    }
    fn despawn(&mut self, entity: Entity) {
        self.0.delete_entity(entity).unwrap();
    }
    fn is_alive(&mut self, entity: Entity) -> bool {
        self.0.entities().is_alive(entity)
    }
    fn first(&mut self, entity: Entity) -> Option<u32> {
        self.0.read_storage::<First>().get(entity).map(|first| first.0.id())
    }
    fn second(&mut self, entity: Entity) -> Option<u32> {
        self.0.read_storage::<Second>().get(entity).map(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(Entity, u32)> {
        let (entities, firsts) = (self.0.entities(), self.0.read_storage::<First>());
        (&entities, &firsts).join().map(|(entity, first)| (entity, first.0.id())).collect()
    }
    fn both(&mut self) -> Vec<(Entity, u32, u32)> {
        let (firsts, seconds) = (self.0.read_storage::<First>(), self.0.read_storage::<Second>());
        let entities = self.0.entities();
        let both = (&entities, &firsts, &seconds).join();
        both.map(|(entity, a, b)| (entity, a.0.id(), b.0.id())).collect()
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        let mut firsts = self.0.write_storage::<First>();
        (&mut firsts).join().for_each(|first| f(&mut first.0));
    }

    fn clear(&mut self) -> Ran {
        self.0.delete_all();
        Some(())
    }
    fn schedule(&mut self) -> Ran {
        let mut dispatcher = DispatcherBuilder::new()
            .with(WriteFirsts, "write", &[])
            .with(ReadSeconds, "read", &[])
            .with(ReadBoth, "both", &[])
            .build();
        let run = catch_unwind(AssertUnwindSafe(|| dispatcher.dispatch(&self.0)));
        if let Err(panic) = run {
            dispatcher.dispatch(&self.0);
            resume_unwind(panic);
        }
        Some(())
    }
    fn load(&mut self, loaded: Loaded) -> Ran {
        type Storages<'w> = (WriteStorage<'w, First>, WriteStorage<'w, Second>);
        type Markers<'w> = (WriteStorage<'w, Marker>, Write<'w, Allocator>);
        let mut bytes = Vec::new();
        self.0.exec(|(all, (mut markers, mut allocator)): (Entities, Markers)| {
            for entity in all.join() {
                allocator.mark(entity, &mut markers);
            }
        });
        let saved = SerializeComponents::<Infallible, Marker>::serialize(
            &(&self.0.read_storage::<First>(), &self.0.read_storage::<Second>()),
            &self.0.entities(),
            &self.0.read_storage(),
            &mut serde_json::Serializer::new(&mut bytes),
        );
        assert!(saved.is_ok());
        let mut deserializer = serde_json::Deserializer::from_slice(loaded.part(&bytes));
        self.0.exec(
            |(all, mut storages, (mut markers, mut allocator)): (Entities, Storages, Markers)| {
                let result = DeserializeComponents::<Infallible, Marker>::deserialize(
                    &mut storages,
                    &all,
                    &mut markers,
                    &mut allocator,
                    &mut deserializer,
                );
                assert_eq!(result.is_ok(), loaded == Loaded::All);
            },
        );
        Some(())
    }
    fn command(&mut self, [a, b]: [Entity; 2], [first, second]: [Value; 2]) -> Ran {
        let lazy = self.0.read_resource::<LazyUpdate>();
        lazy.insert(a, First(first));
        lazy.exec_mut(|_| tick());
        lazy.insert(b, First(second));
        drop(lazy);
        self.0.maintain();
        Some(())
    }
}

struct WriteFirsts;
impl<'w> System<'w> for WriteFirsts {
    type SystemData = WriteStorage<'w, First>;

    fn run(&mut self, mut firsts: Self::SystemData) {
        (&mut firsts).join().for_each(|first| first.0 = Value::new());
        tick();
    }
}

struct ReadSeconds;
impl<'w> System<'w> for ReadSeconds {
    type SystemData = ReadStorage<'w, Second>;

    fn run(&mut self, seconds: Self::SystemData) {
        assert!(!seconds.is_empty());
    }
}

struct ReadBoth;
impl<'w> System<'w> for ReadBoth {
    type SystemData = (ReadStorage<'w, First>, ReadStorage<'w, Second>);

    fn run(&mut self, _: Self::SystemData) {}
}
