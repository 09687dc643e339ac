//! `flecs_ecs`: panics pass through frames of C, which its functions of type `extern "C-unwind"` permit.

use crate::ledger::{Value, tick};
use crate::library::{Library, Ran};
use flecs_ecs::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Component, Clone)]
struct First(Value);
#[derive(Component, Clone)]
struct Second(Value);

pub struct Flecs(World);

impl Library for Flecs {
    const NAME: &str = "flecs_ecs";
    type Entity = Entity;

    fn new() -> Self {
        Self(World::new())
    }
    fn spawn_empty(&mut self) -> Entity {
        self.0.entity().id()
    }
    fn spawn(&mut self, first: Value, second: Value) -> Entity {
        self.0.entity().set(First(first)).set(Second(second)).id()
    }
    fn insert(&mut self, entity: Entity, first: Value) {
        self.0.entity_from_id(entity).set(First(first));
    }
    fn remove(&mut self, entity: Entity) {
        self.0.entity_from_id(entity).remove(First::id());
    }
    fn despawn(&mut self, entity: Entity) {
        self.0.entity_from_id(entity).destruct();
    }
    fn is_alive(&mut self, entity: Entity) -> bool {
        self.0.is_alive(entity)
    }
    fn first(&mut self, entity: Entity) -> Option<u32> {
        let alive = self.0.is_alive(entity).then(|| self.0.entity_from_id(entity));
        alive?.try_get::<&First>(|first| first.0.id())
    }
    fn second(&mut self, entity: Entity) -> Option<u32> {
        let alive = self.0.is_alive(entity).then(|| self.0.entity_from_id(entity));
        alive?.try_get::<&Second>(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(Entity, u32)> {
        let mut all = Vec::new();
        let firsts = self.0.new_query::<&First>();
        firsts.each_entity(|entity, first| all.push((entity.id(), first.0.id())));
        all
    }
    fn both(&mut self) -> Vec<(Entity, u32, u32)> {
        let mut all = Vec::new();
        let both = self.0.new_query::<(&First, &Second)>();
        both.each_entity(|entity, (a, b)| all.push((entity.id(), a.0.id(), b.0.id())));
        all
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        self.0.new_query::<&mut First>().each(|first| f(&mut first.0));
    }

    /// Deletes all that have the first component: the world has entities of its own.
    fn clear(&mut self) -> Ran {
        self.0.delete_entities_with(First::id());
        Some(())
    }
    fn observe_insertions(&mut self, f: fn()) -> Ran {
        self.0.observer::<flecs::OnSet, &First>().each(move |_| f());
        Some(())
    }
    fn observe_removals(&mut self, f: fn()) -> Ran {
        self.0.observer::<flecs::OnRemove, &First>().each(move |_| f());
        Some(())
    }
    fn sort(&mut self) -> Ran {
        let mut query = self.0.query::<&First>();
        query.order_by::<First>(|_, a: &First, _, b: &First| {
            tick();
            i32::from(b.0.id() > a.0.id()) - i32::from(b.0.id() < a.0.id())
        });
        query.build().each(|_| {});
        Some(())
    }
    fn copy(&mut self, entity: Entity) -> Ran {
        self.0.entity_from_id(entity).duplicate(true);
        Some(())
    }
    fn schedule(&mut self) -> Ran {
        self.0.set_threads(2);
        self.0.system::<&mut First>().par_each(|first| {
            first.0 = Value::new();
            tick();
        });
        self.0.system::<&Second>().par_each(|_| {});
        let run = catch_unwind(AssertUnwindSafe(|| self.0.progress()));
        if let Err(panic) = run {
            self.0.progress();
            resume_unwind(panic);
        }
        Some(())
    }
}
