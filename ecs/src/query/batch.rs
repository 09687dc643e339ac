//! Matches that a walk has found, some dozens at a time.

use crate::entity::Entity;
use crate::query::fetch::Fetch;
use crate::query::row::{Member, RowEntity};
use crate::query::tables::{Match, Tables};
use crate::query::walk::{FEW, PageWalk, Source, Walk, starts_run};
use crate::signature::Signature;
use crate::storage::sparse_array::{PageAt, Place, WORDS};
use core::mem::MaybeUninit;

/// How many matches fill a batch.
pub(super) const BATCH: usize = 64;
/// Room for those and a word more.
const ROOM: usize = BATCH + 64;
/// With so many words that can have matches, or fewer, a page's are looked at one by one.
const FEW_WORDS: u32 = 8;
/// Where the smallest pool has so many members and pages, or fewer, matches are read as they are
/// found: values are in the caches, and noting where costs more than it gains. Measured, for values
/// of 12 bytes in random order: of 100 to 40,000 members 0.7 to 0.95 of the time of batches, of
/// 70,000 1.4; of 16,000 on 1,000 pages 1.3.
const NEAR_MEMBERS: usize = 1 << 15;
const NEAR_PAGES: usize = 1 << 8;

/// Matches that were found and not yet read.
///
/// Finding some dozens before reading them keeps many cache misses under way at once.
///
/// * J5: of what was found, `rows` are the entities and `slots` are where the values are; all are
///   different matches.
pub(super) struct Batch<'w, F: Fetch> {
    pub(super) rows: [MaybeUninit<RowEntity>; ROOM],
    pub(super) slots: [MaybeUninit<F::Slot<'w>>; ROOM],
}

impl<'w, F: Fetch> Batch<'w, F> {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { rows: [MaybeUninit::uninit(); ROOM], slots: [MaybeUninit::uninit(); ROOM] }
    }

    /// Takes matches off the walk until the batch is full or a run begins or there are no more.
    /// How many there are then; `found` of them were there before.
    #[inline(always)]
    pub(super) fn collect(
        &mut self,
        mut found: usize,
        walk: &mut Walk<'w, F>,
        tables: &Tables<'w, F>,
    ) -> usize {
        if let Source::Dense { .. } = walk.source {
            (found, walk.source) = self.look_up(found, *tables, walk.source);
            return found;
        }
        let found = self.collect_words(found, walk, tables);
        match &mut walk.source {
            Source::Group { members, next, owned } => {
                let here = members.len().min(*next + BATCH.saturating_sub(found));
                (*next..here).fold(found, |found, at| {
                    let entity = members[at];
                    let member = Member { owned: *owned, ..Member::new(entity, at, None) };
                    *next = at + 1;
                    self.add(found, entity.into(), F::slot_of(&tables.window, &member))
                })
            }
            _ => found,
        }
    }

    /// As [`collect`](Self::collect), of members that are looked up; and those after them. By value,
    /// so that it is done in registers, and in ranges: as [`Source::next_looked_up`], one by one, it
    /// takes 20% more.
    #[inline(never)]
    fn look_up(
        &mut self,
        mut found: usize,
        tables: Tables<'w, F>,
        source: Source<'w>,
    ) -> (usize, Source<'w>) {
        let Source::Dense { members, mut next, lead } = source else { return (found, source) };
        while found < BATCH && next < members.len() {
            let most = members.len().min(next + BATCH - found);
            for (at, &entity) in (next..).zip(&members[next..most]) {
                let member = Member::new(entity, at, lead);
                if let Some(slot) = F::slot_if(&tables.window, &member) {
                    found = self.add(found, entity.into(), slot);
                }
            }
            next = most;
        }
        (found, Source::Dense { members, next, lead })
    }

    /// Finds those of these entities that match, until the batch is full. How many.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        entities: &mut impl Iterator<Item = Entity>,
        tables: &Tables<'w, F>,
    ) -> usize {
        let mut found = 0;
        while found < BATCH
            && let Some(entity) = entities.next()
        {
            if let Some((slot, row)) = tables.find_ahead(entity) {
                found = self.add(found, row, slot);
            }
        }
        found
    }

    /// As [`collect`](Self::collect), of what is found by words.
    #[inline(always)]
    fn collect_words(
        &mut self,
        found: usize,
        walk: &mut Walk<'w, F>,
        tables: &Tables<'w, F>,
    ) -> usize {
        let (mut page, mut source) = (walk.page, walk.source);
        let mut found = self.add_word(found, tables, &page, walk.word, walk.bits);
        walk.bits = 0;
        loop {
            let is_plain = !page.sequential && tables.listed.is_none() && F::POOLS > 0;
            let mut words = page.words;
            if is_plain && words.count_ones() > FEW_WORDS {
                let all = page.all_words();
                let mut word = words.trailing_zeros();
                while word < u16::BITS && found < BATCH {
                    found = self.add_word(found, tables, &page, word, all[word as usize]);
                    word += 1;
                }
                words = words.checked_shr(word).map_or(0, |rest| rest << word);
            }
            while words != 0 && found < BATCH {
                let word = words.trailing_zeros();
                let bits = page.word(tables, word);
                if page.sequential && starts_run(bits) {
                    break;
                }
                words &= words - 1;
                found = self.add_word(found, tables, &page, word, bits);
            }
            page.words = words;
            if words != 0 {
                break;
            }
            let Some(next) = source.next_far_page(tables) else { break };
            page = next;
        }
        (walk.page, walk.source) = (page, source);
        found
    }

    /// Adds the matches in a word. As [`PageWalk::fold_words`], but written out: by way of a closure
    /// it takes 15% more.
    #[inline(always)]
    fn add_word(
        &mut self,
        mut found: usize,
        tables: &Tables<'w, F>,
        page: &PageWalk<'w, F>,
        word: u32,
        mut bits: u64,
    ) -> usize {
        while bits != 0 {
            let place = Place::lowest(word, bits);
            bits &= bits - 1;
            let row = page.entity(tables, place.offset);
            found = self.add(found, row, F::slot(&page.cursor, place));
        }
        found
    }

    /// Adds a match; how many there are then.
    #[inline(always)]
    fn add(&mut self, found: usize, row: RowEntity, slot: F::Slot<'w>) -> usize {
        self.rows[found] = MaybeUninit::new(row);
        self.slots[found] = MaybeUninit::new(slot);
        found + 1
    }
}

