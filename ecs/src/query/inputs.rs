//! The pools of a join, and their roles.

use crate::component::access::Access;
use crate::component::data::IndexOwner;
use crate::component::set::ComponentSet;
use crate::entity::{Entity, sort_by_index};
use crate::group::state::{GroupTerm, TermRole};
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::EntitySet;
use crate::query::bits::Words;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{EMPTY_PAGE, Page, PagePlace, WORDS, offset_of, page_of};
use crate::storage::values::prefetch_at;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// Few matches have an optional item if at most one in this many of the driver's members may.
const FEW_HAVE: usize = 8;

/// The role of a pool in a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Matches are members.
    Required,
    /// Matches are not members.
    Excluded,
    /// Matches meet this test, and all others of one of its alternatives.
    Any(Alternative),
}

/// A test of one of several alternatives: an entity passes a set of alternatives if it meets all tests of one of them.
/// The tests of one alternative follow each other, as do the alternatives of one set, so numbers may repeat later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    set: u16,
    number: u16,
    is_exclusion: bool,
}

/// A pool of a join.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'w> {
    pub(super) keys: &'w Keys<Entity>,
    /// The current page of the join.
    pub(super) page: &'w Page,
    /// The address of its first value, or of its first column, and the bytes from one to the next, if they are
    /// read.
    address: usize,
    stride: usize,
    /// The number of its component.
    pub(super) number: u32,
    pub(super) role: Role,
    /// The part that needs the pool: 0 for the query itself, otherwise an optional part.
    pub(super) part: u32,
    /// The number of its lane if it is read, or [`UNREAD`].
    pub(super) lane: u32,
    /// Its [band](crate::pool::tiling), while it is tiled.
    pub(super) band: Option<u8>,
    /// `true` if its first members are the entities over which the query iterates, in that order.
    pub(super) is_aligned: bool,
}

/// The lane of a pool that only needs presence.
pub(super) const UNREAD: u32 = u32::MAX;

impl Input<'_> {
    /// Returns `true` if its values are read.
    #[inline(always)]
    pub(super) const fn is_read(&self) -> bool {
        self.lane != UNREAD
    }

    /// Stores the position of the member at a place of the page, and prefetches its value, unless it is in the caches.
    #[inline(always)]
    pub(super) fn note(&self, place: PagePlace, cell: &mut u32, is_cached: bool) {
        let position = self.page.dense_index_at(place);
        *cell = position.to_le();
        if !is_cached {
            self.prefetch(position);
        }
    }

    /// Prefetches the value at a position.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: u32) {
        prefetch_at(self.address.wrapping_add(self.stride.wrapping_mul(position as usize)));
    }

    /// Returns `true` if the entity with this index is a member.
    #[inline(always)]
    pub(super) fn has(&self, index: u32) -> bool {
        self.keys.page(page_of(index)).contains(offset_of(index))
    }
}

/// Entities that contain every match.
#[derive(Clone, Debug)]
pub(super) enum Restriction<'w> {
    Set(&'w EntitySet),
    /// The answer of an index, with ascending indices, and the name of the component.
    Answer(Arc<Vec<Entity>>, Option<&'static str>),
}

impl Restriction<'_> {
    /// Returns `true` if the entity with this index is in it.
    #[inline]
    pub(super) fn has(&self, index: u32) -> bool {
        match self {
            Self::Set(set) => set.has(index),
            Self::Answer(list, _) => list.binary_search_by_key(&index, |it| it.index()).is_ok(),
        }
    }

    /// Clears the bits of the entities of a page that are not in it. Returns `false` if there is none.
    #[inline]
    pub(super) fn restrict(&self, page: usize, words: &mut Words) -> bool {
        let listed;
        let own = match self {
            Self::Set(set) => set.words(page),
            Self::Answer(list, _) => {
                listed = words_of(list, page);
                listed.as_ref()
            }
        };
        if let Some(own) = own {
            words.iter_mut().zip(own).for_each(|(bits, own)| *bits &= own);
        }
        own.is_some()
    }
}

