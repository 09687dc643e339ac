//! A component that is given to entities and taken from them.

use super::cells::{Forms, Plain};
use super::page::Paged;
use super::set::{Bits, Entity, Flat, Set, Sparse, number};
use super::world::{Entities, Entry, Erased, Numbered, Pools, Tagged, World};
use super::{BITS, FORMS, Ladder, PAGES};
use crate::components::{Position, Telling, Vec3, Velocity};
use crate::scene;

/// The work: each rung has a world of its own kind.
trait Editable {
    /// A world with some entities that have a position.
    fn of(entities: &[Entity]) -> Self;
    /// Returns `true` if the entity is alive.
    fn insert(&mut self, entity: Entity, velocity: Velocity) -> bool;
    fn remove(&mut self, entity: Entity) -> Option<Velocity>;
    fn len(&self) -> usize;
}

/// The living entities.
trait Living {
    fn of(count: usize) -> Self;
    /// Notes that an entity has a component. `true` if it is alive.
    fn mark(&mut self, entity: Entity, bits: u64) -> bool;
}

struct Generations(Vec<u32>);

impl Living for Generations {
    fn of(count: usize) -> Self {
        Self(vec![1; count])
    }
    #[inline]
    fn mark(&mut self, entity: Entity, _: u64) -> bool {
        self.0.get(entity.index as usize) == Some(&entity.generation)
    }
}

impl Living for Entities {
    fn of(count: usize) -> Self {
        let mut entities = Self::default();
        (0..count).for_each(|_| _ = entities.spawn(0));
        entities
    }
    #[inline]
    fn mark(&mut self, entity: Entity, bits: u64) -> bool {
        self.mark(entity, bits)
    }
}

/// A world whose set is a type parameter.
struct Known<L, S> {
    living: L,
    velocities: Set<Velocity, Entity, S>,
}

impl<L: Living, S: Sparse> Editable for Known<L, S> {
    fn of(entities: &[Entity]) -> Self {
        Self { living: L::of(entities.len()), velocities: Set::default() }
    }
    #[inline]
    fn insert(&mut self, entity: Entity, velocity: Velocity) -> bool {
        let is_alive = self.living.mark(entity, 1 << Velocity::BIT);
        if is_alive {
            self.velocities.insert(entity, velocity);
        }
        is_alive
    }
    #[inline]
    fn remove(&mut self, entity: Entity) -> Option<Velocity> {
        self.velocities.remove(entity)
    }
    fn len(&self) -> usize {
        self.velocities.dense.len()
    }
}

impl<E: Entry> Editable for World<E> {
    fn of(entities: &[Entity]) -> Self {
        let mut pools = Pools::default();
        for &entity in entities {
            pools.make().insert(entity, Position::of(entity.index as usize));
        }
        Self { entities: Entities::of(entities.len()), pools }
    }
    #[inline]
    fn insert(&mut self, entity: Entity, velocity: Velocity) -> bool {
        let is_alive = self.entities.mark(entity, 1 << Velocity::BIT);
        if is_alive {
            self.pools.make().insert(entity, velocity);
        }
        is_alive
    }
    #[inline]
    fn remove(&mut self, entity: Entity) -> Option<Velocity> {
        self.pools.get_mut()?.remove(entity)
    }
    fn len(&self) -> usize {
        self.pools.get::<Velocity>().map_or(0, |pool| pool.dense.len())
    }
}

fn rung<W: Editable + 'static>(ladder: Ladder, name: &'static str, adds: &'static str) -> Ladder {
    ladder.rung(
        name,
        adds,
        || {
            let entities: Vec<_> =
                (0..number(scene::FEW)).map(|index| Entity { index, generation: 1 }).collect();
            (W::of(&entities), entities)
        },
        |(world, entities)| {
            for &entity in &*entities {
                assert!(world.insert(entity, Velocity(Vec3::ONE)), "it is alive");
            }
            let added = world.len();
            for &entity in &*entities {
                world.remove(entity);
            }
            added - world.len()
        },
        |_| (),
    )
}

pub fn add_remove() -> Ladder {
    let mut ladder = Ladder::new("add_remove", scene::FEW, "an insertion and a removal")
        .sparse_floor("flat array of dense indices, entities are identified by their index alone");
    ladder = rung::<Known<Generations, Flat>>(
        ladder,
        "handles",
        "an insertion checks the generation in an array of the living, a removal the handle in the \
         dense array",
    );
    ladder = rung::<Known<Generations, Bits>>(ladder, "bits", BITS);
    ladder = rung::<Known<Generations, Paged<Plain>>>(ladder, "pages", PAGES);
    ladder = rung::<Known<Entities, Paged<Plain>>>(
        ladder,
        "records",
        "the signature is noted, in a record of 16 bytes with the generation",
    );
    ladder = rung::<Known<Entities, Paged<Forms>>>(ladder, "forms", FORMS);
    ladder = rung::<World<Box<Tagged<Paged<Forms>>>>>(
        ladder,
        "table",
        "the pool is found by its type's number in a table; a tag has its type",
    );
    ladder = rung::<World<Box<dyn Erased<Paged<Forms>>>>>(
        ladder,
        "types",
        "any type can have a pool, found by the type's id (ours: unsafe, without a test)",
    );
    ladder.ours()
}
