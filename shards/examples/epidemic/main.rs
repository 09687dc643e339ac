//! An epidemic in a town, on one thread or on several; each has a stripe of the town in a world of its own. Each
//! tenth step prints a checksum, equal on any number of ranks.
//!
//! ```text
//! cargo run --release -p ecs_shards --example epidemic -- --ranks 4
//! ```
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

mod args;
#[path = "../../../examples/src/bin/epidemic/crowd.rs"]
mod crowd;
mod run;
mod town;

use args::RunArgs;
use clap::Parser;
use ecs_shards::{Channels, ShardError};
use std::process::ExitCode;

/// Spreads an illness in a town that several ranks share.
#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    run: RunArgs,
    /// The number of worlds, each on a thread; 0 is one world that is not connected to any
    #[arg(long, default_value_t = 2)]
    ranks: usize,
}

fn run(args: &Args) -> Result<Vec<String>, ShardError> {
    let Args { run, ranks } = args;
    if *ranks == 0 {
        return Ok(run.alone().run(run.steps));
    }
    let lines = Channels::run(*ranks, |channels| {
        run.stripe(channels)?.run(run.steps, run.checkpoints.as_deref())
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
