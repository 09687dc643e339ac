//! Simulates the spread of an epidemic.
//!
//! 200,000 people walk about in a town. In each step they walk on, ill people are sorted into a spatial hash,
//! and healthy people look there for neighbours that can infect them.
//!
//! Two such towns run side by side, one step at a time: one on a single thread, the other on all threads. Their
//! results are equal to the last bit. Random numbers are a hash of the seed, the person and the step, so the
//! order of draws does not matter; and `par_fold` always returns its lists in one order.
//!
//! ```text
//! cargo run --profile example -p ecs_examples --bin epidemic
//! ```
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

mod chance;
mod crowd;
#[cfg(test)]
mod tests;

use chance::{Draw, Town, mix};
use clap::Parser;
use crowd::Crowd;
use ecs::{Commands, Component, Has, Resource, View, With, World, schedule};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Spreads an illness in a town, on one thread and on many.
#[derive(Clone, Debug, Parser)]
struct Args {
    /// The number of people
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    agents: u32,
    #[arg(long, default_value_t = 300)]
    steps: u32,
    /// Another seed is another epidemic
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads of the second town [default: as many as there are]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

/// The number of people on ten squares of length 1, the distance that the illness reaches.
const ON_TEN_SQUARES: u32 = 13;
/// The longest way of a step, to the east or to the north.
const STRIDE: f32 = 0.5;
/// The probability of a new direction in a step.
const TURN: f32 = 0.05;
/// The probability that a neighbour infects a person in a step.
const RISK: f32 = 0.04;
const ILL_FOR: u32 = 20;
/// One person of this many is ill at first.
const APART: usize = 2_000;

#[derive(Component, Clone, Copy)]
struct Place([f32; 2]);
/// The distance that a person walks in a step.
#[derive(Component, Clone, Copy)]
struct Stride([f32; 2]);
/// Has not been ill yet.
#[derive(Component)]
struct Healthy;
/// A person who has recovered has neither this nor [`Healthy`].
#[derive(Component)]
struct Ill {
    steps_left: u32,
}

/// The counts of the epidemic so far.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    steps: u32,
    ill: usize,
    healthy: usize,
    /// The most that were ill at once, and when.
    peak: (usize, u32),
}

schedule! {
    /// A step of a town. While some catch it, others recover.
    struct Step { walk, gather, together(infect, recover), sync, count }
}

fn walk(people: View<(&mut Place, &mut Stride)>, town: &Town) {
    let side = f32::from(town.side);
    people.par_for_each(|(who, place, stride)| {
        if town.draw(who.index(), Draw::Turn)[0] < TURN {
            *stride = town.stride(who.index());
        }
        for (at, by) in place.0.iter_mut().zip(&mut stride.0) {
            let there = *at + *by;
            *at = there.clamp(0.0, side);
            if !(0.0..=side).contains(&there) {
                *by = -*by; // turns around at the wall
            }
        }
    });
}

fn gather(ill: View<(&Place, With<Ill>)>, town: &Town, crowd: &mut Crowd) {
    crowd.fill(0..town.side, town.side, ill.iter().map(|(_, place)| place.0));
}

fn infect(
    healthy: View<(&Place, With<Healthy>)>,
    crowd: &Crowd,
    town: &Town,
    commands: &mut Commands,
) {
    let caught = healthy.par_fold(
        Vec::new,
        |mut caught, (who, place)| {
            let near = crowd.count_near(place.0);
            let escape = (0..near).fold(1.0, |chance, _| chance * (1.0 - RISK));
            if near > 0 && town.draw(who.index(), Draw::Catch)[0] >= escape {
                caught.push(who);
            }
            caught
        },
        |mut first, mut second| {
            first.append(&mut second);
            first
        },
    );
    for who in caught {
        commands.remove::<Healthy>(who);
        commands.insert(who, Ill { steps_left: ILL_FOR });
    }
}

