//! Scenes in which a world chooses its groups, beside no group and the best layouts by hand.
//!
//! ```text
//! cargo run --release -p ecs_benches --bin tuning            # all scenes
//! cargo run --release -p ecs_benches --bin tuning -- chain   # those with this word in their name
//! ```
//!
//! Each layout has a world of its own; frames of all are timed in turn. The figures are microseconds a frame, with edits
//! and the tuner's own work: medians of the rounds' means over the second half of the frames. Numbers in brackets are the
//! last call that changed the layout, and the worst call of the first half in milliseconds.

use ecs::layout::Layout;
use ecs::{Component, Entity, Group, World};
use nix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Makes components of twelve bytes, and the functions by which scenes use each by its number.
macro_rules! components {
    ($($name:ident $number:literal),+) => {
        $(#[derive(Component, Clone, Copy)]
        struct $name([f32; 3]);)+

        const INSERT: &[fn(&mut World, Entity)] =
            &[$(|world, entity| _ = world.insert(entity, $name([1.0; 3])).expect("it is alive")),+];
        const REMOVE: &[fn(&mut World, Entity)] =
            &[$(|world, entity| _ = world.remove::<$name>(entity)),+];
    };
}
components!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

/// Sums a join of two components.
macro_rules! walk {
    ($x:ident, $y:ident) => {
        |world: &mut World| {
            let mut sum = 0.0;
            for (_, x, y) in world.view::<(&$x, &$y)>() {
                sum += x.0[0] + y.0[1];
            }
            black_box(sum);
        }
    };
}

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003).
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("48 bits") % end
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// A world that a scene is played in.
struct Stage {
    world: World,
    entities: Vec<Entity>,
    /// The entities that have a `B`.
    with_b: Vec<Entity>,
    random: Random,
    frame: usize,
}

