//! The storage of values of a sparse set, and the raw windows through which views read them.
#![expect(
    unsafe_code,
    reason = "views of one world hold windows to many pools at once; the borrow checker cannot \
              see that the pools and rows differ. And values that last are found by their address"
)]

#[cfg(any(debug_assertions, ecs_checked))]
use crate::entity::Entity;
use crate::extent::Extent;
use crate::internal::Internal;
use alloc::vec::Vec;
use core::any::{Any, type_name};
use core::cell::UnsafeCell;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

/// The storage of a pool's values in dense order, chosen by the component ([`AnyComponent::Storage`]): a `Vec`, or one
/// `Vec` for each field. Sealed: the library's views rely on it.
///
/// The types that it yields have names of their own: [`Ref`](crate::Ref), [`RefMut`](crate::RefMut),
/// [`Slice`](crate::Slice) and [`SliceMut`](crate::SliceMut). For a [`Component`](trait@crate::Component), which
/// is stored in a `Vec`, these are `&T`, `&mut T`, `&[T]` and `&mut [T]`.
///
/// ```
/// # use ecs::{Component, Entity, World};
/// # #[derive(Component, Clone, Debug, PartialEq)] struct Health(u32);
/// fn copy_of<T: Component + Clone>(world: &World, entity: Entity) -> Option<T> {
///     world.get::<T>(entity).cloned() // of an `Option<&T>`
/// }
/// # let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// assert_eq!(copy_of::<Health>(&world, entity), Some(Health(3)));
/// ```
///
/// [`AnyComponent::Storage`]: crate::AnyComponent::Storage
pub trait Storage<T>: Container<T> {}

impl<T, S: Container<T>> Storage<T> for S {}

/// The methods of a [`Storage`].
///
/// This trait is separate because users must not import it: its methods are named like methods of slices, and
/// `use ecs::*` would give every `Vec` a second `into_iter`.
#[doc(hidden)]
pub trait Container<T>: sealed::Sealed<T> + Default + Send + Sync + 'static {
    /// A shared reference to one value.
    type Ref<'a>: Copy;
    /// An exclusive reference to one value.
    type RefMut<'a>;
    /// Shared references to neighbouring values.
    type Slice<'a>: Copy;
    /// Exclusive references to neighbouring values.
    type SliceMut<'a>;
    /// The values one by one.
    type Iter<'a>: DoubleEndedIterator<Item = Self::Ref<'a>>
        + ExactSizeIterator
        + FusedIterator
        + Clone;
    /// The values one by one, to be changed.
    type IterMut<'a>: DoubleEndedIterator<Item = Self::RefMut<'a>>
        + ExactSizeIterator
        + FusedIterator;
    /// The values one by one, taken out.
    type IntoIter: DoubleEndedIterator<Item = T> + ExactSizeIterator + FusedIterator;
    /// The addresses of the values, without a borrow; valid until the storage is changed.
    #[doc(hidden)]
    type Window: Window;
    /// `true` if each field of a value is stored separately.
    #[doc(hidden)]
    const IN_COLUMNS: bool = false;
    /// The names of the fields that are stored separately, in the order of their columns, and `true` for public ones.
    #[doc(hidden)]
    const FIELDS: &'static [(&'static str, bool)] = &[];

    #[doc(hidden)]
    fn len(&self) -> usize;
    /// Returns `true` if one more value needs more room.
    #[doc(hidden)]
    fn is_full(&self) -> bool;
    #[doc(hidden)]
    fn reserve(&mut self, additional: usize);
    #[doc(hidden)]
    fn push(&mut self, value: T);
    /// Moves values behind the others; there is room for them.
    #[doc(hidden)]
    fn append(&mut self, values: &mut Self);
    /// Exchanges the value at `at` with this one. By reference, as each move of a large value needs stack in an
    /// unoptimised build.
    #[doc(hidden)]
    fn exchange(&mut self, at: usize, value: &mut T);
    /// Exchanges the value at `at` with the one at `from` of another storage.
    #[doc(hidden)]
    fn exchange_with(&mut self, at: usize, other: &mut Self, from: usize) {
        let mut value = other.swap_remove(from);
        self.exchange(at, &mut value);
        other.push(value);
        other.swap(from, other.len() - 1);
    }
    #[doc(hidden)]
    fn swap_remove(&mut self, at: usize) -> T;
    #[doc(hidden)]
    fn swap(&mut self, a: usize, b: usize);
    #[doc(hidden)]
    fn get(&self, at: usize) -> Option<Self::Ref<'_>>;
    #[doc(hidden)]
    fn get_mut(&mut self, at: usize) -> Option<Self::RefMut<'_>>;
    #[doc(hidden)]
    fn empty<'a>() -> Self::Slice<'a>;
    #[doc(hidden)]
    fn as_slice(&self) -> Self::Slice<'_>;
    #[doc(hidden)]
    fn as_mut_slice(&mut self) -> Self::SliceMut<'_>;
    #[doc(hidden)]
    fn iter(&self) -> Self::Iter<'_>;
    #[doc(hidden)]
    fn iter_mut(&mut self) -> Self::IterMut<'_>;
    #[doc(hidden)]
    fn into_iter(self) -> Self::IntoIter;
    /// Drops all but the first `len` values. If a drop panics, the others are dropped first.
    #[doc(hidden)]
    fn truncate(&mut self, len: usize);
    #[doc(hidden)]
    fn shrink_to_fit(&mut self);
    /// Returns the bytes on the heap, without memory that the values own.
    #[doc(hidden)]
    fn memory(&self) -> usize;
    /// Calls `each` with each column: a `Vec` of the values of a field, or of whole values.
    #[doc(hidden)]
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>);
    /// Calls `each` with each column, to be written.
    #[doc(hidden)]
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>);
    /// Returns a window for reading.
    #[doc(hidden)]
    fn window(&self) -> Self::Window;
    /// Returns a window for reading and writing.
    #[doc(hidden)]
    fn window_mut(&mut self) -> Self::Window;

    /// Converts a value that a window has read to the form that users see.
    #[doc(hidden)]
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a>;
    #[doc(hidden)]
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> Self::RefMut<'a>;
    #[doc(hidden)]
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> Self::Slice<'a>;
    #[doc(hidden)]
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> Self::SliceMut<'a>;
}

