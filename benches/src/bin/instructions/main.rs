//! Counts the instructions of unobserved edits by callgrind, beside the counts of the library before it
//! had observers. Counts the instructions of loops over views with groups and without, and of indexes beside maps.
//!
//! ```text
//! cargo run --release -p ecs_benches --bin instructions
//! ```
//!
//! It starts itself under `valgrind`, for each edit with two numbers of repetitions: the difference belongs to
//! the edits. Unlike times, the counts are the same on a busy machine. Another compiler gives others.

mod indexes;
mod views;

use ecs::{Commands, Component, Entity, SpawnCommands, World};
use std::error::Error;
use std::hint::black_box;
use std::process::{Command, ExitCode};

#[derive(Clone, Copy)]
#[expect(dead_code, reason = "as large as in other workloads")]
struct Vec3(f32, f32, f32);
const ONE: Vec3 = Vec3(1.0, 1.0, 1.0);

#[derive(Component)]
struct Position(Vec3);
#[derive(Component)]
struct Velocity(Vec3);
#[derive(Component)]
struct Rotation(Vec3);
#[derive(Component)]
struct Mass(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
struct Other;

struct Edit {
    name: &'static str,
    /// Instructions an entity before there were observers, with rustc 1.95.0, if they were counted.
    before: Option<f64>,
    /// Does it to each of these entities, so often.
    run: fn(&mut World, &mut Vec<Entity>, u32),
}

/// The worlds that are edited: as they are made and with observers of another component.
const ALONE: &str = "alone";
const OBSERVED: &str = "observed";

/// The number of entities that are edited.
const ENTITIES: u32 = 10_000;

const EDITS: [Edit; 14] = [
    Edit {
        name: "insert, remove",
        before: Some(218.1),
        run: |world, entities, times| {
            for _ in 0..times {
                for &entity in &*entities {
                    world.insert(entity, Velocity(ONE)).expect("it is alive");
                }
                for &entity in &*entities {
                    black_box(world.remove::<Velocity>(entity));
                }
            }
        },
    },
    Edit {
        name: "insert, remove of two",
        before: Some(433.3),
        run: |world, entities, times| {
            for _ in 0..times {
                for &entity in &*entities {
                    world.insert(entity, (Velocity(ONE), Rotation(ONE))).expect("it is alive");
                }
                for &entity in &*entities {
                    black_box(world.remove::<(Velocity, Rotation)>(entity));
                }
            }
        },
    },
    Edit {
        name: "insert over, 12 bytes",
        before: Some(111.0),
        run: |world, entities, times| {
            for _ in 0..times {
                for &entity in &*entities {
                    world.insert(entity, Position(black_box(ONE))).expect("it is alive");
                }
            }
        },
    },
    Edit {
        name: "insert over, 4 bytes",
        before: Some(83.0),
        run: |world, entities, times| {
            let all = entities.iter().map(|&entity| (entity, Mass(0)));
            world.insert_batch(all).expect("all are alive");
            for _ in 0..times {
                for &entity in &*entities {
                    world.insert(entity, Mass(black_box(1))).expect("it is alive");
                }
            }
        },
    },
    Edit {
        name: "patch",
        before: Some(38.0),
        run: |world, entities, times| {
            for _ in 0..times {
                for &entity in &*entities {
                    world.patch::<Position>(entity, |position| position.0.0 += 1.0);
                }
            }
        },
    },
    Edit {
        name: "spawn of three",
        before: Some(265.0),
        run: |world, _, times| {
            for _ in 0..times * ENTITIES {
                black_box(world.spawn((Position(ONE), Velocity(ONE), Rotation(ONE))).id());
            }
        },
    },
    Edit {
        name: "spawn, despawn of three",
        before: Some(755.8),
        run: |world, entities, times| {
            for _ in 0..times {
                entities.clear();
                for _ in 0..ENTITIES {
                    let made = world.spawn((Position(ONE), Velocity(ONE), Rotation(ONE)));
                    entities.push(made.id());
                }
                for &entity in &*entities {
                    world.despawn(entity).expect("it is alive");
                }
            }
        },
    },
    Edit {
        name: "spawn_batch of two",
        before: Some(63.0),
        run: |world, _, times| {
            for _ in 0..times {
                let rows = (0..ENTITIES).map(|_| (Position(ONE), Velocity(ONE)));
                black_box(world.spawn_batch(rows));
            }
        },
    },
    Edit {
        name: "insert_batch, over",
        before: Some(139.8),
        run: |world, entities, times| {
            for _ in 0..times {
                let rows = entities.iter().map(|&entity| (entity, Position(ONE)));
                world.insert_batch(rows).expect("all are alive");
            }
        },
    },
    Edit {
        name: "insert_batch, remove_batch",
        before: Some(55.4),
        run: |world, entities, times| {
            for _ in 0..times {
                let rows = entities.iter().map(|&entity| (entity, Velocity(ONE)));
                world.insert_batch(rows).expect("all are alive");
                world.remove_batch::<Velocity>(entities);
            }
        },
    },
    Edit {
        name: "spawn_batch, despawn_batch of two",
        before: Some(329.9),
        run: |world, _, times| {
            for _ in 0..times {
                let rows = (0..ENTITIES).map(|_| (Position(ONE), Velocity(ONE)));
                let made = world.spawn_batch(rows);
                world.despawn_batch(&made);
            }
        },
    },
    Edit {
        name: "the same in random order",
        before: Some(658.6),
        run: |world, _, times| {
            for _ in 0..times {
                let rows = (0..ENTITIES).map(|_| (Position(ONE), Velocity(ONE)));
                let mut made = world.spawn_batch(rows);
                made.sort_by_key(|entity| entity.index().wrapping_mul(0x9e37_79b9));
                world.despawn_batch(&made);
            }
        },
    },
    Edit {
        name: "spawn of three, recorded",
        before: None,
        run: |world, _, times| {
            let mut commands = Commands::new();
            for _ in 0..times {
                for _ in 0..ENTITIES {
                    black_box(
                        commands.spawn(&*world, (Position(ONE), Velocity(ONE), Rotation(ONE))),
                    );
                }
                commands.apply(world);
            }
        },
    },
    Edit {
        name: "spawn of three, by a system",
        before: None,
        run: |world, _, times| {
            for _ in 0..times {
                world.run(|mut commands: SpawnCommands| {
                    for _ in 0..ENTITIES {
                        black_box(commands.spawn((Position(ONE), Velocity(ONE), Rotation(ONE))));
                    }
                });
            }
        },
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments[..] {
        [] => table().and_then(|()| views::table()).and_then(|()| indexes::table()),
        [only] if only == "indexes" => indexes::table(),
        [only] if only == "views" => views::table(),
        [view, scene, way, loops] if view == "view" => views::run(scene, way, loops),
        [index, task, way, steps] if index == "index" => indexes::run(task, way, steps),
        [edit, times, world] => run(edit, times, world),
        _ => Err("it takes no arguments, or `views` or `indexes` alone".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn table() -> Result<(), Box<dyn Error>> {
    println!("| instructions an entity | before | now | | with another component observed | |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (at, Edit { name, before, .. }) in EDITS.iter().enumerate() {
        let [alone, beside] = [count(at, ALONE)?, count(at, OBSERVED)?];
        let more = |now: f64| {
            before.map_or_else(String::new, |it| format!("{:+.1} %", (now / it - 1.0) * 100.0))
        };
        println!(
            "| {name} | {} | {alone:.1} | {} | {beside:.1} | {} |",
            before.map_or_else(String::new, |it| format!("{it:.1}")),
            more(alone),
            more(beside),
        );
    }
    Ok(())
}

/// Returns the instructions of an edit in a world of this kind, for each entity.
fn count(edit: usize, world: &str) -> Result<f64, Box<dyn Error>> {
    const TIMES: [u32; 2] = [2, 6];
    let mut counts = [0.0_f64; 2];
    for (count, times) in counts.iter_mut().zip(TIMES) {
        *count = collected(&[edit.to_string(), times.to_string(), world.to_string()])?;
    }
    Ok((counts[1] - counts[0]) / f64::from((TIMES[1] - TIMES[0]) * ENTITIES))
}

/// Starts this program with these arguments under valgrind, and returns how many instructions it took.
fn collected(arguments: &[String]) -> Result<f64, Box<dyn Error>> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(std::env::current_exe()?).args(arguments);
    let output = command.output().map_err(|error| format!("cannot run valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split_once("Collected : "));
    Ok(collected.ok_or("valgrind counted nothing")?.1.trim().parse()?)
}

fn run(edit: &str, times: &str, kind: &str) -> Result<(), Box<dyn Error>> {
    let edit = EDITS.get(edit.parse::<usize>()?).ok_or("no such edit")?;
    let mut world = World::new();
    if kind == OBSERVED {
        world.on_insert::<Other>(|_, _| {});
        world.on_update::<Other>(|_, _| {});
        world.on_remove::<Other>(|_, _| {});
    }
    let mut entities = (0..ENTITIES).map(|_| world.spawn(Position(ONE)).id()).collect();
    (edit.run)(&mut world, &mut entities, times.parse()?);
    black_box(&world);
    Ok(())
}
