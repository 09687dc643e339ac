//! Entities that are made with their components, and ended.

use super::Ladder;
use super::page::{Forms, Paged, Plain};
use super::set::{Bits, Entity, Flat, Key, Set, Sparse};
use super::world::{Entities, Entry, Erased, Numbered, Pools, Tagged};
use crate::components::{Matrix, Position, Rotation, Telling, Velocity};
use crate::scene;
use std::marker::PhantomData;

/// A world of movers.
trait Movers: Default + 'static {
    fn spawn(&mut self, mover: (Position, Velocity)) -> Entity;
    /// Whether the entity was alive.
    fn despawn(&mut self, entity: Entity) -> bool;
    fn alive(&self) -> usize;
}

const POSITION: u64 = 1 << Position::BIT;
const VELOCITY: u64 = 1 << Velocity::BIT;

/// A world that knows its sets at compile time.
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

/// A world that finds its sets by their types, and by the bits of signatures.
struct Typed<E> {
    entities: Entities,
    pools: Pools<E>,
}

impl<E> Default for Typed<E> {
    fn default() -> Self {
        Self { entities: Entities::default(), pools: Pools::default() }
    }
}

impl<E: Entry> Movers for Typed<E> {
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
struct Remembering<E>(Typed<E>);

impl<E> Default for Remembering<E> {
    fn default() -> Self {
        Self(Typed::default())
    }
}

impl<E: Entry> Typed<E> {
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
            for &entity in &*entities {
                assert!(world.despawn(entity), "it is alive");
            }
            world.alive()
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
    ladder = movers::<Known<Entity, Bits>>(
        ladder,
        "bits",
        "membership bits, a word for 64 entities, set and cleared",
    );
    ladder = movers::<Known<Entity, Paged<Plain>>>(
        ladder,
        "pages",
        "bits and cells in pages of 1,024, allocated on first use, freed with their last member",
    );
    ladder = movers::<Known<Entity, Paged<Forms>>>(
        ladder,
        "forms",
        "no cells where members are in order, else 3 bytes; a page knows its members' generation",
    );
    ladder = movers::<Typed<Box<dyn Erased<Paged<Forms>>>>>(
        ladder,
        "types",
        "pools of any type, found by the types' numbers and by the signature's bits; removed from by a \
         virtual call",
    );
    ladder = movers::<Remembering<Box<dyn Erased<Paged<Forms>>>>>(
        ladder,
        "remembered",
        "no promise: the pools of the last signature are remembered, so that those of the next \
         entity are looked into before its record has come from memory",
    );
    ladder.ours()
}

/// A world of meshes.
trait Meshes: Default + 'static {
    fn spawn(&mut self, mesh: (Matrix, Position, Rotation, Velocity));
    fn values(&self) -> (&[Matrix], &[Position], &[Rotation], &[Velocity]);
}

/// What holds the components of one type.
trait Holder<T>: Default + 'static {
    fn push(&mut self, entity: Entity, value: T);
    fn values(&self) -> &[T];
}

impl<T: 'static> Holder<T> for Vec<T> {
    #[inline(always)]
    fn push(&mut self, _: Entity, value: T) {
        self.push(value);
    }
    fn values(&self) -> &[T] {
        self
    }
}

impl<T: 'static, S: Sparse> Holder<T> for Set<T, Entity, S> {
    #[inline(always)]
    fn push(&mut self, entity: Entity, value: T) {
        self.push(entity, value);
    }
    fn values(&self) -> &[T] {
        &self.values
    }
}

/// A way to hold components.
trait Way: 'static {
    type Holder<T: 'static>: Holder<T>;
}

struct Vecs;
impl Way for Vecs {
    type Holder<T: 'static> = Vec<T>;
}

struct Sets<S>(PhantomData<S>);
impl<S: Sparse> Way for Sets<S> {
    type Holder<T: 'static> = Set<T, Entity, S>;
}

