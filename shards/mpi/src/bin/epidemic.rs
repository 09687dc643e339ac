//! The epidemic of `ecs_shards` on the ranks of an MPI run. Each tenth step prints a checksum.
//!
//! ```text
//! mpirun -n 4 target/release/epidemic --agents 2000000
//! ```
#![allow(
    clippy::needless_pass_by_value,
    dead_code,
    reason = "the example of `ecs_shards` says why"
)]

#[path = "../../../examples/epidemic/args.rs"]
mod args;
#[path = "../../../../examples/src/bin/epidemic/crowd.rs"]
mod crowd;
#[path = "../../../examples/epidemic/run.rs"]
mod run;
#[path = "../../../examples/epidemic/town.rs"]
mod town;

use args::RunArgs;
use clap::Parser;
use ecs_shards::{ShardError, Transport};
use ecs_shards_mpi::Mpi;
use run::Stripe;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Spreads an illness in a town that the ranks of an MPI run share.
#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    run: RunArgs,
    /// Prints the time of the fastest step in milliseconds instead of checksums
    #[arg(long)]
    time: bool,
    /// With `--time`: measures one world on this many threads instead, without MPI
    #[arg(long)]
    threads: Option<usize>,
    /// For tests: the last rank panics after this many steps
    #[arg(long, hide = true)]
    panic_after: Option<u32>,
    /// For tests: the last rank returns after this many steps
    #[arg(long, hide = true)]
    return_after: Option<u32>,
}

/// Returns the time of the fastest of this many steps.
fn least(
    steps: u32,
    mut step: impl FnMut() -> Result<(), ShardError>,
) -> Result<Duration, ShardError> {
    let mut least = Duration::MAX;
    for _ in 0..steps {
        let start = Instant::now();
        step()?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

/// Returns the time of a step on this many threads, in one world without MPI.
fn time_of_threads(args: &RunArgs, threads: usize) -> Result<Duration, ShardError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let mut town = args.alone();
    least(args.steps, || {
        pool.install(|| town.step());
        Ok(())
    })
}

/// Returns the time of a step on the ranks, until all of them have made it.
fn time_of_ranks<T: Transport>(stripe: &mut Stripe<T>, steps: u32) -> Result<Duration, ShardError> {
    stripe.shards.reduce(0, |_, _| 0)?; // all begin together
    least(steps, || {
        stripe.step()?;
        stripe.shards.reduce(0, |_, _| 0).map(drop)
    })
}

fn run(mpi: &mut Mpi, args: &Args) -> Result<(), ShardError> {
    let (rank, ranks) = (mpi.rank(), mpi.ranks());
    let mut stripe = args.run.stripe(mpi)?;
    let RunArgs { steps, checkpoints, .. } = &args.run;
    if let Some(steps) = args.panic_after {
        stripe.run(steps, None)?;
        assert!(rank + 1 < ranks, "rank {rank} panics after {steps} steps");
    }
    if let Some(steps) = args.return_after.filter(|_| rank + 1 == ranks) {
        return stripe.run(steps, None).map(drop);
    }
    if args.time {
        let time = time_of_ranks(&mut stripe, *steps)?;
        if rank == 0 {
            println!("{:.3}", time.as_secs_f64() * 1e3);
        }
        return Ok(());
    }
    while stripe.steps() < *steps {
        let lines = stripe.run((stripe.steps() + 10).min(*steps), checkpoints.as_deref())?;
        if rank == 0 {
            for line in lines {
                println!("{line}");
            }
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(threads) = args.threads {
        let time = time_of_threads(&args.run, threads).expect("there are no ranks to fail");
        println!("{:.3}", time.as_secs_f64() * 1e3);
        return ExitCode::SUCCESS;
    }
    // One thread a rank; the ranks share the processors.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("built once");
    Mpi::run(|mpi| run(mpi, &args))
}