/// A column without its type: a `Vec`.
#[doc(hidden)]
pub type AnyColumn = dyn Any + Send + Sync;

/// A function that takes columns, each with the name of the type of its values.
#[doc(hidden)]
pub type EachColumn<'f, 'a> = &'f mut dyn FnMut(&'static str, &'a AnyColumn);

/// A function that takes columns to be written, like [`EachColumn`].
#[doc(hidden)]
pub type EachColumnMut<'f, 'a> = &'f mut dyn FnMut(&'static str, &'a mut AnyColumn);

/// The addresses of a storage's values, without a borrow: the address of a `Vec`'s first value, or, for columns, a pair
/// of windows. It yields references and pairs of them, which only the library makes.
#[doc(hidden)]
pub trait Window: Copy + Send + Sync + 'static {
    type Ref<'a>: Copy;
    type RefMut<'a>;
    type Slice<'a>: Copy;
    type SliceMut<'a>;

    /// A window to no values.
    const NOWHERE: Self;
    /// `true` if the values that fit a vector register fill it exactly.
    const FILLS_LANES: bool;

    /// Returns the value at `at`.
    ///
    /// # Safety
    /// The window's storage is unchanged since, outlives `'a`, has more than `at` values, and nothing writes this value
    /// during `'a`.
    unsafe fn read<'a>(self, at: usize) -> Self::Ref<'a>;

    /// Returns the value at `at`, to be written.
    ///
    /// # Safety
    /// The requirements of [`read`](Self::read); the window is from [`Container::window_mut`], and nothing else reads
    /// or writes this value during `'a`.
    unsafe fn write<'a>(self, at: usize) -> Self::RefMut<'a>;

    /// Returns the first `len` values.
    ///
    /// # Safety
    /// The requirements of [`read`](Self::read), for each of them.
    unsafe fn read_slice<'a>(self, len: usize) -> Self::Slice<'a>;

    /// Returns the first `len` values, to be written.
    ///
    /// # Safety
    /// The requirements of [`write`](Self::write), for each of them.
    unsafe fn write_slice<'a>(self, len: usize) -> Self::SliceMut<'a>;

    /// Returns the window without its first values.
    fn skip(self, values: usize) -> Self;
    /// Returns the address of the first value and the bytes from one value to the next, for the first column.
    fn first_column(self) -> (usize, usize);
    /// Returns a window to these values, for reading.
    fn of_slice(slice: Self::Slice<'_>) -> Self;
    /// Returns a window to these values, for writing.
    fn of_mut_slice(slice: Self::SliceMut<'_>) -> Self;
}

/// The address of a `Vec`'s first value.
#[derive(Debug)]
pub struct VecWindow<T> {
    first: *mut T,
    extent: Extent,
}

impl<T> Clone for VecWindow<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for VecWindow<T> {}

// SAFETY: a window is an address. Only the unsafe functions of `Window` read and write there, and their callers
// guarantee exclusive or shared access. `T: Send + Sync` allows another thread to do so.
unsafe impl<T: Send + Sync> Send for VecWindow<T> {}
// SAFETY: a shared window allows no more than a copy of it, which may be sent.
unsafe impl<T: Send + Sync> Sync for VecWindow<T> {}

impl<T: Send + Sync + 'static> Window for VecWindow<T> {
    type Ref<'a> = &'a T;
    type RefMut<'a> = &'a mut T;
    type Slice<'a> = &'a [T];
    type SliceMut<'a> = &'a mut [T];

    const NOWHERE: Self = Self { first: core::ptr::dangling_mut(), extent: Extent::new(0) };
    const FILLS_LANES: bool = size_of::<T>().is_power_of_two();

    #[inline(always)]
    unsafe fn read<'a>(self, at: usize) -> &'a T {
        self.extent.check(at, 1);
        // SAFETY: the caller guarantees that the storage is unchanged and has more than `at` values: so there is one,
        // in this allocation. The caller also guarantees that it lives for `'a`, and that nothing writes it.
        unsafe { &*self.first.add(at) }
    }
    #[inline(always)]
    unsafe fn write<'a>(self, at: usize) -> &'a mut T {
        self.extent.check(at, 1);
        // SAFETY: the caller guarantees that the storage is unchanged and has more than `at` values: so there is one,
        // in this allocation. Its address was taken for writing. The caller also guarantees that the value lives for
        // `'a`, and that nothing else reads or writes it.
        unsafe { &mut *self.first.add(at) }
    }
    #[inline(always)]
    unsafe fn read_slice<'a>(self, len: usize) -> &'a [T] {
        self.extent.check(0, len);
        // SAFETY: the caller guarantees that the storage is unchanged and has `len` values from here on, one after the
        // other in one allocation. Or `len` is 0, and the address is not null and aligned. They live for `'a`, and
        // nothing writes them.
        unsafe { core::slice::from_raw_parts(self.first, len) }
    }
    #[inline(always)]
    unsafe fn write_slice<'a>(self, len: usize) -> &'a mut [T] {
        self.extent.check(0, len);
        // SAFETY: the caller guarantees that the storage is unchanged and has `len` values from here on. They lie one
        // after the other in one allocation, and the address was taken for writing. Or `len` is 0, and the address is
        // not null and aligned. They live for `'a`, and nothing else reads or writes them.
        unsafe { core::slice::from_raw_parts_mut(self.first, len) }
    }
    #[inline(always)]
    fn skip(self, values: usize) -> Self {
        // Wrapping: a read checks that a value exists, not the address.
        Self { first: self.first.wrapping_add(values), extent: self.extent.skip(values) }
    }
    #[inline(always)]
    fn first_column(self) -> (usize, usize) {
        (self.first.addr(), size_of::<T>())
    }
    #[inline(always)]
    fn of_slice(slice: &[T]) -> Self {
        Self { first: slice.as_ptr().cast_mut(), extent: Extent::new(slice.len()) }
    }
    #[inline(always)]
    fn of_mut_slice(slice: &mut [T]) -> Self {
        Self { first: slice.as_mut_ptr(), extent: Extent::new(slice.len()) }
    }
}

