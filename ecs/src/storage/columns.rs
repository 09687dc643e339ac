//! Components stored in columns: one `Vec` for each field, in step with each other.
//!
//! The fields of a component form a balanced tree of pairs, and so do all types made of them:
//!
//! ```text
//! struct Proximity { distance: f32, angle: f32, occlusion: f32 }
//!
//! values     ( f32       , ( f32       , f32       ) )
//! columns    ( Vec<f32>  , ( Vec<f32>  , Vec<f32>  ) )
//! windows    ( address   , ( address   , address   ) )
//! references ( &f32      , ( &f32      , &f32      ) )     shown as a ProximityRef
//! path       ( Left<Here>, ( Right<Left<Here>>, Right<Right<Here>> ) )
//! ```
//!
//! So one rule for two columns is enough, and their number is unlimited. All code here is safe.

use crate::internal::Internal;
use crate::storage::copies::CopyStorage;
use crate::storage::values::{
    Container, EachColumn, EachColumnMut, Storage, VecWindow, Window, sealed,
};
use alloc::vec::Vec;
use core::fmt;
use core::iter::Zip;
use core::marker::PhantomData;

/// A struct that is stored in columns, as the derive describes it.
///
/// The functions convert the struct to a tree of pairs, and trees of references to the structs that a user sees. Safety
/// does not depend on their results. They access private fields, so only the library calls them.
#[doc(hidden)]
pub trait InColumns: Sized + Send + Sync + 'static {
    /// The tree of the fields.
    type Values;
    /// The tree of the columns: a `Vec` for each field.
    type Columns: Storage<Self::Values>;
    type Ref<'a>: Copy;
    type RefMut<'a>;
    type Slices<'a>: Copy;
    type SlicesMut<'a>;
    /// The type, of the struct's crate, for the marker `M`: a [`ColumnAt`] if `M` stands for a column.
    type Column<M>;
    /// The names of the fields, and `true` for public ones, which any crate may borrow by name.
    const FIELDS: &'static [(&'static str, bool)] = &[];

    fn take_apart(self, _: Internal<Self>) -> Self::Values;
    fn put_together(_: Internal<Self>, values: Self::Values) -> Self;
    /// Exchanges each field with the value that the tree refers to.
    fn exchange(&mut self, _: Internal<Self>, with: RefMutTree<'_, Self>);
    fn shown(_: Internal<Self>, values: RefTree<'_, Self>) -> Self::Ref<'_>;
    fn shown_mut(_: Internal<Self>, values: RefMutTree<'_, Self>) -> Self::RefMut<'_>;
    fn shown_slices(_: Internal<Self>, values: SliceTree<'_, Self>) -> Self::Slices<'_>;
    fn shown_mut_slices(_: Internal<Self>, values: SliceMutTree<'_, Self>) -> Self::SlicesMut<'_>;
}

/// The path to the column that a marker stands for.
///
/// Implemented for the type that a component's [`InColumns::Column`] makes of its markers. That is a type of the
/// component's crate, which alone can implement this for it. So no other crate has a marker for a private field, though
/// it can implement [`Target`](crate::query::projection::Target) for one. Parameters would undo that: any crate may
/// implement `Trait<Own>` for foreign types.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "only the crate of a component says which are its columns",
    label = "no column of this component",
    note = "name a column by its marker, as in `&proximity::distance`; a private field has a private one"
)]
pub trait ColumnAt {
    /// The path to the column.
    type Path;
}

/// The storage of the columns of `T`.
type ColumnsOf<T> = <T as InColumns>::Columns;
type ValuesOf<T> = <T as InColumns>::Values;
#[doc(hidden)]
pub type RefTree<'a, T> = <ColumnsOf<T> as Container<ValuesOf<T>>>::Ref<'a>;
#[doc(hidden)]
pub type RefMutTree<'a, T> = <ColumnsOf<T> as Container<ValuesOf<T>>>::RefMut<'a>;
#[doc(hidden)]
pub type SliceTree<'a, T> = <ColumnsOf<T> as Container<ValuesOf<T>>>::Slice<'a>;
#[doc(hidden)]
pub type SliceMutTree<'a, T> = <ColumnsOf<T> as Container<ValuesOf<T>>>::SliceMut<'a>;

/// Two storages side by side: for the left and the right half of a value.
///
/// * C1: both have the same length whenever user code runs.
impl<A, B, L: Storage<A>, R: Storage<B>> Container<(A, B)> for (L, R) {
    type Ref<'a> = (L::Ref<'a>, R::Ref<'a>);
    type RefMut<'a> = (L::RefMut<'a>, R::RefMut<'a>);
    type Slice<'a> = (L::Slice<'a>, R::Slice<'a>);
    type SliceMut<'a> = (L::SliceMut<'a>, R::SliceMut<'a>);
    type Iter<'a> = Zip<L::Iter<'a>, R::Iter<'a>>;
    type IterMut<'a> = Zip<L::IterMut<'a>, R::IterMut<'a>>;
    type IntoIter = Zip<L::IntoIter, R::IntoIter>;
    type Window = (L::Window, R::Window);
    const IN_COLUMNS: bool = L::IN_COLUMNS || R::IN_COLUMNS;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn is_full(&self) -> bool {
        self.0.is_full() || self.1.is_full()
    }
    #[inline]
    fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
        self.1.reserve(additional);
    }
    /// The storage has room: see [`Columns::push`].
    #[inline]
    fn push(&mut self, value: (A, B)) {
        self.0.push(value.0);
        self.1.push(value.1);
    }
    fn append(&mut self, values: &mut Self) {
        self.0.append(&mut values.0);
        self.1.append(&mut values.1);
    }
    #[inline]
    fn exchange(&mut self, at: usize, value: &mut (A, B)) {
        self.0.exchange(at, &mut value.0);
        self.1.exchange(at, &mut value.1);
    }
    #[inline]
    fn swap_remove(&mut self, at: usize) -> (A, B) {
        (self.0.swap_remove(at), self.1.swap_remove(at))
    }
    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
        self.1.swap(a, b);
    }
    #[inline]
    fn get(&self, at: usize) -> Option<Self::Ref<'_>> {
        Some((self.0.get(at)?, self.1.get(at)?))
    }
    #[inline]
    fn get_mut(&mut self, at: usize) -> Option<Self::RefMut<'_>> {
        Some((self.0.get_mut(at)?, self.1.get_mut(at)?))
    }
    fn empty<'a>() -> Self::Slice<'a> {
        (L::empty(), R::empty())
    }
    fn as_slice(&self) -> Self::Slice<'_> {
        (self.0.as_slice(), self.1.as_slice())
    }
    fn as_mut_slice(&mut self) -> Self::SliceMut<'_> {
        (self.0.as_mut_slice(), self.1.as_mut_slice())
    }
    fn iter(&self) -> Self::Iter<'_> {
        self.0.iter().zip(self.1.iter())
    }
    fn iter_mut(&mut self) -> Self::IterMut<'_> {
        self.0.iter_mut().zip(self.1.iter_mut())
    }
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().zip(self.1.into_iter())
    }
    fn truncate(&mut self, len: usize) {
        /// Shortens the rest, even if a drop in the first half panics: C1.
        struct RestOfColumns<'a, A, L: Storage<A>>(&'a mut L, usize, PhantomData<fn() -> A>);
        impl<A, L: Storage<A>> Drop for RestOfColumns<'_, A, L> {
            fn drop(&mut self) {
                self.0.truncate(self.1);
            }
        }
        let _rest = RestOfColumns(&mut self.1, len, PhantomData);
        self.0.truncate(len);
    }
    fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
        self.1.shrink_to_fit();
    }
    fn memory(&self) -> usize {
        self.0.memory() + self.1.memory()
    }
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>) {
        self.0.each_column(each);
        self.1.each_column(each);
    }
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>) {
        self.0.each_column_mut(each);
        self.1.each_column_mut(each);
    }
    #[inline]
    fn window(&self) -> Self::Window {
        (self.0.window(), self.1.window())
    }
    #[inline]
    fn window_mut(&mut self) -> Self::Window {
        (self.0.window_mut(), self.1.window_mut())
    }
    #[inline(always)]
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a> {
        (L::shown(Internal::CALL, value.0), R::shown(Internal::CALL, value.1))
    }
    #[inline(always)]
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> Self::RefMut<'a> {
        (L::shown_mut(Internal::CALL, value.0), R::shown_mut(Internal::CALL, value.1))
    }
    #[inline(always)]
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> Self::Slice<'a> {
        (L::shown_slice(Internal::CALL, values.0), R::shown_slice(Internal::CALL, values.1))
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> Self::SliceMut<'a> {
        (L::shown_mut_slice(Internal::CALL, values.0), R::shown_mut_slice(Internal::CALL, values.1))
    }
}

