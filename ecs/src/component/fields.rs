//! Requirements of the derives on the fields of a component or a resource.

use crate::internal::Implies;
use core::marker::PhantomData;

/// A probe that finds whether `T` has a `Drop` of its own. It has two methods of one name, and the compiler
/// prefers the first. No trait of a user has that name, because such a trait might be implemented for all types.
#[doc(hidden)]
#[derive(Debug)]
pub struct DropProbe<T>(PhantomData<fn() -> T>);

/// The result of the probe for a type with a `Drop` of its own.
#[doc(hidden)]
#[derive(Debug)]
pub struct OwnDrop<T>(PhantomData<fn() -> T>);
/// The result of the probe for a type without a `Drop` of its own. Its fields may have one.
#[doc(hidden)]
#[derive(Debug)]
pub struct NoOwnDrop<T>(PhantomData<fn() -> T>);

impl<T> DropProbe<T> {
    pub const NEW: Self = Self(PhantomData);
}

#[expect(drop_bounds, reason = "the bound asks just for an impl of `Drop`")]
#[expect(clippy::must_use_candidate, reason = "never called by users")]
impl<T: Drop> DropProbe<T> {
    pub const fn __ecs_own_drop(self) -> OwnDrop<T> {
        OwnDrop(PhantomData)
    }
}

#[doc(hidden)]
pub trait ProbeOfWholes<T>: Sized {
    fn __ecs_own_drop(self) -> NoOwnDrop<T> {
        NoOwnDrop(PhantomData)
    }
}
impl<T> ProbeOfWholes<T> for DropProbe<T> {}

/// `Send + Sync + 'static`, with a lifetime that allows a false bound: then there is one error, at the field.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a component is `Send + Sync + 'static`, and `{Self}` is not",
    label = "not to be shared by threads",
    note = "in place of an `Rc` or a `Cell`, use an `Arc`, a lock or an atomic"
)]
pub trait Share<'a>: Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Share<'_> for T {}

/// Threads, which may share values of some types: as a bound, it is one error, in these words, about a generic component.
#[doc(hidden)]
#[derive(Debug)]
pub enum Threads {}

/// `T` is `Send + Sync`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a component is `Send + Sync + 'static`, and `{T}` is not",
    label = "not to be shared by threads",
    note = "in place of an `Rc` or a `Cell`, use an `Arc`, a lock or an atomic"
)]
pub trait MayShare<T>: Implies<T, Is: Send + Sync> {}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync> MayShare<T> for Threads {}

/// A probe that finds whether threads may share a `T`, like [`DropProbe`].
#[doc(hidden)]
#[derive(Debug)]
pub struct ShareProbe<T>(PhantomData<fn() -> T>);

impl<T: Send + Sync + 'static> ShareProbe<T> {
    pub const __ECS_IS_SHARED: bool = true;
}

#[doc(hidden)]
pub trait NotShared {
    const __ECS_IS_SHARED: bool = false;
}
impl<T> NotShared for ShareProbe<T> {}

/// Declares the bound of a field, which holds for each field of a type that is `Send + Sync` itself, be it by an
/// `unsafe impl` of the user's. It says at the field why the type is not.
macro_rules! fields_of {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[doc(hidden)]
        pub trait $name<'a, const IS_SHARED: bool> {}
        #[diagnostic::do_not_recommend]
        impl<T> $name<'_, true> for T {}
        #[diagnostic::do_not_recommend]
        impl<T: Send + Sync + 'static> $name<'_, false> for T {}
    };
}

fields_of! {
    #[diagnostic::on_unimplemented(
        message = "a component is `Send + Sync + 'static`, and `{Self}` is not",
        label = "not to be shared by threads",
        note = "in place of an `Rc` or a `Cell`, use an `Arc`, a lock or an atomic"
    )]
    FieldOfComponent
}
fields_of! {
    #[diagnostic::on_unimplemented(
        message = "a component is `Send + Sync + 'static`, and `{Self}` is not",
        label = "not to be shared by threads",
        note = "in place of an `Rc` or a `Cell`, use an `Arc`, a lock or an atomic",
        note = "threads may share each column alone, so an `unsafe impl` for the component is not enough: put it on \
         a type \
                of this field"
    )]
    FieldOfColumns
}
fields_of! {
    #[diagnostic::on_unimplemented(
        message = "a resource is `Send + Sync + 'static`, and `{Self}` is not",
        label = "not to be shared by threads",
        note = "in place of an `Rc` or a `Cell`, use an `Arc`, a lock or an atomic",
        note = "a value that must stay on its thread goes into a `NonSend`"
    )]
    FieldOfResource
}

/// Checks a field of a component, which threads share or not.
#[doc(hidden)]
pub const fn check_shared<T, const IS_SHARED: bool>()
where
    T: for<'a> FieldOfComponent<'a, IS_SHARED>,
{
}

/// Checks a field of a component in columns.
#[doc(hidden)]
pub const fn check_shared_column<T: for<'a> FieldOfColumns<'a, false>>() {}

/// Checks a field of a resource, which threads share or not.
#[doc(hidden)]
pub const fn check_shared_resource<T, const IS_SHARED: bool>()
where
    T: for<'a> FieldOfResource<'a, IS_SHARED>,
{
}

/// The proof that a `T` can be taken apart: it has no `Drop` of its own.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is stored in columns, and a `Drop` of its own would never run",
    label = "takes `{T}` apart, which has its own `Drop`",
    note = "move the `Drop` to a type of one field, or leave out `layout = \"soa\"`"
)]
pub trait TakenApart<T> {
    type Whole;
}
impl<T> TakenApart<T> for NoOwnDrop<T> {
    type Whole = T;
}

/// Returns `value` if its type has no `Drop` of its own. If it has one, the returned type is unknown, so `rustc`
/// reports no further errors about it.
#[doc(hidden)]
#[inline(always)]
pub fn without_drop<T, A>(value: A::Whole, _: A) -> A::Whole
where
    A: TakenApart<T>,
{
    value
}

/// `Clone`, with a lifetime that allows a false bound.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Clone`",
    label = "clones `{Self}`",
    note = "`to_owned` clones each field; that takes `Clone` of all of them, and of the component"
)]
pub trait CloneField<'a>: Sized {
    #[must_use]
    fn clone_field(&self) -> Self;
}

impl<T: Clone> CloneField<'_> for T {
    #[inline]
    fn clone_field(&self) -> Self {
        self.clone()
    }
}

/// Returns a clone of a value.
#[doc(hidden)]
pub fn clone_of<T: for<'a> CloneWhole<'a>>(value: &T) -> T {
    value.clone_whole()
}

/// `Clone`, with an error message of its own.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is to be copied, and is not `Clone`",
    label = "needs `Clone`",
    note = "add `#[derive(Clone)]`, or leave out `clone` in the attribute"
)]
pub trait CloneWhole<'a>: Sized {
    #[must_use]
    fn clone_whole(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> CloneWhole<'_> for T {
    fn clone_whole(&self) -> Self {
        self.clone()
    }
}
