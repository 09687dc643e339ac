//! Calls that only the library makes, and types that the derives know.

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

/// A type that may stand in a query: a component, a term, a derived query, or a tuple.
///
/// A query requires it before it looks at the type itself, and a tuple is one whatever it contains. It has one impl: so an
/// error about a forgotten derive names that type alone, without a list of tuples.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "if the type is yours, add `#[derive(Component)]` to it; put a value of another type into a struct of yours"
)]
pub trait Known {
    /// The type itself.
    type This;
}

#[diagnostic::do_not_recommend]
impl<T> Known for T
where
    Registry: Lists<T>,
{
    type This = <Registry as Lists<T>>::This;
}

/// All [`Known`] types. They are named by an impl for this type, as `rustc` lists other impls of a trait by their types.
#[doc(hidden)]
#[derive(Debug)]
pub struct Registry(());

/// Makes `T` [`Known`]: implemented by each derive.
#[doc(hidden)]
pub trait Lists<T> {
    /// `T`. Without an impl there is no such type, so that `rustc` looks no further.
    type This;
}

/// Makes types of the library [`Known`].
macro_rules! known {
    ($([$($param:tt)*] $ty:ty,)+) => {$(
        impl<$($param)*> $crate::internal::Lists<$ty> for $crate::internal::Registry {
            type This = $ty;
        }
    )+};
}
pub(crate) use known;
