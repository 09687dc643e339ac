//! The scenes with specs, with components in the storage that the module above names.

use super::Storage;
use crate::components::{
    Audio, Colour, Data, Force, Matrix, Position, Proximity, Rotation, Scale, Telling, Velocity,
    for_letters, letters,
};
use crate::scene::{self, Join};
use specs::{Builder, Entity, Join as _, SystemData, World, WorldExt};
use std::ops::{Deref, DerefMut};

/// A component in this storage.
pub struct Kept<T> {
    value: T,
}

impl<T: Send + Sync + 'static> specs::Component for Kept<T> {
    type Storage = Storage<Self>;
}

impl<T> Deref for Kept<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Kept<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

pub type Read<'w, T> = specs::ReadStorage<'w, Kept<T>>;
pub type Write<'w, T> = specs::WriteStorage<'w, Kept<T>>;

/// The joined components.
pub type Both<'w> = (Read<'w, Proximity>, Read<'w, Audio>);

/// The components of wide entities besides `Position` and `Velocity`.
pub type Six<'w> = (
    Read<'w, Proximity>,
    Read<'w, Audio>,
    Read<'w, Rotation>,
    Read<'w, Scale>,
    Read<'w, Colour>,
    Read<'w, Force>,
);

pub const fn keep<T>(value: T) -> Kept<T> {
    Kept { value }
}

pub fn read<T: Send + Sync + 'static>(world: &World) -> Read<'_, T> {
    world.read_storage()
}

pub fn write<T: Send + Sync + 'static>(world: &World) -> Write<'_, T> {
    world.write_storage()
}

/// An empty world with these storages and no others: each one there is costs whenever entities end.
pub fn empty<'w, S: SystemData<'w>>() -> World {
    let mut world = World::new();
    world.setup::<S>();
    world
}

/// An empty world for movers.
pub fn empty_for_movers() -> World {
    empty::<(Read<Position>, Read<Velocity>)>()
}

/// specs has no batches; each entity is made on its own, with storages fetched once for all.
pub fn inserted() -> World {
    let world = empty::<(Read<Matrix>, Read<Position>, Read<Rotation>, Read<Velocity>)>();
    {
        let entities = world.entities();
        let mut matrices = write::<Matrix>(&world);
        let mut positions = write::<Position>(&world);
        let mut rotations = write::<Rotation>(&world);
        let mut velocities = write::<Velocity>(&world);
        for _ in 0..scene::FEW {
            let (matrix, position, rotation, velocity) = scene::mesh();
            let entity = entities.build_entity().with(keep(matrix), &mut matrices);
            let entity =
                entity.with(keep(position), &mut positions).with(keep(rotation), &mut rotations);
            entity.with(keep(velocity), &mut velocities).build();
        }
    }
    world
}

pub fn spawn(world: &World, count: usize) {
    let entities = world.entities();
    let mut positions = write::<Position>(world);
    let mut velocities = write::<Velocity>(world);
    for _ in 0..count {
        let (position, velocity) = scene::mover();
        let entity = entities.build_entity().with(keep(position), &mut positions);
        entity.with(keep(velocity), &mut velocities).build();
    }
}

pub fn mesh_sum(world: &World) -> f32 {
    let (m, p) = (read::<Matrix>(world), read::<Position>(world));
    let (r, v) = (read::<Rotation>(world), read::<Velocity>(world));
    (&m, &p, &r, &v).join().map(|(m, p, r, v)| m.0[15] + p.x() + r.x() + v.x()).sum()
}

pub fn movers(count: usize) -> (World, Vec<Entity>) {
    let mut world = empty_for_movers();
    let entities: Vec<_> = world.create_iter().take(count).collect();
    insert(&world, &entities, 0..count, Position::of);
    insert(&world, &entities, 0..count, Velocity::of);
    (world, entities)
}

pub fn churned() -> World {
    scene::churned(movers(scene::CHURNED), replace)
}

#[inline]
pub fn replace(
    world: &mut World,
    entity: Entity,
    (position, velocity): (Position, Velocity),
) -> Entity {
    world.delete_entity(entity).expect("it is alive");
    world.create_entity().with(keep(position)).with(keep(velocity)).build()
}

/// Inserts a component into the entities `at`.
pub fn insert<T: Send + Sync + 'static>(
    world: &World,
    entities: &[Entity],
    at: impl IntoIterator<Item = usize>,
    of: impl Fn(usize) -> T,
) {
    let mut storage = write::<T>(world);
    for at in at {
        storage.insert(entities[at], keep(of(at))).expect("it is alive");
    }
}

pub fn moved(world: &World) -> f64 {
    let (positions, velocities) = moving(world);
    let movers = (&positions, &velocities).join();
    movers.map(|(p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}

pub fn moving(world: &World) -> (Write<'_, Position>, Read<'_, Velocity>) {
    (write(world), read(world))
}

pub fn tagged() -> World {
    let (world, entities) = movers(scene::TAGGED);
    lettered(world, &entities, scene::has_tag)
}

/// Inserts into each entity the letters that it `has`, by its number and the letter's.
pub fn lettered(mut world: World, entities: &[Entity], has: impl Fn(usize, u32) -> bool) -> World {
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {$(
            world.register::<Kept<letters::$letter>>();
            let tagged = (0..entities.len()).filter(|&at| has(at, $index));
            insert(&world, &entities, tagged, |_| letters::$letter(1.0));
        )*};
    }
    for_letters!(tag);
    world
}

pub fn fragmented() -> World {
    let mut world = World::new();
    world.register::<Kept<Data>>();
    macro_rules! spawn {
        ($($letter:ident $index:literal,)*) => {$(
            world.register::<Kept<letters::$letter>>();
            for _ in 0..scene::KIND {
                world.create_entity().with(keep(letters::$letter(1.0))).with(keep(Data(1.0))).build();
            }
        )*};
    }
    for_letters!(spawn);
    world
}

pub fn wide() -> World {
    let (mut world, entities) = movers(scene::WIDE);
    world.setup::<Six>();
    let all = || 0..scene::WIDE;
    insert(&world, &entities, all(), Proximity::of);
    insert(&world, &entities, all(), Audio::of);
    insert(&world, &entities, all(), Rotation::of);
    insert(&world, &entities, all(), Scale::of);
    insert(&world, &entities, all(), Colour::of);
    insert(&world, &entities, all(), Force::of);
    world
}

/// The join's entities with its first two components.
fn paired(join: &Join) -> (World, Vec<Entity>) {
    let mut world = empty::<Both>();
    let entities: Vec<_> = world.create_iter().take(join.entities).collect();
    insert(&world, &entities, join.members(0), Proximity::of);
    insert(&world, &entities, join.members(1), Audio::of);
    (world, entities)
}

pub fn joined(join: &Join) -> World {
    paired(join).0
}

pub fn joined_four() -> World {
    let (mut world, entities) = paired(&scene::JOIN4);
    world.setup::<(Read<Position>, Read<Velocity>)>();
    insert(&world, &entities, scene::JOIN4.members(2), Position::of);
    insert(&world, &entities, scene::JOIN4.members(3), Velocity::of);
    world
}
