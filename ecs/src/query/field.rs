//! Checks that the derive of queries makes of the types of fields, so that a wrong type is one error.
//!
//! A type that is no term fails wherever `rustc` looks into it: in the query's terms, in the code that builds its
//! items, and in each impl. So the derive checks once that all fields are right. If they are not, the entity stands in
//! their place, which causes no further error, and a check at the field reports the mistake.

use crate::entity::Entity;
use crate::query::fetch::{EntityFetch, Fetch};
use crate::query::request::Field;
use core::marker::PhantomData;

/// Checks the fields of a query, by inherent constants and trait constants: the compiler prefers the inherent ones if
/// their bounds hold. `F` is a tuple of the requested terms, `Own` of the fields' types. The constants have names that
/// no user's trait has; a blanket implementation could provide them otherwise.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldProbe<F, Own>(PhantomData<fn() -> (F, Own)>);

impl<F, Own> FieldProbe<F, Own>
where
    F: Field<Fetch: Fetch<Item<'static> = Own>>,
{
    /// The fields are terms, and their items have the fields' types.
    pub const __ECS_ARE_FIELDS: bool = true;
}

impl<Own> FieldProbe<&'static Entity, Own> {
    /// The field borrows the entity.
    pub const __ECS_IS_ENTITY: bool = true;
}

impl<Own> FieldProbe<&'static mut Entity, Own> {
    /// The field borrows the entity.
    pub const __ECS_IS_ENTITY: bool = true;
}

/// The constants if none of the above bounds hold.
#[doc(hidden)]
pub trait NoField {
    const __ECS_ARE_FIELDS: bool = false;
    const __ECS_IS_ENTITY: bool = false;
}
impl<F, Own> NoField for FieldProbe<F, Own> {}

/// Fields, if all are right.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldsIf<F, const ARE_FIELDS: bool>(PhantomData<fn() -> F>);

/// The fetch of fields, if all are right.
#[doc(hidden)]
pub type FetchIf<F, const ARE_FIELDS: bool> = <FieldsIf<F, ARE_FIELDS> as FetchedIf>::Fetch;

#[doc(hidden)]
pub trait FetchedIf {
    type Fetch: Fetch;
}
impl<F: Field> FetchedIf for FieldsIf<F, true> {
    type Fetch = F::Fetch;
}
impl<F> FetchedIf for FieldsIf<F, false> {
    type Fetch = EntityFetch;
}

/// The items of fields, if all are right.
#[doc(hidden)]
#[derive(Debug)]
pub struct ItemIf<const ARE_FIELDS: bool, I>(pub I);

impl<I> ItemIf<true, I> {
    #[inline(always)]
    pub fn __ecs_take(self) -> I {
        self.0
    }
}

impl<I> ItemIf<false, I> {
    /// Accepts any type. A build that calls it fails, unless an error at the field ends it before.
    pub fn __ecs_take<T>(self) -> T {
        const { panic!("a field of a query is a term of queries") }
    }
}

/// The item of `F` as a field.
#[doc(hidden)]
pub type ItemOf<F> = <<F as Field>::Fetch as Fetch>::Item<'static>;

macro_rules! yielded {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[doc(hidden)]
        pub trait $name<Own> {}
        #[diagnostic::do_not_recommend]
        impl<T> $name<T> for T {}
    };
}

yielded! {
    /// The bound of a field with a type without `&`.
    #[diagnostic::on_unimplemented(
        message = "`{Own}` is a component, and a field of a query borrows it",
        label = "write `&'w {Own}`, or `&'w mut {Own}` to change it"
    )]
    YieldedAs
}
yielded! {
    /// The bound of a field with a `&`.
    #[diagnostic::on_unimplemented(
        message = "a component that is stored in columns has a reference of its own",
        label = "write `{Self}`, with the query's lifetime"
    )]
    YieldedAsReference
}
yielded! {
    /// The bound of a field that names a column.
    #[diagnostic::on_unimplemented(
        message = "the column is of another type than the field",
        label = "the column gives `{Self}`"
    )]
    YieldedAsColumn
}

/// Checks a field, or a part of it, that has no `&`.
#[doc(hidden)]
pub const fn check_value<F: Field>()
where
    ItemOf<F>: YieldedAs<F>,
{
}

/// Checks a field, or a part of it, that is a reference.
#[doc(hidden)]
pub const fn check_reference<F: Field>()
where
    ItemOf<F>: YieldedAsReference<F>,
{
}

/// Checks a field that names a column.
#[doc(hidden)]
pub const fn check_column<F: Field, Own>()
where
    ItemOf<F>: YieldedAsColumn<Own>,
{
}

/// A reference that may be one to the entity.
#[doc(hidden)]
#[derive(Debug)]
pub struct EntityIf<F, const IS_ENTITY: bool>(PhantomData<fn() -> F>);

/// Holds for a correct reference, and for one to the entity.
#[doc(hidden)]
pub trait RightUnlessEntity {}
impl<F> RightUnlessEntity for EntityIf<F, true> {}
impl<F: Field> RightUnlessEntity for EntityIf<F, false> where ItemOf<F>: YieldedAsReference<F> {}

/// Checks a reference like [`check_reference`], if the type's name is the name of the entity: in a constant, an error
/// with this text if it is the entity.
///
/// # Panics
/// Panics if it is the entity.
#[doc(hidden)]
#[track_caller]
pub const fn check_no_entity<F, const IS_ENTITY: bool>(mistake: &str)
where
    EntityIf<F, IS_ENTITY>: RightUnlessEntity,
{
    assert!(!IS_ENTITY, "{}", mistake);
}
