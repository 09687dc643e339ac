//! What a term borrows: whole components, or one column of them.

use crate::component::Component;
use crate::storage::columns::{Columns, InColumns, Path};
use crate::storage::values::{Container, Window};
use core::marker::PhantomData;

/// What may stand behind a `&` of a query: a component, or a column of one.
///
/// For columns the derive implements it, on the markers that it emits; all it says is where the
/// column is, and only what is there can be reached.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "a component is named alone and without `&`; several are read by a view",
    note = "if the type is yours, add `#[derive(Component)]` to it; wrap others in a struct of yours"
)]
pub trait Target: 'static {
    type Projection: Projection;
    /// For messages.
    const NAME: &'static str;
}

impl<T: Component> Target for T {
    type Projection = Whole<T>;
    const NAME: &'static str = T::NAME;
}

/// The component that a term on `T` reads or writes, and the window to its part of the values.
pub(super) type Of<T> = <<T as Target>::Projection as Projection>::Component;
pub(super) type Raw<T> = <<T as Target>::Projection as Projection>::Window;

/// The window of the storage of `T`.
type WindowOf<T> = <<T as Component>::Storage as Container<T>>::Window;

/// The part of a component's values that a term reads or writes. Not implemented elsewhere: it
/// cannot be named there.
#[doc(hidden)]
pub trait Projection: 'static {
    type Component: Component;
    type Window: Window;
    type Ref<'a>: Copy;
    type RefMut<'a>;
    type Slice<'a>: Copy;
    type SliceMut<'a>;
    /// The number of the column, 0 for all of them.
    const COLUMN: u64;

    fn window(from: WindowOf<Self::Component>) -> Self::Window;
    fn shown<'a>(value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a>;
    fn shown_mut<'a>(value: <Self::Window as Window>::RefMut<'a>) -> Self::RefMut<'a>;
    fn shown_slice<'a>(values: <Self::Window as Window>::Slice<'a>) -> Self::Slice<'a>;
    fn shown_mut_slice<'a>(values: <Self::Window as Window>::SliceMut<'a>) -> Self::SliceMut<'a>;
}

/// Whole components.
#[doc(hidden)]
#[derive(Debug)]
pub struct Whole<T>(PhantomData<fn() -> T>);

impl<T: Component> Projection for Whole<T> {
    type Component = T;
    type Window = WindowOf<T>;
    type Ref<'a> = <T::Storage as Container<T>>::Ref<'a>;
    type RefMut<'a> = <T::Storage as Container<T>>::RefMut<'a>;
    type Slice<'a> = <T::Storage as Container<T>>::Slice<'a>;
    type SliceMut<'a> = <T::Storage as Container<T>>::SliceMut<'a>;
    const COLUMN: u64 = 0;

    #[inline(always)]
    fn window(from: WindowOf<T>) -> WindowOf<T> {
        from
    }
    #[inline(always)]
    fn shown<'a>(value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a> {
        T::Storage::shown(value)
    }
    #[inline(always)]
    fn shown_mut<'a>(value: <Self::Window as Window>::RefMut<'a>) -> Self::RefMut<'a> {
        T::Storage::shown_mut(value)
    }
    #[inline(always)]
    fn shown_slice<'a>(values: <Self::Window as Window>::Slice<'a>) -> Self::Slice<'a> {
        T::Storage::shown_slice(values)
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(values: <Self::Window as Window>::SliceMut<'a>) -> Self::SliceMut<'a> {
        T::Storage::shown_mut_slice(values)
    }
}

/// The column of `T` that the path `P` leads to.
#[doc(hidden)]
#[derive(Debug)]
pub struct Column<T, P>(PhantomData<fn() -> (T, P)>);

impl<T, P> Projection for Column<T, P>
where
    T: Component<Storage = Columns<T>> + InColumns,
    P: Path<WindowOf<T>>,
{
    type Component = T;
    type Window = P::Window;
    type Ref<'a> = <P::Window as Window>::Ref<'a>;
    type RefMut<'a> = <P::Window as Window>::RefMut<'a>;
    type Slice<'a> = <P::Window as Window>::Slice<'a>;
    type SliceMut<'a> = <P::Window as Window>::SliceMut<'a>;
    const COLUMN: u64 = P::NUMBER;

    #[inline(always)]
    fn window(from: WindowOf<T>) -> P::Window {
        P::go(from)
    }
    #[inline(always)]
    fn shown<'a>(value: Self::Ref<'a>) -> Self::Ref<'a> {
        value
    }
    #[inline(always)]
    fn shown_mut<'a>(value: Self::RefMut<'a>) -> Self::RefMut<'a> {
        value
    }
    #[inline(always)]
    fn shown_slice<'a>(values: Self::Slice<'a>) -> Self::Slice<'a> {
        values
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(values: Self::SliceMut<'a>) -> Self::SliceMut<'a> {
        values
    }
}
