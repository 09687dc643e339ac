//! `bevy_ecs`. The second component is stored in a sparse set, so both of its storages are tried.

use crate::ledger::{Value, tick};
use crate::library::{Library, Ran};
use bevy_ecs::prelude::{Add, Component, Entity, On, Query, Remove, Schedule, World};
use bevy_ecs::schedule::MultiThreadedExecutor;
use bevy_ecs::world::CommandQueue;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Component, Clone)]
struct First(Value);
#[derive(Component, Clone)]
#[component(storage = "SparseSet")]
struct Second(Value);

pub struct Bevy(World);

impl Library for Bevy {
    const NAME: &str = "bevy_ecs";
    type Entity = Entity;

    fn new() -> Self {
        Self(World::new())
    }
    fn spawn_empty(&mut self) -> Entity {
        self.0.spawn_empty().id()
    }
    fn spawn(&mut self, first: Value, second: Value) -> Entity {
        self.0.spawn((First(first), Second(second))).id()
    }
    fn insert(&mut self, entity: Entity, first: Value) {
        self.0.entity_mut(entity).insert(First(first));
    }
    fn remove(&mut self, entity: Entity) {
        self.0.entity_mut(entity).remove::<First>();
    }
    fn despawn(&mut self, entity: Entity) {
        assert!(self.0.despawn(entity));
    }
    fn is_alive(&mut self, entity: Entity) -> bool {
        self.0.get_entity(entity).is_ok()
    }
    fn first(&mut self, entity: Entity) -> Option<u32> {
        self.0.get::<First>(entity).map(|first| first.0.id())
    }
    fn second(&mut self, entity: Entity) -> Option<u32> {
        self.0.get::<Second>(entity).map(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(Entity, u32)> {
        let mut firsts = self.0.query::<(Entity, &First)>();
        firsts.iter(&self.0).map(|(entity, first)| (entity, first.0.id())).collect()
    }
    fn both(&mut self) -> Vec<(Entity, u32, u32)> {
        let mut both = self.0.query::<(Entity, &First, &Second)>();
        both.iter(&self.0).map(|(entity, a, b)| (entity, a.0.id(), b.0.id())).collect()
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        let mut firsts = self.0.query::<&mut First>();
        firsts.iter_mut(&mut self.0).for_each(|mut first| f(&mut first.0));
    }

    fn clear(&mut self) -> Ran {
        self.0.clear_entities();
        Some(())
    }
    fn spawn_batch(&mut self, values: impl Iterator<Item = (Value, Value)>) -> Ran {
        self.0.spawn_batch(values.map(|(first, second)| (First(first), Second(second))));
        Some(())
    }
    fn observe_insertions(&mut self, f: fn()) -> Ran {
        self.0.add_observer(move |_: On<Add<First>>| f());
        Some(())
    }
    fn observe_removals(&mut self, f: fn()) -> Ran {
        self.0.add_observer(move |_: On<Remove<First>>| f());
        Some(())
    }
    /// Sorts the items of a query: the world has no order of its own.
    fn sort(&mut self) -> Ran {
        let mut firsts = self.0.query::<&mut First>();
        let sorted = firsts.iter_mut(&mut self.0).sort_by::<&First>(|a, b| {
            tick();
            b.0.id().cmp(&a.0.id())
        });
        sorted.for_each(drop);
        Some(())
    }
    fn copy(&mut self, entity: Entity) -> Ran {
        self.0.entity_mut(entity).clone_and_spawn();
        Some(())
    }
    fn schedule(&mut self) -> Ran {
        let mut schedule = Schedule::default();
        schedule.set_executor(MultiThreadedExecutor::new());
        schedule.add_systems((
            |mut firsts: Query<&mut First>| {
                firsts.iter_mut().for_each(|mut first| first.0 = Value::new());
                tick();
            },
            |seconds: Query<&Second>| assert!(seconds.iter().count() > 0),
            |_: Query<(&First, &Second)>| {},
        ));
        let run = catch_unwind(AssertUnwindSafe(|| schedule.run(&mut self.0)));
        if let Err(panic) = run {
            schedule.run(&mut self.0);
            resume_unwind(panic);
        }
        Some(())
    }
    fn command(&mut self, [a, b]: [Entity; 2], [first, second]: [Value; 2]) -> Ran {
        let mut commands = CommandQueue::default();
        commands.push(move |world: &mut World| _ = world.entity_mut(a).insert(First(first)));
        commands.push(|_: &mut World| tick());
        commands.push(move |world: &mut World| _ = world.entity_mut(b).insert(First(second)));
        commands.apply(&mut self.0);
        Some(())
    }
}
