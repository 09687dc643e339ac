//! An epidemic in a town, on one thread or on several, each of which has a stripe of the town in a world of its own.
//! Each tenth step prints a checksum, equal on any number of ranks.
//!
//! ```text
//! cargo run --release -p ecs_shards --example epidemic -- --ranks 4
//! ```
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

#[path = "../../../examples/src/bin/epidemic/crowd.rs"]
mod crowd;
mod run;
mod town;

use clap::Parser;
use ecs_shards::{Channels, ShardError};
use run::{Alone, Stripe};
use std::path::PathBuf;
use std::process::ExitCode;

/// Spreads an illness in a town that several ranks share.
#[derive(Debug, Parser)]
struct Args {
    /// The number of people
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    agents: u32,
    #[arg(long, default_value_t = 100)]
    steps: u32,
    /// Another seed is another epidemic
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of worlds, each on a thread; 0 is one world that is not connected to any
    #[arg(long, default_value_t = 2)]
    ranks: usize,
    /// Saves a checkpoint here each tenth step, and goes on from the last one
    #[arg(long)]
    checkpoints: Option<PathBuf>,
}

fn run(args: &Args) -> Result<Vec<String>, ShardError> {
    if args.ranks == 0 {
        return Ok(Alone::new(args.agents, args.seed).run(args.steps));
    }
    let lines = Channels::run(args.ranks, |channels| {
        let mut stripe = Stripe::new(channels, args.agents, args.seed)?;
        if let Some(folder) = &args.checkpoints {
            stripe.shards.load_last(&mut stripe.world, folder)?;
        }
        stripe.run(args.steps, args.checkpoints.as_deref())
    });
    Ok(lines?.swap_remove(0))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(lines) => {
            for line in lines {
                println!("{line}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
