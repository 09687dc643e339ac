//! The borrow of a term: whole components, or one column of them.

use crate::component::AnyComponent;
use crate::internal::Internal;
use crate::storage::columns::{ColumnAt, Columns, InColumns, Path};
use crate::storage::values::{Container, Window};
use core::marker::PhantomData;

/// A type that may follow a `&` of a query: a component, or a column of one.
///
/// The derive implements it for columns, on the markers that it emits. Any crate can implement it, but reaches only
/// those columns that the component assigns to its markers.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component: add `#[derive(Component)]` to it",
    label = "not a component",
    note = "put a value of a type that is not yours into a struct of yours, with this derive"
)]
pub trait Target: 'static {
    type Projection: Projection;
    /// The name for messages.
    const NAME: &'static str;
}

#[diagnostic::do_not_recommend]
impl<T: AnyComponent> Target for T {
    type Projection = WholeComponent<T>;
    const NAME: &'static str = T::NAME;
}

/// The component that a term on `T` reads or writes, and the window to its part of the values.
pub(super) type Of<T> = <<T as Target>::Projection as Projection>::Component;
pub(super) type Raw<T> = <<T as Target>::Projection as Projection>::Window;

/// The window of the storage of `T`.
type WindowOf<T> = <<T as AnyComponent>::Storage as Container<T>>::Window;

/// The part of a component's values that a term reads or writes. Other crates cannot implement it: they cannot name it.
#[doc(hidden)]
pub trait Projection: 'static {
    type Component: AnyComponent;
    type Window: Window;
    type Ref<'a>: Copy;
    type RefMut<'a>;
    type Slice<'a>: Copy;
    type SliceMut<'a>;
    /// The number of the column, 0 for all of them.
    const COLUMN: u64;

    fn window(from: WindowOf<Self::Component>) -> Self::Window;
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a>;
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> Self::RefMut<'a>;
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> Self::Slice<'a>;
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> Self::SliceMut<'a>;
}

/// Whole components.
#[doc(hidden)]
#[derive(Debug)]
pub struct WholeComponent<T>(PhantomData<fn() -> T>);

impl<T: AnyComponent> Projection for WholeComponent<T> {
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
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a> {
        T::Storage::shown(Internal::CALL, value)
    }
    #[inline(always)]
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> Self::RefMut<'a> {
        T::Storage::shown_mut(Internal::CALL, value)
    }
    #[inline(always)]
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> Self::Slice<'a> {
        T::Storage::shown_slice(Internal::CALL, values)
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> Self::SliceMut<'a> {
        T::Storage::shown_mut_slice(Internal::CALL, values)
    }
}

/// The column of `T` that the marker `M` stands for, if the crate of `T` assigns one.
#[doc(hidden)]
#[derive(Debug)]
pub struct Column<T, M>(PhantomData<fn() -> (T, M)>);

/// The path to that column, and its window.
type PathOf<T, M> = <<T as InColumns>::Column<M> as ColumnAt>::Path;
type ColumnWindow<T, M> =
    <PathOf<T, M> as Path<<T as InColumns>::Values, <T as InColumns>::Columns>>::Window;

impl<T, M: 'static> Projection for Column<T, M>
where
    T: AnyComponent<Storage = Columns<T>> + InColumns,
    T::Column<M>: ColumnAt,
    PathOf<T, M>: Path<T::Values, T::Columns>,
{
    type Component = T;
    type Window = ColumnWindow<T, M>;
    type Ref<'a> = <Self::Window as Window>::Ref<'a>;
    type RefMut<'a> = <Self::Window as Window>::RefMut<'a>;
    type Slice<'a> = <Self::Window as Window>::Slice<'a>;
    type SliceMut<'a> = <Self::Window as Window>::SliceMut<'a>;
    const COLUMN: u64 = PathOf::<T, M>::NUMBER;

    #[inline(always)]
    fn window(from: WindowOf<T>) -> Self::Window {
        PathOf::<T, M>::go(from)
    }
    #[inline(always)]
    fn shown<'a>(_: Internal<Self>, value: Self::Ref<'a>) -> Self::Ref<'a> {
        value
    }
    #[inline(always)]
    fn shown_mut<'a>(_: Internal<Self>, value: Self::RefMut<'a>) -> Self::RefMut<'a> {
        value
    }
    #[inline(always)]
    fn shown_slice<'a>(_: Internal<Self>, values: Self::Slice<'a>) -> Self::Slice<'a> {
        values
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(_: Internal<Self>, values: Self::SliceMut<'a>) -> Self::SliceMut<'a> {
        values
    }
}
