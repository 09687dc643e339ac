//! Frames of a program: entities of seven kinds come and go, some burn for a while, and eleven loops join two components
//! each.
//!
//! [`Frames`] plays them; a [`Stage`] is the world of one library that they are played in.

pub(crate) mod parts;

use crate::library::{Library, Parts, Scene};
use crate::scene::mix;
use crate::workload::Workload;
use std::mem::size_of;
use std::time::Instant;

/// The world of one library, and the steps of a frame.
pub trait Stage {
    /// A handle.
    type Entity: Copy + 'static;
    /// Spawns an entity of a kind (see `for_kind` in `parts`); `number` determines its values.
    fn spawn(&mut self, kind: usize, number: u32) -> Self::Entity;
    /// Despawns an entity.
    fn despawn(&mut self, entity: Self::Entity);
    /// Inserts a new `Burning` into each entity, replacing an old one. All are alive.
    fn ignite(&mut self, entities: &[Self::Entity]);
    /// Removes `Burning` from each entity that is alive and has one.
    fn extinguish(&mut self, entities: &[Self::Entity]);
    /// Does the upkeep that the library needs between edits and loops.
    fn upkeep(&mut self) {}
    /// Runs the eleven loops and returns the sum of the read values.
    fn run_loops(&mut self) -> f64;
    /// Returns the sum of the bits of all components.
    fn check(&mut self) -> u64;
}

/// The number of frames for which an entity burns.
const BURNS: usize = 20;

/// The number of frames before the measurement.
const WARM_UP: usize = 120;

/// Frames of one run; shares are in thousandths of the entities.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The name of the workload and its description.
    pub workload: Workload,
    /// The number of entities, at any time.
    pub entities: usize,
    /// The share that catches fire in a frame.
    fire: usize,
    has_loops: bool,
    /// The number of frames, and the share that is replaced in each, one phase after the other.
    phases: &'static [(usize, usize)],
}

const CALM: &[(usize, usize)] = &[(1, 1)];
const BUSY: &[(usize, usize)] = &[(1, 5)];
const CHURNED: &[(usize, usize)] = &[(1, 10)];
const STORM: &[(usize, usize)] = &[(60, 1), (20, 50), (60, 1)];

const fn plan(
    name: &'static str,
    entities: usize,
    phases: &'static [(usize, usize)],
    fire: usize,
    about: &'static str,
) -> Plan {
    let workload = Workload { name, about };
    Plan { workload, entities, phases, fire, has_loops: true }
}

const fn edits_only(name: &'static str, entities: usize, about: &'static str) -> Plan {
    Plan { has_loops: false, ..plan(name, entities, CALM, 1, about) }
}

/// All plans, in the order of the table.
pub const PLANS: [Plan; 16] = [
    plan(
        "frame_2k",
        2_000,
        CALM,
        1,
        "a frame of 2k entities of 7 kinds: 0.1% replaced, 0.1% set on fire, 11 loops of two components",
    ),
    plan("frame_20k", 20_000, CALM, 1, "the same of 20k"),
    plan("frame_200k", 200_000, CALM, 1, "the same of 200k"),
    plan("frame_2m", 2_000_000, CALM, 1, "the same of 2M"),
    plan(
        "frame_2k_fire_1pct",
        2_000,
        BUSY,
        10,
        "a frame of 2k entities: 0.5% replaced, 1% set on fire",
    ),
    plan("frame_20k_fire_1pct", 20_000, BUSY, 10, "the same of 20k"),
    plan("frame_200k_fire_1pct", 200_000, BUSY, 10, "the same of 200k"),
    plan("frame_2m_fire_1pct", 2_000_000, BUSY, 10, "the same of 2M"),
    plan(
        "frame_2k_churn_1pct",
        2_000,
        CHURNED,
        1,
        "a frame of 2k entities: 1% replaced, 0.1% set on fire",
    ),
    plan("frame_20k_churn_1pct", 20_000, CHURNED, 1, "the same of 20k"),
    plan("frame_200k_churn_1pct", 200_000, CHURNED, 1, "the same of 200k"),
    plan("frame_2m_churn_1pct", 2_000_000, CHURNED, 1, "the same of 2M"),
    plan(
        "phases_20k",
        20_000,
        STORM,
        1,
        "140 frames of 20k entities: 60 replace 0.1%, a storm of 20 replaces 5%, then 60 calm ones again",
    ),
    plan("phases_200k", 200_000, STORM, 1, "the same of 200k"),
    edits_only(
        "edits_only_20k",
        20_000,
        "a frame of 20k entities without its loops: 0.1% replaced, 0.1% set on fire",
    ),
    edits_only("edits_only_200k", 200_000, "the same of 200k"),
];

