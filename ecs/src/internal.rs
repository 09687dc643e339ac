//! Calls that only the library makes.

use core::marker::PhantomData;

/// The right to call a hidden function of `T`'s impl of a trait.
///
/// The code of derives accesses private fields, and stands in traits that any crate can name. So a function there that
/// makes or divides a value with private fields takes one of these, which only the library can make. It is for one
/// type: an implementation by hand receives the right to call its own function, and no other.
///
/// Invariant in `T`: a type and its subtypes have separate implementations.
#[doc(hidden)]
#[derive(Debug)]
pub struct Internal<T: ?Sized>(PhantomData<fn(*const T) -> *const T>);

impl<T: ?Sized> Internal<T> {
    /// The right of the library.
    pub(crate) const CALL: Self = Self(PhantomData);
}