/// The storage of a component with `#[component(layout = "soa")]`: a `Vec` for each field.
pub struct Columns<T: InColumns>(T::Columns);

/// Guards calls of the derive's functions after the keys have been changed. These cannot panic; functions written by
/// hand must not: a panic there aborts, by a second panic.
struct Changing {
    done: bool,
}

impl Changing {
    #[inline(always)]
    const fn begin() -> Self {
        Self { done: false }
    }

    #[inline(always)]
    fn end(mut self) {
        self.done = true;
    }
}

impl Drop for Changing {
    #[inline]
    fn drop(&mut self) {
        assert!(self.done, "a component could not be taken apart, or put together");
    }
}

impl<T: InColumns> Container<T> for Columns<T> {
    type Ref<'a> = T::Ref<'a>;
    type RefMut<'a> = T::RefMut<'a>;
    type Slice<'a> = T::Slices<'a>;
    type SliceMut<'a> = T::SlicesMut<'a>;
    type Iter<'a> = ColumnsIter<'a, T>;
    type IterMut<'a> = ColumnsIterMut<'a, T>;
    type IntoIter = ColumnsIntoIter<T>;
    type Window = <T::Columns as Container<T::Values>>::Window;
    const IN_COLUMNS: bool = true;
    const FIELDS: &'static [(&'static str, bool)] = T::FIELDS;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn is_full(&self) -> bool {
        self.0.is_full()
    }
    #[inline]
    fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
    }
    #[inline]
    fn push(&mut self, value: T) {
        // Makes room in all columns before any column is longer than another (C1).
        if self.0.is_full() {
            self.0.reserve(1);
        }
        let guard = Changing::begin();
        self.0.push(value.take_apart(Internal::CALL));
        guard.end();
    }
    fn append(&mut self, values: &mut Self) {
        self.0.append(&mut values.0);
    }
    #[inline]
    fn exchange(&mut self, at: usize, value: &mut T) {
        let values = self.0.get_mut(at).expect("there is a value in each column");
        value.exchange(Internal::CALL, values);
    }
    #[inline]
    fn swap_remove(&mut self, at: usize) -> T {
        let values = self.0.swap_remove(at);
        let guard = Changing::begin();
        let value = T::put_together(Internal::CALL, values);
        guard.end();
        value
    }
    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }
    #[inline]
    fn get(&self, at: usize) -> Option<T::Ref<'_>> {
        self.0.get(at).map(|values| T::shown(Internal::CALL, values))
    }
    #[inline]
    fn get_mut(&mut self, at: usize) -> Option<T::RefMut<'_>> {
        self.0.get_mut(at).map(|values| T::shown_mut(Internal::CALL, values))
    }
    fn empty<'a>() -> T::Slices<'a> {
        T::shown_slices(Internal::CALL, T::Columns::empty())
    }
    fn as_slice(&self) -> T::Slices<'_> {
        T::shown_slices(Internal::CALL, self.0.as_slice())
    }
    fn as_mut_slice(&mut self) -> T::SlicesMut<'_> {
        T::shown_mut_slices(Internal::CALL, self.0.as_mut_slice())
    }
    fn iter(&self) -> ColumnsIter<'_, T> {
        ColumnsIter(self.0.iter())
    }
    fn iter_mut(&mut self) -> ColumnsIterMut<'_, T> {
        ColumnsIterMut(self.0.iter_mut())
    }
    fn into_iter(self) -> ColumnsIntoIter<T> {
        ColumnsIntoIter(self.0.into_iter())
    }
    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
    fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }
    fn memory(&self) -> usize {
        self.0.memory()
    }
    /// Columns that are components of another crate would lead to each of their fields.
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>) {
        if const { !<T::Columns as Container<T::Values>>::IN_COLUMNS } {
            self.0.each_column(each);
        }
    }
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>) {
        if const { !<T::Columns as Container<T::Values>>::IN_COLUMNS } {
            self.0.each_column_mut(each);
        }
    }
    #[inline]
    fn window(&self) -> Self::Window {
        self.0.window()
    }
    #[inline]
    fn window_mut(&mut self) -> Self::Window {
        self.0.window_mut()
    }
    #[inline(always)]
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> T::Ref<'a> {
        T::shown(Internal::CALL, T::Columns::shown(Internal::CALL, value))
    }
    #[inline(always)]
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> T::RefMut<'a> {
        T::shown_mut(Internal::CALL, T::Columns::shown_mut(Internal::CALL, value))
    }
    #[inline(always)]
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> T::Slices<'a> {
        T::shown_slices(Internal::CALL, T::Columns::shown_slice(Internal::CALL, values))
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> T::SlicesMut<'a> {
        T::shown_mut_slices(Internal::CALL, T::Columns::shown_mut_slice(Internal::CALL, values))
    }
}