/// Implements functions of a pair of windows by calls to both windows.
macro_rules! of_both {
    ($(unsafe fn $name:ident($argument:ident) -> $result:ident;)+) => {
        $(
            #[inline(always)]
            unsafe fn $name<'a>(self, $argument: usize) -> Self::$result<'a> {
                // SAFETY: both windows are of one storage, and its columns have one length (C1). So the caller's
                // guarantees for the values of the pair hold for each half.
                unsafe { (self.0.$name($argument), self.1.$name($argument)) }
            }
        )+
    };
}

/// Columns beside each other.
impl<L: Window, R: Window> Window for (L, R) {
    type Ref<'a> = (L::Ref<'a>, R::Ref<'a>);
    type RefMut<'a> = (L::RefMut<'a>, R::RefMut<'a>);
    type Slice<'a> = (L::Slice<'a>, R::Slice<'a>);
    type SliceMut<'a> = (L::SliceMut<'a>, R::SliceMut<'a>);

    const NOWHERE: Self = (L::NOWHERE, R::NOWHERE);
    const FILLS_LANES: bool = L::FILLS_LANES && R::FILLS_LANES;

    of_both! {
        unsafe fn read(at) -> Ref;
        unsafe fn write(at) -> RefMut;
        unsafe fn read_slice(len) -> Slice;
        unsafe fn write_slice(len) -> SliceMut;
    }
    #[inline(always)]
    fn skip(self, values: usize) -> Self {
        (self.0.skip(values), self.1.skip(values))
    }
    #[inline(always)]
    fn first_column(self) -> (usize, usize) {
        self.0.first_column()
    }
    #[inline(always)]
    fn of_slice(slice: Self::Slice<'_>) -> Self {
        (L::of_slice(slice.0), R::of_slice(slice.1))
    }
    #[inline(always)]
    fn of_mut_slice(slice: Self::SliceMut<'_>) -> Self {
        (L::of_mut_slice(slice.0), R::of_mut_slice(slice.1))
    }
}

