//! `ecs`.

use crate::ledger::{Value, tick};
use crate::library::{Library, Loaded, Ran};
use ecs::save::Limits;
use ecs::{Commands, Component, Entity, Schedule, Sharing, View, World};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "first")]
struct First(Value);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "second")]
struct Second(Value);

pub struct Ecs(World);

impl Library for Ecs {
    const NAME: &str = "ecs";
    type Entity = Entity;

    fn new() -> Self {
        let mut world = World::new();
        world.register::<(First, Second)>();
        Self(world)
    }
    fn spawn_empty(&mut self) -> Entity {
        self.0.spawn_empty().id()
    }
    fn spawn(&mut self, first: Value, second: Value) -> Entity {
        self.0.spawn((First(first), Second(second))).id()
    }
    fn insert(&mut self, entity: Entity, first: Value) {
        self.0.insert(entity, First(first)).unwrap();
    }
    fn remove(&mut self, entity: Entity) {
        drop(self.0.remove::<First>(entity));
    }
    fn despawn(&mut self, entity: Entity) {
        self.0.despawn(entity).unwrap();
    }
    fn is_alive(&mut self, entity: Entity) -> bool {
        self.0.is_alive(entity)
    }
    fn first(&mut self, entity: Entity) -> Option<u32> {
        self.0.get::<First>(entity).map(|first| first.0.id())
    }
    fn second(&mut self, entity: Entity) -> Option<u32> {
        self.0.get::<Second>(entity).map(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(Entity, u32)> {
        self.0.view::<&First>().into_iter().map(|(entity, first)| (entity, first.0.id())).collect()
    }
    fn both(&mut self) -> Vec<(Entity, u32, u32)> {
        let both = self.0.view::<(&First, &Second)>();
        both.into_iter().map(|(entity, a, b)| (entity, a.0.id(), b.0.id())).collect()
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        self.0.view_mut::<&mut First>().for_each(|(_, first)| f(&mut first.0));
    }

    fn clear(&mut self) -> Ran {
        self.0.clear();
        Some(())
    }
    fn spawn_batch(&mut self, values: impl Iterator<Item = (Value, Value)>) -> Ran {
        self.0.spawn_batch(values.map(|(first, second)| (First(first), Second(second))));
        Some(())
    }
    fn observe_insertions(&mut self, f: fn()) -> Ran {
        self.0.on_insert::<First>(move |_, _| f());
        Some(())
    }
    fn observe_removals(&mut self, f: fn()) -> Ran {
        self.0.on_remove::<First>(move |_, _| f());
        Some(())
    }
    fn sort(&mut self) -> Ran {
        let compare = |a: &First, b: &First| {
            tick();
            b.0.id().cmp(&a.0.id())
        };
        self.0.pool_mut::<First>().sort_by(compare).unwrap();
        Some(())
    }
    fn copy(&mut self, entity: Entity) -> Ran {
        self.0.spawn_copies(entity, 1).unwrap();
        Some(())
    }
    fn schedule(&mut self) -> Ran {
        let mut schedule = Schedule::new()
            .add(|firsts: View<&mut First>| {
                firsts.into_iter().for_each(|(_, first)| first.0 = Value::new());
                tick();
            })
            .add(|seconds: View<&Second>| assert!(seconds.count() > 0))
            .add(|_: View<(&First, &Second)>| {});
        schedule.set_sharing(Sharing::Always);
        let run = catch_unwind(AssertUnwindSafe(|| schedule.run(&mut self.0).unwrap()));
        if let Err(panic) = run {
            schedule.run(&mut self.0).unwrap();
            resume_unwind(panic);
        }
        Some(())
    }
    fn load(&mut self, loaded: Loaded) -> Ran {
        let mut bytes = Vec::new();
        self.0.save().to_bytes(&mut bytes).unwrap();
        let result = self.0.load(loaded.part(&bytes), &Limits::default());
        assert_eq!(result.is_ok(), loaded == Loaded::All);
        Some(())
    }
    fn command(&mut self, [a, b]: [Entity; 2], [first, second]: [Value; 2]) -> Ran {
        let mut commands = Commands::new();
        commands.insert(a, First(first));
        commands.queue(|_| tick());
        commands.insert(b, First(second));
        _ = commands.apply(&mut self.0);
        Some(())
    }
}
