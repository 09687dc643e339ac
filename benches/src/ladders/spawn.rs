//! Entities with two components that are made, and ended in random order.

use super::cells::{Forms, Plain};
use super::page::Paged;
use super::set::{Bits, Entity, Flat, Key, Set, Sparse};
use super::world::{Entities, Entry, Erased, Numbered, World};
use super::{BITS, FORMS, Ladder, PAGES};
use crate::components::{Position, Velocity};
use crate::scene;

/// A world of movers.
trait Movers: Default + 'static {
    fn spawn(&mut self, mover: (Position, Velocity)) -> Entity;
    /// Returns `true` if the entity was alive.
    fn despawn(&mut self, entity: Entity) -> bool;
    fn alive(&self) -> usize;
}

const POSITION: u64 = 1 << Position::BIT;
const VELOCITY: u64 = 1 << Velocity::BIT;

/// A world whose sets are type parameters.
struct Known<K, S> {
    entities: Entities,
    positions: Set<Position, K, S>,
    velocities: Set<Velocity, K, S>,
}

impl<K, S: Default> Default for Known<K, S> {
    fn default() -> Self {
        let entities = Entities::default();
        Self { entities, positions: Set::default(), velocities: Set::default() }
    }
}

impl<K: Key, S: Sparse> Movers for Known<K, S> {
    #[inline]
    fn spawn(&mut self, (position, velocity): (Position, Velocity)) -> Entity {
        let entity = self.entities.spawn(POSITION | VELOCITY);
        self.positions.push(entity, position);
        self.velocities.push(entity, velocity);
        entity
    }
    #[inline]
    fn despawn(&mut self, entity: Entity) -> bool {
        let Some(signature) = self.entities.despawn(entity) else { return false };
        if signature & POSITION != 0 {
            self.positions.remove(entity);
        }
        if signature & VELOCITY != 0 {
            self.velocities.remove(entity);
        }
        true
    }
    fn alive(&self) -> usize {
        self.entities.alive()
    }
}

impl<E: Entry> Movers for World<E> {
    #[inline]
    fn spawn(&mut self, mover: (Position, Velocity)) -> Entity {
        self.spawn_mover(mover)
    }
    #[inline]
    fn despawn(&mut self, entity: Entity) -> bool {
        let Some(signature) = self.entities.despawn(entity) else { return false };
        self.pools.remove_all(entity, signature);
        true
    }
    fn alive(&self) -> usize {
        self.entities.alive()
    }
}

/// A world that remembers in which sets the last entity was that has ended.
struct Remembering<E>(World<E>);

impl<E> Default for Remembering<E> {
    fn default() -> Self {
        Self(World::default())
    }
}

impl<E: Entry> World<E> {
    #[inline]
    fn spawn_mover(&mut self, (position, velocity): (Position, Velocity)) -> Entity {
        let entity = self.entities.spawn(POSITION | VELOCITY);
        self.pools.make().push(entity, position);
        self.pools.make().push(entity, velocity);
        entity
    }
}

impl<E: Entry> Movers for Remembering<E> {
    #[inline]
    fn spawn(&mut self, mover: (Position, Velocity)) -> Entity {
        self.0.spawn_mover(mover)
    }
    #[inline]
    fn despawn(&mut self, entity: Entity) -> bool {
        let Some(signature) = self.0.entities.despawn(entity) else { return false };
        self.0.pools.remove_all_as_before(entity, signature);
        true
    }
    fn alive(&self) -> usize {
        self.0.entities.alive()
    }
}

fn movers<W: Movers>(ladder: Ladder, name: &'static str, adds: &'static str) -> Ladder {
    ladder.rung(
        name,
        adds,
        || {
            let mut world = W::default();
            scene::shuffled(|| world.spawn(scene::mover()))
        },
        |entities| {
            let mut world = W::default();
            for _ in &*entities {
                world.spawn(scene::mover());
            }
            let spawned = world.alive();
            for &entity in &*entities {
                assert!(world.despawn(entity), "it is alive");
            }
            spawned - world.alive()
        },
        |_| (),
    )
}

pub fn spawn_despawn() -> Ladder {
    let mut ladder = Ladder::new("spawn_despawn_1m", scene::MANY, "a spawn and its despawn")
        .sparse_floor("generations of 4 bytes, flat arrays of dense indices");
    ladder = movers::<Known<u32, Flat>>(
        ladder,
        "records",
        "records of 16 bytes: the generation and the signature; free handles ready made",
    );
    ladder = movers::<Known<Entity, Flat>>(
        ladder,
        "handles",
        "dense arrays of handles, which are compared: a pool answers for handles by itself",
    );
    ladder = movers::<Known<Entity, Bits>>(ladder, "bits", BITS);
    ladder = movers::<Known<Entity, Paged<Plain>>>(ladder, "pages", PAGES);
    ladder = movers::<Known<Entity, Paged<Forms>>>(ladder, "forms", FORMS);
    ladder = movers::<World<Box<dyn Erased<Paged<Forms>>>>>(
        ladder,
        "types",
        "pools of any type, found by the types' numbers and by the signature's bits; removed from by a \
         virtual call",
    );
    ladder = movers::<Remembering<Box<dyn Erased<Paged<Forms>>>>>(
        ladder,
        "remembered",
        "no promise: the pools of the last signature are remembered, so that the pools of the next entity are \
         looked into before its record has come from memory",
    );
    ladder.ours()
}
