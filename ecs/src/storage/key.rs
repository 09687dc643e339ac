//! The keys of sparse sets.

use crate::entity::Entity;

/// A key of a sparse set: an index, or an entity. An entity's generation must match as well.
///
/// ```
/// # use ecs::{Key, World};
/// # let mut world = World::new();
/// let old = world.spawn_empty().id();
/// world.despawn(old).unwrap();
/// let new = world.spawn_empty().id();
/// assert_eq!((Key::index(old), Key::generation(old)), (Key::index(new), 1));
/// assert_eq!((Key::generation(new), Key::bits(new)), (2, new.to_bits()));
/// assert_eq!((Key::index(7), Key::generation(7)), (7, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of sparse sets",
    label = "cannot be looked up in a sparse array",
    note = "sparse sets are keyed by `u32`, or by `Entity`, as pools are"
)]
pub trait Key: Copy + Eq + core::fmt::Debug + sealed::Sealed + 'static {
    /// Returns the index into the sparse array.
    fn index(self) -> u32;
    /// Returns a number that distinguishes keys with one index: never 0, and below 2^31.
    fn generation(self) -> u32;
    /// Returns the generation and the index in one number.
    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.generation()) << 32 | u64::from(self.index())
    }
}

impl Key for u32 {
    #[inline]
    fn index(self) -> u32 {
        self
    }
    #[inline]
    fn generation(self) -> u32 {
        1
    }
}

impl Key for Entity {
    #[inline]
    fn index(self) -> u32 {
        Self::index(self)
    }
    #[inline]
    fn generation(self) -> u32 {
        (self.to_bits() >> 32) as u32
    }
    #[inline]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for crate::entity::Entity {}
}