impl<T: Send + Sync + 'static> Container<T> for Vec<T> {
    type Ref<'a> = &'a T;
    type RefMut<'a> = &'a mut T;
    type Slice<'a> = &'a [T];
    type SliceMut<'a> = &'a mut [T];
    type Iter<'a> = core::slice::Iter<'a, T>;
    type IterMut<'a> = core::slice::IterMut<'a, T>;
    type IntoIter = alloc::vec::IntoIter<T>;
    type Window = VecWindow<T>;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }
    #[inline]
    fn is_full(&self) -> bool {
        self.len() == self.capacity()
    }
    #[inline]
    fn reserve(&mut self, additional: usize) {
        self.reserve(additional);
    }
    #[inline]
    fn push(&mut self, value: T) {
        self.push(value);
    }
    fn append(&mut self, values: &mut Self) {
        self.append(values);
    }
    #[inline]
    fn exchange(&mut self, at: usize, value: &mut T) {
        core::mem::swap(&mut self[at], value);
    }
    fn exchange_with(&mut self, at: usize, other: &mut Self, from: usize) {
        core::mem::swap(&mut self[at], &mut other[from]);
    }
    #[inline]
    fn swap_remove(&mut self, at: usize) -> T {
        self.swap_remove(at)
    }
    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        <[T]>::swap(self, a, b);
    }
    #[inline]
    fn get(&self, at: usize) -> Option<&T> {
        <[T]>::get(self, at)
    }
    #[inline]
    fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        <[T]>::get_mut(self, at)
    }
    fn empty<'a>() -> &'a [T] {
        &[]
    }
    fn as_slice(&self) -> &[T] {
        self
    }
    fn as_mut_slice(&mut self) -> &mut [T] {
        self
    }
    fn iter(&self) -> core::slice::Iter<'_, T> {
        <[T]>::iter(self)
    }
    fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        <[T]>::iter_mut(self)
    }
    fn into_iter(self) -> alloc::vec::IntoIter<T> {
        IntoIterator::into_iter(self)
    }
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
    fn shrink_to_fit(&mut self) {
        self.shrink_to_fit();
    }
    fn memory(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>) {
        each(type_name::<T>(), self);
    }
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>) {
        each(type_name::<T>(), self);
    }
    #[inline]
    fn window(&self) -> VecWindow<T> {
        // A `Vec`'s pointer is never null. This one is used for reading only.
        VecWindow { first: self.as_ptr().cast_mut(), extent: Extent::new(self.len()) }
    }
    #[inline]
    fn window_mut(&mut self) -> VecWindow<T> {
        // Not made from a slice: windows of disjoint rows of one `Vec` may live together.
        VecWindow { first: self.as_mut_ptr(), extent: Extent::new(self.len()) }
    }
    #[inline(always)]
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a> {
        value
    }
    #[inline(always)]
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> Self::RefMut<'a> {
        value
    }
    #[inline(always)]
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> Self::Slice<'a> {
        values
    }
    #[inline(always)]
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> Self::SliceMut<'a> {
        values
    }
}

/// The address of the first of some items, without a borrow.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Address<T> {
    pub(crate) first: *const T,
    extent: Extent,
}

// SAFETY: this is an address. Only unsafe functions read there, and their callers guarantee that they may. Nothing
// writes there through it.
unsafe impl<T: Sync> Send for Address<T> {}
// SAFETY: a shared address allows no more than a copy of it, which may be sent.
unsafe impl<T: Sync> Sync for Address<T> {}

impl<T: Copy> Address<T> {
    /// The address of no items.
    pub(crate) const NONE: Self = Self { first: core::ptr::null(), extent: Extent::new(0) };

