//! A hundred thousand entities of three components, saved and loaded: a world of ours, and a scene of bevy, which is
//! made by reflection, both in the format of postcard. And ten thousand copies of an entity. The least of 7 rounds.
//!
//! ```sh
//! cargo run --release --manifest-path benches/scenes/Cargo.toml
//! ```

use bevy_asset::{AssetPath, LoadFromPath, UntypedHandle};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::AppTypeRegistry;
use bevy_world_serialization::DynamicWorld;
use bevy_world_serialization::serde::{DynamicWorldSerializer, WorldDeserializer};
use serde::de::DeserializeSeed;
use std::any::TypeId;
use std::hint::black_box;
use std::time::{Duration, Instant};

const COUNT: u32 = 100_000;
const COPIES: usize = 10_000;
const ROUNDS: u32 = 7;
/// The least time of a scene, as a multiple of this library's.
const PROMISED: f64 = 30.0;

/// Both libraries' derives have attributes of one name.
mod ours {
    use ecs::Component;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Copy, Serialize, Deserialize)]
    #[component(save = "position", clone)]
    pub struct Position(pub [f32; 3]);
    #[derive(Component, Clone, Copy, Serialize, Deserialize)]
    #[component(save = "velocity", clone)]
    pub struct Velocity(pub [f32; 3]);
    #[derive(Component, Clone, Copy, Serialize, Deserialize)]
    #[component(save = "health", clone)]
    pub struct Health(pub u64);
}

mod theirs {
    use bevy_ecs::prelude::{Component, ReflectComponent};
    use bevy_reflect::Reflect;

    #[derive(Component, Reflect, Clone, Copy)]
    #[reflect(Component)]
    pub struct Position(pub [f32; 3]);
    #[derive(Component, Reflect, Clone, Copy)]
    #[reflect(Component)]
    pub struct Velocity(pub [f32; 3]);
    #[derive(Component, Reflect, Clone, Copy)]
    #[reflect(Component)]
    pub struct Health(pub u64);
}

fn values() -> impl Iterator<Item = ([f32; 3], [f32; 3], u64)> {
    (0..COUNT).map(|at| {
        let (a, b) = ((at / 1_000) as f32, (at % 1_000) as f32);
        ([a, b, 0.5], [b, a, 1.5], u64::from(at) % 1_000)
    })
}

/// Nothing of this is in these scenes.
struct NoAssets;

impl LoadFromPath for NoAssets {
    fn load_from_path_erased(&mut self, _: TypeId, _: AssetPath<'static>) -> UntypedHandle {
        unreachable!("no component has an asset")
    }
}

fn empty(registry: &AppTypeRegistry) -> bevy_ecs::world::World {
    let mut world = bevy_ecs::world::World::new();
    world.insert_resource(registry.clone());
    world
}

fn save(world: &bevy_ecs::world::World, registry: &AppTypeRegistry) -> Vec<u8> {
    let (scene, types) = (DynamicWorld::from_world(world), registry.read());
    postcard::to_allocvec(&DynamicWorldSerializer::new(&scene, &types)).unwrap()
}

fn load(bytes: &[u8], registry: &AppTypeRegistry) -> bevy_ecs::world::World {
    let mut world = empty(registry);
    let types = registry.read();
    let scene = WorldDeserializer { type_registry: &types, load_from_path: &mut NoAssets };
    let scene = scene.deserialize(&mut postcard::Deserializer::from_bytes(bytes)).unwrap();
    scene.write_to_world_with(&mut world, &mut EntityHashMap::default(), &types).unwrap();
    world
}

/// Returns the running time; the result is dropped after the clock has stopped.
fn time<R>(run: impl FnOnce() -> R) -> Duration {
    let start = Instant::now();
    let made = black_box(run());
    let took = start.elapsed();
    drop(made);
    took
}

fn main() {
    let registry = AppTypeRegistry::default();
    {
        let mut types = registry.write();
        types.register::<theirs::Position>();
        types.register::<theirs::Velocity>();
        types.register::<theirs::Health>();
    }
    let mut theirs = empty(&registry);
    let rows = values();
    let rows = rows.map(|(a, b, c)| (theirs::Position(a), theirs::Velocity(b), theirs::Health(c)));
    let their_entity = theirs.spawn_batch(rows).next().unwrap();
    let mut ours = ecs::World::new();
    let rows = values().map(|(a, b, c)| (ours::Position(a), ours::Velocity(b), ours::Health(c)));
    let our_entity = ours.spawn_batch(rows)[0];
    let mut bytes = Vec::new();
    ours.save().to_bytes(&mut bytes).unwrap();
    let scene = save(&theirs, &registry);
    println!("{COUNT} entities: {} bytes, as a scene {}", bytes.len(), scene.len());

    let mut least = [[Duration::MAX; 2]; 3];
    let mut note = |row: usize, column: usize, took| {
        least[row][column] = least[row][column].min(took);
    };
    for _ in 0..ROUNDS {
        note(
            0,
            0,
            time(|| {
                let mut bytes = Vec::new();
                ours.save().to_bytes(&mut bytes).unwrap();
                bytes
            }),
        );
        note(0, 1, time(|| save(&theirs, &registry)));
        note(1, 0, time(|| ours.read(&bytes, &ecs::save::Limits::default()).unwrap()));
        note(1, 1, time(|| load(&scene, &registry)));
        let (mut here, mut there) = (Vec::new(), Vec::new());
        note(2, 0, time(|| here = ours.spawn_copies(our_entity, COPIES).unwrap()));
        note(
            2,
            1,
            time(|| {
                there = (0..COPIES)
                    .map(|_| theirs.entity_mut(their_entity).clone_and_spawn())
                    .collect();
            }),
        );
        ours.despawn_batch(&here);
        for copy in there {
            theirs.despawn(copy);
        }
    }
    println!("\n| | ours, ms | bevy, ms | ratio | at least |\n|---|---:|---:|---:|---:|");
    for (name, [our, their]) in ["save", "load", "10,000 copies"].into_iter().zip(least) {
        let [our, their] = [our, their].map(|it| it.as_secs_f64() * 1e3);
        println!("| {name} | {our:.3} | {their:.1} | {:.1} | {PROMISED} |", their / our);
    }
}
