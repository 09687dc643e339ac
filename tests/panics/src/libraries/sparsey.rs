//! sparsey, with a group of both components.

use crate::ledger::Value;
use crate::library::{Library, Ran};
use sparsey::World;
use sparsey::component::GroupLayout;
use sparsey::entity::Entity;

struct First(Value);
struct Second(Value);

pub struct Sparsey(World);

impl Library for Sparsey {
    const NAME: &str = "sparsey";
    type Entity = Entity;

    fn new() -> Self {
        let mut layout = GroupLayout::default();
        layout.add_group::<(First, Second)>();
        Self(World::new(&layout))
    }
    fn spawn_empty(&mut self) -> Entity {
        self.0.create(())
    }
    fn spawn(&mut self, first: Value, second: Value) -> Entity {
        self.0.create((First(first), Second(second)))
    }
    fn insert(&mut self, entity: Entity, first: Value) {
        assert!(self.0.insert(entity, (First(first),)));
    }
    fn remove(&mut self, entity: Entity) {
        self.0.delete::<(First,)>(entity);
    }
    fn despawn(&mut self, entity: Entity) {
        assert!(self.0.destroy(entity));
    }
    fn is_alive(&mut self, entity: Entity) -> bool {
        self.0.contains_entity(entity)
    }
    fn first(&mut self, entity: Entity) -> Option<u32> {
        self.0.borrow::<First>().get(entity).map(|first| first.0.id())
    }
    fn second(&mut self, entity: Entity) -> Option<u32> {
        self.0.borrow::<Second>().get(entity).map(|second| second.0.id())
    }
    fn firsts(&mut self) -> Vec<(Entity, u32)> {
        let mut all = Vec::new();
        self.0.for_each::<(Entity, &First)>(|(entity, first)| all.push((entity, first.0.id())));
        all
    }
    fn both(&mut self) -> Vec<(Entity, u32, u32)> {
        let mut all = Vec::new();
        self.0.for_each::<(Entity, &First, &Second)>(|(entity, first, second)| {
            all.push((entity, first.0.id(), second.0.id()));
        });
        all
    }
    fn write(&mut self, mut f: impl FnMut(&mut Value)) {
        self.0.for_each::<&mut First>(|first| f(&mut first.0));
    }

    fn clear(&mut self) -> Ran {
        self.0.clear();
        Some(())
    }
    fn spawn_batch(&mut self, values: impl Iterator<Item = (Value, Value)>) -> Ran {
        self.0.extend(values.map(|(first, second)| (First(first), Second(second))));
        Some(())
    }
}
