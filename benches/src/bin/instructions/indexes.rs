//! Instructions of an index, beside a map of `hashbrown` that the program keeps by hand at each edit.
//!
//! Each key has ten entities. The last column is the limit: the instructions of the index, divided by the
//! instructions of the map.

use crate::collected;
use ecs::{Component, Entity, World};
use hashbrown::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(index)]
struct Key(u32);
#[derive(Component)]
struct Plain(u32);

type Map = HashMap<u32, Vec<Entity>>;

const ENTITIES: u32 = 10_000;
const KEYS: u32 = 1_000;

struct Task {
    name: &'static str,
    index: fn(&mut World, &[Entity], u32),
    map: fn(&mut World, &mut Map, &[Entity], u32),
    /// The most that the index may take, in times the map's instructions.
    most: f64,
}

/// Moves an entity in the map.
fn refile(map: &mut Map, entity: Entity, from: u32, to: u32) {
    if let Some(list) = map.get_mut(&from) {
        list.retain(|other| *other != entity);
        if list.is_empty() {
            map.remove(&from);
        }
    }
    map.entry(to).or_default().push(entity);
}

/// The key that an entity gets in this step.
const fn next(key: u32, step: u32) -> u32 {
    (key * 7 + step * 13 + 1) % KEYS
}

const TASKS: [Task; 6] = [
    Task {
        name: "look up, of a lent index",
        index: |world, _, step| {
            let index = world.index::<Key>();
            for at in 0..ENTITIES {
                black_box(index.find(&Key(black_box(next(at, step)))));
            }
        },
        map: |_, map, _, step| {
            for at in 0..ENTITIES {
                let found = map.get(&black_box(next(at, step)));
                black_box(found.and_then(|list| list.first()));
            }
        },
        most: 1.2,
    },
    Task {
        name: "look up, by `World::find`",
        index: |world, _, step| {
            for at in 0..ENTITIES {
                black_box(world.find(&Key(black_box(next(at, step)))));
            }
        },
        map: |_, map, _, step| {
            for at in 0..ENTITIES {
                let found = map.get(&black_box(next(at, step)));
                black_box(found.and_then(|list| list.first()));
            }
        },
        most: 2.3,
    },
    Task {
        name: "edit each, ask at the end",
        index: |world, entities, step| {
            for &entity in entities {
                let key = world.get_mut::<Key>(entity).expect("it has one");
                key.0 = next(key.0, step);
            }
            black_box(world.index::<Key>());
        },
        map: |world, map, entities, step| {
            for &entity in entities {
                let key = world.get_mut::<Plain>(entity).expect("it has one");
                let old = key.0;
                key.0 = next(old, step);
                refile(map, entity, old, key.0);
            }
        },
        most: 1.55,
    },
    Task {
        name: "edit one in 16, ask at the end",
        index: |world, entities, step| {
            for &entity in entities.iter().step_by(16) {
                let key = world.get_mut::<Key>(entity).expect("it has one");
                key.0 = next(key.0, step);
            }
            black_box(world.index::<Key>());
        },
        map: |world, map, entities, step| {
            for &entity in entities.iter().step_by(16) {
                let key = world.get_mut::<Plain>(entity).expect("it has one");
                let old = key.0;
                key.0 = next(old, step);
                refile(map, entity, old, key.0);
            }
        },
        most: 2.2,
    },
    Task {
        name: "edit one in 16, ask after each",
        index: |world, entities, step| {
            for &entity in entities.iter().step_by(16) {
                let key = world.get_mut::<Key>(entity).expect("it has one");
                key.0 = next(key.0, step);
                let new = key.0;
                black_box(world.find(&Key(new)));
            }
        },
        map: |world, map, entities, step| {
            for &entity in entities.iter().step_by(16) {
                let key = world.get_mut::<Plain>(entity).expect("it has one");
                let old = key.0;
                key.0 = next(old, step);
                let new = key.0;
                refile(map, entity, old, new);
                black_box(map.get(&new).and_then(|list| list.first()));
            }
        },
        most: 3.6,
    },
    Task {
        name: "a loop that writes all and changes one in 16, ask at the end",
        index: |world, _, step| {
            for (entity, key) in world.view_mut::<&mut Key>() {
                if entity.index().is_multiple_of(16) {
                    key.0 = next(key.0, step);
                }
            }
            black_box(world.index::<Key>());
        },
        map: |world, map, _, step| {
            for (entity, key) in world.view_mut::<&mut Plain>() {
                if entity.index().is_multiple_of(16) {
                    let old = key.0;
                    key.0 = next(old, step);
                    refile(map, entity, old, key.0);
                }
            }
        },
        most: 3.4,
    },
];

/// Prints all tasks. Fails if one takes more than it may.
pub(crate) fn table() -> Result<(), Box<dyn Error>> {
    println!("\n| instructions an entity | index | map by hand | | at most |");
    println!("|---|---:|---:|---:|---:|");
    let mut too_many = String::new();
    for (at, Task { name, most, .. }) in TASKS.iter().enumerate() {
        let count = |way: &str| -> Result<f64, Box<dyn Error>> {
            let steps = ["4", "12"].map(|steps| {
                collected(&["index".into(), at.to_string(), way.into(), steps.into()])
            });
            let [few, many] = steps;
            Ok((many? - few?) / f64::from(8 * ENTITIES))
        };
        let (index, map) = (count("index")?, count("map")?);
        let times = index / map;
        println!("| {name} | {index:.1} | {map:.1} | {times:.2} | {most:.2} |");
        if times > *most {
            writeln!(too_many, "{name}: {times:.2} times the map, at most {most:.2}")?;
        }
    }
    if too_many.is_empty() { Ok(()) } else { Err(too_many.into()) }
}

/// Runs `steps` steps of a task by the index or the map.
pub(crate) fn run(task: &str, way: &str, steps: &str) -> Result<(), Box<dyn Error>> {
    let task = TASKS.get(task.parse::<usize>()?).ok_or("no such task")?;
    let (mut world, mut map) = (World::new(), Map::new());
    let keys = (0..ENTITIES).map(|at| next(at, 0));
    let entities: Vec<Entity> = if way == "index" {
        world.spawn_batch(keys.map(Key))
    } else {
        let entities = world.spawn_batch(keys.clone().map(Plain));
        for (entity, key) in entities.iter().zip(keys) {
            map.entry(key).or_default().push(*entity);
        }
        entities
    };
    for step in 0..steps.parse()? {
        if way == "index" {
            (task.index)(&mut world, &entities, step);
        } else {
            (task.map)(&mut world, &mut map, &entities, step);
        }
    }
    black_box((&world, &map));
    Ok(())
}