impl<'w> Source<'w> {
    /// Whether these are so few members that each is looked up and read at once.
    #[inline(always)]
    pub(super) fn is_few(&self) -> bool {
        matches!(self, Self::Dense { members, .. } if members.len() <= FEW)
    }

    /// The next match of members that are looked up.
    #[inline(always)]
    pub(super) fn next_looked_up<F: Fetch>(
        &mut self,
        tables: &Tables<'w, F>,
    ) -> Option<Match<'w, F>> {
        let Self::Dense { members, next, lead } = self else { return None };
        while let Some(&entity) = members.get(*next) {
            let member = Member::new(entity, *next, *lead);
            *next += 1;
            if let Some(slot) = F::slot_if(&tables.window, &member) {
                return Some((slot, entity.into()));
            }
        }
        None
    }
}

impl<'w, F: Fetch> PageWalk<'w, F> {
    /// The words of bits that all pools have here, at once, by whole registers.
    #[inline(always)]
    fn all_words(&self) -> [u64; WORDS] {
        let mut all = [0; WORDS];
        for (word, bits) in all.iter_mut().enumerate() {
            *bits = F::word(&self.cursor, word); // by `array::from_fn` it is not always inlined
        }
        all
    }

    /// Folds the matches in words with these bits.
    #[inline(always)]
    fn fold_words<B>(
        &self,
        tables: &Tables<'w, F>,
        words: impl Iterator<Item = (u32, u64)>,
        place: impl Fn(u32, u64) -> Place,
        init: B,
        mut f: impl FnMut(B, RowEntity, F::Slot<'w>) -> B,
    ) -> B {
        let mut result = init;
        for (word, mut bits) in words {
            while bits != 0 {
                let place = place(word, bits);
                bits &= bits - 1;
                let row = self.entity(tables, place.offset);
                result = f(result, row, F::slot(&self.cursor, place));
            }
        }
        result
    }
}

impl<'w, F: Fetch> Walk<'w, F> {
    /// Whether the next matches, on a page that is yet to come, are read as they are found.
    #[inline]
    pub(super) fn is_near(&self, tables: &Tables<'w, F>) -> bool {
        if self.bits != 0 || self.page.words != 0 {
            return false;
        }
        let Source::Pages { end, .. } = self.source else { return false };
        let is_small = end <= NEAR_PAGES && tables.has_near_members();
        F::POOLS > 1 && is_small && tables.listed.is_none()
    }