#[diagnostic::do_not_recommend]
/// Requires that the component itself is `Clone`: that its fields are does not imply it.
impl<T: InColumns<Columns: CopyStorage<T::Values>> + Clone> CopyStorage<T> for Columns<T> {
    fn copy_all(&mut self, from: &Self) {
        self.0.copy_all(&from.0);
    }
    fn copy_one(&self, at: usize) -> T {
        T::put_together(Internal::CALL, self.0.copy_one(at))
    }
    fn push_copies(&mut self, value: T, count: usize) {
        self.0.push_copies(value.take_apart(Internal::CALL), count);
    }
}

impl<A, B, L: sealed::Sealed<A>, R: sealed::Sealed<B>> sealed::Sealed<(A, B)> for (L, R) {}
impl<T: InColumns> sealed::Sealed<T> for Columns<T> {}

impl<T: InColumns> Default for Columns<T> {
    fn default() -> Self {
        Self(T::Columns::default())
    }
}

impl<T: InColumns> fmt::Debug for Columns<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Columns").finish_non_exhaustive()
    }
}

macro_rules! iterator_of_columns {
    ($(#[$doc:meta])* $name:ident [$($lifetime:lifetime)?] $inner:ident, $item:ty, $shown:ident) => {
        $(#[$doc])*
        #[doc(hidden)]
        pub struct $name<$($lifetime,)? T: InColumns>(
            <T::Columns as Container<T::Values>>::$inner$(<$lifetime>)?,
        );

        impl<$($lifetime,)? T: InColumns> Iterator for $name<$($lifetime,)? T> {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map(|values| T::$shown(Internal::CALL, values))
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }
        impl<$($lifetime,)? T: InColumns> DoubleEndedIterator for $name<$($lifetime,)? T> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map(|values| T::$shown(Internal::CALL, values))
            }
        }
        impl<$($lifetime,)? T: InColumns> ExactSizeIterator for $name<$($lifetime,)? T> {}
        impl<$($lifetime,)? T: InColumns> core::iter::FusedIterator for $name<$($lifetime,)? T> {}
    };
}
iterator_of_columns!(
    /// An iterator over the rows of columns.
    ColumnsIter['a] Iter, T::Ref<'a>, shown
);
impl<T: InColumns> Clone for ColumnsIter<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
iterator_of_columns!(
    /// An iterator over the rows of columns, to be changed.
    ColumnsIterMut['a] IterMut, T::RefMut<'a>, shown_mut
);
iterator_of_columns!(
    /// An iterator over the rows of columns, by value.
    ColumnsIntoIter[] IntoIter, T, put_together
);

/// The path to one column: the tree is a leaf, and this is it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Here(());
/// The path to one column: it is in the left half.
#[doc(hidden)]
#[derive(Debug)]
pub struct Left<P>(PhantomData<P>);
/// The path to one column: it is in the right half.
#[doc(hidden)]
#[derive(Debug)]
pub struct Right<P>(PhantomData<P>);

/// The path through a tree of columns `C` with the values `V` to one of them. Other crates cannot implement it: they
/// cannot name it.
///
/// The path leads through the columns, not their windows. If the only column of a component holds components of another
/// crate, the windows are that crate's, and would lead to each of their fields.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` leads to no column of `{C}`",
    label = "no column of this component",
    note = "the fields of a component that is in another one's column are no columns of that"
)]
pub trait Path<V, C: Container<V>>: 'static {
    type Window: Window;
    /// A number that no other path through the tree has; it is not 0.
    const NUMBER: u64;
    fn go(from: C::Window) -> Self::Window;
}

