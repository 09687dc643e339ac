//! Predictions of a client, and roll-back to the state that the server confirms.

use crate::Error;
use ecs::app::App;
use ecs::replay::Program;
use ecs::save::{ChangeSets, Follower, Limits, SaveError};
use ecs::{Schedule, Snapshot, SnapshotError, World};
use std::collections::VecDeque;
use std::fmt;

/// A program that [`Predicted`] plays: an [`App`], a [`World`] and a [`Schedule`], a world alone, or a type of yours.
pub trait PredictedProgram: Program {
    /// Returns the world of the program, to be changed.
    fn world_mut(&mut self) -> &mut World;
}

impl PredictedProgram for App {
    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

impl PredictedProgram for (World, Schedule) {
    fn world_mut(&mut self) -> &mut World {
        &mut self.0
    }
}

impl PredictedProgram for World {
    fn world_mut(&mut self) -> &mut World {
        self
    }
}

/// Plays a program ahead of the server, by the inputs of its own player. When the server's state of a tick is there, the
/// program goes back to this tick, takes over that state, and plays the later inputs again.
///
/// There are two worlds. One follows the server by a [`Client`](crate::Client): it is the *confirmed* one. The other
/// belongs to the program, which is seen by the player. It has entities of its own, and for each replicated entity of
/// the confirmed world another one: [`follower`](Self::follower) finds it. Systems and resources of the program go back
/// like in a [`Snapshot`], so components need `#[component(clone)]`.
///
/// A tick of the program is a tick of the server. The server must play the input of tick `n` at its tick `n`, so a client
/// plays about a round trip ahead.
///
/// ```
/// use ecs::{Component, World};
/// use ecs_replication::Predicted;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Clone, Serialize, Deserialize, Debug, PartialEq)]
/// #[component(clone, track, save = "position")]
/// struct Position(i32);
///
/// fn play(world: &mut World, step: &i32) {
///     world.view_mut::<&mut Position>().into_iter().for_each(|(_, position)| position.0 += step);
/// }
/// // A `Client` writes to the confirmed world.
/// let mut confirmed = World::new();
/// let ship = confirmed.spawn(Position(0)).id();
///
/// let mut program = World::new();
/// program.register::<Position>();
/// let mut predicted = Predicted::new(30);
/// predicted.confirm(&mut program, &mut confirmed, 7, play)?;
/// let here = predicted.follower().get(ship).unwrap();
/// for step in [1, 1, 1] {
///     predicted.play(&mut program, step, play)?;
/// }
/// assert_eq!((predicted.tick(), program.get::<Position>(here)), (10, Some(&Position(3))));
///
/// // At tick 8, something was in the way.
/// confirmed.get_mut::<Position>(ship).unwrap().0 = -10;
/// assert_eq!(predicted.confirm(&mut program, &mut confirmed, 8, play)?, 2);
/// assert_eq!((predicted.tick(), program.get::<Position>(here)), (10, Some(&Position(-8))));
/// # Ok::<(), ecs_replication::PredictionError>(())
/// ```
pub struct Predicted<I> {
    sets: ChangeSets,
    follower: Follower,
    /// The tick of the program, and the tick of the confirmed state.
    tick: u64,
    confirmed: u64,
    /// The ticks since the confirmed one.
    frames: VecDeque<Frame<I>>,
    most: usize,
    /// The memory of earlier snapshots.
    spare: Vec<Snapshot>,
}

/// A played tick.
struct Frame<I> {
    input: I,
    /// The program before it.
    before: Snapshot,
    follower: Follower,
}

impl<I> Predicted<I> {
    /// Returns a prediction that plays at most `most` ticks ahead of the confirmed one. It keeps a snapshot for each.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            sets: ChangeSets::default(),
            follower: Follower::default(),
            tick: 0,
            confirmed: 0,
            frames: VecDeque::new(),
            most,
            spare: Vec::new(),
        }
    }

    /// Plays the next tick with an input. Returns its number, or `None` if the program is as far ahead as it may be: then
    /// nothing is played, and the input is dropped.
    ///
    /// # Errors
    /// Returns an error if a part of the program cannot be copied. Then nothing is played.
    pub fn play<P: PredictedProgram>(
        &mut self,
        program: &mut P,
        input: I,
        mut play: impl FnMut(&mut P, &I),
    ) -> Result<Option<u64>, PredictionError> {
        if self.frames.len() >= self.most {
            return Ok(None);
        }
        let mut before = self.spare.pop().unwrap_or_default();
        program.snapshot_into(&mut before)?;
        play(program, &input);
        self.frames.push_back(Frame { input, before, follower: self.follower.clone() });
        self.tick += 1;
        Ok(Some(self.tick))
    }

    /// Takes over the state of a tick from the world that follows the server. If the tick is newer than the last confirmed
    /// one, the program goes back to it, and plays the later inputs again. Returns the number of ticks that it played.
    ///
    /// Call it behind [`Client::update`](crate::Client::update), with [`Client::tick`](crate::Client::tick). Give the same
    /// worlds each time. O(replicated components, and a snapshot for each later tick).
    ///
    /// # Errors
    /// Returns an error if a part of the program cannot be copied, or the state cannot be taken over: often because a
    /// component is not registered in the program's world.
    pub fn confirm<P: PredictedProgram>(
        &mut self,
        program: &mut P,
        confirmed: &mut World,
        tick: u64,
        mut play: impl FnMut(&mut P, &I),
    ) -> Result<usize, PredictionError> {
        if tick <= self.confirmed {
            return Ok(0);
        }
        self.sets.restart();
        let set = self.sets.drain(confirmed)?;
        let passed = usize::try_from(tick - self.confirmed).unwrap_or(usize::MAX);
        let passed = passed.min(self.frames.len());
        self.spare.extend(self.frames.drain(..passed).map(|frame| frame.before));
        self.confirmed = tick;
        if let Some(next) = self.frames.front() {
            program.restore(&next.before)?;
            self.follower = next.follower.clone();
        } else {
            self.tick = tick;
        }
        let world = program.world_mut();
        let applied =
            world.apply_change_set(set.as_bytes(), &mut self.follower, &Limits::default());
        let _full_sets_are_applied = applied.map_err(Error::from)?;
        for frame in &mut self.frames {
            program.snapshot_into(&mut frame.before)?;
            frame.follower = self.follower.clone();
            play(program, &frame.input);
        }
        Ok(self.frames.len())
    }

    /// Returns the number of the last played tick.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the number of the last confirmed tick; 0 before the first one.
    #[must_use]
    pub const fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// Returns the entities of the confirmed world, each with the one of the program that stands for it.
    #[must_use]
    pub const fn follower(&self) -> &Follower {
        &self.follower
    }
}

impl<I> fmt::Debug for Predicted<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, confirmed, .. } = self;
        f.debug_struct("Predicted")
            .field("tick", tick)
            .field("confirmed", confirmed)
            .finish_non_exhaustive()
    }
}

/// Why a prediction cannot go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum PredictionError {
    /// A part of the program cannot be copied.
    Snapshot(SnapshotError),
    /// A value of the confirmed world cannot be written.
    Save(SaveError),
    /// The program cannot take over the confirmed state.
    State(Error),
}

impl fmt::Display for PredictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot(error) => write!(f, "the program cannot go back: {error}"),
            Self::Save(error) => write!(f, "the confirmed world cannot be copied: {error}"),
            Self::State(error) => write!(f, "the program cannot take over a state: {error}"),
        }
    }
}

impl std::error::Error for PredictionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Snapshot(error) => Some(error),
            Self::Save(error) => Some(error),
            Self::State(error) => Some(error),
        }
    }
}

impl From<SnapshotError> for PredictionError {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl From<SaveError> for PredictionError {
    fn from(error: SaveError) -> Self {
        Self::Save(error)
    }
}

impl From<Error> for PredictionError {
    fn from(error: Error) -> Self {
        Self::State(error)
    }
}
