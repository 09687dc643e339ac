//! The matchers that the loops of a thread have left.

use crate::query::matcher::Matcher;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;

/// How many a thread keeps: so many loops in loops allocate nothing. Without an end, a thread that is
/// always handed iterators of another one would keep the memory of all.
const MOST: usize = 6;

std::thread_local! {
    static SPARE: Cell<Vec<Box<Matcher<'static>>>> = const { Cell::new(Vec::new()) };
}

#[inline]
pub(super) fn take() -> Option<Box<Matcher<'static>>> {
    let kept = SPARE.try_with(|spare| {
        let mut kept = spare.take();
        let matcher = kept.pop();
        spare.set(kept);
        matcher
    });
    kept.ok().flatten()
}

#[inline]
pub(super) fn keep(matcher: Box<Matcher<'static>>) {
    // A thread that is ending keeps none any more.
    let _ = SPARE.try_with(|spare| {
        let mut kept = spare.take();
        if kept.len() < MOST {
            kept.push(matcher);
        }
        spare.set(kept);
    });
}
