//! The outcome of commands.

use core::error::Error;
use core::fmt;

/// The outcome of commands that were [applied](crate::Commands::apply).
///
/// ```
/// # use ecs::{Commands, Component, World};
/// #[derive(Component)]
/// #[component(veto = Door::may_go)]
/// struct Door { locked: bool }
/// # impl Door { fn may_go(&mut self) -> bool { !self.locked } }
///
/// let mut world = World::new();
/// let [open, locked] = [false, true].map(|locked| world.spawn(Door { locked }).id());
/// let mut commands = Commands::new();
/// commands.despawn(open);
/// commands.despawn(locked);
/// commands.remove::<Door>(open);
/// let applied = commands.apply(&mut world);
/// assert_eq!((applied.missing, applied.refused), (1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The number of commands that were for an entity that was not alive any more when it was their turn, or had a
    /// relation that points to one. Nothing was done, and their values were dropped; the entity of a
    /// [`spawn`](crate::Commands::spawn) ended. Consecutive commands of one kind run as one batch: commands for
    /// entities that an observer ends meanwhile count as done.
    pub missing: usize,
    /// The number of refused removals, despawns and insertions:
    ///
    /// * components that were not removed, and entities that were not despawned, because a veto refused;
    /// * commands that inserted nothing, because a [relation](crate::Relation) would have closed a forbidden circle, or
    ///   because another entity has an equal [unique](crate::guide::indexes#unique-values) component.
    pub refused: usize,
    /// The number of commands that were recorded for [another world](crate::Commands#worlds). Nothing was done, and
    /// their values were dropped.
    pub foreign: usize,
}

impl Applied {
    /// Returns an error with these numbers unless all of them are 0.
    ///
    /// # Errors
    /// Returns an error if some of the commands were not done.
    ///
    /// ```
    /// # use ecs::{Commands, World};
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let mut commands = Commands::new();
    /// commands.despawn(entity);
    /// assert!(commands.apply(&mut world).into_result().is_ok());
    /// commands.despawn(entity);
    /// let error = commands.apply(&mut world).into_result().unwrap_err();
    /// assert_eq!(error.to_string(), "not all commands were applied: 1 found no living entity");
    /// ```
    pub fn into_result(self) -> Result<(), CommandsError> {
        if self == Self::default() { Ok(()) } else { Err(CommandsError(self)) }
    }
}

/// The error of commands if some were not applied.
///
/// Returned by [`Applied::into_result`], and by [`Schedule::run`](crate::Schedule::run) for systems of a
/// [strict](crate::Schedule::set_strict) schedule.
///
/// ```
/// # use ecs::{Commands, CommandsError, Component, EntityAllocator, Schedule, View, World};
/// # #[derive(Component)] struct Health(u32);
/// fn bury(all: View<&Health>, commands: &mut Commands) {
///     all.iter().for_each(|(entity, _)| commands.despawn(entity));
/// }
/// let mut frame = Schedule::new().add(bury).add(bury);
/// frame.set_strict(true);
/// let mut world = World::new();
/// world.spawn_batch([Health(0), Health(0)]);
/// let error = frame.run(&mut world).unwrap_err();
/// let (system, error) = error.errors().next().unwrap();
/// let error: &CommandsError = error.downcast_ref().unwrap();
/// assert_eq!((system, error.applied().missing), ("bury", 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandsError(Applied);

impl CommandsError {
    /// Returns how many commands were not applied, and why.
    ///
    /// ```
    /// # use ecs::{Commands, World};
    /// let (mut world, other) = (World::new(), World::new());
    /// let mut commands = Commands::new();
    /// commands.spawn(&other, ecs::Name::new("Bob"));
    /// let error = commands.apply(&mut world).into_result().unwrap_err();
    /// assert_eq!(error.applied().foreign, 1);
    /// ```
    #[must_use]
    pub const fn applied(&self) -> Applied {
        self.0
    }
}

impl fmt::Display for CommandsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Applied { missing, refused, foreign } = self.0;
        let reasons = [
            (missing, "found no living entity"),
            (refused, "refused by a veto, an acyclic relation or a unique component"),
            (foreign, "recorded for another world"),
        ];
        let mut between = "not all commands were applied: ";
        for (count, reason) in reasons.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{between}{count} {reason}")?;
            between = ", ";
        }
        Ok(())
    }
}

impl Error for CommandsError {}
