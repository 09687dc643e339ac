//! Where an iterator over a join's items stands. The join moves it on.

use crate::query::batch::{Batch, Led, Near, Noted};
use crate::query::fetch::Fetch;
use crate::query::scratch::Scratch;
use crate::query::tables::Tables;
use crate::query::walk::{Source, Walk};
use crate::storage::keys::Keys;
use crate::storage::sparse_array::Place;

/// The iterator over a join's items.
///
/// What changes seldom is out of line, so that a loop over slices is kept in registers, and
/// vectorised.
pub(crate) struct Iter<'w, F: Fetch> {
    /// Neighbouring matches, `len` of them, of which `at` were taken.
    pub(super) run: F::Run<'w>,
    pub(super) at: usize,
    pub(super) len: usize,
    /// Whether what is after that was looked for.
    pub(super) begun: bool,
    /// Then: matches on the page at which `start` stands. (J7: if there are any, the scratch is not
    /// empty, and keeps what was noted of the page.)
    pub(super) near: Near,
    /// Or: so many that were found and are kept in the batch, of which some were taken.
    pub(super) taken: usize,
    pub(super) found: usize,
    /// Or: matches among the 64 members of the only pool that is required before the next.
    pub(super) led: Led,
    pub(super) next: usize,
    /// Then: those that the walk in the scratch finds; at first it is this one. (J6: the scratch is
    /// empty, or holds what is kept, of which `found` are written.)
    pub(super) start: Walk<'w, F>,
    pub(super) scratch: Scratch,
    pub(super) tables: Tables<'w, F>,
}

impl<'w, F: Fetch> Iter<'w, F> {
    /// Whether the only pool that is required may lead.
    pub(super) const CAN_BE_LED: bool = F::POOLS == 1 && !Tables::<F>::IS_SLICE;

    /// The iterator over the matches from here on.
    #[inline]
    pub(super) fn new(tables: Tables<'w, F>, source: Source<'w>) -> Self {
        let mut start = Walk::new(&tables, source);
        // Of nobody, and never read.
        let nowhere = || tables.lone(F::slot(&start.page.cursor, Place::of(0)), core::ptr::null());
        let run = start.run.unwrap_or_else(nowhere);
        let len = core::mem::take(&mut start.len);
        let needs_none = start.is_over() || Self::is_direct(start.source);
        let scratch =
            if needs_none { Scratch::default() } else { Self::begin(tables, start.source) };
        let (at, begun, near, taken, found) = (0, false, Near::default(), 0, 0);
        let (led, next) = (Led::default(), 0);
        Self { run, at, len, begun, near, taken, found, led, next, start, scratch, tables }
    }

    /// Whether each of these members is looked up and read at once.
    #[inline(always)]
    pub(super) fn is_few(source: Source<'w>) -> bool {
        F::POOLS > 1 && source.is_few()
    }

    /// Whether matches are found in these without the scratch.
    #[inline(always)]
    fn is_direct(source: Source<'w>) -> bool {
        Self::is_few(source) || matches!(source, Source::Lead { .. })
    }

    /// Goes on with a page that was noted, as from [`Walk::collect_near`].
    #[inline(always)]
    pub(super) fn enter_near(&mut self, (page, words): (usize, u32)) {
        (self.start.page, self.near.words) = (self.tables.enter_near(page), words);
    }

    #[inline(always)]
    pub(super) fn has_begun(&self) -> bool {
        self.at > 0 || self.begun
    }

    /// The least and the most items that there are from here on, given the walk that follows.
    pub(super) fn bounds(&self, walk: &Walk<'w, F>) -> (usize, Option<usize>) {
        let near = self.near.len(|word| F::word(&self.start.page.cursor, word));
        let here = self.len - self.at + near + self.found - self.taken;
        if let Some(left) = walk.left() {
            return (here + left, Some(here + left));
        }
        let most = self.tables.anchor.map_or(self.tables.entities.len(), Keys::len);
        (0, Some(most))
    }
}

/// What an iterator keeps in memory.
pub(super) struct Kept<'w, F: Fetch> {
    pub(super) walk: Walk<'w, F>,
    pub(super) tables: Tables<'w, F>,
    pub(super) batch: Batch<'w, F>,
    /// Instead of a batch: the matches on one page, if they are near.
    pub(super) noted: Noted,
}

/// What an iterator goes on with.
pub(super) struct Step<'w, F: Fetch> {
    pub(super) scratch: Scratch,
    /// The page that was noted, as from [`Walk::collect_near`]; or how many there are in the batch;
    /// or a run and its length.
    pub(super) near: Option<(usize, u32)>,
    pub(super) count: usize,
    pub(super) run: Option<F::Run<'w>>,
    pub(super) len: usize,
}