impl<T: Send + Sync + 'static> Path<T, Vec<T>> for Here {
    type Window = VecWindow<T>;
    const NUMBER: u64 = 1;
    #[inline(always)]
    fn go(from: VecWindow<T>) -> VecWindow<T> {
        from
    }
}

impl<A, B, L: Storage<A>, R: Storage<B>, P: Path<A, L>> Path<(A, B), (L, R)> for Left<P> {
    type Window = P::Window;
    const NUMBER: u64 = P::NUMBER * 2;
    #[inline(always)]
    fn go(from: (L::Window, R::Window)) -> P::Window {
        P::go(from.0)
    }
}

impl<A, B, L: Storage<A>, R: Storage<B>, P: Path<B, R>> Path<(A, B), (L, R)> for Right<P> {
    type Window = P::Window;
    const NUMBER: u64 = P::NUMBER * 2 + 1;
    #[inline(always)]
    fn go(from: (L::Window, R::Window)) -> P::Window {
        P::go(from.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use alloc::string::{String, ToString};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    type Tree = (Vec<u8>, (Vec<String>, Vec<()>));

    fn filled(len: u8) -> Tree {
        let mut tree = Tree::default();
        for it in 0..len {
            tree.push((it, (it.to_string(), ())));
        }
        tree
    }

    #[test]
    fn both_halves_do_the_same() {
        let mut tree = filled(5);
        assert_eq!(tree.swap_remove(1), (1, ("1".into(), ())));
        let mut value = (9, ("9".into(), ()));
        tree.exchange(0, &mut value);
        assert_eq!(value, (0, ("0".into(), ())));
        tree.swap(0, 2);
        assert_eq!(tree.as_slice().0, [2, 4, 9, 3]);
        assert_eq!(tree.as_slice().1.0, ["2", "4", "9", "3"]);
        assert!(tree.get(3).is_some() && tree.get(4).is_none() && tree.get_mut(4).is_none());
        assert_eq!(tree.iter().map(|(it, _)| *it).sum::<u8>(), 18);
        tree.iter_mut().for_each(|(it, (text, _))| text.push(char::from(b'a' + *it)));
        assert_eq!(tree.get(0), Some((&2, (&"2c".into(), &()))));
        assert_eq!(Container::into_iter(tree).count(), 4);
    }

    #[test]
    fn there_is_room_in_all_or_none() {
        let mut tree = filled(5);
        assert!(catch_unwind(AssertUnwindSafe(|| tree.reserve(usize::MAX))).is_err());
        tree.reserve(100);
        assert!(!tree.is_full() && tree.0.capacity() >= 105 && tree.1.0.capacity() >= 105);
        assert_eq!(tree.memory(), tree.0.capacity() + tree.1.0.capacity() * size_of::<String>());
        tree.shrink_to_fit();
        assert!(tree.is_full());
    }

    #[test]
    fn shortening_goes_on_after_a_panic() {
        type Tree = ((Vec<Bomb>, Vec<Bomb>), (Vec<Box<i32>>, Vec<Bomb>));
        struct Bomb(bool);
        impl Drop for Bomb {
            fn drop(&mut self) {
                assert!(!self.0, "a bomb went off");
            }
        }
        let counted = Box::new(5);
        for at in 0..3 {
            let mut tree = Tree::default();
            let bomb = |place| Bomb(place == at);
            tree.push(((bomb(0), bomb(1)), (counted.clone(), bomb(2))));
            assert!(catch_unwind(AssertUnwindSafe(|| tree.truncate(0))).is_err());
            assert_eq!((tree.0.0.len(), tree.0.1.len(), tree.1.0.len(), tree.len()), (0, 0, 0, 0));
            assert_eq!(tree.1.1.len(), 0);
        }
    }

    #[test]
    fn paths_have_numbers_of_their_own() {
        const fn number<P: Path<(u8, (String, ())), Tree>>() -> u64 {
            P::NUMBER
        }
        let numbers =
            [number::<Left<Here>>(), number::<Right<Left<Here>>>(), number::<Right<Right<Here>>>()];
        assert_eq!(numbers, [2, 5, 7]);
        let tree = filled(3);
        let column = <Right<Left<Here>> as Path<_, Tree>>::go(tree.window()).first_column();
        assert_eq!(column, (tree.1.0.as_ptr().addr(), size_of::<String>()));
    }
}