    /// Returns the address of the first `len` of these items.
    #[inline(always)]
    pub(crate) const fn new(items: &[T], len: usize) -> Self {
        Extent::new(items.len()).check(0, len);
        Self { first: items.as_ptr(), extent: Extent::new(len) }
    }
}

/// The bytes of cells.
impl Address<u8> {
    /// Returns the address of cells of four bytes.
    #[inline(always)]
    pub(crate) const fn of_cells(cells: &[u32]) -> Self {
        Self { first: cells.as_ptr().cast(), extent: Extent::new(size_of_val(cells)) }
    }
}

/// The position of a block's values in a pool: the position `first` plus a cell.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    pub(crate) first: usize,
    pub(crate) cells: Address<u8>,
}

impl Lane {
    /// A run at the beginning of a pool.
    pub(crate) const FRONT: Self = Self { first: 0, cells: Address::NONE };

    /// Returns the position that a page's cell of three bytes stores.
    #[cfg(test)]
    pub(crate) fn small_cell(self, offset: usize) -> usize {
        // SAFETY: the calling test guarantees that the lane is a page's, and a page has a cell for each offset.
        self.first.wrapping_add(unsafe { Scattered::small(offset).of(self.cells) })
    }
}

/// A set bit, for items that exist.
static THERE: [u64; 1] = [!0];

/// One bit for each match of a block, set if the match has an optional item. In a run, either all matches have it or
/// none has, so only being null matters.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Presence(pub(crate) Address<u64>);

impl Presence {
    /// No match has the item.
    pub(crate) const NONE: Self = Self(Address::NONE);

    /// Returns the presence for a run: all of its matches have the item, or none has.
    #[inline(always)]
    pub(crate) const fn of_all(have: bool) -> Self {
        if have { Self(Address::new(&THERE, 1)) } else { Self::NONE }
    }

    /// Returns `true` if any match has the item.
    #[inline(always)]
    pub(crate) const fn is_some(self) -> bool {
        !self.0.first.is_null()
    }
}

/// One match of a block.
#[doc(hidden)]
pub trait Position: Copy {
    /// Returns the number to add to the first position of a lane with these cells.
    ///
    /// # Safety
    /// The cells belong to a lane of this match's block.
    unsafe fn of(self, cells: Address<u8>) -> usize;
    /// Returns `true` if the match has the optional item.
    ///
    /// # Safety
    /// The bits belong to this match's block.
    unsafe fn has(self, presence: Presence) -> bool;
}

/// A match of a run: its values are neighbours of the other matches' values in all pools.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct InRun(pub(crate) usize);

impl Position for InRun {
    #[inline(always)]
    unsafe fn of(self, _: Address<u8>) -> usize {
        self.0
    }
    #[inline(always)]
    unsafe fn has(self, presence: Presence) -> bool {
        presence.is_some()
    }
}

/// The cells of the matches of a block that is not a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellOrder {
    /// For each match, the number of bytes before its cell.
    bytes: Address<u16>,
    /// The bits of a cell.
    mask: u32,
}

impl CellOrder {
    /// The order of no block.
    pub(crate) const NONE: Self = Self { bytes: Address::NONE, mask: 0 };

    /// Returns the order of `len` matches, in which each cell follows this many bytes, and consists of the bits of
    /// `mask`.
    #[inline(always)]
    pub(crate) const fn new(bytes: &[u16], len: usize, mask: u32) -> Self {
        Self { bytes: Address::new(bytes, len), mask }
    }

    /// Returns the match at `at`.
    ///
    /// # Safety
    /// The block, which is the last one found, has more than `at` matches.
    #[inline(always)]
    pub(crate) unsafe fn at(self, at: usize) -> Scattered {
        self.bytes.extent.check(at, 1);
        // SAFETY: the caller guarantees that this is the order of the last block, so its list is unchanged. The
        // block has more matches than `at`, so the list has, too.
        Scattered { byte: unsafe { *self.bytes.first.add(at) }.into(), mask: self.mask }
    }
}

/// A match of a block that is not a run: it selects a cell.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Scattered {
    /// The number of bytes before the cell.
    byte: usize,
    /// The bits of the cell.
    mask: u32,
}

/// The number of bytes of a cell of a page, and the bits in use.
pub(crate) const SMALL_CELL: u16 = 3;
pub(crate) const SMALL_CELL_BITS: u32 = (1 << 24) - 1;

impl Scattered {
    /// Returns the match at this offset of a page.
    #[inline(always)]
    pub(crate) const fn small(offset: usize) -> Self {
        Self { byte: offset * SMALL_CELL as usize, mask: SMALL_CELL_BITS }
    }
}

