//! The walk through the matches of a join: where they are, not yet what they are.
//!
//! A walk takes one of these ways:
//!
//! * **all**: the pools of a query that asks for nothing else, as slices: one pool, several that are
//!   found to have the same members in the same order, or those of which a group tells which members
//!   have what is optional;
//! * **words**: the pages that all pools have, 64 entities at a time: AND the membership words,
//!   skip what is zero, read the items of the bits that are left. Where a page knows that its
//!   members lie in the values in index order, neighbouring bits are a run of slices;
//! * **dense**: the members of the smallest pool or group, when they are few beside the words; or
//!   those of the only pool that is required, whose values are read in a row;
//! * **group**: the members of a group that keeps exactly the matches;
//! * **everyone**: the pages of all living entities, when the query requires no pool.

use crate::entity::Entity;
use crate::query::fetch::Fetch;
use crate::query::row::{Row, RowEntity, Stretch};
use crate::query::tables::Tables;
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, PAGE_SHIFT, PageAt, WORDS};

/// So many members are looked up and read one after the other, without ado.
pub(super) const FEW: usize = 16;
/// A join of more than two pools prefetches pages when the smallest pool has more members a page than
/// this: else few cells are read. Measured, of 1M, with and without: 100 members a page, three pools 41
/// and 35 µs, four 47 and 30; 512 a page 2.9 and 3.3 ms, 2.7 and 3.0.
const WARM_FROM: usize = 256;
/// So many members are compared at a time, while pools are in step.
const STRIDE: usize = 1024;
/// Fewer neighbours than this are read bit by bit.
const RUN_MIN: u32 = 8;

/// The ways through a join.
///
/// ```
/// # use ecs::{Component, Group, PlanKind, World};
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Mass(f32);
/// let mut world = World::new();
/// world.spawn_batch((0..5_000).map(|_| Position(0.0)));
/// world.spawn_with((Position(1.0), Mass(2.0)));
/// assert_eq!(world.view::<(Position, Mass)>().explain().kind, PlanKind::Dense);
/// world.declare_group(Group::owning::<(Position, Mass)>()).unwrap();
/// assert_eq!(world.view::<(Position, Mass)>().explain().kind, PlanKind::Group);
/// assert_eq!(world.view::<Option<&Mass>>().explain().kind, PlanKind::Everyone);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// The pools that the query asks for, as slices: one pool, several that have the same members in
    /// the same order, or such with something optional, where a group owns all of it.
    All,
    /// The membership words of all pools, 64 entities at a time.
    Words,
    /// The members of the smallest pool or group, each looked up in the others.
    Dense,
    /// The members of a group that keeps the matches of the query, and no others.
    Group,
    /// All living entities: the query requires no component.
    Everyone,
}

impl<'w, F: Fetch> Tables<'w, F> {
    /// The pages that all pools have.
    pub(super) fn pages(&self) -> Source<'w> {
        Source::Pages { next: 0, end: self.anchor.map_or(0, Keys::page_count) }
    }

    /// The way that a walk takes without a group: this one, if it can be taken, or else the best.
    #[inline]
    pub(super) fn source(&self, plan: Option<PlanKind>) -> Source<'w> {
        let Some(anchor) = self.anchor else {
            return Source::Pages { next: 0, end: self.entities.index_count().div_ceil(PAGE_LEN) };
        };
        match plan {
            Some(PlanKind::Dense) if F::POOLS == 1 && !Self::IS_SLICE => {
                Source::Lead { members: anchor.dense() }
            }
            Some(PlanKind::Dense) => Source::looked_up(anchor),
            Some(PlanKind::Words) => self.pages(),
            _ if Self::IS_SLICE => Source::Slices(anchor.dense()),
            _ if self.leads(anchor) => Source::Lead { members: anchor.dense() },
            _ if self.are_few(anchor.len()) => Source::looked_up(anchor),
            _ => self.pages(),
        }
    }

    /// The page with this number, with the words in which it can have matches.
    #[inline(always)] // out of line it took a quarter of a join of four pools
    pub(super) fn enter(&self, number: usize) -> PageWalk<'w, F> {
        let cursor = F::cursor(&self.window, PageAt::far(number));
        let anchor = self.keys().page(number);
        let forms = F::forms(&cursor); // without an anchor, nothing is in order
        PageWalk {
            words: match self.listed {
                Some(keys) => keys.page(number).summary(),
                None => F::summary(&cursor),
            },
            sequential: F::POOLS > 0 && anchor.is_sequential() && forms.sequential,
            near: forms.near,
            generation: anchor.generation(),
            cursor,
            number,
        }
    }

    /// The page with this number, whose cells are near ones, and whose matches are known.
    #[inline(always)]
    pub(super) fn enter_near(&self, number: usize) -> PageWalk<'w, F> {
        let cursor = F::cursor(&self.window, PageAt::near(number));
        let generation = self.keys().page(number).generation();
        PageWalk { cursor, number, generation, words: 0, sequential: false, near: true }
    }
}

