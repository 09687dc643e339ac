//! One match, before its item is read.

use crate::entity::Entity;
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{offset_of, page_of};
use crate::storage::values::Window;
use core::num::NonZeroU32;

/// One entity of the page that the cursors stand at.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Row<'w> {
    /// Where on the page it is.
    pub(crate) offset: u32,
    pub(crate) index: u32,
    /// A pool that it is a member of.
    pub(crate) keys: &'w Keys<Entity>,
}

/// An entity, as a page knows it: without its generation, unless all members there have that.
///
/// Laid out as an [`Entity`] is, so that a pointer to entities points to rows.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub struct RowEntity {
    pub(crate) index: u32,
    /// Or 0.
    pub(crate) generation: u32,
}

const _: () = assert!(size_of::<RowEntity>() == size_of::<Entity>());

impl From<Entity> for RowEntity {
    #[inline(always)]
    fn from(entity: Entity) -> Self {
        Self { index: entity.index(), generation: entity.generation().get() }
    }
}

impl RowEntity {
    /// The entity, which is one of these members. Without a branch that panics, so that it costs
    /// nothing where it is dropped.
    #[inline(always)]
    pub(crate) fn get(self, keys: &Keys<Entity>) -> Entity {
        if let Some(generation) = NonZeroU32::new(self.generation) {
            return Entity::new(self.index, generation);
        }
        let found = keys.at_index(self.index);
        debug_assert!(found.is_some(), "a match is alive");
        found.unwrap_or(Entity::new(self.index, NonZeroU32::MAX))
    }
}

/// Entities that are at the same positions in all pools that are read.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'w> {
    pub(crate) entities: &'w [Entity],
    /// The position of the first that is meant.
    pub(crate) at: usize,
    /// Whether all have what is optional, or else none has.
    pub(crate) has_more: bool,
}

impl<'w> Stretch<'w> {
    /// These, from a position on.
    #[inline]
    pub(crate) fn new(entities: &'w [Entity], at: usize) -> Self {
        Self { entities, at, has_more: true }
    }
}

/// Why an entity has no item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    NoMatch,
    Repeated,
}

/// What may be a match: where its values are, as far as that is known.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Member<'w> {
    /// Its entity's.
    pub(crate) index: u32,
    /// Its position in the pool that leads and in those that have an owned bit.
    pub(crate) dense_index: usize,
    /// The pool whose members are walked, if it is one pool's.
    pub(crate) lead: Option<&'w Keys<Entity>>,
    /// The bits of the pools that the group owns whose member it is: no other component of the
    /// world has them. Or all bits, when it is found in the only pool that is required.
    pub(crate) owned: Signature,
    /// Whether it can have components that are not required.
    pub(crate) has_more: bool,
    /// Whether its values are read some time after they are found.
    pub(crate) is_ahead: bool,
}

impl<'w> Member<'w> {
    /// That of `entity`, at a position in the pool that leads, if one does.
    #[inline(always)]
    pub(crate) fn new(entity: Entity, at: usize, lead: Option<&'w Keys<Entity>>) -> Self {
        let (index, owned) = (entity.index(), Signature::EMPTY);
        Self { index, dense_index: at, lead, owned, has_more: true, is_ahead: false }
    }

    /// Where its value is in the pool that leads, whose first one is there.
    #[inline(always)]
    pub(crate) fn slot<W: Window>(&self, first: W) -> W {
        let slot = first.skip(self.dense_index);
        if self.is_ahead {
            slot.prefetch();
        }
        slot
    }

    /// Whether the pool with these keys leads.
    #[inline(always)]
    pub(crate) fn is_led_by(&self, keys: &Keys<Entity>) -> bool {
        self.lead.is_some_and(|lead| core::ptr::eq(lead, keys))
    }

    /// Whether it is a member of the pool with these keys.
    #[inline(always)]
    pub(crate) fn is_in(&self, keys: &Keys<Entity>) -> bool {
        keys.page(page_of(self.index)).contains(offset_of(self.index))
    }
}