/// The number of bytes of a listed cell; only matches with such cells have optional items.
pub(crate) const CELL: u16 = 4;

impl Position for Scattered {
    #[inline(always)]
    unsafe fn of(self, cells: Address<u8>) -> usize {
        cells.extent.check(self.byte, size_of::<u32>());
        // SAFETY: the caller guarantees that the cells belong to a lane of this match's block: so they include the
        // match's cell. That cell has four bytes, or three with another byte behind the last one.
        let bytes = unsafe { cells.first.add(self.byte).cast::<u32>().read_unaligned() };
        (u32::from_le(bytes) & self.mask) as usize
    }
    #[inline(always)]
    unsafe fn has(self, presence: Presence) -> bool {
        let cell = self.byte / CELL as usize;
        presence.0.extent.check(cell / 64, 1);
        // SAFETY: the caller guarantees that the bits belong to this match's block, which has one for each cell.
        let bits = unsafe { *presence.0.first.add(cell / 64) };
        bits >> (cell % 64) & 1 != 0
    }
}

/// The values of a block in one pool.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LaneWindow<W> {
    pub(crate) values: W,
    pub(crate) cells: Address<u8>,
    #[cfg(any(debug_assertions, ecs_checked))]
    expected: Option<Expected>,
}

/// The members of a pool from a lane's first position on, and the handles of the matches, which must be equal.
#[cfg(any(debug_assertions, ecs_checked))]
#[derive(Clone, Copy, Debug)]
struct Expected {
    members: VecWindow<Entity>,
    handles: VecWindow<Entity>,
    /// The cells of the handles.
    cells: Address<u8>,
}

impl<W: Window> LaneWindow<W> {
    #[inline(always)]
    pub(crate) fn new(values: W, lane: Lane) -> Self {
        Self { cells: lane.cells, ..Self::of_run(values.skip(lane.first)) }
    }

    /// Returns the window of the values of a lane in the pool with these members; the matches have these handles.
    #[inline(always)]
    #[cfg(any(debug_assertions, ecs_checked))]
    pub(crate) fn expecting(
        values: W,
        lane: Lane,
        members: &[Entity],
        handles: &[Entity],
        handle: Lane,
    ) -> Self {
        let expected = Some(Expected {
            members: VecWindow::of_slice(members).skip(lane.first),
            handles: VecWindow::of_slice(handles).skip(handle.first),
            cells: handle.cells,
        });
        Self { expected, ..Self::new(values, lane) }
    }

    /// Returns the window of a run.
    #[inline(always)]
    pub(crate) fn of_run(values: W) -> Self {
        Self {
            values,
            cells: Address::NONE,
            #[cfg(any(debug_assertions, ecs_checked))]
            expected: None,
        }
    }

    /// Panics in a checked build if `len` positions from a match's position on do not belong to its
    /// entities.
    ///
    /// # Safety
    /// The match belongs to the block of the window; if `len` is not 1, that is a run of as many. The pool does not
    /// change.
    #[inline(always)]
    #[cfg_attr(
        not(any(debug_assertions, ecs_checked)),
        expect(
            unused_variables,
            clippy::unused_self,
            reason = "without checks nothing is compared"
        )
    )]
    pub(crate) unsafe fn check<P: Position>(&self, at: P, len: usize) {
        #[cfg(any(debug_assertions, ecs_checked))]
        if let Some(Expected { members, handles, cells }) = self.expected {
            // SAFETY: the caller guarantees that the match belongs to the block of both cells, and that the pool does
            // not change, so the addresses of its members are valid.
            let (members, handles) = unsafe {
                let (member, handle) = (at.of(self.cells), at.of(cells));
                (members.skip(member).read_slice(len), handles.skip(handle).read_slice(len))
            };
            assert_eq!(members, handles, "a position belongs to another entity");
        }
    }
}

/// Requests that memory at this address is loaded into the caches. Any address is allowed.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every such processor has the instruction. It affects only the caches, for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Prefetches memory like [`prefetch`], at an address that is a number.
#[inline(always)]
pub(crate) fn prefetch_at(address: usize) {
    prefetch(core::ptr::without_provenance::<u8>(address));
}

/// The values of a pool, open to views of many pools at once.
///
/// * V1: the maker of a writing window has exclusive access to the pool's world for as long as the window is used, so
///   that no `get` runs meanwhile.
pub(crate) struct PoolValues<T, S>(UnsafeCell<S>, PhantomData<fn() -> T>);

