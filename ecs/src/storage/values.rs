//! What holds the values of a sparse set, and the raw windows that views read them through.
#![expect(
    unsafe_code,
    reason = "views of one world hold windows to many pools at once; the borrow checker cannot \
              see that the pools and rows differ"
)]

use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::fmt;
use core::ptr::NonNull;

/// A container of values in dense order, chosen by the component ([`Component::Storage`]).
///
/// Positions are those of the dense array. The trait is sealed: the library's views rely on it.
///
/// [`Component::Storage`]: crate::Component::Storage
#[expect(clippy::len_without_is_empty, reason = "never called by users")]
pub trait Storage<T>: sealed::Sealed + Default + Send + Sync + 'static {
    /// A shared reference to one value.
    type Ref<'a>: Copy;
    /// An exclusive reference to one value.
    type RefMut<'a>;
    /// Shared references to neighbouring values.
    type Slice<'a>: Copy;
    /// Exclusive references to neighbouring values.
    type SliceMut<'a>;
    /// Where the values are, without a borrow; stays right until the storage is changed.
    #[doc(hidden)]
    type Window: Copy + PartialEq + Send + Sync;

    /// A window to no values at all.
    #[doc(hidden)]
    const NOWHERE: Self::Window;

    #[doc(hidden)]
    fn len(&self) -> usize;
    /// Whether one more value needs more room.
    #[doc(hidden)]
    fn is_full(&self) -> bool;
    #[doc(hidden)]
    fn reserve(&mut self, additional: usize);
    #[doc(hidden)]
    fn push(&mut self, value: T);
    #[doc(hidden)]
    fn replace(&mut self, at: usize, value: T) -> T;
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
    fn clear(&mut self);
    #[doc(hidden)]
    fn shrink_to_fit(&mut self);
    /// Bytes on the heap, without what the values themselves own.
    #[doc(hidden)]
    fn memory(&self) -> usize;
    /// A window that may be read through.
    #[doc(hidden)]
    fn window(&self) -> Self::Window;
    /// A window that may be written through.
    #[doc(hidden)]
    fn window_mut(&mut self) -> Self::Window;

    /// The value at `at`.
    ///
    /// # Safety
    /// The window's storage is unchanged since, outlives `'a`, has more than `at` values, and
    /// nothing writes this value during `'a`.
    #[doc(hidden)]
    unsafe fn read<'a>(window: Self::Window, at: usize) -> Self::Ref<'a>;

    /// The value at `at`, to be written.
    ///
    /// # Safety
    /// As [`read`](Self::read), the window is from [`window_mut`](Self::window_mut), and nothing
    /// else reads or writes this value during `'a`.
    #[doc(hidden)]
    unsafe fn write<'a>(window: Self::Window, at: usize) -> Self::RefMut<'a>;

    /// The window without its first values.
    #[doc(hidden)]
    fn skip(window: Self::Window, values: usize) -> Self::Window;

    /// Tells the processor that the first value will be read or written soon.
    #[doc(hidden)]
    fn prefetch(window: Self::Window);

    /// The first `len` values.
    ///
    /// # Safety
    /// As [`read`](Self::read), for each of them.
    #[doc(hidden)]
    unsafe fn read_slice<'a>(window: Self::Window, len: usize) -> Self::Slice<'a>;

    /// The first `len` values, to be written.
    ///
    /// # Safety
    /// As [`write`](Self::write), for each of them.
    #[doc(hidden)]
    unsafe fn write_slice<'a>(window: Self::Window, len: usize) -> Self::SliceMut<'a>;

    /// A window to these values, that may be read through.
    #[doc(hidden)]
    fn slice_window(slice: Self::Slice<'_>) -> Self::Window;

    /// A window to these values, that may be written through.
    #[doc(hidden)]
    fn mut_slice_window(slice: Self::SliceMut<'_>) -> Self::Window;
}

/// The address of a `Vec`'s first value.
#[derive(Debug)]
pub struct VecWindow<T>(NonNull<T>);

impl<T> Clone for VecWindow<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for VecWindow<T> {}
impl<T> PartialEq for VecWindow<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

// SAFETY: a window is an address. All access goes through the unsafe functions of `Storage`, whose
// callers answer for who may read or write what, on whichever thread.
unsafe impl<T: Send + Sync> Send for VecWindow<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for VecWindow<T> {}

impl<T: Send + Sync + 'static> Storage<T> for Vec<T> {
    type Ref<'a> = &'a T;
    type RefMut<'a> = &'a mut T;
    type Slice<'a> = &'a [T];
    type SliceMut<'a> = &'a mut [T];
    type Window = VecWindow<T>;

    const NOWHERE: VecWindow<T> = VecWindow(NonNull::dangling());

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
    #[inline]
    fn replace(&mut self, at: usize, value: T) -> T {
        core::mem::replace(&mut self[at], value)
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
    fn clear(&mut self) {
        self.clear();
    }
    fn shrink_to_fit(&mut self) {
        self.shrink_to_fit();
    }
    fn memory(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
    #[inline]
    fn window(&self) -> VecWindow<T> {
        // A Vec's pointer is never null. This one is only read through.
        VecWindow(NonNull::new(self.as_ptr().cast_mut()).unwrap_or(NonNull::dangling()))
    }
    #[inline]
    fn window_mut(&mut self) -> VecWindow<T> {
        // Not by way of a slice: windows of disjoint rows of one Vec may live together.
        VecWindow(NonNull::new(self.as_mut_ptr()).unwrap_or(NonNull::dangling()))
    }
    #[inline]
    unsafe fn read<'a>(window: VecWindow<T>, at: usize) -> &'a T {
        // SAFETY: the caller vouches for a live Vec with more than `at` values and for no writers.
        unsafe { window.0.add(at).as_ref() }
    }
    #[inline]
    unsafe fn write<'a>(window: VecWindow<T>, at: usize) -> &'a mut T {
        // SAFETY: as in `read`; the caller vouches for no other access, too.
        unsafe { window.0.add(at).as_mut() }
    }
    #[inline]
    fn skip(window: VecWindow<T>, values: usize) -> VecWindow<T> {
        // Wrapping: whether there is a value is asked when it is read.
        let first = window.0.as_ptr().wrapping_add(values);
        VecWindow(NonNull::new(first).unwrap_or(NonNull::dangling()))
    }
    #[inline(always)]
    fn prefetch(window: VecWindow<T>) {
        prefetch(window.0.as_ptr());
    }
    #[inline]
    unsafe fn read_slice<'a>(window: VecWindow<T>, len: usize) -> &'a [T] {
        // SAFETY: as in `read`, for all of them.
        unsafe { NonNull::slice_from_raw_parts(window.0, len).as_ref() }
    }
    #[inline]
    unsafe fn write_slice<'a>(window: VecWindow<T>, len: usize) -> &'a mut [T] {
        // SAFETY: as in `write`, for all of them.
        unsafe { NonNull::slice_from_raw_parts(window.0, len).as_mut() }
    }
    #[inline]
    fn slice_window(slice: &[T]) -> VecWindow<T> {
        VecWindow(NonNull::from(slice).cast())
    }
    #[inline]
    fn mut_slice_window(slice: &mut [T]) -> VecWindow<T> {
        VecWindow(NonNull::from(slice).cast())
    }
}

/// Tells the processor that memory at this address will be read soon. Any address will do.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the caches, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The values of a pool, open to views of many pools at once.
///
/// * V1: whoever makes a writing window holds the pool's world exclusively for as long as the
///   window is used, so that no `get` runs meanwhile.
#[derive(Default)]
pub(crate) struct Values<S>(UnsafeCell<S>);

// SAFETY: through `&Values` only `get` hands out references, shared ones to an `S: Sync`. Writing
// windows are made under V1, by a holder of the exclusive borrow; it may send them to another
// thread as `S: Send`.
unsafe impl<S: Send + Sync> Sync for Values<S> {}

impl<S> Values<S> {
    #[inline]
    pub(crate) fn get(&self) -> &S {
        // SAFETY: V1: while a writing window is used, this is not called.
        unsafe { &*self.0.get() }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut S {
        self.0.get_mut()
    }

    /// A window to write through.
    ///
    /// # Safety
    /// The caller upholds V1, and no two windows are used to reach one value while one writes.
    #[inline]
    pub(crate) unsafe fn window_mut<T>(&self) -> S::Window
    where
        S: Storage<T>,
    {
        // SAFETY: by V1 nothing holds a reference to the storage itself; windows hold none.
        unsafe { (*self.0.get()).window_mut() }
    }
}

impl<S> fmt::Debug for Values<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").finish_non_exhaustive()
    }
}

mod sealed {
    use alloc::vec::Vec;

    pub trait Sealed {}
    impl<T> Sealed for Vec<T> {}
}
