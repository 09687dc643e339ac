//! What became of commands.

/// What became of commands that were [applied](crate::Commands::apply).
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
    /// How many commands were for an entity that was not alive any more when it was their turn, or had a relation
    /// that points to one. Nothing was done, and what they held was dropped; the entity of a
    /// [`spawn`](crate::Commands::spawn) ended. Neighbours of one kind have one turn: those that an observer ends
    /// meanwhile are done.
    pub missing: usize,
    /// How many components were not removed, and entities not despawned, because a veto refused; and how many
    /// commands inserted nothing, because a [relation](crate::Relation) would have closed a circle that it may not
    /// close.
    pub refused: usize,
}