// SAFETY: of the functions that take `&PoolValues`, `get` returns shared references, to an `S: Sync`. `window_mut` is
// unsafe: its caller upholds V1, so that no thread calls `get` meanwhile; another thread may write there, as `S: Send`.
unsafe impl<T, S: Send + Sync> Sync for PoolValues<T, S> {}

impl<T, S: Default> Default for PoolValues<T, S> {
    #[inline]
    fn default() -> Self {
        Self(UnsafeCell::new(S::default()), PhantomData)
    }
}

impl<T, S> PoolValues<T, S> {
    #[inline]
    pub(crate) fn get(&self) -> &S {
        // SAFETY: while a writing window to these values is used, this is not called (V1); otherwise they are not
        // written through a shared reference.
        unsafe { &*self.0.get() }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut S {
        self.0.get_mut()
    }

    /// Returns a window for writing.
    ///
    /// # Safety
    /// The caller upholds V1, and no two windows are used to reach one value while one writes.
    #[inline]
    pub(crate) unsafe fn window_mut(&self) -> S::Window
    where
        S: Storage<T>,
    {
        // SAFETY: the caller upholds V1: so no reference that `get` returned is alive, and no other thread is here.
        // Windows hold addresses of values, and no reference to the storage itself, which lives as long as this one
        // does.
        unsafe { (*self.0.get()).window_mut() }
    }
}

/// The values of a storage that is borrowed, by value: a loop over lookups keeps this in registers. Through a reference
/// to the storage, it would load address and length each time.
pub(crate) struct Borrowed<'a, T, S: Storage<T>> {
    window: S::Window,
    len: usize,
    storage: PhantomData<&'a S>,
}

impl<T, S: Storage<T>> Clone for Borrowed<'_, T, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, S: Storage<T>> Copy for Borrowed<'_, T, S> {}

impl<'a, T, S: Storage<T>> Borrowed<'a, T, S> {
    /// No values.
    pub(crate) const EMPTY: Self =
        Self { window: S::Window::NOWHERE, len: 0, storage: PhantomData };

    #[inline]
    pub(crate) fn new(storage: &'a S) -> Self {
        Self { window: storage.window(), len: storage.len(), storage: PhantomData }
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn get(self, at: usize) -> Option<S::Ref<'a>> {
        if at >= self.len {
            return None;
        }
        // SAFETY: the storage is borrowed for `'a`: so it lives, does not change, and nothing writes. It has `len`
        // values, which is more than `at`.
        Some(S::shown(Internal::CALL, unsafe { self.window.read(at) }))
    }
}

/// A place for a value that lasts as long as the process: filled once, by any thread, without a lock.
pub(crate) struct Lasting<T: 'static>(AtomicPtr<T>);

impl<T: Sync> Lasting<T> {
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(core::ptr::null_mut()))
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<&'static T> {
        // SAFETY: the address is null, or the address of a reference that lasts, which `fill` stored after it was
        // written (`Release`). Any thread may share a `T: Sync`.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    /// Fills the place if it is empty.
    pub(crate) fn fill(&self, value: &'static T) {
        let (empty, value) = (core::ptr::null_mut(), core::ptr::from_ref(value).cast_mut());
        let _ = self.0.compare_exchange(empty, value, Ordering::Release, Ordering::Relaxed);
    }
}

/// A value that is brought up to date where it is read: by the first read after it was [spoiled](Self::spoil), of any
/// thread.
///
/// * V3: the value is written through a shared reference by the thread that set the state to `BUSY`, until it sets
///   another one. It is lent while the state is `READY`, which only an exclusive reference ends: no loan is left then.
pub(crate) struct Renewed<T> {
    state: AtomicU8,
    value: UnsafeCell<T>,
}

const SPOILED: u8 = 0;
const BUSY: u8 = 1;
const READY: u8 = 2;

// SAFETY: a shared reference lends the `T: Sync` while nothing writes it. Otherwise one thread at a time has it, as
// `T: Send` (V3).
unsafe impl<T: Send + Sync> Sync for Renewed<T> {}

impl<T> Renewed<T> {
    /// Returns a value that is out of date.
    pub(crate) const fn new(value: T) -> Self {
        Self { state: AtomicU8::new(SPOILED), value: UnsafeCell::new(value) }
    }

    /// Returns the value, after `renew` brought it up to date if need be. If that panics, the next read does it again.
    #[inline]
    pub(crate) fn get(&self, renew: impl FnOnce(&mut T)) -> &T {
        if self.state.load(Ordering::Acquire) != READY {
            self.renew(renew);
        }
        // SAFETY: the state is `READY`, and stays so while `self` is borrowed (V3). The thread that set it wrote
        // the value before (`Release`).
        unsafe { &*self.value.get() }
    }

