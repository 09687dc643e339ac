//! What a component allows to be done with its values where its type is not named: copying.

use crate::storage::copies::CopyStorage;
use core::fmt;

/// How the values of a component, in its storage, are copied.
#[doc(hidden)]
pub struct Copying<T, S> {
    pub(crate) all: fn(&mut S, &S),
    pub(crate) one: fn(&S, usize) -> T,
    pub(crate) times: fn(&mut S, T, usize),
}

impl<T, S> Copying<T, S> {
    /// By `Clone`.
    #[must_use]
    pub const fn by_clone() -> Self
    where
        S: CopyStorage<T>,
    {
        Self { all: S::copy_all, one: S::copy_one, times: S::push_copies }
    }
}

impl<T, S> fmt::Debug for Copying<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Copying").finish_non_exhaustive()
    }
}