impl Plan {
    /// Returns the number of entities that catch fire in a frame.
    const fn fires(&self) -> usize {
        self.entities * self.fire / 1_000
    }

    /// Returns the bytes of the handles that [`Frames`] keeps beside the world.
    #[must_use]
    pub const fn handle_bytes(&self) -> usize {
        (self.entities + BURNS * self.fires()) * HANDLE
    }
}

/// The bytes of a handle, in each library.
const HANDLE: usize = 8;

/// A world in which frames are played by a plan.
pub struct Frames<S: Stage> {
    stage: S,
    plan: Plan,
    /// In no order: an entity takes the place of the one that it replaces.
    entities: Vec<S::Entity>,
    /// The entities of the last [`BURNS`] fires.
    burning: Vec<S::Entity>,
    frame: usize,
    spawned: u32,
    drawn: u64,
    times: Vec<Parts>,
}

/// Adds all plans to a library, each on a stage of its own.
pub fn add_frames<S: Stage + 'static>(
    library: &mut Library,
    make: impl Fn() -> S + Copy + 'static,
) {
    for plan in PLANS {
        library.add_scene(plan.workload.name, move || Frames::new(make(), plan));
    }
}

impl<S: Stage> Frames<S> {
    /// Fills a stage.
    pub fn new(stage: S, plan: Plan) -> Self {
        const { assert!(size_of::<S::Entity>() == HANDLE) };
        let entities = Vec::with_capacity(plan.entities);
        let (times, burning) = (Vec::new(), Vec::new());
        let (frame, spawned, drawn) = (0, 0, 0);
        let mut frames = Self { stage, plan, entities, burning, frame, spawned, drawn, times };
        for _ in 0..plan.entities {
            let entity = frames.spawn();
            frames.entities.push(entity);
        }
        frames.burning = vec![frames.entities[0]; BURNS * plan.fires()];
        frames
    }

    /// Spawns an entity of a random kind.
    fn spawn(&mut self) -> S::Entity {
        let kind = self.below(100);
        self.spawned += 1;
        self.stage.spawn(kind, self.spawned)
    }

    #[inline]
    fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        (((mix(self.drawn) >> 32) * end as u64) >> 32) as usize
    }

    /// Edits `churn` thousandths of the entities.
    fn edit(&mut self, churn: usize) {
        for _ in 0..self.plan.entities * churn / 1_000 {
            let at = self.below(self.entities.len());
            self.stage.despawn(self.entities[at]);
            self.entities[at] = self.spawn();
        }
        let fires = self.plan.fires();
        let first = self.frame % BURNS * fires;
        self.stage.extinguish(&self.burning[first..first + fires]);
        for fire in first..first + fires {
            let at = self.below(self.entities.len());
            self.burning[fire] = self.entities[at];
        }
        self.stage.ignite(&self.burning[first..first + fires]);
        self.frame += 1;
    }

    /// Plays a frame; returns the times of its parts, and the sum of the values that its loops
    /// read.
    fn play(&mut self, churn: usize) -> (Parts, f64) {
        let start = Instant::now();
        self.edit(churn);
        let edited = Instant::now();
        self.stage.upkeep();
        let kept = Instant::now();
        let sum = if self.plan.has_loops { self.stage.run_loops() } else { 0.0 };
        ([edited - start, kept - edited, kept.elapsed()], sum)
    }
}

impl<S: Stage> Scene for Frames<S> {
    fn is_prepared(&self) -> bool {
        false
    }

    fn prepare(&mut self) {}

    fn run(&mut self) -> u64 {
        let (mut times, mut total) = (Parts::default(), 0.0);
        for &(frames, churn) in self.plan.phases {
            for _ in 0..frames {
                let (parts, sum) = self.play(churn);
                times.iter_mut().zip(parts).for_each(|(time, part)| *time += part);
                total += sum;
            }
        }
        self.times.push(times);
        total.to_bits()
    }

    fn check(&mut self) -> u64 {
        self.stage.check()
    }

    fn warm_up(&mut self) {
        for _ in 0..WARM_UP {
            self.play(self.plan.phases[0].1);
        }
    }

    fn take_frames(&mut self) -> Vec<Parts> {
        self.times.drain(..).collect()
    }
}
