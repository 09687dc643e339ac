//! The arguments of a run, equal for ranks that are threads and for processes that MPI connects.

use super::run::{Alone, Stripe};
use ecs_shards::{ShardError, Transport};
use std::path::PathBuf;

/// The town, and how long the illness spreads in it.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The number of people
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub agents: u32,
    #[arg(long, default_value_t = 100)]
    pub steps: u32,
    /// Another seed is another epidemic
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Saves a checkpoint here each tenth step, and goes on from the last one
    #[arg(long)]
    pub checkpoints: Option<PathBuf>,
}

impl RunArgs {
    /// Returns the town in one world, before the first step.
    pub fn alone(&self) -> Alone {
        Alone::new(self.agents, self.seed)
    }

    /// Returns a rank's stripe of the town: before the first step, or as the last checkpoint has it. Collective.
    pub fn stripe<T: Transport>(&self, transport: T) -> Result<Stripe<T>, ShardError> {
        let mut stripe = Stripe::new(transport, self.agents, self.seed)?;
        if let Some(folder) = &self.checkpoints {
            stripe.shards.load_last(&mut stripe.world, folder)?;
        }
        Ok(stripe)
    }
}