    #[cold]
    #[inline(never)]
    fn renew(&self, renew: impl FnOnce(&mut T)) {
        let Self { state, value } = self;
        while let Err(now) =
            state.compare_exchange(SPOILED, BUSY, Ordering::Acquire, Ordering::Acquire)
        {
            if now == READY {
                return;
            }
            core::hint::spin_loop(); // another thread brings it up to date
        }
        let mut busy = Busy { state, after: SPOILED };
        // SAFETY: this thread set the state to `BUSY`: so the value is not lent, and no other thread is here (V3).
        renew(unsafe { &mut *value.get() });
        busy.after = READY;
    }

    /// Notes that the value is out of date.
    #[inline]
    pub(crate) fn spoil(&mut self) {
        *self.state.get_mut() = SPOILED;
    }
}

/// Ends the state `BUSY`, also after a panic.
struct Busy<'a> {
    state: &'a AtomicU8,
    after: u8,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.state.store(self.after, Ordering::Release);
    }
}

pub(crate) mod sealed {
    use alloc::vec::Vec;

    /// Names the values, too: otherwise another crate's `Container<Own>` for a `Vec` of this library would be legal.
    pub trait Sealed<T> {}
    impl<T> Sealed<T> for Vec<T> {}
}

/// Each wrong read panics before it reads, in checked builds.
#[cfg(any(debug_assertions, ecs_checked))]
#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::vec;

    fn is_refused<T>(read: impl FnOnce() -> T) -> bool {
        catch_unwind(AssertUnwindSafe(|| drop(read()))).is_err()
    }

    #[test]
    fn a_window_refuses_values_that_its_storage_lacks() {
        let mut values = vec![1, 2, 3];
        let window = Container::window_mut(&mut values);
        for (skipped, left) in [(0, 3), (1, 2), (3, 0), (usize::MAX, 4)] {
            let window = window.skip(skipped);
            for at in [left, left + 1] {
                // SAFETY: the check comes before the read.
                assert!(is_refused(|| unsafe { window.read(at) }));
                // SAFETY: like above.
                assert!(is_refused(|| unsafe { window.write(at) }));
            }
            for len in [left + 1, usize::MAX] {
                // SAFETY: like above.
                assert!(is_refused(|| unsafe { window.read_slice(len) }));
                // SAFETY: like above.
                assert!(is_refused(|| unsafe { window.write_slice(len) }));
            }
        }
        // SAFETY: like above; before the first value there is none.
        assert!(is_refused(|| unsafe { window.skip(usize::MAX).read(0) }));
        // SAFETY: these are the last value and all values.
        unsafe { assert_eq!((*window.read(2), window.skip(1).read_slice(2)), (3, &[2, 3][..])) }
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let columns = (vec![1, 2], vec!['a']);
        let window = (Container::window(&columns.0), Container::window(&columns.1));
        // SAFETY: the check comes before the read.
        assert!(is_refused(|| unsafe { window.read(1) }));
        // SAFETY: both columns have a value there.
        assert_eq!(unsafe { window.read(0) }, (&1, &'a'));
    }

    #[test]
    fn an_order_a_cell_and_a_bit_beyond_a_block_are_refused() {
        assert!(is_refused(|| CellOrder::new(&[0, 4], 3, !0)));
        let order = CellOrder::new(&[0, 4, 8], 2, !0);
        // SAFETY: the check comes before the read.
        assert!(is_refused(|| unsafe { order.at(2) }));
        // SAFETY: the order has two matches.
        let [first, second] = unsafe { [order.at(0), order.at(1)] };
        let cells = Address::of_cells(&[7]);
        // SAFETY: the check comes before the read.
        assert!(is_refused(|| unsafe { second.of(cells) }));
        // SAFETY: like above; a run has no cells.
        assert!(is_refused(|| unsafe { first.of(Lane::FRONT.cells) }));
        // SAFETY: there is one cell.
        assert_eq!(unsafe { first.of(cells) }, 7_u32.to_le() as usize);
        let far = Scattered { byte: 64 * CELL as usize, mask: !0 };
        // SAFETY: the check comes before the read.
        assert!(is_refused(|| unsafe { far.has(Presence::of_all(true)) }));
        // SAFETY: like above; the address is null.
        assert!(is_refused(|| unsafe { first.has(Presence::NONE) }));
    }
}
