//! What the derive of queries asks of the types of fields, so that a wrong one is one error.
//!
//! A type that is no term fails wherever `rustc` looks into it: in the query's terms, in what builds its
//! items, and in each impl. So the derive asks once whether all are right; if not, the entity stands in
//! their place, where nothing else fails, and a check at the field says what is wrong.

use crate::entity::Entity;
use crate::query::fetch::{EntityFetch, Fetch};
use crate::query::request::Field;
use core::marker::PhantomData;

/// Asks about the fields of a query, in two ways of which the compiler prefers the first where it holds.
/// `F` is a tuple of the terms that they ask for, `Own` of what they are. The constants have names that no
/// trait of a user has, which may be there for all types.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldProbe<F, Own>(PhantomData<fn() -> (F, Own)>);

impl<F, Own> FieldProbe<F, Own>
where
    F: Field<Fetch: Fetch<Item<'static> = Own>>,
{
    /// They are terms, and yield what the fields are.
    pub const __ECS_ARE_FIELDS: bool = true;
}

impl<Own> FieldProbe<&'static Entity, Own> {
    /// It borrows the entity.
    pub const __ECS_IS_ENTITY: bool = true;
}

impl<Own> FieldProbe<&'static mut Entity, Own> {
    /// It borrows the entity.
    pub const __ECS_IS_ENTITY: bool = true;
}

/// The answers where none of the above holds.
#[doc(hidden)]
pub trait NoField {
    const __ECS_ARE_FIELDS: bool = false;
    const __ECS_IS_ENTITY: bool = false;
}
impl<F, Own> NoField for FieldProbe<F, Own> {}

/// Fields, if they are such.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldsIf<F, const ARE_FIELDS: bool>(PhantomData<fn() -> F>);

/// What is fetched for fields, if they are such.
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

/// What was fetched for fields, if they are such.
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
    /// Any type will do: it is never called.
    pub fn __ecs_take<T>(self) -> T {
        unreachable!("this does not compile")
    }
}

/// What `F` yields as a field.
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
    /// What a field of a type without `&` is.
    #[diagnostic::on_unimplemented(
        message = "`{Own}` is a component, and a field of a query borrows it",
        label = "write `&'w {Own}`, or `&'w mut {Own}` to change it"
    )]
    YieldedAs
}
yielded! {
    /// What a field with a `&` is.
    #[diagnostic::on_unimplemented(
        message = "a component that is stored in columns has a reference of its own",
        label = "write `{Self}`, with the query's lifetime"
    )]
    YieldedAsReference
}
yielded! {
    /// What a field that names a column is.
    #[diagnostic::on_unimplemented(
        message = "the column is of another type than the field",
        label = "the column gives `{Self}`"
    )]
    YieldedAsColumn
}

/// Checks a field, or a part of it, of a type without `&`.
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

/// That a reference is right, unless it is one to the entity.
#[doc(hidden)]
pub trait RightUnlessEntity {}
impl<F> RightUnlessEntity for EntityIf<F, true> {}
impl<F: Field> RightUnlessEntity for EntityIf<F, false> where ItemOf<F>: YieldedAsReference<F> {}

/// As [`check_reference`], where the type's name is that of the entity: in a constant, an error with this
/// text where it is the entity.
///
/// # Panics
/// When it is.
#[doc(hidden)]
#[track_caller]
pub const fn check_no_entity<F, const IS_ENTITY: bool>(mistake: &str)
where
    EntityIf<F, IS_ENTITY>: RightUnlessEntity,
{
    assert!(!IS_ENTITY, "{}", mistake);
}
