//! The pools that a join asks, and why.

use crate::component::access::Access;
use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::group::counts::{Counts, Term, TermRole};
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::EntitySet;
use crate::query::bits::Words;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{EMPTY_PAGE, Page, Place, WORDS, offset_of, page_of};
use crate::storage::values::prefetch_at;
use alloc::vec::Vec;
use core::ops::Range;

/// Few matches have what is optional if at most one in so many of the driver's members may.
const FEW_HAVE: usize = 8;

/// Why a pool is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Matches are members.
    Required,
    /// Matches are no members.
    Excluded,
    /// Matches are members of this pool or another one of this set.
    Any(u32),
}

/// A pool that is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'w> {
    pub(super) keys: &'w Keys<Entity>,
    /// Its page that the join has come to.
    pub(super) page: &'w Page,
    /// Where its first value is, or that of its first column, and bytes from one to the next, if they are read.
    address: usize,
    stride: usize,
    /// Its component's.
    pub(super) number: u32,
    pub(super) role: Role,
    /// What asks: the query itself, 0, or something optional of it.
    pub(super) part: u32,
    /// Which of those that are read it is, or [`UNREAD`].
    pub(super) lane: u32,
    /// Whether its first members are those that are walked, in the same order.
    pub(super) is_aligned: bool,
}

/// A pool of which only presence matters.
pub(super) const UNREAD: u32 = u32::MAX;

impl Input<'_> {
    /// Whether its values are read.
    #[inline(always)]
    pub(super) const fn is_read(&self) -> bool {
        self.lane != UNREAD
    }

    /// Notes the position of the member at a place of the page, and fetches its value, unless it is in the
    /// caches.
    #[inline(always)]
    pub(super) fn note(&self, place: Place, cell: &mut u32, is_cached: bool) {
        let position = self.page.dense_index_at(place);
        *cell = position.to_le();
        if !is_cached {
            self.prefetch(position);
        }
    }

    /// Fetches the value at a position.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: u32) {
        prefetch_at(self.address.wrapping_add(self.stride.wrapping_mul(position as usize)));
    }

    /// Whether the entity with this index is a member.
    #[inline(always)]
    pub(super) fn has(&self, index: u32) -> bool {
        self.keys.page(page_of(index)).contains(offset_of(index))
    }
}

