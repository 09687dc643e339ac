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
    message = "`{Self}` is not a component: add `#[derive(Component)]` to it",
    label = "not a component",
    note = "put a value of a type that is not yours into a struct of yours, with this derive"
)]
pub trait Known {
    /// The type itself.
    type This;
}

#[diagnostic::do_not_recommend]
impl<T> Known for T
where
    Registry: Lists<T, InQueries>,
{
    type This = <Registry as Lists<T, InQueries>>::This;
}

/// A type that may be inserted: a component, a derived bundle, or a tuple. A bundle requires it first, like a query a
/// [`Known`] type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a bundle",
    label = "cannot be inserted into an entity",
    note = "add `#[derive(Component)]` to data of yours, `#[derive(Bundle)]` to a struct of components; put a value of \
            another type into a struct of yours; tuples of up to 12 bundles are bundles; a type parameter has the bound \
            `Bundle`"
)]
pub trait KnownBundle {
    /// The type itself.
    type This;
}

#[diagnostic::do_not_recommend]
impl<T> KnownBundle for T
where
    Registry: Lists<T, InBundles>,
{
    type This = <Registry as Lists<T, InBundles>>::This;
}

/// All known types. They are named by an impl for this type, as `rustc` lists other impls of a trait by their types.
#[doc(hidden)]
#[derive(Debug)]
pub struct Registry(());

/// Makes `T` known in queries, in bundles, or in both: implemented by each derive.
#[doc(hidden)]
pub trait Lists<T, Place> {
    /// `T`. Without an impl there is no such type, so that `rustc` looks no further.
    type This;
}

/// Lists types that are [`Known`].
#[doc(hidden)]
#[derive(Debug)]
pub enum InQueries {}

/// Lists types that are [`KnownBundle`]s.
#[doc(hidden)]
#[derive(Debug)]
pub enum InBundles {}

/// A bound that nothing meets, for a second impl of a trait of functions. Where two impls may apply and none does, `rustc`
/// reports the message of the trait, in place of E0631. The lifetime lets the bound be false.
#[doc(hidden)]
pub trait Never<'a> {}

/// Implements a trait for all functions of a signature, so that a function of another one is an error in the words of the
/// trait.
macro_rules! function_trait {
    ($(#[$attribute:meta])* $name:ident: $($function:tt)+) => {
        $(#[$attribute])*
        pub trait $name: $($function)+ {}

        #[diagnostic::do_not_recommend]
        impl<F: $($function)+> $name for F {}

        #[diagnostic::do_not_recommend]
        impl<'a, F> $name for F
        where
            $crate::internal::Registry: $crate::internal::Never<'a>,
            F: $name,
        {
        }
    };
}
pub(crate) use function_trait;

/// Makes types of the library known in a place.
macro_rules! known {
    ($place:ty: $([$($param:tt)*] $ty:ty,)+) => {$(
        impl<$($param)*> $crate::internal::Lists<$ty, $place> for $crate::internal::Registry {
            type This = $ty;
        }
    )+};
}
pub(crate) use known;

/// Adds bounds of `T` to a trait of another type: `trait A<T>: Implies<T, Is: Send>`.
#[doc(hidden)]
pub trait Implies<T>: Names<T, Is = T> {}
impl<S: ?Sized, T> Implies<T> for S {}

/// A second name of `T`, for [`Implies`].
#[doc(hidden)]
pub trait Names<T> {
    /// `T`.
    type Is;
}

impl<S: ?Sized, T> Names<T> for S {
    type Is = T;
}
