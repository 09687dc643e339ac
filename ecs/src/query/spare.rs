//! The matchers that the loops of a thread have left.

use crate::query::matcher::Matcher;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;

/// The number of matchers that a thread keeps: this many nested loops allocate nothing. Without a limit, a thread that
/// always receives iterators of another thread would keep the memory of all.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_keeps_some_matchers_and_no_more() {
        while take().is_some() {}
        (0..=MOST).for_each(|_| keep(Matcher::boxed()));
        let kept = (0..=MOST).filter(|_| take().is_some());
        assert_eq!(kept.count(), MOST);
    }
}
