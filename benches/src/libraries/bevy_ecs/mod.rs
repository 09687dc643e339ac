//! `bevy_ecs`: archetypes (tables). Query states are made once and kept, as systems keep them.
//! Movers are moved by tables' columns where that is faster: with few components. Components that
//! come and go are kept in a sparse set, as its documentation advises.

mod changes;
mod commands;
mod loops;
mod observed;
mod relations;
pub(super) mod systems;
mod worlds;

use crate::components::{
    Audio, Data, Matrix, Position, Proximity, Rotation, Telling, Vec3, Velocity, for_letters,
    letters,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Join};
use bevy_ecs::prelude::{Component, Entity, QueryState, With, World};
use bevy_ecs::query::{QueryData, QueryFilter};
use std::iter::repeat_n;

/// The workloads with `bevy_ecs`.
pub fn library() -> Library {
    let mut bevy = Library::new("bevy_ecs", Some("bevy_ecs"), Kind::Archetypes);
    entities(&mut bevy);
    relations::relations(&mut bevy);
    loops::iteration(&mut bevy);
    loops::terms(&mut bevy);
    loops::joins(&mut bevy);
    loops::frames(&mut bevy);
    worlds::worlds(&mut bevy);
    changes::all(&mut bevy);
    observed::observation(&mut bevy);
    bevy
}

/// A component that comes and goes.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Burst(Vec3);

/// A world and a query of it.
struct Queried<D: QueryData + 'static, F: QueryFilter + 'static = ()> {
    world: World,
    query: QueryState<D, F>,
}

impl<D: QueryData + 'static, F: QueryFilter + 'static> Queried<D, F> {
    fn new(mut world: World) -> Self {
        let query = world.query_filtered();
        Self { world, query }
    }
}

fn entities(bevy: &mut Library) {
    bevy.add_checked(
        "simple_insert",
        || (),
        |()| count(&mut inserted()),
        |()| mesh_sum(inserted()),
    );
    bevy.add_checked("bulk_insert", || (), |()| count(&mut batched()), |()| mesh_sum(batched()));
    bevy.add("add_remove", few, add_and_remove);
    bevy.add("add_remove_batch", few, add_and_remove_batch);
    commands::commands(bevy);
    bevy.add_checked(
        "respawn_10k",
        || scene::in_random_order(movers(scene::FEW)),
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    let scattered = || {
        let (world, entities) = scene::in_random_order(movers(scene::MANY));
        (Queried::<&Position>::new(world), entities)
    };
    bevy.add("random_get", scattered, |(queried, entities)| {
        let query = queried.query.query(&queried.world);
        let read = |&entity| query.get(entity).map_or(0.0, Telling::x);
        entities.iter().map(read).sum::<f32>()
    });
    bevy.add("random_get_batch", scattered, |(queried, entities)| {
        let query = queried.query.query(&queried.world);
        query.iter_many(&*entities).flatten().map(Telling::x).sum::<f32>()
    });
    bevy.add(
        "spawn_despawn_1m",
        || {
            let mut world = World::new();
            scene::shuffled(|| world.spawn(scene::mover()).id())
        },
        |entities| {
            let mut world = World::new();
            for _ in &*entities {
                world.spawn(scene::mover());
            }
            let spawned = count(&mut world);
            for &entity in &*entities {
                assert!(world.despawn(entity), "it is alive");
            }
            spawned - count(&mut world)
        },
    );
    bevy.add(
        "spawn_despawn_batch_1m",
        || scene::shuffled_batch(World::new().spawn_batch(scene::batch_of_movers())),
        |entities| {
            let mut world = World::new();
            world.spawn_batch(scene::batch_of_movers());
            let spawned = count(&mut world);
            for &entity in &*entities {
                assert!(world.despawn(entity), "it is alive");
            }
            spawned - count(&mut world)
        },
    );
}

/// Some entities, and a query that counts bursts.
type Few = (World, Vec<Entity>, QueryState<(), With<Burst>>);

fn few() -> Few {
    few_of(|_| {})
}

fn few_of(prepare: fn(&mut World)) -> Few {
    let mut world = World::new();
    prepare(&mut world);
    let entities = world.spawn_batch((0..scene::FEW).map(Position::of)).collect();
    let query = world.query_filtered::<(), With<Burst>>();
    (world, entities, query)
}

fn add_and_remove((world, entities, query): &mut Few) -> usize {
    for &entity in &*entities {
        world.entity_mut(entity).insert(Burst(Vec3::ONE));
    }
    let added = query.iter(world).len();
    for &entity in &*entities {
        world.entity_mut(entity).remove::<Burst>();
    }
    added - query.iter(world).len()
}

/// Nothing is removed in batches.
fn add_and_remove_batch((world, entities, query): &mut Few) -> usize {
    let bursts: Vec<_> = entities.iter().map(|&entity| (entity, Burst(Vec3::ONE))).collect();
    world.insert_batch(bursts);
    let added = query.iter(world).len();
    for &entity in &*entities {
        world.entity_mut(entity).remove::<Burst>();
    }
    added - query.iter(world).len()
}

fn inserted() -> World {
    let mut world = World::new();
    for _ in 0..scene::FEW {
        world.spawn(scene::mesh());
    }
    world
}

fn batched() -> World {
    let mut world = World::new();
    world.spawn_batch((0..scene::FEW).map(|_| scene::mesh()));
    world
}

/// A world counts some entities of its own, so a query does this.
fn count(world: &mut World) -> usize {
    world.query_filtered::<(), With<Position>>().iter(world).len()
}

fn mesh_sum(mut world: World) -> f32 {
    let mut meshes = world.query::<(&Matrix, &Position, &Rotation, &Velocity)>();
    meshes.iter(&world).map(|(m, p, r, v)| m.0[15] + p.x() + r.x() + v.x()).sum()
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
    assert!(world.despawn(entity), "it is alive");
    world.spawn(mover).id()
}

fn moved(world: &mut World) -> f64 {
    let mut movers = world.query::<(&Position, &Velocity)>();
    movers.iter(world).map(|(p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}

fn tagged() -> World {
    let (world, entities) = movers(scene::TAGGED);
    lettered(world, &entities, scene::has_tag)
}

/// Inserts into each entity the letters that it `has`, by its number and the letter's.
fn lettered(mut world: World, entities: &[Entity], has: impl Fn(usize, u32) -> bool) -> World {
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {
            for (at, &entity) in entities.iter().enumerate() {
                let mut entity = world.entity_mut(entity);
                $(if has(at, $index) {
                    entity.insert(letters::$letter(1.0));
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

fn wide() -> World {
    let mut world = World::new();
    world.spawn_batch((0..scene::WIDE).map(scene::wide));
    world
}

fn joined(join: &Join) -> World {
    let mut world = World::new();
    let entities: Vec<_> = world.spawn_batch(repeat_n((), join.entities)).collect();
    for at in join.members(0) {
        world.entity_mut(entities[at]).insert(Proximity::of(at));
    }
    for at in join.members(1) {
        world.entity_mut(entities[at]).insert(Audio::of(at));
    }
    for at in join.members(2) {
        world.entity_mut(entities[at]).insert(Position::of(at));
    }
    for at in join.members(3) {
        world.entity_mut(entities[at]).insert(Velocity::of(at));
    }
    world
}