/// Returns the entities of a page in a list with ascending indices, one bit each, if there are any.
#[inline(never)]
fn words_of(list: &[Entity], page: usize) -> Option<Words> {
    let start = list.partition_point(|it| page_of(it.index()) < page);
    let here = list[start..].iter().take_while(|it| page_of(it.index()) == page);
    let mut words = None;
    for offset in here.map(|it| offset_of(it.index())) {
        words.get_or_insert([0; WORDS])[offset as usize / 64] |= 1 << (offset % 64);
    }
    words
}

/// The pools of a join.
#[doc(hidden)]
#[derive(Debug)]
pub struct Inputs<'w> {
    /// The pools that contain every match; first the pools that are read, in the order of their lanes. The first one
    /// has the handles of the matches.
    pub(super) required: Vec<Input<'w>>,
    /// The pools that are excluded, belong to a set of alternatives, or to an optional part.
    pub(super) others: Vec<Input<'w>>,
    /// For each optional part, the part that contains it.
    pub(super) parts: Vec<u32>,
    /// The sets and answers that contain every match.
    pub(super) marked: Vec<Restriction<'w>>,
    /// The smallest pool that every match is a member of; one without members, if there is none.
    ///
    /// * J1: every required pool has at least as many members.
    pub(super) driver: &'w Keys<Entity>,
    /// The number of pools that are read.
    pub(super) lanes: u32,
    /// The part that adds pools at present.
    part: u32,
    sets: u16,
    /// The number of tests besides membership in the required pools.
    pub(super) tests: u32,
}

impl Clone for Inputs<'_> {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    /// Copies into the existing memory.
    fn clone_from(&mut self, from: &Self) {
        let Self { required, others, parts, marked, driver, lanes, part, sets, tests } = from;
        self.required.clone_from(required);
        self.others.clone_from(others);
        self.parts.clone_from(parts);
        self.marked.clone_from(marked);
        (self.driver, self.lanes, self.part, self.sets, self.tests) =
            (driver, *lanes, *part, *sets, *tests);
    }
}

impl<'w> Inputs<'w> {
    pub(super) const fn new() -> Self {
        Self {
            required: Vec::new(),
            others: Vec::new(),
            parts: Vec::new(),
            marked: Vec::new(),
            driver: &NO_KEYS,
            lanes: 0,
            part: 0,
            sets: 0,
            tests: 0,
        }
    }