/// Where a walk finds its next matches.
#[derive(Clone, Copy)]
pub(super) enum Source<'w> {
    /// None after these, which all match, and are the first of every pool that is read: a walk
    /// begins with them.
    Slices(&'w [Entity]),
    /// These members of the smallest pool, from a position on, as long as all pools are in step; those
    /// after that if they match.
    InStep { members: &'w [Entity], next: usize },
    /// These members of all pools that are required, from a position on: the first `with` of them
    /// have what is optional, and no others.
    Halves { members: &'w [Entity], next: usize, with: usize },
    /// These members of the smallest pool, which leads, or of a group, from a position on, if they
    /// match.
    Dense { members: &'w [Entity], next: usize, lead: Option<&'w Keys<Entity>> },
    /// These members of a group, which all match, from a position on.
    Group { members: &'w [Entity], next: usize, owned: Signature },
    /// These members of the only pool that is required, if they match. The join reads them.
    Lead { members: &'w [Entity] },
    /// These pages.
    Pages { next: usize, end: usize },
}

impl<'w> Source<'w> {
    /// No more matches.
    pub(super) const NONE: Self = Self::Pages { next: 0, end: 0 };

    /// The members of the smallest pool, each looked up in the others.
    #[inline]
    pub(super) fn looked_up(anchor: &'w Keys<Entity>) -> Self {
        Self::Dense { members: anchor.dense(), next: 0, lead: Some(anchor) }
    }

    /// The entities that are to be looked up one by one.
    pub(super) fn entities(self) -> &'w [Entity] {
        match self {
            Self::Lead { members } => members,
            Self::InStep { members, next }
            | Self::Dense { members, next, .. }
            | Self::Group { members, next, .. } => &members[next..],
            Self::Slices(_) | Self::Halves { .. } | Self::Pages { .. } => &[],
        }
    }

    /// The next page, if pages are walked.
    #[inline(always)]
    pub(super) fn next_page<F: Fetch>(
        &mut self,
        tables: &Tables<'w, F>,
    ) -> Option<PageWalk<'w, F>> {
        let Self::Pages { next, end } = self else { return None };
        if next == end {
            return None;
        }
        *next += 1;
        Some(tables.enter(*next - 1))
    }

    /// The same. Those after it are prefetched.
    #[inline(always)]
    pub(super) fn next_far_page<F: Fetch>(
        &mut self,
        tables: &Tables<'w, F>,
    ) -> Option<PageWalk<'w, F>> {
        let page = self.next_page(tables)?;
        if let Self::Pages { next, end } = self
            && (F::POOLS <= 2 || tables.keys().len() > *end * WARM_FROM)
        {
            F::warm(&tables.window, *next - 1);
        }
        Some(page)
    }
}

/// Whether the first matches of a word are so many neighbours that they are read as a run.
#[inline(always)]
pub(super) fn starts_run(bits: u64) -> bool {
    (!(bits >> (bits.trailing_zeros() % 64))).trailing_zeros() >= RUN_MIN
}

/// A page on its way through a join.
pub(super) struct PageWalk<'w, F: Fetch> {
    pub(super) cursor: F::Cursor<'w>,
    pub(super) number: usize,
    /// The generation of all the anchor's members here, or 0.
    generation: u32,
    /// The words that are still to be visited, one bit each.
    pub(super) words: u16,
    /// Whether neighbours here are neighbours in all values.
    pub(super) sequential: bool,
    /// Whether all cells can be read as near ones.
    pub(super) near: bool,
}