fn recover(people: View<&mut Ill>, commands: &mut Commands) {
    for (who, ill) in people {
        ill.steps_left -= 1;
        if ill.steps_left == 0 {
            commands.remove::<Ill>(who);
        }
    }
}

fn count(ill: View<&Ill>, healthy: View<&Healthy>, town: &mut Town, tally: &mut Tally) {
    town.step += 1;
    (tally.steps, tally.ill, tally.healthy) = (town.step, ill.len(), healthy.len());
    if ill.len() > tally.peak.0 {
        tally.peak = (ill.len(), town.step);
    }
}

/// A town that has its own threads.
struct Run {
    world: World,
    step: Step,
    pool: ThreadPool,
    took: Duration,
}

impl Run {
    fn new(args: &Args, threads: usize) -> Self {
        let side = (args.agents * 10 / ON_TEN_SQUARES).isqrt() + 1;
        let side = u16::try_from(side).expect("of four million it is 1,755");
        let town = Town { seed: args.seed, step: 0, side };
        let mut world = World::new();
        let people = world.spawn_batch((0..args.agents).map(|who| {
            let home = town.draw(who, Draw::Home).map(|part| part * f32::from(side));
            (Place(home), town.stride(who), Healthy)
        }));
        for &who in people.iter().step_by(APART) {
            world.remove::<Healthy>(who);
            world.insert(who, Ill { steps_left: ILL_FOR }).expect("it is alive");
        }
        world.insert_resource(town);
        world.insert_resource(Crowd::default());
        world.insert_resource(Tally::default());
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        Self { world, step: Step::new(), pool, took: Duration::ZERO }
    }

    fn step(&mut self) {
        let start = Instant::now();
        let Self { world, step, pool, .. } = self;
        pool.install(|| step.run(world)).expect("no system fails");
        self.took += start.elapsed();
    }

    /// Returns the result as a line for other programs. The checksum covers all places and states.
    fn line(&self) -> String {
        let people = self.world.view::<(Place, Has<Healthy>, Option<&Ill>)>();
        let checksum = people.par_fold(
            || 0,
            |sum: u64, (who, place, is_healthy, ill)| {
                let [x, y] = place.0.map(|at| u64::from(at.to_bits()));
                let state = ill.map_or(u32::from(is_healthy), |ill| ill.steps_left + 1);
                let who_and_state = (u64::from(who.index()) << 32) | u64::from(state);
                sum.wrapping_add(mix(mix((x << 32) | y) ^ who_and_state))
            },
            u64::wrapping_add,
        );
        let Tally { steps, ill, healthy, peak: (most, when) } = *self.world.resource::<Tally>();
        let caught = self.world.len() - healthy;
        format!(
            "steps={steps} caught={caught} ill={ill} peak={most} at={when} checksum={checksum:016x}"
        )
    }

    fn figures(&self, args: &Args) -> String {
        let (threads, seconds) = (self.pool.current_num_threads(), self.took.as_secs_f64());
        let agents_a_second = f64::from(args.agents) * f64::from(args.steps) / seconds / 1e6;
        format!("{threads:7}  {seconds:7.2}  {agents_a_second:23.1}")
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let progress = ProgressBar::new(args.steps.into()).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} steps, {msg} ill") {
        progress.set_style(style);
    }
    let [mut alone, mut shared] = [1, args.threads].map(|threads| Run::new(&args, threads));
    for _ in 0..args.steps {
        alone.step();
        shared.step();
        progress.set_message(alone.world.resource::<Tally>().ill.to_string());
        progress.inc(1);
    }
    progress.finish_and_clear();

    let ratio = alone.took.as_secs_f64() / shared.took.as_secs_f64();
    println!("threads  seconds  million agents a second");
    println!("{}\n{}\n", alone.figures(&args), shared.figures(&args));
    println!("{ratio:.2} times as fast");
    let [line, other] = [&alone, &shared].map(Run::line);
    println!("agents={} {line}", args.agents);
    if line == other {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: threads came to something else: {other}");
    ExitCode::FAILURE
}