    /// Removes all pools.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.required.clear();
        self.others.clear();
        self.parts.clear();
        self.marked.clear();
        self.driver = &NO_KEYS;
        (self.lanes, self.part, self.sets, self.tests) = (0, 0, 0, 0);
    }

    /// Adds the pool with this number, to be read. Its values, or a column's values, are at `window`.
    #[inline(never)]
    pub(super) fn read(
        &mut self,
        number: u32,
        keys: &'w Keys<Entity>,
        address: usize,
        stride: usize,
    ) {
        let input = Input {
            address,
            stride,
            lane: self.lanes,
            ..self.unread(number, keys, Role::Required)
        };
        self.lanes += 1;
        if input.part > 0 {
            self.others.push(input);
        } else {
            let read = self.required.iter().take_while(|input| input.is_read()).count();
            self.required.insert(read, input);
        }
    }

    /// Adds a pool that only needs presence.
    pub(super) fn test_one(&mut self, number: u32, keys: &'w Keys<Entity>, role: Role) {
        let input = self.unread(number, keys, role);
        if input.part == 0 && role == Role::Required {
            self.required.push(input);
        } else {
            self.tests += u32::from(input.part == 0);
            self.others.push(input);
        }
    }

    #[inline(always)]
    fn unread(&self, number: u32, keys: &'w Keys<Entity>, role: Role) -> Input<'w> {
        Input {
            keys,
            page: &EMPTY_PAGE,
            address: 0,
            stride: 0,
            number,
            role,
            part: self.part,
            lane: UNREAD,
            band: keys.band(),
            is_aligned: false,
        }
    }

    /// Adds the pools of a query's access, which only need presence.
    pub(super) fn test(&mut self, access: &Access, pools: &'w Pools) {
        match access {
            Access::Nothing
            | Access::Everything
            | Access::Optional(_)
            | Access::Elsewhere(..)
            | Access::World(_) => {}
            Access::All(parts) | Access::Fields(_, parts) => {
                parts.iter().for_each(|part| self.test(part, pools));
            }
            Access::Any(_) if access.demands_nothing() => {}
            Access::Any(_) => {
                let set = self.sets;
                self.sets = set.wrapping_add(1);
                for choice in 0..access.choices() {
                    #[expect(clippy::cast_possible_truncation, reason = "neighbours differ")]
                    let number = choice as u16;
                    access.for_each_chosen(choice, &mut |term| {
                        let is_exclusion = term.is_exclusion();
                        let role = Role::Any(Alternative { set, number, is_exclusion });
                        self.test_one(term.number(), pools.keys_at(term.number()), role);
                    });
                }
            }
            Access::Term(term) => {
                let role = if term.is_exclusion() { Role::Excluded } else { Role::Required };
                let number = term.number();
                self.test_one(number, pools.keys_at(number), role);
            }
        }
    }

    /// Returns the length of the shortest set or answer that matches are restricted to, and the component with its index.
    #[inline]
    pub(super) fn shortest_set(&self) -> Option<(usize, Option<&'static str>)> {
        let each = self.marked.iter().map(|set| match set {
            Restriction::Set(set) => (set.len(), None),
            Restriction::Answer(list, name) => (list.len(), *name),
        });
        each.min_by_key(|(len, _)| *len)
    }

    /// Returns the place of the shortest answer that matches are restricted to, and its length.
    pub(super) fn shortest_answer(&self) -> Option<(usize, usize)> {
        let answers = self.marked.iter().enumerate().filter_map(|(at, set)| match set {
            Restriction::Answer(list, _) => Some((at, list.len())),
            Restriction::Set(_) => None,
        });
        answers.min_by_key(|(_, len)| *len)
    }

    /// Returns the entities of the answer at this place.
    pub(super) fn answer(&self, at: usize) -> Arc<Vec<Entity>> {
        match &self.marked[at] {
            Restriction::Answer(list, _) => list.clone(),
            Restriction::Set(_) => Arc::default(),
        }
    }

    /// Adds a set of alternatives: a match is a member of one of these pools, or lacks one with `true` beside it.
    pub(super) fn test_any(
        &mut self,
        alternatives: impl Iterator<Item = (u32, &'w Keys<Entity>, bool)>,
    ) {
        let set = self.sets;
        self.sets = set.wrapping_add(1);
        for (choice, (number, keys, is_exclusion)) in alternatives.enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "neighbours differ")]
            let role = Role::Any(Alternative { set, number: choice as u16, is_exclusion });
            self.test_one(number, keys, role);
        }
    }

    /// Restricts matches to a set of marked entities.
    pub(super) fn among(&mut self, marked: &'w EntitySet) {
        self.marked.push(Restriction::Set(marked));
        self.tests += 1;
    }

    /// Restricts matches to the answer of an index.
    #[inline(never)]
    pub(super) fn among_answer(
        &mut self,
        entities: &mut dyn Iterator<Item = Entity>,
        owner: Option<IndexOwner>,
    ) {
        let mut list = Vec::with_capacity(entities.size_hint().0);
        list.extend(entities);
        // The entities of several keys come in the order of the keys. An index of a wrong implementation may repeat some.
        if !list.is_sorted_by(|a, b| a.index() < b.index()) {
            sort_by_index(&mut list);
            list.dedup_by_key(|it| it.index());
        }
        self.marked.push(Restriction::Answer(Arc::new(list), owner.map(IndexOwner::name)));
        self.tests += 1;
    }

    /// Adds an optional part.
    #[inline(always)]
    pub(super) fn optional(&mut self, ask: impl FnOnce(&mut Self)) {
        self.parts.push(self.part);
        #[expect(clippy::cast_possible_truncation, reason = "a query has some dozens of parts")]
        let outer = core::mem::replace(&mut self.part, self.parts.len() as u32);
        ask(self);
        self.part = outer;
    }

    /// Finds the smallest pool, and ensures that there is a lane for the handles.
    #[inline(always)]
    pub(super) fn finish(&mut self) {
        let Some(first) = self.required.first_mut() else { return };
        if !first.is_read() {
            first.lane = self.lanes;
            self.lanes += 1;
        }
        self.driver = first.keys;
        for input in &self.required[1..] {
            if input.keys.len() < self.driver.len() {
                self.driver = input.keys;
            }
        }
    }

    /// Replaces the tests by one list of all matches.
    pub(super) fn require_only(&mut self, matches: &'w Keys<Entity>) {
        self.required.retain(Input::is_read);
        self.others.retain(|input| input.part > 0);
        self.tests = 0;
        self.test_one(u32::MAX, matches, Role::Required); // no component's
        self.driver = matches;
    }

    /// Returns `true` if matches are the members of all required pools, and there is no other test.
    #[inline(always)]
    pub(super) fn is_all_required(&self) -> bool {
        self.others.is_empty() && self.parts.is_empty() && self.marked.is_empty()
    }

    /// Returns `true` if there are several pools.
    #[inline(always)]
    pub(super) fn is_join(&self) -> bool {
        self.required.len() + self.others.len() > 1
    }

    /// Returns the number of required pools, if matches are all their members, or the marked ones of one pool;
    /// otherwise 0.
    #[inline(always)]
    pub(super) fn required_only(&self) -> usize {
        let is_one = || self.required.len() == 1 && self.others.is_empty() && self.parts.is_empty();
        if self.is_all_required() || is_one() { self.required.len() } else { 0 }
    }

    /// Returns `true` if the pools are marked as having exactly the matches as members.
    pub(super) fn are_known_in_step(&self) -> bool {
        let is_one = |keys: &Keys<Entity>| {
            core::ptr::eq(keys, self.driver) || self.driver.is_marked_in_step(keys)
        };
        self.is_all_required()
            && !self.required.is_empty()
            && self.required.iter().all(|input| is_one(input.keys))
    }

    /// Returns all pools.
    #[inline(always)]
    pub(super) fn all(&self) -> impl Iterator<Item = &Input<'w>> + Clone {
        self.required.iter().chain(&self.others)
    }

    /// Returns the pools that are read.
    #[inline(always)]
    pub(super) fn read_ones(&self) -> impl Iterator<Item = &Input<'w>> {
        self.all().filter(|input| input.is_read())
    }

    /// Returns the other pools of this part.
    #[inline(always)]
    pub(super) fn others(&self, part: u32) -> impl Iterator<Item = &Input<'w>> + Clone {
        self.others.iter().filter(move |input| input.part == part)
    }

    /// Returns, for each optional part outside others, the first pool that contains all entities that have it, if there
    /// is one.
    fn optional_pools(&self) -> impl Iterator<Item = Option<&Input<'w>>> {
        let parts = (1..).zip(&self.parts).filter(|(_, outer)| **outer == 0);
        parts.map(|(part, _)| self.others(part).find(|input| input.role == Role::Required))
    }

    /// Returns `true` if few matches have any optional item.
    pub(super) fn few_have_optional(&self) -> bool {
        let have = self
            .optional_pools()
            .try_fold(0, |sum: usize, pool| pool.map(|pool| sum + pool.keys.len()));
        !self.parts.is_empty() && have.is_some_and(|have| have * FEW_HAVE <= self.driver.len())
    }

    /// Returns the entities of a page that may have an optional item, one bit each, if each optional part has a pool.
    pub(super) fn may_have_optional(&self, page: usize) -> Words {
        let mut all = [0; WORDS];
        for pool in self.optional_pools().flatten() {
            let words = pool.keys.page(page).words();
            all.iter_mut().zip(words).for_each(|(all, bits)| *all |= bits);
        }
        all
    }

    /// Returns the components that a match has, and the ones that it lacks.
    pub(super) fn wanted(&self) -> (ComponentSet, ComponentSet) {
        let required = self.required.iter().map(|input| input.number);
        let (mut required, mut excluded): (ComponentSet, _) =
            (required.collect(), ComponentSet::EMPTY);
        for input in self.others(0) {
            match input.role {
                Role::Required => required.insert(input.number),
                Role::Excluded => excluded.insert(input.number),
                Role::Any(_) => {}
            }
        }
        (required, excluded)
    }

    /// Calls `add` with these components.
    pub(super) fn each_term(&self, add: &mut dyn FnMut(GroupTerm)) {
        for input in self.all().filter(|input| input.part == 0) {
            let role = match input.role {
                Role::Required if input.is_read() => TermRole::Read,
                Role::Required => TermRole::Required,
                Role::Excluded => TermRole::Excluded,
                Role::Any(_) => continue,
            };
            add(GroupTerm::new(input.number, role));
        }
    }

    /// Returns the components that are read for every match.
    pub(super) fn components_read(&self) -> ComponentSet {
        self.required.iter().filter(|input| input.is_read()).map(|input| input.number).collect()
    }

    /// Returns `true` if a match needs nothing but to have and to lack components.
    pub(super) fn all_is_named(&self) -> bool {
        self.marked.is_empty() && !self.others(0).any(|input| matches!(input.role, Role::Any(_)))
    }

    /// Returns `true` if the query itself has a pool that only needs presence.
    pub(super) fn is_anything_unread(&self) -> bool {
        self.all().any(|input| input.part == 0 && !input.is_read())
    }

    /// Returns `true` if all required pools have equal members at these positions.
    pub(super) fn are_in_step(&self, at: Range<usize>) -> bool {
        self.required.iter().all(|input| input.keys.is_in_step(self.driver, at.clone()))
    }

    /// Marks all required pools as having equal members in equal order.
    pub(super) fn mark_in_step(&self, by_pages: bool) {
        self.driver.mark_in_step(self.required.iter().map(|input| input.keys), by_pages);
    }

    /// Returns the entities among some, one bit each, that pass the tests of a part. `bits_of` returns the members of
    /// a pool among them.
    #[inline(always)]
    pub(super) fn passing<const N: usize>(
        &self,
        part: u32,
        mut all: [u64; N],
        bits_of: impl Fn(&Input<'w>) -> [u64; N],
    ) -> [u64; N] {
        // The last test of alternatives, the entities that pass this alternative, and the ones that pass one before
        // it.
        let mut last: Option<(Alternative, [u64; N], [u64; N])> = None;
        for input in self.others(part) {
            let mut bits = bits_of(input);
            match input.role {
                Role::Required => change(&mut all, |word, all| all & bits[word]),
                Role::Excluded => change(&mut all, |word, all| all & !bits[word]),
                Role::Any(test) => {
                    if test.is_exclusion {
                        change(&mut bits, |_, bits| !bits);
                    }
                    match &mut last {
                        Some((last, one, any)) if last.set == test.set => {
                            if last.number == test.number {
                                change(one, |word, one| one & bits[word]);
                            } else {
                                change(any, |word, any| any | one[word]);
                                (*last, *one) = (test, bits);
                            }
                        }
                        before => {
                            if let Some((_, one, any)) = before.replace((test, bits, [0; N])) {
                                change(&mut all, |word, all| all & (one[word] | any[word]));
                            }
                        }
                    }
                }
            }
        }
        if let Some((_, one, any)) = last {
            change(&mut all, |word, all| all & (one[word] | any[word]));
        }
        all
    }

    /// Returns `true` if the values on some pages are near, in all required pools that are read.
    pub(super) fn are_near(&self) -> bool {
        let pages = self.driver.page_count();
        let read = || self.required.iter().filter(|input| input.is_read());
        let sampled = (1..=SAMPLED).map(|at| at * pages / (SAMPLED + 1));
        let are_near = |page: usize| read().all(|input| input.keys.page(page).is_near());
        2 * sampled.filter(|page| are_near(*page)).count() > SAMPLED
    }

    /// Returns `true` if the entity with this index, a member of all required pools, passes the tests.
    pub(super) fn passes(&self, index: u32) -> bool {
        self.marked.iter().all(|marked| marked.has(index))
            && self.passing(0, [1], |input| [u64::from(input.has(index))]) != [0]
    }

    /// Returns `true` if the word of this index has matches, and values, in runs of at least `long` on average. For one
    /// required pool.
    pub(super) fn is_in_long_run(&self, index: u32, long: u32) -> bool {
        let (number, word) = (page_of(index), (offset_of(index) / 64) as usize);
        let page = |input: &Input<'w>| input.keys.page(number);
        let [bits] =
            self.passing(0, [page(&self.required[0]).word(word)], |input| [page(input).word(word)]);
        let runs = (bits & !(bits << 1)).count_ones();
        let is_in_order = |input: &Input<'w>| {
            let page = page(input);
            !input.is_read() || page.is_empty() || page.is_sequential()
        };
        bits.count_ones() >= runs * long && self.all().all(is_in_order)
    }
}

