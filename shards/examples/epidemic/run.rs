//! Runs of the epidemic: on several ranks, and in one world without any.

use super::town::{Ill, Place, Spread, Tally, Town, Walk};
use ecs::{With, World};
use ecs_shards::{ShardError, Shards, Transport};
use std::path::Path;

/// The systems of a step.
#[derive(Default)]
struct Step {
    walk: Walk,
    spread: Spread,
}

/// A town in one world.
pub struct Alone {
    pub world: World,
    step: Step,
}

impl Alone {
    pub fn new(people: u32, seed: u64) -> Self {
        let world = Town::new(people, seed, 0, 1).people(people);
        Self { world, step: Step::default() }
    }

    pub fn step(&mut self) {
        self.step.walk.run(&mut self.world).expect("no system fails");
        self.step.spread.run(&mut self.world).expect("no system fails");
    }

    pub fn line(&self) -> String {
        Tally::of(&self.world).line(self.world.resource::<Town>().step)
    }

    /// Makes this many steps, and returns the lines of each tenth one.
    pub fn run(&mut self, steps: u32) -> Vec<String> {
        let mut lines = Vec::new();
        for step in 1..=steps {
            self.step();
            if step.is_multiple_of(10) {
                lines.push(self.line());
            }
        }
        lines
    }
}

/// A rank's stripe of a town.
pub struct Stripe<T> {
    pub world: World,
    pub shards: Shards<T>,
    step: Step,
}

impl<T: Transport> Stripe<T> {
    pub fn new(transport: T, people: u32, seed: u64) -> Result<Self, ShardError> {
        let (rank, ranks) = (transport.rank(), transport.ranks());
        let town = Town::new(people, seed, rank, ranks);
        let neighbours = town.cuts.neighbours(rank);
        let mut world = town.people(people);
        let mut shards = Shards::with_neighbours(transport, &mut world, &neighbours)?;
        shards.show_ghosts::<Place>(&mut world);
        Ok(Self { world, shards, step: Step::default() })
    }

    pub fn step(&mut self) -> Result<(), ShardError> {
        let Self { world, shards, step } = self;
        let mut town = world.resource::<Town>().clone();
        if town.step.is_multiple_of(10) {
            let mut cuts = town.cuts.clone();
            shards.balance::<Place>(world, &mut cuts, |place| (town.column(*place), 1))?;
            town.cuts = cuts;
            *world.resource_mut::<Town>() = town.clone();
        }
        step.walk.run(world).expect("no system fails");
        shards.migrate::<Place>(world, |place| town.owner(*place))?;
        shards.refresh(world, |world, shown| {
            for (entity, place) in world.view::<(&Place, With<Ill>)>() {
                town.seen_by(*place).for_each(|rank| shown.show(entity, rank));
            }
        })?;
        step.spread.run(world).expect("no system fails");
        Ok(())
    }

    pub fn steps(&self) -> u32 {
        self.world.resource::<Town>().step
    }

    /// Returns the line of the whole town. Collective.
    pub fn line(&mut self) -> Result<String, ShardError> {
        let tally = self.shards.reduce(Tally::of(&self.world), Tally::add)?;
        Ok(tally.line(self.steps()))
    }

    /// Steps until this many are done, and returns the lines of each tenth step. Saves a checkpoint with each
    /// line.
    pub fn run(&mut self, steps: u32, folder: Option<&Path>) -> Result<Vec<String>, ShardError> {
        let mut lines = Vec::new();
        while self.steps() < steps {
            self.step()?;
            if self.steps().is_multiple_of(10) {
                lines.push(self.line()?);
                if let Some(folder) = folder {
                    self.shards.save(&self.world, folder, self.steps().into())?;
                }
            }
        }
        Ok(lines)
    }
}