impl<F: Fetch> Clone for PageWalk<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Fetch> Copy for PageWalk<'_, F> {}

impl<'w, F: Fetch> PageWalk<'w, F> {
    /// The matches in a word.
    #[inline(always)]
    pub(super) fn word(&self, tables: &Tables<'w, F>, word: u32) -> u64 {
        if let Some(keys) = tables.listed {
            return keys.page(self.number).word(word as usize);
        }
        let bits = F::word(&self.cursor, word as usize);
        if tables.anchor.is_none() { bits & self.living(tables, word) } else { bits }
    }

    /// The next word that has matches: its number and its bits.
    #[inline(always)]
    pub(super) fn next_word(&mut self, tables: &Tables<'w, F>) -> Option<(u32, u64)> {
        while self.words != 0 {
            let word = self.words.trailing_zeros();
            self.words &= self.words - 1;
            let bits = self.word(tables, word);
            if bits != 0 {
                return Some((word, bits));
            }
        }
        None
    }

    /// Which of a word's entities are alive.
    #[cold]
    fn living(&self, tables: &Tables<'w, F>, word: u32) -> u64 {
        let first = self.index(word * 64);
        (0..64)
            .fold(0, |bits, bit| bits | u64::from(tables.entities.at(first + bit).is_some()) << bit)
    }

    /// The index at an offset of this page.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "pages of 32-bit indices")]
    fn index(&self, offset: u32) -> u32 {
        ((self.number as u32) << PAGE_SHIFT) + offset
    }

    /// The entity at an offset of this page.
    #[inline(always)]
    pub(super) fn entity(&self, tables: &Tables<'w, F>, offset: u32) -> RowEntity {
        let index = self.index(offset);
        if F::POOLS == 0
            && let Some(entity) = tables.entities.at(index)
        {
            return entity.into();
        }
        RowEntity { index, generation: self.generation }
    }

    #[inline(always)]
    pub(super) fn row(&self, tables: &Tables<'w, F>, offset: u32) -> Row<'w> {
        Row { offset, index: self.index(offset), keys: tables.keys() }
    }

    /// How many rows, from the lowest of these bits of a word on, are neighbours; and the word's
    /// bits behind them. Neighbours that reach the word's end go on while the next words are full.
    #[inline]
    fn neighbours(&mut self, word: u32, bits: u64) -> (usize, u64) {
        let start = bits.trailing_zeros();
        let ones = (!(bits >> start)).trailing_zeros();
        if start + ones < 64 {
            return (ones as usize, bits >> (start + ones) << (start + ones));
        }
        let (mut len, mut next) = (ones as usize, word + 1);
        while next < u16::BITS
            && self.words >> next & 1 != 0
            && F::word(&self.cursor, next as usize) == !0
        {
            self.words &= !(1 << next);
            len += 64;
            next += 1;
        }
        (len, 0)
    }
}

/// Where a walk through the matches stands.
///
/// * J3: every match is in exactly one of: passed, the run, the bits of the current word, the
///   unvisited words of the current page, the source.
/// * J4: `run` is there when `len > 0`.
pub(super) struct Walk<'w, F: Fetch> {
    /// Neighbouring matches, `len` of them.
    pub(super) run: Option<F::Run<'w>>,
    pub(super) len: usize,
    /// Then: matches in this word of the page.
    pub(super) bits: u64,
    pub(super) word: u32,
    /// Then: matches in the other words of the page.
    pub(super) page: PageWalk<'w, F>,
    /// Then: matches from here.
    pub(super) source: Source<'w>,
}

impl<F: Fetch> Clone for Walk<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Fetch> Copy for Walk<'_, F> {}

impl<'w, F: Fetch> Walk<'w, F> {
    /// A walk that has not begun, or stands at the slices that are all of it.
    #[inline]
    pub(super) fn new(tables: &Tables<'w, F>, source: Source<'w>) -> Self {
        // A page beyond all others has no members. Nor has it matches, of a query that needs none.
        let mut page = tables.enter(usize::MAX);
        page.words = 0;
        let slice: &[_] = if let Source::Slices(members) = source { members } else { &[] };
        let run = (!slice.is_empty()).then(|| F::run_at(&tables.window, Stretch::new(slice, 0)));
        Self { run, len: slice.len(), bits: 0, word: 0, page, source }
    }