/// Changes each word.
#[inline(always)]
fn change<const N: usize>(words: &mut [u64; N], change: impl Fn(usize, u64) -> u64) {
    for (word, bits) in words.iter_mut().enumerate() {
        *bits = change(word, *bits);
    }
}

/// Up to this many members and pages of the smallest pool, values are in the caches.
const CACHED_MEMBERS: usize = 1 << 15;
const CACHED_PAGES: usize = 1 << 8;

/// In joins that are driven by more members, values are prefetched if a page is not
/// [near](crate::storage::page::Page::is_near). In shuffled pools of 290,000 members, a match took 6.2 ns without
/// prefetches and 8.0 ns with them. In pools of 1,100,000 members it took 17.1 and 13.5 ns.
pub(super) const FAR_MEMBERS: usize = 1 << 19;

/// The number of pages that are looked at to estimate if values are near.
const SAMPLED: usize = 7;

/// Returns `true` if all values of a join that is driven by this pool are in the caches.
#[inline]
pub(super) fn is_cached(driver: &Keys<Entity>) -> bool {
    driver.len() <= CACHED_MEMBERS && driver.page_count() <= CACHED_PAGES
}

/// The members of a group that owns nothing are looked up one by one up to this number for each page. More are found by
/// the group's bits, if these replace other tests. With two a page it took 0.4 to 0.9 of the time of joining the words,
/// with four 1 to 1.2.
const LISTED_A_PAGE: usize = 2;
/// The members of a group that owns some of the pools are looked up in the others up to this number for each page.
/// Measured with 10k and 100k entities: with 10 a page it took 0.9 of the time of joining the words, with 40 1.7.
const OWNED_A_PAGE: usize = 8;
/// The limit if the pages are not in the caches. With a million entities, 10 a page took 0.6, 40 took 0.5, 250 took
/// 1.2.
const OWNED_A_PAGE_FAR: usize = 64;
/// Up to this number of pages of the smallest pool, its pages are in the caches.
pub(super) const NEAR_PAGES: usize = 1 << 9;