struct Held<W: Way> {
    entities: Entities,
    matrices: W::Holder<Matrix>,
    positions: W::Holder<Position>,
    rotations: W::Holder<Rotation>,
    velocities: W::Holder<Velocity>,
}

impl<W: Way> Default for Held<W> {
    fn default() -> Self {
        Self {
            entities: Entities::default(),
            matrices: W::Holder::default(),
            positions: W::Holder::default(),
            rotations: W::Holder::default(),
            velocities: W::Holder::default(),
        }
    }
}

const MESH: u64 = 1 << Matrix::BIT | POSITION | 1 << Rotation::BIT | VELOCITY;

impl<W: Way> Meshes for Held<W> {
    #[inline]
    fn spawn(&mut self, mesh: (Matrix, Position, Rotation, Velocity)) {
        let entity = self.entities.spawn(MESH);
        self.matrices.push(entity, mesh.0);
        self.positions.push(entity, mesh.1);
        self.rotations.push(entity, mesh.2);
        self.velocities.push(entity, mesh.3);
    }
    fn values(&self) -> (&[Matrix], &[Position], &[Rotation], &[Velocity]) {
        let Self { matrices, positions, rotations, velocities, .. } = self;
        (matrices.values(), positions.values(), rotations.values(), velocities.values())
    }
}

impl<E: Entry> Meshes for Typed<E> {
    #[inline]
    fn spawn(&mut self, mesh: (Matrix, Position, Rotation, Velocity)) {
        let entity = self.entities.spawn(MESH);
        self.pools.make().push(entity, mesh.0);
        self.pools.make().push(entity, mesh.1);
        self.pools.make().push(entity, mesh.2);
        self.pools.make().push(entity, mesh.3);
    }
    fn values(&self) -> (&[Matrix], &[Position], &[Rotation], &[Velocity]) {
        fn of<E: Entry, T: Numbered>(pools: &Pools<E>) -> &[T] {
            pools.get().map_or(&[], |pool| &pool.values)
        }
        (of(&self.pools), of(&self.pools), of(&self.pools), of(&self.pools))
    }
}

fn inserted<W: Meshes>() -> W {
    let mut world = W::default();
    for _ in 0..scene::FEW {
        world.spawn(scene::mesh());
    }
    world
}

fn meshes<W: Meshes>(ladder: Ladder, name: &'static str, adds: &'static str) -> Ladder {
    ladder.rung(
        name,
        adds,
        || (),
        |()| inserted::<W>().values().0.len(),
        |()| {
            let world = inserted::<W>();
            let (m, p, r, v) = world.values();
            let meshes = m.iter().zip(p).zip(r.iter().zip(v));
            meshes.map(|((m, p), (r, v))| m.0[15] + p.x() + r.x() + v.x()).sum::<f32>()
        },
    )
}

pub fn simple_insert() -> Ladder {
    let mut ladder =
        Ladder::new("simple_insert", scene::FEW, "a spawn").floor("four Vecs that are pushed to");
    ladder = meshes::<Held<Vecs>>(
        ladder,
        "records",
        "records of 16 bytes: the generation and the signature",
    );
    ladder = meshes::<Held<Sets<Flat>>>(
        ladder,
        "sets",
        "dense arrays of handles, and flat arrays of dense indices that grow with the entities",
    );
    ladder = meshes::<Held<Sets<Paged<Plain>>>>(
        ladder,
        "pages",
        "membership bits; bits and cells in pages of 1,024, allocated on first use",
    );
    ladder = meshes::<Held<Sets<Paged<Forms>>>>(
        ladder,
        "forms",
        "no cells where members are in order; a page knows its members' generation",
    );
    ladder = meshes::<Typed<Box<Tagged<Paged<Forms>>>>>(
        ladder,
        "table",
        "pools are found by their types' numbers, made on first use; told by a tag",
    );
    ladder.ours()
}
