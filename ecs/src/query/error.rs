//! Errors of views.

use crate::entity::Entity;
use core::fmt;

/// The error of [`View::get_disjoint_mut`](crate::View::get_disjoint_mut).
///
/// ```
/// # use ecs::{Component, DisjointError, World};
/// # #[derive(Component, Debug)] struct Health(u32);
/// # let mut world = World::new();
/// let (a, b) = (world.spawn(Health(3)).id(), world.spawn_empty().id());
/// let mut view = world.view_mut::<&mut Health>();
/// assert_eq!(view.get_disjoint_mut([a, b]).unwrap_err(), DisjointError::NoMatch(b));
/// let error = view.get_disjoint_mut([a, a]).unwrap_err();
/// assert_eq!(error.to_string(), "entity 0v1 was requested twice");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DisjointError {
    /// This entity does not match the query.
    NoMatch(Entity),
    /// This entity was passed twice.
    Repeated(Entity),
}

impl fmt::Display for DisjointError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch(entity) => write!(f, "entity {entity} does not match the query"),
            Self::Repeated(entity) => write!(f, "entity {entity} was requested twice"),
        }
    }
}

impl core::error::Error for DisjointError {}

/// Up to this many entities are compared each with each other; more are sorted.
const FEW: usize = 16;

/// Returns an error for an entity that occurs twice: that it does not match, or that it is repeated. O(`n` log `n`);
/// allocates only above [`FEW`].
pub(super) fn refuse_repeated(
    entities: &[Entity],
    matches: impl FnOnce(Entity) -> bool,
) -> Result<(), DisjointError> {
    let repeated = if entities.len() <= FEW {
        let mut numbered = entities.iter().enumerate();
        numbered.find(|(at, entity)| entities[..*at].contains(entity)).map(|(_, entity)| *entity)
    } else {
        let mut sorted = entities.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    };
    match repeated {
        None => Ok(()),
        Some(entity) if matches(entity) => Err(DisjointError::Repeated(entity)),
        Some(entity) => Err(DisjointError::NoMatch(entity)),
    }
}

/// The error of [`View::single`](crate::View::single).
///
/// ```
/// # use ecs::{Component, SingleError, World};
/// # #[derive(Component, Debug)] struct Player(u32);
/// # let mut world = World::new();
/// assert_eq!(world.view::<Player>().single().unwrap_err(), SingleError::None);
/// world.spawn_batch([Player(1), Player(2)]);
/// assert_eq!(world.view::<Player>().single().unwrap_err(), SingleError::Several);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SingleError {
    /// No entity matches.
    None,
    /// More than one entity matches.
    Several,
}

impl fmt::Display for SingleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "no entity matches the query",
            Self::Several => "more than one entity matches the query",
        })
    }
}

impl core::error::Error for SingleError {}