    /// Folds the matches of a walk that has not begun, up to where there may be runs, if it goes by
    /// the words of several pools and the smallest has few members.
    #[inline(always)]
    pub(super) fn fold_near<B>(
        &mut self,
        tables: &Tables<'w, F>,
        init: B,
        mut f: impl FnMut(B, RowEntity, F::Slot<'w>) -> B,
    ) -> B {
        let mut result = init;
        if !self.is_near(tables) {
            return result;
        }
        let mut source = self.source;
        while let Some(page) = source.next_page(tables) {
            if page.sequential {
                self.page = page;
                break;
            }
            if page.words == 0 {
                continue;
            }
            result = if page.near {
                let page = tables.enter_near(page.number);
                let words = (0..).zip(page.all_words());
                let place = |word, bits: u64| Place::near(word * 64 + bits.trailing_zeros());
                page.fold_words(tables, words, place, result, &mut f)
            } else {
                let mut rest = page;
                let words = core::iter::from_fn(|| rest.next_word(tables));
                page.fold_words(tables, words, Place::lowest, result, &mut f)
            };
        }
        self.source = source;
        result
    }

    /// Of a walk that is near: notes the words of the next page that has matches, if its cells are near
    /// ones. Its number, and what [`Near`] holds of it.
    #[inline(always)]
    pub(super) fn collect_near(
        &mut self,
        tables: &Tables<'w, F>,
        noted: &mut Noted,
    ) -> Option<(usize, u32)> {
        let Source::Pages { next, end } = &mut self.source else { return None };
        while next < end {
            let number = *next;
            let cursor = F::cursor(&tables.window, PageAt::far(number));
            let forms = F::forms(&cursor);
            if forms.sequential || !forms.near {
                break;
            }
            *next += 1;
            let mut words = 0;
            for (word, noted) in noted.iter_mut().enumerate() {
                let bits = F::word(&cursor, word);
                *noted = MaybeUninit::new(bits);
                words |= u32::from(bits != 0) << word;
            }
            if words != 0 {
                return Some((number, if next < end { words | Near::MORE } else { words }));
            }
        }
        None
    }
}

/// The matches on a page, a word each.
pub(super) type Noted = [MaybeUninit<u64>; WORDS];

/// What is left of a page whose cells are near ones, and of which the words were noted.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    /// The matches in a word of which this is the first offset.
    pub(super) bits: u64,
    first: u32,
    /// The words after it that have matches, one bit each, and [`MORE`](Self::MORE).
    pub(super) words: u32,
}

impl Near {
    /// Then there may be another such page.
    pub(super) const MORE: u32 = 1 << WORDS;

    /// Goes on to the next word, if there is one: its number.
    #[inline(always)]
    pub(super) fn next_word(&mut self) -> Option<usize> {
        let word = (self.words != 0).then_some(self.words.trailing_zeros())?;
        self.words ^= 1 << word; // by arithmetic, it is copied to and fro in loops over slices
        self.first = word * 64;
        Some(word as usize % WORDS)
    }

    /// Takes a match off: its offset.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<u32> {
        (self.bits != 0).then(|| self.first + take_lowest(&mut self.bits))
    }

    /// How many matches are left, given the words.
    pub(super) fn len(&self, word: impl Fn(usize) -> u64) -> usize {
        let words = (0..WORDS).filter(|word| self.words >> word & 1 != 0).map(word);
        words.chain([self.bits]).map(|bits| bits.count_ones() as usize).sum()
    }
}

/// The matches among 64 members of the only pool that is required, one bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Led {
    /// Those that have nothing but what a match needs.
    pub(super) plain: u64,
    /// Those with components that a match need not have. They come last: so the processor need not
    /// foretell of each which it is.
    pub(super) more: u64,
}

impl Led {
    /// Takes a match off: its bit, and whether it has more than a match needs.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<(u32, bool)> {
        if self.plain != 0 {
            return Some((take_lowest(&mut self.plain), false));
        }
        (self.more != 0).then(|| (take_lowest(&mut self.more), true))
    }
}

/// Clears the lowest of these bits, of which there are any, and gives it.
#[inline(always)]
pub(super) fn take_lowest(bits: &mut u64) -> u32 {
    let lowest = bits.trailing_zeros();
    *bits &= *bits - 1;
    lowest
}

/// The member at `at` of the only pool that is required.
#[inline(always)]
pub(super) fn led_member(members: &[Entity], at: usize, has_more: bool) -> Member<'static> {
    Member { owned: Signature::ALL, has_more, ..Member::new(members[at], at, None) }
}

impl<'w, F: Fetch> Tables<'w, F> {
    /// Whether matches have so few values that those are in the caches.
    #[inline]
    pub(super) fn has_near_members(&self) -> bool {
        self.keys().len() <= NEAR_MEMBERS
    }

    /// The matches among 64 members of the only pool that is required, from this position on. What
    /// they have more is looked up and prefetched.
    #[inline(always)]
    pub(super) fn led(&self, members: &[Entity], first: usize) -> Led {
        let some = &members[first..members.len().min(first + 64)];
        // Without a branch, so that many lookups are under way at once.
        let (matches, more) = some.iter().rev().fold((0, 0), |(matches, more), entity| {
            let member = Member::new(*entity, 0, self.anchor);
            (
                matches << 1 | u64::from(F::accepts(&self.window, &member)),
                more << 1 | u64::from(F::has_more(&self.window, &member)),
            )
        });
        let led = Led { plain: matches & !more, more: matches & more };
        let mut more = led.more;
        while more != 0 {
            let at = first + take_lowest(&mut more) as usize;
            F::slot_of(&self.window, &led_member(members, at, true));
        }
        led
    }
}
