//! Calls that only the library makes.

use core::marker::PhantomData;

/// The right to call a hidden function of `T`'s impl of a trait.
///
/// What the derives emit gets at private fields, and stands in traits that everybody can name. So a
/// function there that makes or takes apart what has private fields takes one of these, which only
/// the library can make. It is for one type: whoever implements the trait by hand is given the right
/// to call his own function, and nobody else's.
///
/// Invariant in `T`: a type and its subtypes have impls of their own.
#[doc(hidden)]
#[derive(Debug)]
pub struct Internal<T: ?Sized>(PhantomData<fn(*const T) -> *const T>);

impl<T: ?Sized> Internal<T> {
    /// The library calls.
    pub(crate) const CALL: Self = Self(PhantomData);
}