    /// Finds the next matches, once the run and the word are used up: a run, or bits of a word, or
    /// both.
    pub(super) fn advance(&mut self, tables: &Tables<'w, F>) -> bool {
        self.run = None;
        self.len = 0;
        loop {
            if let Some((word, bits)) = self.page.next_word(tables) {
                (self.word, self.bits) = (word, bits);
                if self.page.sequential && starts_run(bits) {
                    let row = self.page.row(tables, word * 64 + bits.trailing_zeros());
                    (self.len, self.bits) = self.page.neighbours(word, bits);
                    let run = F::run(&self.page.cursor, &row);
                    if self.bits == 0 && self.page.words == 0 {
                        self.extend(tables, &run);
                    }
                    self.run = Some(run);
                }
                return true;
            }
            match &mut self.source {
                Source::Pages { .. } => {
                    let Some(page) = self.source.next_far_page(tables) else { return false };
                    self.page = page;
                }
                Source::InStep { members, next } => {
                    let (at, end) = (*next, members.len().min(*next + STRIDE));
                    if at == end {
                        self.source = Source::NONE;
                    } else if tables.are_in_step(at..end) {
                        *next = end;
                        let run = F::run_at(&tables.window, Stretch::new(members, at));
                        (self.run, self.len) = (Some(run), end - at);
                        return true;
                    } else {
                        let (members, lead) = (*members, tables.anchor);
                        self.source = Source::Dense { members, next: at, lead };
                        return true; // who walks looks for them
                    }
                }
                Source::Halves { members, next, with } => {
                    let (at, has_more) = (*next, *next < *with);
                    let end = if has_more { *with } else { members.len() };
                    if at == end {
                        self.source = Source::NONE;
                    } else {
                        *next = end;
                        let run =
                            F::run_at(&tables.window, Stretch { entities: members, at, has_more });
                        (self.run, self.len) = (Some(run), end - at);
                        return true;
                    }
                }
                // Entities are looked up by who walks.
                Source::Dense { .. }
                | Source::Group { .. }
                | Source::Lead { .. }
                | Source::Slices(_) => return false,
            }
        }
    }

    /// Whether there is nothing to be found.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        let is_last = matches!(self.source, Source::Slices(_))
            || matches!(self.source, Source::Pages { next, end } if next == end);
        is_last && self.page.words == 0 && self.bits == 0
    }

    /// Whether what is next may be scattered matches: in a page that is yet to come it may.
    #[inline]
    pub(super) fn is_scattered(&self) -> bool {
        self.bits != 0 || self.page.words == 0 || !self.page.sequential
    }

    /// How many matches there are from here on, where that is known without finding them.
    pub(super) fn left(&self) -> Option<usize> {
        let here = self.len + self.bits.count_ones() as usize;
        match self.source {
            _ if self.page.words != 0 => None,
            Source::Group { members, next, .. } | Source::Halves { members, next, .. } => {
                Some(here + members.len() - next)
            }
            Source::Slices(_) => Some(here),
            Source::Pages { next, end } if next == end => Some(here),
            Source::InStep { .. }
            | Source::Dense { .. }
            | Source::Lead { .. }
            | Source::Pages { .. } => None,
        }
    }

    /// Lets a run that took the rest of its page go on through full pages that follow it.
    fn extend(&mut self, tables: &Tables<'w, F>, run: &F::Run<'w>) {
        let Source::Pages { next, end } = &mut self.source else { return };
        while next < end {
            let page = tables.enter(*next);
            let is_full =
                page.sequential && (0..WORDS).all(|word| F::word(&page.cursor, word) == !0);
            let follows = || {
                let first = F::run(&page.cursor, &page.row(tables, 0));
                F::is_same(&F::skip(*run, self.len), &first)
            };
            if !is_full || !follows() {
                return;
            }
            self.len += PAGE_LEN;
            *next += 1;
        }
    }
}