/// The pools that a join asks.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Inputs<'w> {
    /// Those that every match is a member of, first those that are read, in the order of their lanes. The
    /// first tells the matches' handles.
    pub(super) required: Vec<Input<'w>>,
    /// Those that are excluded, of a set of which any will do, or asked by something optional.
    pub(super) others: Vec<Input<'w>>,
    /// For each thing that is optional, what it is a part of.
    pub(super) parts: Vec<u32>,
    /// Matches are marked in all of these.
    pub(super) marked: Vec<&'w EntitySet>,
    /// The smallest pool that every match is a member of; one without members, if there is none.
    ///
    /// * J1: every required pool has at least as many members.
    pub(super) driver: &'w Keys<Entity>,
    /// How many pools are read.
    pub(super) lanes: u32,
    /// What asks at present.
    part: u32,
    sets: u32,
    /// How many tests there are besides being in the required pools.
    pub(super) tests: u32,
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

    /// Forgets them all.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.required.clear();
        self.others.clear();
        self.parts.clear();
        self.marked.clear();
        self.driver = &NO_KEYS;
        (self.lanes, self.part, self.sets, self.tests) = (0, 0, 0, 0);
    }

    /// Asks for a pool that is read, which has this number. Its values, or a column of them, are there.
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

    /// Asks for a pool of which only presence matters.
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
            is_aligned: false,
        }
    }

    /// Asks for pools of which only presence matters, as a query's access names them.
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
            Access::Any(terms) => {
                for term in *terms {
                    if let Access::Term(term) = term {
                        let number = term.number();
                        self.test_one(number, pools.keys_at(number), Role::Any(self.sets));
                    }
                }
                self.sets += 1;
            }
            Access::Term(term) => {
                let role = if term.is_exclusion() { Role::Excluded } else { Role::Required };
                let number = term.number();
                self.test_one(number, pools.keys_at(number), role);
            }
        }
    }

    /// Asks for those only who are marked.
    pub(super) fn among(&mut self, marked: &'w EntitySet) {
        self.marked.push(marked);
        self.tests += 1;
    }

    /// Asks for something optional.
    #[inline(always)]
    pub(super) fn optional(&mut self, ask: impl FnOnce(&mut Self)) {
        self.parts.push(self.part);
        #[expect(clippy::cast_possible_truncation, reason = "a query has some dozens of parts")]
        let outer = core::mem::replace(&mut self.part, self.parts.len() as u32);
        ask(self);
        self.part = outer;
    }

    /// Finds out which pool is the smallest, and makes sure that there is a lane for the handles.
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

    /// All who match are these: so nothing else is tested.
    pub(super) fn require_only(&mut self, matches: &'w Keys<Entity>) {
        self.required.retain(Input::is_read);
        self.others.retain(|input| input.part > 0);
        self.tests = 0;
        self.test_one(u32::MAX, matches, Role::Required); // no component's
        self.driver = matches;
    }

    /// Whether matches are the members of all required pools, and nothing else is asked.
    #[inline(always)]
    pub(super) fn is_all_required(&self) -> bool {
        self.others.is_empty() && self.parts.is_empty() && self.marked.is_empty()
    }

    /// How many pools are required, if matches are all their members, or those of one pool who are marked; or else 0.
    #[inline(always)]
    pub(super) fn required_only(&self) -> usize {
        let is_one = || self.required.len() == 1 && self.others.is_empty() && self.parts.is_empty();
        if self.is_all_required() || is_one() { self.required.len() } else { 0 }
    }

    /// Whether matches are known to be just the members of each pool that is asked.
    pub(super) fn are_known_in_step(&self) -> bool {
        let is_one = |keys: &Keys<Entity>| {
            core::ptr::eq(keys, self.driver) || self.driver.is_marked_in_step(keys)
        };
        self.is_all_required()
            && !self.required.is_empty()
            && self.required.iter().all(|input| is_one(input.keys))
    }

    /// All pools.
    #[inline(always)]
    pub(super) fn all(&self) -> impl Iterator<Item = &Input<'w>> + Clone {
        self.required.iter().chain(&self.others)
    }

    /// Those that are read.
    #[inline(always)]
    pub(super) fn read_ones(&self) -> impl Iterator<Item = &Input<'w>> {
        self.all().filter(|input| input.is_read())
    }

    /// The pools that are asked besides for this part.
    #[inline(always)]
    pub(super) fn others(&self, part: u32) -> impl Iterator<Item = &Input<'w>> + Clone {
        self.others.iter().filter(move |input| input.part == part)
    }

    /// For each thing that is optional, and no part of another one, the first pool that all who have it are in,
    /// if there is any.
    fn optional_pools(&self) -> impl Iterator<Item = Option<&Input<'w>>> {
        let parts = (1..).zip(&self.parts).filter(|(_, outer)| **outer == 0);
        parts.map(|(part, _)| self.others(part).find(|input| input.role == Role::Required))
    }

    /// Whether few matches have anything optional.
    pub(super) fn few_have_optional(&self) -> bool {
        let have = self
            .optional_pools()
            .try_fold(0, |sum: usize, pool| pool.map(|pool| sum + pool.keys.len()));
        !self.parts.is_empty() && have.is_some_and(|have| have * FEW_HAVE <= self.driver.len())
    }

    /// Who may have something optional on a page, one bit each, where all that is optional has a pool.
    pub(super) fn may_have_optional(&self, page: usize) -> Words {
        let mut all = [0; WORDS];
        for pool in self.optional_pools().flatten() {
            let words = pool.keys.page(page).words();
            all.iter_mut().zip(words).for_each(|(all, bits)| *all |= bits);
        }
        all
    }

    /// The components that a match has, and those that it lacks.
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

    /// Tells the numbers of these components, and whether they are excluded.
    pub(super) fn tell_terms(&self, tell: &mut dyn FnMut(u32, bool)) {
        for input in self.all().filter(|input| input.part == 0) {
            if !matches!(input.role, Role::Any(_)) {
                tell(input.number, input.role == Role::Excluded);
            }
        }
    }

    /// The components of which every match's value is read.
    pub(super) fn components_read(&self) -> ComponentSet {
        self.required.iter().filter(|input| input.is_read()).map(|input| input.number).collect()
    }

    /// Whether having and lacking components is all that a match needs.
    pub(super) fn all_is_named(&self) -> bool {
        self.marked.is_empty() && !self.others(0).any(|input| matches!(input.role, Role::Any(_)))
    }

    /// Counts a walk which reads values or only counts, where a group could keep the matches. The pools are asked, and
    /// not yet [finished](Self::finish).
    #[cold]
    pub(super) fn count_walk(&self, counts: &Counts, reads: bool) {
        let is_join = self.required.len() + self.others.len() > 1;
        if !self.required.is_empty() && is_join && self.all_is_named() {
            counts.walk(&self.all().map(|input| Term {
                number: input.number,
                role: match input.role {
                    _ if input.part > 0 => TermRole::Optional,
                    Role::Excluded => TermRole::Excluded,
                    _ if reads && input.is_read() => TermRole::Read,
                    _ => TermRole::Required,
                },
            }));
        }
    }

    /// Whether a pool is asked of which only presence matters, for the query itself.
    pub(super) fn is_anything_unread(&self) -> bool {
        self.all().any(|input| input.part == 0 && !input.is_read())
    }

    /// Whether all required pools have the same members at these positions.
    pub(super) fn are_in_step(&self, at: Range<usize>) -> bool {
        self.required.iter().all(|input| input.keys.is_in_step(self.driver, at.clone()))
    }

    /// Notes that all required pools were found to have the same members in the same order.
    pub(super) fn mark_in_step(&self, by_pages: bool) {
        self.driver.mark_in_step(self.required.iter().map(|input| input.keys), by_pages);
    }

    /// Those of some entities, one bit each, that pass the tests of a part: `bits_of` tells which are
    /// members of a pool.
    #[inline(always)]
    pub(super) fn passing<const N: usize>(
        &self,
        part: u32,
        mut all: [u64; N],
        bits_of: impl Fn(&Input<'w>) -> [u64; N],
    ) -> [u64; N] {
        // The set of pools that is being asked, and who is in one of them.
        let mut set: Option<(u32, [u64; N])> = None;
        for input in self.others(part) {
            let bits = bits_of(input);
            match input.role {
                Role::Required => change(&mut all, |word, all| all & bits[word]),
                Role::Excluded => change(&mut all, |word, all| all & !bits[word]),
                Role::Any(of) => match &mut set {
                    Some((number, any)) if *number == of => change(any, |at, any| any | bits[at]),
                    before => {
                        if let Some((_, any)) = before.replace((of, bits)) {
                            change(&mut all, |word, all| all & any[word]);
                        }
                    }
                },
            }
        }
        if let Some((_, any)) = set {
            change(&mut all, |word, all| all & any[word]);
        }
        all
    }

    /// Whether the entity with this index, a member of all required pools, passes the tests.
    pub(super) fn passes(&self, index: u32) -> bool {
        self.marked.iter().all(|marked| marked.has(index))
            && self.passing(0, [1], |input| [u64::from(input.has(index))]) != [0]
    }

    /// Whether the index is in a word where matches are neighbours in runs that are so long on average,
    /// as values are. For one required pool.
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

/// Where the smallest pool has so many members and pages, or fewer, values are in the caches.
const CACHED_MEMBERS: usize = 1 << 15;
const CACHED_PAGES: usize = 1 << 8;

/// Whether all values of a join that is driven by this pool are in the caches.
#[inline]
pub(super) fn is_cached(driver: &Keys<Entity>) -> bool {
    driver.len() <= CACHED_MEMBERS && driver.page_count() <= CACHED_PAGES
}

/// The members of a group that owns nothing are looked up one by one when there are at most
/// this many a page; more are found by the group's bits, if these replace other tests. With two a page it took 0.4 to
/// 0.9 of the time of joining the words, with four 1 to 1.2.
const LISTED_A_PAGE: usize = 2;
/// The members of a group that owns some of the pools are looked up in the others when there are at most this many a
/// page. Measured, of 10k and 100k entities, with 10 a page it took 0.9 of the time of joining the words, with 40 1.7.
const OWNED_A_PAGE: usize = 8;
/// The same where so many pages are not in the caches: of a million, with 10 a page 0.6, with 40 0.5, with 250 1.2.
const OWNED_A_PAGE_FAR: usize = 64;
/// Where the smallest pool has more pages than this, its pages are not in the caches.
pub(super) const NEAR_PAGES: usize = 1 << 9;

/// Returns the number of members for each page up to which the members of a group are looked up. With more, joining the
/// words of all pools takes less time. The group keeps the matches in no order that all pools share. Each pool beside the first two adds as many words to be read.
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
