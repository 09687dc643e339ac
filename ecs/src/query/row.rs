//! One match, before its item is read.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::signature::Signature;
use crate::storage::keys::Keys;
use core::num::NonZeroU32;

/// One entity of the page that the cursors stand at.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Row<'w> {
    /// Where on the page it is.
    pub(crate) offset: u32,
    pub(crate) entity: RowEntity<'w>,
}

/// The entity of a row: known, or to be found out if somebody asks.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum RowEntity<'w> {
    Known(Entity),
    /// The member of these keys with this index and, unless it is 0, this generation.
    In {
        keys: &'w Keys<Entity>,
        index: u32,
        generation: u32,
    },
    /// The one alive at this index.
    At {
        entities: &'w Entities,
        index: u32,
    },
}

impl RowEntity<'_> {
    /// The entity. Without a branch that panics, so that it costs nothing where it is dropped.
    #[inline(always)]
    pub(crate) fn get(self) -> Entity {
        let (found, index) = match self {
            Self::Known(entity) => return entity,
            Self::In { keys, index, generation } => match NonZeroU32::new(generation) {
                Some(generation) => return Entity::new(index, generation),
                None => (keys.at_index(index), index),
            },
            Self::At { entities, index } => (entities.at(index), index),
        };
        debug_assert!(found.is_some(), "a match is alive");
        found.unwrap_or(Entity::new(index, NonZeroU32::MAX))
    }
}

/// The entities of a run.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum RunEntities<'w> {
    /// These, from the first on.
    From(&'w [Entity]),
    /// This one.
    One(RowEntity<'w>),
}

/// A match: where its values are, as far as that is known.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its entity's.
    pub(crate) index: u32,
    /// Its position in the pools that have an owned bit.
    pub(crate) dense_index: usize,
    /// The bits of the pools that the group owns whose member it is: no other component of the
    /// world has them. Or all bits, when it is found in the only pool that is required.
    pub(crate) owned: Signature,
    /// Whether it can have components that are not required.
    pub(crate) has_more: bool,
}
