//! Systems that overlap, shared by threads: systems of a list that wait only for systems that have ended.
//!
//! ```text
//! wave 0    steer  heal  burn      none of them touches what another one writes
//! wave 1    integrate              waits for `steer`
//! wave 2    whole_world            alone
//! ```
//!
//! All claims of a wave are made on the calling thread, before any thread begins (V1).

use crate::parallel::gate::share_beside;
use crate::parallel::sync::{Mutex, current_num_threads, lock, unlocked};
use crate::query::claim::Compared;
use crate::system::plan::{KnownPlan, Step};
use crate::system::run::{Caller, Failure, SystemWork};
use crate::system::schedule::{Errors, Schedule, Slot, SlotKind, ask_for_all, trace};
use crate::system::share::{Clock, Sharing, Wave};
use crate::system::timeline::Lap;
use crate::world::World;
use alloc::vec::Vec;
use std::time::Instant;

/// A run of a system, and its result.
struct Job<'w> {
    step: usize,
    work: Option<SystemWork<'w>>,
    result: Result<(), Failure>,
    lap: Option<Lap>,
}

impl Schedule {
    /// Sets when threads share the systems that may overlap. The default is [`Sharing::Measured`].
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
        if self.shared.sharing.is_alone() {
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
            let is_shareable = steps.len() > 1 && !steps.iter().all(|at| self.steps[*at].stays());
            if is_shareable {
                let systems = steps.iter().filter_map(|at| self.slots[*at].kind.system());
                systems.for_each(|system| system.compare(&mut compared));
            }
            Wave { steps, is_shareable, compared, clock: Clock::NEW }
        };
        plan.waves().into_iter().map(wave).collect()
    }

    fn run_wave(&mut self, wave: &mut Wave, world: &mut World, errors: &mut Errors) {
        if !wave.is_shareable {
            return wave.steps.iter().for_each(|at| self.run_step(*at, world, errors));
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
        // Commands that a system of the wave must see are applied before the wave.
        if let Some(&first) = wave.steps.first().filter(|at| self.slots[**at].applies()) {
            self.apply(first, world, errors);
        }
        // No system in the wave writes data that a condition reads, so all conditions are evaluated
        // before.
        let (slots, caller) = (&mut self.slots, self.caller);
        let mut is_ready = Vec::new();
        for &at in &wave.steps {
            if let Step::Set(_, len, _) = self.steps[at] {
                ask_for_all(&mut slots[at..=at + len], world, caller);
            }
            is_ready.push(slots[at].is_ready(world, caller));
        }
        let mut claims = world.claims(&wave.compared);
        let (mut jobs, mut own) = (Vec::new(), Vec::new());
        let (mut left, mut next) = (slots.iter_mut(), 0);
        for (&step, is_ready) in wave.steps.iter().zip(is_ready) {
            let slot = left.nth(step - next);
            next = step + 1;
            match slot.and_then(|slot| slot.kind.system_mut()) {
                Some(system) if is_ready => {
                    let work = Some(system.claim(&mut claims, caller));
                    let job = Job { step, work, result: Ok(()), lap: None };
                    if self.steps[step].stays() {
                        own.push(job);
                    } else {
                        jobs.push(Mutex::new(job));
                    }
                }
                Some(_) => claims.skip(),
                None => {}
            }
        }
        let (steps, is_timed) = (&self.steps, self.is_timed);
        let run = |at: usize| lock(&jobs[at]).run(steps, is_timed);
        let has_own = !own.is_empty();
        let mut run_own = || own.iter_mut().for_each(|job| job.run(steps, is_timed));
        share_beside(jobs.len(), &run, has_own.then_some(&mut run_own));
        for job in jobs.into_iter().map(unlocked).chain(own) {
            errors.extend(job.result.err().map(|error| (job.step, error)));
            if let Some(lap) = job.lap {
                self.laps.set(job.step, lap);
            }
        }
    }
}

impl Sharing {
    /// Returns `true` if systems run in the order of the list, and no time is measured: some machines without threads
    /// have no clock either.
    #[inline]
    fn is_alone(self) -> bool {
        match self {
            Self::Never => true,
            Self::Measured => current_num_threads() == 1,
            Self::Always => false,
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
    fn is_ready(&mut self, world: &mut World, caller: Caller) -> bool {
        let runs = self.runs();
        let (is_wanted, system) = match &mut self.kind {
            SlotKind::System(system) => (runs, system),
            SlotKind::Conditional(condition, system) => {
                (runs && condition.ask(world, caller), system)
            }
            SlotKind::Sync | SlotKind::Heading | SlotKind::ConditionalHeading(_) => return false,
        };
        if is_wanted {
            system.prepare(world);
        }
        is_wanted
    }
}
