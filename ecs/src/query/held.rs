//! The matcher of a loop, which its thread keeps for the next one.
#![expect(
    unsafe_code,
    reason = "a matcher is lent by its address, and kept without the lifetime of its world"
)]

use crate::query::inputs::Inputs;
use crate::query::matcher::Matcher;
#[cfg(feature = "std")]
use crate::query::spare;
use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// A matcher that a thread lends to a loop.
///
/// The loop has only its address: so what the loop keeps itself can stay in registers, and what it reads
/// of a block stays where it is when the loop is moved.
///
/// Only the [`Loan`] is dropped, which has no lifetime: so an iterator in a variable does not borrow the world after its
/// last use.
pub(super) struct Held<'w> {
    loan: Loan,
    of: PhantomData<&'w Matcher<'w>>,
}

/// A matcher that goes back to its thread. It may outlive the world whose parts it refers to.
struct Loan(NonNull<Matcher<'static>>);

// SAFETY: it owns the matcher like a `Box`. That holds shared references to parts of a world, which is `Sync`, and addresses
// of its own memory.
unsafe impl Send for Loan {}
// SAFETY: a shared `Loan` gives shared access to the matcher only, which has no interior mutability.
unsafe impl Sync for Loan {}

impl<'w> Deref for Held<'w> {
    type Target = Matcher<'w>;
    #[inline(always)]
    fn deref(&self) -> &Matcher<'w> {
        // SAFETY: it came out of a `Box`, and nobody else has it; what it refers to lives for `'w`.
        unsafe { self.loan.0.cast().as_ref() }
    }
}

impl<'w> DerefMut for Held<'w> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Matcher<'w> {
        // SAFETY: it came out of a `Box`, and `self` is borrowed exclusively; what is written into it lives for `'w`, and is not
        // read after that.
        unsafe { self.loan.0.cast().as_mut() }
    }
}

/// One that stands where this one does.
impl Clone for Held<'_> {
    fn clone(&self) -> Self {
        Self::new(NonNull::from(Box::leak(Box::new(Matcher::clone(self)))).cast())
    }
}

impl Drop for Loan {
    #[inline(always)]
    fn drop(&mut self) {
        give_back(self.0);
    }
}

impl<'w> Held<'w> {
    /// Returns a matcher that was asked nothing yet.
    #[inline(always)]
    pub(super) fn taken() -> Self {
        Self::new(take_matcher())
    }

    #[inline(always)]
    const fn new(matcher: NonNull<Matcher<'static>>) -> Self {
        Self { loan: Loan(matcher), of: PhantomData }
    }

    /// One that `ask` asked, and that has not begun.
    pub(super) fn asked(ask: impl FnOnce(&mut Inputs<'w>)) -> Self {
        let mut matcher = Self::taken();
        ask(&mut matcher.search.inputs);
        matcher
    }
}

/// A matcher that was told nothing yet.
#[inline(never)]
fn take_matcher() -> NonNull<Matcher<'static>> {
    NonNull::from(Box::leak(spare::take().unwrap_or_else(new_matcher)))
}

#[cold]
#[inline(never)]
fn new_matcher() -> Box<Matcher<'static>> {
    Box::new(Matcher::new())
}

/// Takes one back, which forgets all.
///
/// The parts of a world that it refers to may be gone. It reads none of them, and only overwrites the references where
/// they are.
#[inline(never)]
fn give_back(matcher: NonNull<Matcher<'static>>) {
    // SAFETY: it came out of a `Box`, and nobody has it any more.
    let mut matcher = unsafe { Box::from_raw(matcher.as_ptr()) };
    matcher.clear();
    spare::keep(matcher);
}

/// The matcher that the last loop has left: without `std`, nobody tells threads apart.
#[cfg(not(feature = "std"))]
mod spare {
    use super::Matcher;
    use alloc::boxed::Box;
    use core::ptr::null_mut;
    use core::sync::atomic::{AtomicPtr, Ordering};

    static SPARE: AtomicPtr<Matcher<'static>> = AtomicPtr::new(null_mut());

    pub(super) fn take() -> Option<Box<Matcher<'static>>> {
        exchange(null_mut())
    }

    pub(super) fn keep(matcher: Box<Matcher<'static>>) {
        drop(exchange(Box::into_raw(matcher)));
    }

    fn exchange(with: *mut Matcher<'static>) -> Option<Box<Matcher<'static>>> {
        let before = SPARE.swap(with, Ordering::AcqRel);
        // SAFETY: what is there came out of a `Box`, and whoever takes it is the only one to have it; it
        // was cleared, so it refers to nothing, on whichever thread it is used.
        (!before.is_null()).then(|| unsafe { Box::from_raw(before) })
    }
}