/// A layout by hand: its name, and how it is declared.
type ByHand = (&'static str, fn(&mut World));

struct Scene {
    name: &'static str,
    entities: usize,
    /// The share of entities, in hundredths, that have each component.
    shares: &'static [usize],
    by_hand: &'static [ByHand],
    frames: usize,
    /// The number of frames between calls of `tune`.
    every: usize,
    play: fn(&mut Stage),
}

fn own_ab(world: &mut World) {
    world.declare_group(Group::owning::<(A, B)>()).expect("nothing else is owned");
}

/// Takes B from this many entities, and gives it to others.
fn churn(stage: &mut Stage, count: usize) {
    let Stage { world, entities, with_b, random, .. } = stage;
    for _ in 0..count {
        let at = random.below(with_b.len());
        let entity = entities[random.below(entities.len())];
        REMOVE[1](world, with_b[at]);
        if world.get::<B>(entity).is_some() {
            INSERT[1](world, with_b[at]);
        } else {
            INSERT[1](world, entity);
            with_b[at] = entity;
        }
    }
}

type Walk = fn(&mut World);

/// Twelve walks of pairs, most of them in every third frame.
const PAIRS: [(usize, Walk); 40] = [
    (1, walk!(A, B)),
    (1, walk!(A, C)),
    (2, walk!(A, D)),
    (3, walk!(A, E)),
    (3, walk!(B, C)),
    (1, walk!(B, D)),
    (2, walk!(B, E)),
    (3, walk!(B, F)),
    (1, walk!(C, D)),
    (1, walk!(C, E)),
    (2, walk!(C, F)),
    (3, walk!(C, G)),
    (1, walk!(D, E)),
    (3, walk!(D, F)),
    (2, walk!(D, G)),
    (1, walk!(D, H)),
    (1, walk!(E, F)),
    (2, walk!(E, G)),
    (3, walk!(E, H)),
    (3, walk!(E, I)),
    (1, walk!(F, G)),
    (2, walk!(F, H)),
    (3, walk!(F, I)),
    (1, walk!(F, J)),
    (1, walk!(G, H)),
    (2, walk!(G, I)),
    (3, walk!(G, J)),
    (1, walk!(G, K)),
    (1, walk!(H, I)),
    (2, walk!(H, J)),
    (3, walk!(H, K)),
    (1, walk!(H, L)),
    (1, walk!(I, J)),
    (2, walk!(I, K)),
    (3, walk!(I, L)),
    (1, walk!(J, K)),
    (2, walk!(J, L)),
    (1, walk!(K, L)),
    (3, walk!(A, L)),
    (2, walk!(B, L)),
];

const SCENES: &[Scene] = &[
    Scene {
        name: "one join",
        entities: 1_000_000,
        shares: &[10, 10],
        by_hand: &[("AB", own_ab)],
        frames: 200,
        every: 5,
        play: |stage| walk!(A, B)(&mut stage.world),
    },
    Scene {
        name: "one join, small",
        entities: 10_000,
        shares: &[10, 10],
        by_hand: &[("AB", own_ab)],
        frames: 2_000,
        every: 5,
        play: |stage| walk!(A, B)(&mut stage.world),
    },
    Scene {
        name: "1% churn",
        entities: 1_000_000,
        shares: &[10, 10],
        by_hand: &[("AB", own_ab)],
        frames: 200,
        every: 5,
        play: |stage| {
            churn(stage, 1_000);
            walk!(A, B)(&mut stage.world);
        },
    },
    Scene {
        name: "churn outweighs walks",
        entities: 1_000_000,
        shares: &[10, 10],
        by_hand: &[("AB", own_ab)],
        frames: 300,
        every: 5,
        play: |stage| {
            churn(stage, 20_000);
            walk!(A, B)(&mut stage.world);
        },
    },
    Scene {
        name: "all edits cross",
        entities: 1_000_000,
        shares: &[10, 10],
        by_hand: &[("AB", own_ab)],
        frames: 200,
        every: 5,
        play: |stage| {
            let Stage { world, random, .. } = stage;
            let members = world.pool::<A>().keys();
            let some: Vec<Entity> =
                (0..1_500).map(|_| members[random.below(members.len())]).collect();
            for &entity in &some {
                if world.get::<B>(entity).is_none() {
                    INSERT[1](world, entity);
                    REMOVE[1](world, entity);
                }
            }
            walk!(A, B)(world);
        },
    },
    Scene {
        name: "two owners of one pool",
        entities: 1_000_000,
        shares: &[10, 10, 10],
        by_hand: &[
            ("AB, C with B", |world| {
                own_ab(world);
                world.declare_group(Group::owning::<C>().with::<B>()).expect("C is free");
            }),
            ("AB", own_ab),
        ],
        frames: 200,
        every: 5,
        play: |stage| {
            walk!(A, B)(&mut stage.world);
            walk!(A, B)(&mut stage.world);
            walk!(B, C)(&mut stage.world);
        },
    },
    Scene {
        name: "chain of three",
        entities: 1_000_000,
        shares: &[10, 10, 10, 10],
        by_hand: &[
            ("BC, A with B, D with C", |world| {
                world.declare_group(Group::owning::<(B, C)>()).expect("they are free");
                world.declare_group(Group::owning::<A>().with::<B>()).expect("A is free");
                world.declare_group(Group::owning::<D>().with::<C>()).expect("D is free");
            }),
            ("AB, CD", |world| {
                own_ab(world);
                world.declare_group(Group::owning::<(C, D)>()).expect("they are free");
            }),
            ("AB, CD, BC listed", |world| {
                own_ab(world);
                world.declare_group(Group::owning::<(C, D)>()).expect("they are free");
                world.declare_group(Group::observing::<(B, C)>()).expect("it owns nothing");
            }),
        ],
        frames: 200,
        every: 5,
        play: |stage| {
            for _ in 0..2 {
                walk!(A, B)(&mut stage.world);
                walk!(C, D)(&mut stage.world);
            }
            for _ in 0..3 {
                walk!(B, C)(&mut stage.world);
            }
        },
    },
    Scene {
        name: "phases of 100",
        entities: 1_000_000,
        shares: &[10, 10, 10],
        by_hand: &[("AB, C with B", |world| {
            own_ab(world);
            world.declare_group(Group::owning::<C>().with::<B>()).expect("C is free");
        })],
        frames: 800,
        every: 5,
        play: |stage| match stage.frame / 100 % 2 {
            0 => walk!(A, B)(&mut stage.world),
            _ => walk!(B, C)(&mut stage.world),
        },
    },
    Scene {
        name: "phases of 20",
        entities: 1_000_000,
        shares: &[10, 10, 10],
        by_hand: &[("AB, C with B", |world| {
            own_ab(world);
            world.declare_group(Group::owning::<C>().with::<B>()).expect("C is free");
        })],
        frames: 800,
        every: 8,
        play: |stage| match stage.frame / 20 % 2 {
            0 => walk!(A, B)(&mut stage.world),
            _ => walk!(B, C)(&mut stage.world),
        },
    },
    Scene {
        name: "forty shapes",
        entities: 400_000,
        shares: &[10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10],
        by_hand: &[("AB, CD, EF, GH, IJ, KL", |world| {
            own_ab(world);
            world.declare_group(Group::owning::<(C, D)>()).expect("they are free");
            world.declare_group(Group::owning::<(E, F)>()).expect("they are free");
            world.declare_group(Group::owning::<(G, H)>()).expect("they are free");
            world.declare_group(Group::owning::<(I, J)>()).expect("they are free");
            world.declare_group(Group::owning::<(K, L)>()).expect("they are free");
        })],
        frames: 120,
        every: 5,
        play: |stage| {
            for (every, walk) in PAIRS {
                if stage.frame.is_multiple_of(every) {
                    walk(&mut stage.world);
                }
            }
        },
    },
    Scene {
        name: "a component that all have",
        entities: 200_000,
        shares: &[100, 10, 10],
        by_hand: &[
            ("AB", own_ab),
            ("BC", |world| world.declare_group(Group::owning::<(B, C)>()).expect("they are free")),
            ("AC, B with A", |world| {
                world.declare_group(Group::owning::<(A, C)>()).expect("they are free");
                world.declare_group(Group::owning::<B>().with::<A>()).expect("B is free");
            }),
        ],
        frames: 400,
        every: 5,
        play: |stage| {
            walk!(A, B)(&mut stage.world);
            walk!(A, B)(&mut stage.world);
            walk!(A, C)(&mut stage.world);
        },
    },
];

impl Stage {
    fn new(scene: &Scene) -> Self {
        let (mut world, mut random) = (World::new(), Random(7));
        let entities = world.spawn_batch((0..scene.entities).map(|_| ()));
        let (mut order, mut with_b) = (entities.clone(), Vec::new());
        for (component, share) in scene.shares.iter().enumerate() {
            random.shuffle(&mut order);
            let members = &order[..scene.entities * share / 100];
            for &entity in members {
                INSERT[component](&mut world, entity);
            }
            if component == 1 {
                with_b = members.to_vec();
            }
        }
        Self { world, entities, with_b, random, frame: 0 }
    }
}

/// The time that a scene took.
struct Played {
    /// A frame of the second half.
    mean: Duration,
    /// The number of the last call that changed the layout, and the time of the longest call in the first half.
    changed: usize,
    longest: Duration,
    groups: String,
}

fn play(scene: &Scene, layout: Option<fn(&mut World)>, is_tuned: bool) -> Played {
    let mut stage = Stage::new(scene);
    if let Some(declare) = layout {
        declare(&mut stage.world);
    }
    Layout::of(&mut stage.world).observe(is_tuned);
    let (mut half, mut longest, mut changed) = (now(), Duration::ZERO, 0);
    for frame in 0..scene.frames {
        if frame == scene.frames / 2 {
            half = now();
        }
        stage.frame = frame;
        (scene.play)(&mut stage);
        if is_tuned && frame % scene.every == scene.every - 1 {
            // In the second half, which is measured, no clock is read.
            let before = (frame < scene.frames / 2).then(Instant::now);
            let tuned = Layout::of(&mut stage.world).tune();
            longest = longest.max(before.map_or(Duration::ZERO, |before| before.elapsed()));
            if !tuned.declared.is_empty() || !tuned.dropped.is_empty() {
                changed = frame / scene.every + 1;
            }
        }
    }
    let late = now().saturating_sub(half);
    let groups: Vec<String> = stage.world.groups().map(|group| group.to_string()).collect();
    let frames = u32::try_from(scene.frames - scene.frames / 2).expect("some hundreds");
    Played { mean: late / frames, changed, longest, groups: groups.join("; ") }
}

/// The time that this thread has had on a processor: others that share the machine count less.
fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the system has this clock").into()
}

