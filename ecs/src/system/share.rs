//! Systems that overlap: those of a list that wait for no one but those that have ended, shared by threads.
//!
//! ```text
//! wave 0    steer  heal  burn      none of them touches what another one writes
//! wave 1    integrate              waits for `steer`
//! wave 2    whole_world            alone
//! ```
//!
//! What a wave claims of the world is claimed on the calling thread, before any thread begins (V1).

use crate::parallel::gate::share;
use crate::query::join::Compared;
use crate::system::plan::{KnownPlan, Step};
use crate::system::run::{Failure, Work};
use crate::system::schedule::{Errors, Kind, Schedule, Slot, trace};
use crate::system::timeline::Lap;
use crate::world::World;
use alloc::vec::Vec;
use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// When threads share the systems of a [`Schedule`] that may overlap.
///
/// ```
/// use ecs::{Schedule, Sharing, World};
///
/// let mut schedule = Schedule::new().add(|| {}).add(|| {});
/// schedule.set_sharing(Sharing::Never);
/// schedule.run(&mut World::new()).unwrap();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// Where it was faster lately: of 32 runs, two take the time of one thread, and two that of many, unless so little
    /// is to do that waking a thread takes longer.
    #[default]
    Measured,
    /// In every run.
    Always,
    /// Not at all: systems run in the order of the list.
    Never,
}

/// How a schedule is shared.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    sharing: Sharing,
    /// Unless the list changed since.
    waves: Option<Vec<Wave>>,
}

impl Shared {
    pub(crate) const fn new() -> Self {
        Self { sharing: Sharing::Measured, waves: None }
    }

    /// The list changed.
    pub(crate) fn reset(&mut self) {
        self.waves = None;
    }
}

/// Systems that may overlap, in the order of the list.
#[derive(Debug)]
struct Wave {
    steps: Vec<usize>,
    /// What they claim.
    compared: Compared,
    clock: Clock,
}

/// A run in so many is measured anew.
const PERIOD: u32 = 32;
/// So many runs of either way are measured, of which the faster one counts: the first one finds cold caches, or a thread
/// asleep.
const TRIALS: u32 = 2;
/// To wake a thread takes about as long.
const LEAST: Duration = Duration::from_micros(10);

/// Finds out whether to share.
#[derive(Debug)]
struct Clock {
    turn: u32,
    sequential: Duration,
    shared: Duration,
}

impl Clock {
    const NEW: Self = Self { turn: 0, sequential: Duration::MAX, shared: Duration::MAX };

    /// Whether the next run is shared, and whether it is measured.
    fn next(&mut self) -> (bool, bool) {
        if self.turn == PERIOD {
            *self = Self::NEW;
        }
        self.turn += 1;
        let is_trial = self.turn > TRIALS && self.turn <= 2 * TRIALS && self.sequential >= LEAST;
        let is_measured = self.turn <= TRIALS || is_trial;
        (is_trial || self.shared < self.sequential, is_measured)
    }

    fn note(&mut self, is_shared: bool, took: Duration) {
        let best = if is_shared { &mut self.shared } else { &mut self.sequential };
        *best = took.min(*best);
    }
}

/// A run of a system on any thread, and what came of it.
struct Job<'w> {
    step: usize,
    work: Option<Work<'w>>,
    result: Result<(), Failure>,
    lap: Option<Lap>,
}

