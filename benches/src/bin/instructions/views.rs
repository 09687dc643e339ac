//! Instructions of a loop over a view, without a group, beside groups that do not serve it, and counted.
//!
//! A group that does not serve a view must not make it slower, and counting must stay cheap: both have limits, and a
//! loop that exceeds one fails the run.

use crate::collected;
use ecs::{Component, Entity, Group, World};
use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;

#[derive(Component)]
struct A(u32);
#[derive(Component)]
struct B(u32);
#[derive(Component)]
struct C(#[expect(dead_code, reason = "only in the way")] u32);
#[derive(Component)]
struct D(#[expect(dead_code, reason = "only in the way")] u32);

/// A world of this many entities; one in `every` has an `A`, and as many have a `B`.
struct Scene {
    name: &'static str,
    entities: usize,
    every: usize,
    /// The number of loops that are counted.
    loops: [u32; 2],
}

const SCENES: [Scene; 4] = [
    Scene { name: "one member", entities: 100, every: 100, loops: [1_000, 5_000] },
    Scene { name: "16 candidates", entities: 64, every: 4, loops: [500, 2_500] },
    Scene { name: "256 candidates", entities: 1_024, every: 4, loops: [200, 1_000] },
    Scene { name: "1,000 matches", entities: 4_000, every: 2, loops: [50, 250] },
];

struct Way {
    name: &'static str,
    prepare: fn(&mut World),
    /// The column that it is compared with.
    beside: usize,
    /// The most instructions that a loop may take more: a share, and a number.
    share: f64,
    more: f64,
}

/// In each column: the view's own search, beside groups, and while the world counts.
const WAYS: [Way; 5] = [
    Way { name: "no group", prepare: |_| (), beside: 0, share: 0.0, more: 0.0 },
    Way {
        name: "a group of others",
        prepare: |world| world.declare_group(Group::owning::<(C, D)>()).expect("they are free"),
        beside: 0,
        share: 0.05,
        more: 80.0,
    },
    Way {
        name: "owning another pair of its pools",
        prepare: |world| world.declare_group(Group::owning::<(B, C)>()).expect("they are free"),
        beside: 0,
        share: 0.25,
        more: 80.0,
    },
    Way {
        name: "owning one pool",
        prepare: |world| world.declare_group(Group::owning::<A>().with::<B>()).expect("A is free"),
        beside: 0,
        share: 0.25,
        more: 80.0,
    },
    Way {
        name: "owning both",
        prepare: |world| world.declare_group(Group::owning::<(A, B)>()).expect("they are free"),
        beside: 0,
        share: 0.0,
        more: 0.0,
    },
];

/// Returns a world with the components of a scene in random order.
fn make(scene: &Scene) -> World {
    let mut world = World::new();
    let mut random = 7_u64;
    let mut order: Vec<Entity> = world.spawn_batch((0..scene.entities).map(|_| ()));
    let members = scene.entities / scene.every;
    for component in 0..4 {
        for at in (1..order.len()).rev() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let other = usize::try_from(random >> 16).expect("48 bits") % (at + 1);
            order.swap(at, other);
        }
        for (at, &entity) in (0..).zip(&order[..members]) {
            match component {
                0 => world.insert(entity, A(at)).map(drop),
                1 => world.insert(entity, B(at)).map(drop),
                2 => world.insert(entity, C(at)).map(drop),
                _ => world.insert(entity, D(at)).map(drop),
            }
            .expect("it is alive");
        }
    }
    world
}

/// Prints all loops. Fails if one takes more than it may.
pub(crate) fn table() -> Result<(), Box<dyn Error>> {
    let names: Vec<&str> = WAYS.iter().map(|way| way.name).collect();
    println!("\n| instructions a loop | {} |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(WAYS.len()));
    let mut too_many = String::new();
    for (at, Scene { name, loops, .. }) in SCENES.iter().enumerate() {
        let mut counts = Vec::new();
        for way in 0..WAYS.len() {
            let [few, many] = loops.map(|loops| {
                collected(&["view".into(), at.to_string(), way.to_string(), loops.to_string()])
            });
            counts.push((many? - few?) / f64::from(loops[1] - loops[0]));
        }
        let cells: Vec<String> = counts.iter().map(|count| format!("{count:.0}")).collect();
        println!("| {name} | {} |", cells.join(" | "));
        for (Way { name: way, beside, share, more, .. }, count) in WAYS.iter().zip(&counts) {
            let most = counts[*beside] * (1.0 + share) + more;
            if *count > most && *share > 0.0 {
                writeln!(too_many, "{name}, {way}: {count:.0} instructions, at most {most:.0}")?;
            }
        }
    }
    if too_many.is_empty() { Ok(()) } else { Err(too_many.into()) }
}

/// Runs this many loops of a scene in one way.
pub(crate) fn run(scene: &str, way: &str, loops: &str) -> Result<(), Box<dyn Error>> {
    let scene = SCENES.get(scene.parse::<usize>()?).ok_or("no such scene")?;
    let way = WAYS.get(way.parse::<usize>()?).ok_or("no such way")?;
    let mut world = make(scene);
    (way.prepare)(&mut world);
    for _ in 0..loops.parse::<u32>()? {
        let mut sum = 0;
        world.view::<(&A, &B)>().for_each(|(_, a, b)| sum += a.0 ^ b.0);
        black_box(sum);
    }
    Ok(())
}
