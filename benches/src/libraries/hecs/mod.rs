//! hecs: archetypes. Exclusive queries and views, which need no borrow checks at run time, and
//! prepared queries where there are many archetypes.

mod commands;
mod loops;
mod worlds;

use crate::components::{
    Audio, Data, Matrix, Position, Proximity, Rotation, Telling, Vec3, Velocity, for_letters,
    letters,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Join};
use hecs::{ColumnBatchType, Entity, World};
use std::iter::repeat_n;

/// The workloads with hecs.
pub fn library() -> Library {
    let mut hecs = Library::new("hecs", Some("hecs"), Kind::Archetypes);
    entities(&mut hecs);
    loops::iteration(&mut hecs);
    loops::terms(&mut hecs);
    loops::joins(&mut hecs);
    loops::frames(&mut hecs);
    worlds::worlds(&mut hecs);
    hecs
}

fn entities(hecs: &mut Library) {
    hecs.add_checked(
        "simple_insert",
        || (),
        |()| inserted().len() as usize,
        |()| mesh_sum(&inserted()),
    );
    hecs.add_checked(
        "bulk_insert",
        || (),
        |()| batched().len() as usize,
        |()| mesh_sum(&batched()),
    );
    // Nothing is inserted or removed in batches.
    for name in ["add_remove", "add_remove_batch"] {
        hecs.add(name, few, |(world, entities)| {
            for &entity in &*entities {
                world.insert_one(entity, Velocity(Vec3::ONE)).expect("it is alive");
            }
            let added = world.query_mut::<&Velocity>().into_iter().len();
            for &entity in &*entities {
                world.remove_one::<Velocity>(entity).expect("it has one");
            }
            added - world.query_mut::<&Velocity>().into_iter().len()
        });
    }
    commands::commands(hecs);
    hecs.add_checked(
        "respawn_10k",
        || scene::in_random_order(movers(scene::FEW)),
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    for one_by_one in ["random_get", "random_get_batch"] {
        hecs.add(
            one_by_one,
            || scene::in_random_order(movers(scene::MANY)),
            |(world, entities)| {
                let view = world.view_mut::<&Position>();
                let read = |&entity| view.get(entity).map_or(0.0, Telling::x);
                entities.iter().map(read).sum::<f32>()
            },
        );
    }
    hecs.add(
        "spawn_despawn_1m",
        || {
            let mut world = World::new();
            scene::shuffled(|| world.spawn(scene::mover()))
        },
        |entities| {
            let mut world = World::new();
            for _ in &*entities {
                world.spawn(scene::mover());
            }
            let spawned = world.len();
            for &entity in &*entities {
                world.despawn(entity).expect("it is alive");
            }
            (spawned - world.len()) as usize
        },
    );
    hecs.add(
        "spawn_despawn_batch_1m",
        || scene::shuffled_batch(World::new().spawn_batch(scene::batch_of_movers())),
        |entities| {
            let mut world = World::new();
            world.spawn_batch(scene::batch_of_movers());
            let spawned = world.len();
            for &entity in &*entities {
                world.despawn(entity).expect("it is alive");
            }
            (spawned - world.len()) as usize
        },
    );
}

fn few() -> (World, Vec<Entity>) {
    let mut world = World::new();
    let positions = (0..scene::FEW).map(|at| (Position::of(at),));
    let entities = world.spawn_batch(positions).collect();
    (world, entities)
}

fn inserted() -> World {
    let mut world = World::new();
    for _ in 0..scene::FEW {
        world.spawn(scene::mesh());
    }
    world
}

/// By columns, which it documents as its fastest way to spawn many.
fn batched() -> World {
    let mut kind = ColumnBatchType::new();
    kind.add::<Matrix>().add::<Position>().add::<Rotation>().add::<Velocity>();
    let batch = kind.into_batch(u32::try_from(scene::FEW).expect("few"));
    {
        let mut matrices = batch.writer::<Matrix>().expect("a column");
        let mut positions = batch.writer::<Position>().expect("a column");
        let mut rotations = batch.writer::<Rotation>().expect("a column");
        let mut velocities = batch.writer::<Velocity>().expect("a column");
        for _ in 0..scene::FEW {
            let (matrix, position, rotation, velocity) = scene::mesh();
            matrices.push(matrix).expect("room");
            positions.push(position).expect("room");
            rotations.push(rotation).expect("room");
            velocities.push(velocity).expect("room");
        }
    }
    let mut world = World::new();
    world.spawn_column_batch(batch.build().expect("all columns are full"));
    world
}

fn mesh_sum(world: &World) -> f32 {
    let mut meshes = world.query::<(&Matrix, &Position, &Rotation, &Velocity)>();
    meshes.iter().map(|(m, p, r, v)| m.0[15] + p.x() + r.x() + v.x()).sum()
}

fn movers(count: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let movers = (0..count).map(|at| (Position::of(at), Velocity::of(at)));
    let entities = world.spawn_batch(movers).collect();
    (world, entities)
}

fn churned() -> World {
    scene::churned(movers(scene::CHURNED), replace)
}

#[inline]
fn replace(world: &mut World, entity: Entity, mover: (Position, Velocity)) -> Entity {
    world.despawn(entity).expect("it is alive");
    world.spawn(mover)
}

fn moved(world: &World) -> f64 {
    let mut movers = world.query::<(&Position, &Velocity)>();
    movers.iter().map(|(p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}

fn tagged() -> World {
    let (mut world, entities) = movers(scene::TAGGED);
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {
            for (at, &entity) in entities.iter().enumerate() {
                $(if scene::has_tag(at, $index) {
                    world.insert_one(entity, letters::$letter(1.0)).expect("it is alive");
                })*
            }
        };
    }
    for_letters!(tag);
    world
}

fn fragmented() -> World {
    let mut world = World::new();
    macro_rules! spawn {
        ($($letter:ident $index:literal,)*) => {$(
            world.spawn_batch(repeat_n((letters::$letter(1.0), Data(1.0)), scene::KIND));
        )*};
    }
    for_letters!(spawn);
    world
}

fn joined(join: &Join) -> World {
    let mut world = World::new();
    let entities: Vec<_> = world.spawn_batch(repeat_n((), join.entities)).collect();
    for at in join.members(0) {
        world.insert_one(entities[at], Proximity::of(at)).expect("it is alive");
    }
    for at in join.members(1) {
        world.insert_one(entities[at], Audio::of(at)).expect("it is alive");
    }
    for at in join.members(2) {
        world.insert_one(entities[at], Position::of(at)).expect("it is alive");
    }
    for at in join.members(3) {
        world.insert_one(entities[at], Velocity::of(at)).expect("it is alive");
    }
    world
}

fn wide() -> World {
    let mut world = World::new();
    world.spawn_batch((0..scene::WIDE).map(scene::wide));
    world
}