fn median(mut all: Vec<Duration>) -> f64 {
    all.sort_unstable();
    all[all.len() / 2].as_secs_f64() * 1e6
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let rounds = 3;
    println!(
        "| scene | none | by hand | tuned | of the best by hand | of none | last change at call | worst call, ms |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for scene in SCENES.iter().filter(|scene| scene.name.contains(&wanted)) {
        let mut layouts = vec![None];
        layouts.extend(scene.by_hand.iter().map(|(_, declare)| Some(*declare)));
        let mut by_hand = vec![Vec::new(); layouts.len()];
        let (mut tuned, mut last) = (Vec::new(), None);
        for _ in 0..rounds {
            for (layout, times) in layouts.iter().zip(&mut by_hand) {
                times.push(play(scene, *layout, false).mean);
            }
            let played = play(scene, None, true);
            tuned.push(played.mean);
            last = Some(played);
        }
        let (all, tuned) = (by_hand.into_iter().map(median).collect::<Vec<_>>(), median(tuned));
        let last = last.expect("there are rounds");
        let best = all.iter().copied().fold(f64::INFINITY, f64::min);
        let hands = scene.by_hand.iter().zip(&all[1..]);
        let hands: Vec<String> =
            hands.map(|((name, _), time)| format!("{name} {time:.2}")).collect();
        println!(
            "| {} | {:.2} | {} | {tuned:.2} | {:.2} | {:.2} | {} | {:.1} |",
            scene.name,
            all[0],
            hands.join(", "),
            tuned / best,
            tuned / all[0],
            last.changed,
            last.longest.as_secs_f64() * 1e3,
        );
        println!("    {}", last.groups);
    }
}
