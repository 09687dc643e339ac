//! Entities with four components that are made in a new world, which is dropped.

use super::Ladder;
use super::cells::{Forms, Plain};
use super::page::Paged;
use super::set::{Entity, Flat, Set, Sparse};
use super::world::{Entities, Entry, Numbered, Pools, Tagged, World};
use crate::components::{Matrix, Position, Rotation, Telling, Velocity};
use crate::scene;
use std::marker::PhantomData;

/// A world of meshes.
trait Meshes: Default + 'static {
    fn spawn(&mut self, mesh: (Matrix, Position, Rotation, Velocity));
    fn values(&self) -> (&[Matrix], &[Position], &[Rotation], &[Velocity]);
}

/// A container for the components of one type.
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

const MESH: u64 = 1 << Matrix::BIT | 1 << Position::BIT | 1 << Rotation::BIT | 1 << Velocity::BIT;

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

impl<E: Entry> Meshes for World<E> {
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
    ladder = meshes::<World<Box<Tagged<Paged<Forms>>>>>(
        ladder,
        "table",
        "pools are found by their types' numbers, made on first use; a tag has the type",
    );
    ladder.ours()
}