impl Schedule {
    /// Says when threads share the systems that may overlap. At first, where it was [faster](Sharing::Measured).
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, Sharing, World};
    /// # #[derive(Resource)] struct Ticks(u32);
    /// # #[derive(Resource)] struct Score(u32);
    /// let mut schedule = Schedule::new()
    ///     .add(|ticks: &mut Ticks| ticks.0 += 1)
    ///     .add(|score: &mut Score| score.0 += 1);
    /// schedule.set_sharing(Sharing::Always);
    /// # let mut world = World::new();
    /// # world.insert_resource(Ticks(0));
    /// # world.insert_resource(Score(0));
    /// schedule.run(&mut world).unwrap();
    /// assert_eq!(world.resource::<Ticks>().0, 1);
    /// ```
    pub fn set_sharing(&mut self, sharing: Sharing) {
        self.shared.sharing = sharing;
    }

    pub(crate) fn run_steps(&mut self, world: &mut World, errors: &mut Errors) {
        if self.shared.sharing == Sharing::Never {
            return (0..self.slots.len()).for_each(|at| self.run_step(at, world, errors));
        }
        let mut waves = self.shared.waves.take().unwrap_or_else(|| self.find_waves());
        for wave in &mut waves {
            self.run_wave(wave, world, errors);
        }
        self.shared.waves = Some(waves);
    }

    #[cold]
    fn find_waves(&self) -> Vec<Wave> {
        let plan = KnownPlan::of(&self.steps);
        let wave = |steps: Vec<usize>| {
            let mut compared = Compared::default();
            if steps.len() > 1 {
                let systems = steps.iter().filter_map(|at| self.slots[*at].kind.system());
                systems.for_each(|system| system.compare(&mut compared));
            }
            Wave { steps, compared, clock: Clock::NEW }
        };
        plan.waves().into_iter().map(wave).collect()
    }

    fn run_wave(&mut self, wave: &mut Wave, world: &mut World, errors: &mut Errors) {
        if let [at] = wave.steps[..] {
            return self.run_step(at, world, errors);
        }
        let is_measured = self.shared.sharing == Sharing::Measured;
        let (is_shared, is_timed) = if is_measured { wave.clock.next() } else { (true, false) };
        let start = is_timed.then(Instant::now);
        if is_shared {
            self.share_wave(wave, world, errors);
        } else {
            wave.steps.iter().for_each(|at| self.run_step(*at, world, errors));
        }
        if let Some(start) = start {
            wave.clock.note(is_shared, start.elapsed());
        }
    }

    fn share_wave(&mut self, wave: &Wave, world: &mut World, errors: &mut Errors) {
        // Nobody in the wave writes what a condition reads: so all are asked before.
        let slots = &mut self.slots;
        let is_ready = wave.steps.iter().map(|at| slots[*at].is_ready(world)).collect::<Vec<_>>();
        let mut claims = world.claims(&wave.compared);
        let (mut jobs, mut left, mut next) = (Vec::new(), slots.iter_mut(), 0);
        for (&step, is_ready) in wave.steps.iter().zip(is_ready) {
            let slot = left.nth(step - next);
            next = step + 1;
            match slot.and_then(|slot| slot.kind.system_mut()) {
                Some(system) if is_ready => {
                    let work = Some(system.claim(&mut claims));
                    jobs.push(Mutex::new(Job { step, work, result: Ok(()), lap: None }));
                }
                _ => claims.skip(),
            }
        }
        let (steps, is_timed) = (&self.steps, self.is_timed);
        share(jobs.len(), &|at| {
            jobs[at].lock().unwrap_or_else(PoisonError::into_inner).run(steps, is_timed);
        });
        for job in jobs {
            let job = job.into_inner().unwrap_or_else(PoisonError::into_inner);
            errors.extend(job.result.err().map(|error| (job.step, error)));
            if let Some(lap) = job.lap {
                self.laps.set(job.step, lap);
            }
        }
    }
}

impl Job<'_> {
    fn run(&mut self, steps: &[Step], is_timed: bool) {
        let start = is_timed.then(Instant::now);
        if let Some(work) = self.work.take() {
            self.result = trace(|| steps[self.step].name(), work);
        }
        self.lap = start.map(Lap::since);
    }
}

impl Slot {
    /// Gets the system ready for a run, if it is to run.
    fn is_ready(&mut self, world: &mut World) -> bool {
        let (is_wanted, system) = match &mut self.kind {
            Kind::System(system) => (self.runs, system),
            Kind::Conditional(condition, system) => (self.runs && condition.ask(world), system),
            Kind::Sync | Kind::Heading => return false,
        };
        if is_wanted {
            system.prepare(world);
        }
        is_wanted
    }
}