/// Returns the number of members for each page up to which the members of a group are looked up. With more, joining the
/// words of all pools takes less time. The group's matches are in an order that the pools do not share. Each pool
/// beside the first two adds as many words to be read.
pub(super) fn most_looked_up(inputs: &Inputs<'_>, is_list: bool) -> usize {
    let a_page = if is_list {
        LISTED_A_PAGE
    } else if inputs.driver.page_count() > NEAR_PAGES {
        OWNED_A_PAGE_FAR
    } else {
        OWNED_A_PAGE
    };
    a_page * (inputs.all().count() - 1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TermRole::{Excluded, Read, Required};

    const fn any(set: u16) -> Role {
        Role::Any(Alternative { set, number: 0, is_exclusion: false })
    }

    #[test]
    fn terms_are_the_components_that_each_match_has_or_lacks() {
        let mut inputs = Inputs::new();
        inputs.read(1, &NO_KEYS, 0, 0);
        inputs.test_one(2, &NO_KEYS, Role::Required);
        inputs.test_one(3, &NO_KEYS, Role::Excluded);
        inputs.test_one(4, &NO_KEYS, any(0));
        inputs.optional(|inputs| inputs.read(5, &NO_KEYS, 0, 0));
        let mut terms = Vec::new();
        inputs.each_term(&mut |term| terms.push(term));
        let expected = [(1, Read), (2, Required), (3, Excluded)];
        assert_eq!(terms, expected.map(|(number, role)| GroupTerm::new(number, role)));
    }
}
