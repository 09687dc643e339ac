//! The search for the matches of a query, without type parameters.
//!
//! A matcher receives pools and their roles. It chooses one of three sources of matches, and returns blocks of them:
//! positions in the pools, or runs of neighbours. The query reads the values there.

use crate::component::access::Access;
use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::declare::GroupNames;
use crate::group::groups::{BestGroup, Groups, Wanted};
use crate::group::state::Terms;
use crate::order::{FAR, NEAR, price};
use crate::pool::WorldPool;
use crate::pool::pools::{Pools, REPAIR, SCAN};
use crate::query::bits::{Words, by_own_instructions};
use crate::query::block::{Block, Found, HandlePlace, Lanes, Want};
use crate::query::chunks::Chunks;
use crate::query::inputs::{self, Input, Inputs, Role, most_looked_up};
use crate::query::members::{MemberWalk, NextMembers};
use crate::query::pages::{EachPage, NextPage, Pages, Search};
use crate::query::plan::{Plan, PlanKind};
use crate::query::runs::Runs;
use crate::query::slices::Slices;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, page_of};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// The smallest pool drives the join if it has at most this many members for each page. Measured, like the following.
/// With one a page, looking them up took 0.2 to 0.6 of the time of joining the words. With four it took 0.5 to 1 (1.3
/// if both pools are large and in different orders), with eight 0.8 to 1.8.
const FEW_A_PAGE: usize = 4;
/// Up to this many members are looked up without searching for a better way.
const FEW: usize = 16;
/// With up to this many members for each page, the only pool that is required drives the join.
const ALWAYS_A_PAGE: usize = 16;
/// A driver with up to this many members on this many pages is searched in less than a microsecond.
const SMALL: usize = 256;
const SMALL_PAGES: usize = 4;
/// The number of members that are sampled, of a larger pool, to decide if it drives the join.
const SAMPLES: usize = 32;
/// The number of members that are compared to decide if pools seem to be in step.
const STEPS: usize = 8;
/// The number of neighbours in a word, on average, from which on words are faster.
const LONG_RUN: u32 = 24;
/// A group would help if it avoided this many tests, including tests of words.
const WORTH_A_GROUP: usize = 128;
/// The number of candidates for each match, looked up one by one, from which on a group would help.
const FEW_MATCHES: usize = 8;
/// A group that owns nothing would help if it avoided this many tests for each match.
const FEW_IN_TESTS: usize = 10;
/// The only pool that is required drives the join, despite any group that owns nothing, if it has at most this many
/// members for each match.
const DRIVES_GROUP: usize = 4;
/// Walks of fewer members are not counted.
const LEAST_COUNTED: usize = 64;
/// A join of more than two pools prefetches pages if the smallest pool has more members for each page than this:
/// otherwise few cells are read. Measured with 1M entities, without and with prefetching. 100 members a page: three
/// pools 41 and 35 µs, four 47 and 30. With 512 a page: three pools 2.9 and 2.7 ms, four 3.3 and 3.0.
const WARM_A_PAGE: usize = 256;

/// A source of matches.
#[derive(Clone, Copy, Debug)]
pub(super) enum MatchSource<'w> {
    /// Equal positions in all pools.
    Slices(Slices<'w>),
    /// The tiles of ordered pools.
    Runs(Runs<'w>),
    /// A list of entities; each is looked up.
    Members(MemberWalk<'w>),
    /// The pages of all pools.
    Pages,
}

impl MatchSource<'_> {
    /// Returns the part with these positions. A part of pages is determined by [`Pages::begin_part`].
    fn part(self, part: Range<usize>) -> Self {
        match self {
            MatchSource::Slices(slices) => MatchSource::Slices(slices.part(part)),
            MatchSource::Runs(runs) => MatchSource::Runs(runs.part(part)),
            MatchSource::Members(members) => MatchSource::Members(members.part(part)),
            MatchSource::Pages => MatchSource::Pages,
        }
    }
}

/// The stores of the world that a query reads.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Stores<'w> {
    pub(crate) pools: &'w Pools,
    pub(crate) entities: &'w Entities,
    pub(crate) groups: &'w Groups,
}

/// Finds the matches of a query.
///
/// * J2: the entities that it finds match, and it finds no match twice; each pool that is read has a value at the
///   positions that a block's lanes contain.
#[derive(Clone, Debug)]
pub(super) struct Matcher<'w> {
    pub(super) search: Search<'w>,
    source: MatchSource<'w>,
    pub(super) pages: Pages,
    chunks: Chunks,
    /// The number of matches that were found.
    found: usize,
    /// The pools, if the walk is counted when it ends.
    counted: Option<&'w Pools>,
}

/// The entities of no world.
static NO_ENTITIES: Entities = Entities::new();

impl<'w> Matcher<'w> {
    fn new() -> Self {
        Self {
            search: Search {
                inputs: Inputs::new(),
                block: Block::new(),
                entities: &NO_ENTITIES,
                is_cached: false,
            },
            source: MatchSource::Pages,
            pages: Pages::default(),
            chunks: Chunks::default(),
            found: 0,
            counted: None,
        }
    }

    /// Returns a matcher without inputs.
    #[cold]
    #[inline(never)]
    pub(super) fn boxed() -> Box<Self> {
        Box::new(Self::new())
    }

    /// Removes all inputs, so that no reference to a world is left.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.search.inputs.clear();
        self.search.block.list = &[];
        self.search.entities = &NO_ENTITIES;
        self.source = MatchSource::Pages;
        self.pages.begin(0, false);
        self.chunks.clear();
        self.counted = None;
    }

    /// Chooses the source of matches: the source of this plan, if possible, or the best one.
    #[inline(never)]
    pub(super) fn begin(&mut self, stores: Stores<'w>, plan: Option<PlanKind>) {
        self.begin_uncounted(stores, plan);
        let inputs = &self.search.inputs;
        let is_of_answer =
            matches!(self.source, MatchSource::Members(walk) if walk.answer.is_some());
        let is_counted = inputs.driver.len() >= LEAST_COUNTED && inputs.is_join() && !is_of_answer;
        (self.found, self.counted) = (0, is_counted.then_some(stores.pools));
    }

    /// Counts a walk that ends, at the driver.
    #[inline(never)]
    fn count_walk(&mut self, pools: &Pools) {
        let (inputs, found) = (&self.search.inputs, core::mem::take(&mut self.found) as u64);
        // Values that come from memory take several times as long.
        if let MatchSource::Runs(_) | MatchSource::Slices(_) = self.source {
            inputs.driver.walks.add(found);
            return;
        }
        let mut places = [0; 4];
        for place in inputs.all().filter_map(|input| pools.place_of(input.number)) {
            places[usize::from(place / 64)] |= 1 << (place % 64);
        }
        let lost = match self.search.is_cached {
            true => found,
            false if inputs.are_near() => NEAR * found,
            false => FAR * found,
        };
        let sum = inputs.driver.walks.add_scattered(found, lost, places);
        let price = price(inputs.driver.len()).unsigned_abs();
        if sum / price > (sum - lost) / price {
            pools.ask(SCAN);
        }
    }

    /// Chooses the source without counting a walk, as no loop follows.
    #[inline(never)]
    pub(super) fn begin_uncounted(&mut self, stores: Stores<'w>, plan: Option<PlanKind>) {
        self.finish(stores);
        self.choose(stores, plan, true);
    }

    /// Begins to look up these members in their order; each may match.
    pub(super) fn begin_in_order(&mut self, stores: Stores<'w>, order: &'w Keys<Entity>) {
        self.finish(stores);
        let members = MemberWalk::new(order.dense(), false);
        self.begin_members(MemberWalk { keeps_order: true, ..members }, None);
    }

    /// Returns the plan for finding the matches in the order of these members.
    #[inline]
    pub(super) fn plan_in_order(&mut self, stores: Stores<'w>, order: &'w Keys<Entity>) -> Plan {
        self.finish(stores);
        let is_it = |pool: &&dyn WorldPool| core::ptr::eq(pool.raw_keys(), order);
        Plan {
            kind: PlanKind::Dense,
            driver: stores.pools.iter().find(is_it).map(<dyn WorldPool>::name),
            candidates: order.len(),
            group: None,
            helpful: None,
            among: self.search.inputs.shortest_set().map(|(len, _)| len),
            index: self.search.inputs.shortest_set().and_then(|(_, name)| name),
            pinned: None,
        }
    }

    /// Begins to search the pages, for the matches from this index on.
    pub(super) fn begin_from(&mut self, stores: Stores<'w>, index: usize) {
        self.finish(stores);
        self.begin_pages();
        let end = self.pages.end();
        self.pages.begin_part(index.min(end)..end);
    }

    /// Completes the inputs.
    #[inline(always)]
    pub(super) fn finish(&mut self, stores: Stores<'w>) {
        self.search.inputs.finish();
        let Search { inputs, block, entities, is_cached } = &mut self.search;
        block.begin(inputs.lanes as usize, inputs.parts.len());
        *is_cached = inputs::is_cached(inputs.driver);
        if let Some(input) = inputs.required.first() {
            (block.list, block.handle_lane) = (input.keys.dense(), input.lane);
        }
        block.handles = HandlePlace::OfLane;
        *entities = stores.entities;
    }

    /// Chooses the source, for reading values or not; returns the group that it uses.
    pub(super) fn choose(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
        reads: bool,
    ) -> Option<BestGroup<'w>> {
        let (source, group) = choose(&self.search.inputs, stores, plan, reads);
        match source {
            MatchSource::Slices(_) | MatchSource::Runs(_) => self.source = source,
            MatchSource::Members(members) => self.begin_members(members, group),
            MatchSource::Pages => {
                if let Some(listed) = group.and_then(|group| group.listed) {
                    self.search.inputs.require_only(listed);
                }
                self.begin_reading_pages();
            }
        }
        group
    }

    /// Begins to look these members up, in all pools that do not begin with them.
    fn begin_members(&mut self, members: MemberWalk<'w>, group: Option<BestGroup<'w>>) {
        for input in &mut self.search.inputs.required {
            input.is_aligned = match group {
                Some(group) => group.owns(input.number),
                None => members.answer.is_none() && core::ptr::eq(members.list, input.keys.dense()),
            };
        }
        if members.answer.is_none() {
            self.search.block.list = members.list; // otherwise the first pool has the handles
        }
        self.source = MatchSource::Members(members);
    }

    #[inline]
    fn begin_pages(&mut self) {
        let Search { inputs, entities, is_cached, .. } = &self.search;
        let (pages, members) = match inputs.required[..] {
            [] => (entities.index_count().div_ceil(PAGE_LEN), 0),
            _ => (inputs.driver.page_count(), inputs.driver.len()),
        };
        let is_warmed = !is_cached && (inputs.required.len() <= 2 || members > pages * WARM_A_PAGE);
        self.source = MatchSource::Pages;
        self.pages.begin(pages, is_warmed);
    }

    /// Begins to search the pages, for reading values.
    #[inline]
    fn begin_reading_pages(&mut self) {
        self.begin_pages();
        if self.search.inputs.few_have_optional() {
            self.pages.go_twice();
        }
    }

    /// Returns the source of matches, and the number of its positions or indices. The matcher must have begun, and must
    /// not have found anything yet.
    pub(super) fn source(&self) -> (MatchSource<'w>, usize) {
        let len = match self.source {
            MatchSource::Slices(slices) => slices.members.len(),
            MatchSource::Runs(runs) => runs.left(),
            MatchSource::Members(members) => members.end,
            MatchSource::Pages => self.pages.end(),
        };
        (self.source, len)
    }

    /// Begins anew, with a part of its source: these positions or indices.
    ///
    /// Each match has one position or index: so parts that do not overlap share no match (J2).
    pub(super) fn begin_part(&mut self, source: MatchSource<'w>, part: Range<usize>) {
        self.source = source.part(part.clone());
        if matches!(source, MatchSource::Pages) {
            self.pages.begin_part(part);
        }
        self.search.block.handles = HandlePlace::OfLane;
        self.chunks.clear();
    }

    /// Begins like another matcher, which has found nothing yet, with a part of its source.
    pub(super) fn begin_like(&mut self, other: &Self, part: Range<usize>) {
        let Search { inputs, block, entities, is_cached } = &other.search;
        self.search.inputs.clone_from(inputs);
        self.search.block.begin_like(block);
        (self.search.entities, self.search.is_cached) = (entities, *is_cached);
        self.pages.begin_like(&other.pages);
        self.begin_part(other.source, part);
    }

    /// Returns `true` if the pools of a source of slices turned out to have other members.
    pub(super) const fn is_out_of_step(&self) -> bool {
        !matches!(self.source, MatchSource::Slices(_))
    }

    /// Marks the pools as in step, after all parts of the source were found to be.
    pub(super) fn mark_in_step(&self, source: MatchSource<'w>) {
        if let MatchSource::Slices(Slices { are_aligned: false, .. }) = source {
            self.search.inputs.mark_in_step(false);
        }
    }

    /// Finds the next block, run or number.
    ///
    /// A panic inside aborts: so a loop need not be prepared for one, and keeps its sums in registers. No user code
    /// runs.
    #[inline(never)]
    pub(super) extern "C" fn next(&mut self, want: Want) -> Found {
        let found = self.find(want);
        if let Some(pools) = self.counted {
            self.found += found.len;
            if found.len == 0 {
                self.count_walk(pools);
            }
        }
        found
    }

    #[inline(always)]
    fn find(&mut self, want: Want) -> Found {
        if let MatchSource::Slices(slices) = &mut self.source {
            if want == Want::Count {
                return Found::run(slices.left().0);
            }
            match slices.next(&mut self.search) {
                Ok(found) => return found,
                Err(at) => {
                    let end = slices.members.len();
                    let members = MemberWalk::new(self.search.inputs.driver.dense(), false);
                    self.begin_members(members, None);
                    self.source = MatchSource::Members(members.part(at..end));
                }
            }
        }
        let Self { search, source, pages, .. } = self;
        if let MatchSource::Runs(runs) = source {
            return match want {
                Want::Count => Found::run(runs.left()),
                _ => runs.next(search, want),
            };
        }
        if let MatchSource::Members(members) = source {
            return by_own_instructions(NextMembers(members, search, want));
        }
        match search.inputs.required_only() {
            1 => by_own_instructions(NextPage::<1>(pages, search, want)),
            2 => by_own_instructions(NextPage::<2>(pages, search, want)),
            3 => by_own_instructions(NextPage::<3>(pages, search, want)),
            4 => by_own_instructions(NextPage::<4>(pages, search, want)),
            _ => by_own_instructions(NextPage::<0>(pages, search, want)),
        }
    }

    /// Returns the number of matches. The matcher must not have begun.
    #[inline(never)]
    pub(super) fn count(&mut self, stores: Stores<'w>, plan: Option<PlanKind>) -> usize {
        self.finish(stores);
        match self.choose(stores, plan, false) {
            Some(group) if group.is_exact => group.members.len(),
            _ => self.next(Want::Count).len,
        }
    }

    /// Returns the matches, if they are the first members of all pools that are read. The matcher must not have begun.
    #[inline(never)]
    pub(super) fn front(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
    ) -> Option<&'w [Entity]> {
        self.finish(stores);
        self.choose(stores, plan, false);
        match self.source {
            MatchSource::Slices(slices) if self.search.inputs.parts.is_empty() => {
                Some(slices.members)
            }
            MatchSource::Runs(runs) => {
                let inputs = &self.search.inputs;
                let len = runs.front(inputs).filter(|_| inputs.parts.is_empty())?;
                inputs.required[0].keys.dense().get(..len)
            }
            _ => None,
        }
    }

    /// Returns the matches like [`front`](Self::front), if they come in the order of these members.
    pub(super) fn front_in_order(
        &mut self,
        stores: Stores<'w>,
        order: &'w Keys<Entity>,
    ) -> Option<&'w [Entity]> {
        let inputs = &self.search.inputs;
        let are_all = inputs.required.iter().all(|input| core::ptr::eq(input.keys, order));
        if are_all && inputs.is_all_required() {
            return Some(order.dense());
        }
        let members = self.front(stores, None)?;
        (order.dense().get(..members.len()) == Some(members)).then_some(members)
    }

    /// Chooses the source like for a loop. Other crates compile [`plan`](Self::plan): if it named `choose`, loops would
    /// call that instead of inlining it.
    #[inline(never)]
    fn choose_for_plan(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
    ) -> Option<BestGroup<'w>> {
        self.choose(stores, plan, true)
    }

    /// Returns the group that serves the join best.
    #[inline(never)]
    fn best_group(&self, stores: Stores<'w>) -> Option<BestGroup<'w>> {
        best_group(&self.search.inputs, stores, true)
    }

    /// Returns the plan for finding the matches. The matcher must not have begun.
    #[inline]
    pub(super) fn plan(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
        access: &Access,
    ) -> Plan {
        self.finish(stores);
        let driver = self.search.inputs.driver;
        let mut group = self.choose_for_plan(stores, plan);
        if let MatchSource::Slices(_) = self.source
            && self.search.inputs.required.len() > 1
            && group.is_none()
        {
            let is_it = |found: &BestGroup<'_>| found.is_exact && found.owns_all;
            group = self.best_group(stores).filter(is_it); // found by a cheap test
        }
        let is_driver = |pool: &&dyn WorldPool| core::ptr::eq(pool.raw_keys(), driver);
        let driver_name = stores.pools.iter().find(is_driver).map(<dyn WorldPool>::name);
        let is_of_targets = driver_name.is_none() && stores.pools.relations.are_targets(driver);
        let driver_name = driver_name.or_else(|| is_of_targets.then_some("Sources"));
        let (kind, candidates) = match (group, self.source) {
            (Some(group), _) if group.is_exact => (PlanKind::Group, group.members.len()),
            (_, MatchSource::Slices(slices)) => {
                let len = slices.members.len();
                let are_in_step = slices.are_aligned || self.search.inputs.are_in_step(0..len);
                (if are_in_step { PlanKind::All } else { PlanKind::Dense }, len)
            }
            (_, MatchSource::Runs(runs)) => (PlanKind::Runs, runs.left()),
            (_, MatchSource::Members(members)) => (PlanKind::Dense, members.end),
            (_, MatchSource::Pages) if self.search.inputs.required.is_empty() => {
                (PlanKind::Everyone, stores.entities.index_count())
            }
            (_, MatchSource::Pages) => (PlanKind::Words, driver.page_count() * PAGE_LEN),
        };
        let helpful = match kind {
            PlanKind::Group | PlanKind::Runs => None,
            PlanKind::Words => self.helpful(stores, access, candidates / 64),
            _ => self.helpful(stores, access, candidates / FEW_MATCHES),
        };
        let is_scattered = matches!(kind, PlanKind::Words | PlanKind::Dense) && group.is_none();
        let inputs = &self.search.inputs.required;
        let pinned = inputs.iter().find(|input| is_scattered && input.keys.is_pinned());
        let is_it = |pool: &&dyn WorldPool| {
            pinned.is_some_and(|input| core::ptr::eq(pool.raw_keys(), input.keys))
        };
        let pinned = stores.pools.iter().find(is_it).map(<dyn WorldPool>::name);
        let group = group.map(|group| group.names(stores.pools).to_string());
        let (among, index) = self.search.inputs.shortest_set().unzip();
        let index = index.flatten();
        Plan { kind, driver: driver_name, candidates, group, helpful, among, index, pinned }
    }

    /// Returns a group that would avoid this many tests, if there are many, and fewer matches. It owns the pools that
    /// are read, or, for few matches, nothing. Returns `None` if another group owns one of these pools already.
    #[inline]
    fn helpful(&mut self, stores: Stores<'w>, access: &Access, tests: usize) -> Option<String> {
        let (mut owned, mut observed, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        access.for_each_test(&mut |term| {
            let list = if term.is_exclusion() {
                &mut excluded
            } else if term.is_read() {
                &mut owned
            } else {
                &mut observed
            };
            let term = (term.number(), term.name());
            if !list.contains(&term) {
                list.push(term);
            }
        });
        observed.retain(|term| !owned.contains(term));
        let is_join =
            owned.len() + observed.len() > 0 && owned.len() + observed.len() + excluded.len() > 1;
        if !self.search.inputs.all_is_named() || !is_join || tests < WORTH_A_GROUP {
            return None;
        }
        let matches = self.count(stores, None);
        if matches * FEW_IN_TESTS <= tests {
            owned.append(&mut observed);
            core::mem::swap(&mut owned, &mut observed);
        } else if matches >= tests {
            return None;
        }
        let numbers = |list: &[(u32, _)]| list.iter().map(|(number, _)| *number).collect();
        let terms = Terms::new(numbers(&owned), numbers(&observed), numbers(&excluded));
        if stores.groups.conflict(&terms).is_some() {
            return None;
        }
        let names =
            |list: Vec<(u32, &'static str)>| list.into_iter().map(|(_, name)| name).collect();
        let [owned, observed, excluded] = [owned, observed, excluded].map(names);
        Some(GroupNames { owned, observed, excluded }.to_string())
    }

    /// Marks all matches as changed in the components that the query writes. The matcher must not have begun.
    #[inline(never)]
    pub(super) fn mark(&mut self, stores: Stores<'w>, access: &Access) {
        self.finish(stores);
        let (mut tracks, mut parts) = (Vec::new(), 0);
        let (inputs, all) = (&self.search.inputs, self.search.inputs.are_known_in_step());
        access.for_each_mark(0, &mut parts, &mut |number, part| match stores
            .pools
            .watch
            .tracks
            .get(number)
        {
            Some(track) if all => track.mark_all(),
            Some(track) => tracks.push((track, part)),
            None => {}
        });
        if tracks.is_empty() {
            return;
        }
        let answer = inputs.shortest_answer().map(|(at, _)| inputs.answer(at));
        let candidates = answer.as_deref().map_or(inputs.driver.dense(), |list| list);
        // Without optional parts, each component that is written is required.
        if inputs.parts.is_empty() && are_few(inputs.driver, candidates.len()) {
            for index in candidates.iter().map(|entity| entity.index()) {
                if inputs.required.iter().all(|input| input.has(index)) && inputs.passes(index) {
                    for (track, _) in &tracks {
                        track.mark_one(index);
                    }
                }
            }
            return;
        }
        self.begin_pages();
        let Self { search, pages, .. } = self;
        let mark = &mut |page: usize, words: &Words, parts: &[Words]| {
            for (track, part) in &tracks {
                track.mark(page, if *part == 0 { words } else { &parts[*part - 1] });
            }
        };
        match search.inputs.required_only() {
            1 => by_own_instructions(EachPage::<1>(pages, search, mark)),
            2 => by_own_instructions(EachPage::<2>(pages, search, mark)),
            _ => by_own_instructions(EachPage::<0>(pages, search, mark)),
        }
    }

    /// Begins to find runs of greatest length.
    #[inline(never)]
    pub(super) fn begin_chunks(&mut self, stores: Stores<'w>, plan: Option<PlanKind>) {
        self.begin(stores, plan);
        match self.source {
            MatchSource::Slices(slices) if slices.are_aligned => {}
            MatchSource::Runs(_) => {}
            MatchSource::Slices(slices)
                if self.search.inputs.are_in_step(0..slices.members.len()) =>
            {
                self.search.inputs.mark_in_step(false);
                self.source = MatchSource::Slices(Slices::new(slices.members));
            }
            _ => self.begin_reading_pages(),
        }
    }

    /// Finds the next such run. Returns its length, or 0 if there is none.
    pub(super) fn next_chunk(&mut self) -> usize {
        loop {
            let found = self.next(Want::Run);
            let len = self.chunks.take(found.len, &self.search.inputs, &self.search.block);
            if len > 0 || found.len == 0 {
                return len;
            }
        }
    }

    /// Returns the positions of the values of the last run.
    pub(super) fn chunk_lanes(&self) -> Lanes<'_> {
        let Search { inputs, block, .. } = &self.search;
        let handles = inputs.required.first().map_or(block.list, |input| input.keys.dense());
        self.chunks.lanes(block.handle_lane, handles)
    }

    /// Returns the least and the most matches that are left after the blocks that were found.
    pub(super) fn bounds(&self) -> (usize, Option<usize>) {
        self.bounds_by(&self.source, self.pages.is_over())
    }

    /// Returns the bounds of the number of matches of a part, before anything was found.
    pub(super) fn bounds_of(&self, part: Range<usize>) -> (usize, Option<usize>) {
        let is_empty = part.is_empty();
        self.bounds_by(&self.source.part(part), is_empty)
    }

    fn bounds_by(&self, source: &MatchSource<'w>, are_pages_over: bool) -> (usize, Option<usize>) {
        let (left, all_match) = match source {
            MatchSource::Slices(slices) => slices.left(),
            MatchSource::Runs(runs) => (runs.left(), true),
            MatchSource::Members(members) => members.left(),
            MatchSource::Pages if are_pages_over => (0, true),
            MatchSource::Pages if self.search.inputs.required.is_empty() => {
                (self.search.entities.len(), false)
            }
            MatchSource::Pages => (self.search.inputs.driver.len(), false),
        };
        (if all_match { left } else { 0 }, Some(left))
    }
}

/// Chooses the source of matches, and finds the group that supplies them.
fn choose<'w>(
    inputs: &Inputs<'w>,
    stores: Stores<'w>,
    plan: Option<PlanKind>,
    reads: bool,
) -> (MatchSource<'w>, Option<BestGroup<'w>>) {
    let (driver, groups) = (inputs.driver, stores.groups);
    if inputs.required.is_empty() {
        return (MatchSource::Pages, None);
    }
    let is_exact = inputs.tests == 0;
    let is_free = plan.is_none();
    if is_free
        && let Some(answer) = inputs.shortest_answer()
        && answer.1 < driver.len()
    {
        return (MatchSource::Members(MemberWalk::of_answer(answer)), None);
    }
    if is_free
        && is_exact
        && let Some(source) = front(inputs, groups, reads)
    {
        return (source, None);
    }
    if matches!(plan, None | Some(PlanKind::Runs))
        && let Some(tiling) = stores.pools.tiling()
        && let Some(runs) = Runs::new(inputs, tiling)
    {
        return (MatchSource::Runs(runs), None);
    }
    if stores.pools.tiling().is_some() && inputs.all().any(|input| input.keys.is_edited()) {
        stores.pools.ask(REPAIR);
    }
    let look_up = || MatchSource::Members(MemberWalk::new(driver.dense(), false));
    if is_free
        && inputs.required.len() > 1
        && driver.len() <= FEW
        && are_few(driver, driver.len())
        && (reads || groups.is_empty())
    {
        return (look_up(), None);
    }
    let own = match plan {
        _ if inputs.required.len() == 1 && inputs.is_all_required() => {
            MatchSource::Slices(Slices::new(driver.dense()))
        }
        Some(PlanKind::Words) => MatchSource::Pages,
        Some(PlanKind::Dense) => look_up(),
        _ if inputs.required.len() == 1 && drives(inputs) => look_up(),
        _ if are_few(driver, driver.len()) => look_up(),
        _ => MatchSource::Pages,
    };
    if let (MatchSource::Pages | MatchSource::Members(_), false) = (&own, groups.is_empty())
        && matches!(plan, None | Some(PlanKind::Group))
        && let Some(chosen) = of_group(inputs, stores, &own, reads)
    {
        return chosen;
    }
    if is_free
        && is_exact
        && reads
        && inputs.parts.is_empty()
        && let Some(slices) = in_step(inputs)
    {
        return (MatchSource::Slices(slices), None);
    }
    (own, None)
}

/// Returns the matches as slices, if a cheap test finds them: in one pool, or in a group that owns just the
/// required pools, and maybe the optional ones. All entities with the required components must match.
fn front<'w>(inputs: &Inputs<'w>, groups: &Groups, reads: bool) -> Option<MatchSource<'w>> {
    let members = inputs.driver.dense();
    let parts = if reads { &inputs.parts[..] } else { &[] };
    let is_one = inputs.required.len() == 1;
    if is_one && parts.is_empty() {
        return Some(MatchSource::Slices(Slices::new(members)));
    }
    if !groups.require(inputs.required[0].number) {
        return None;
    }
    let components =
        |list: &[Input<'_>]| -> ComponentSet { list.iter().map(|it| it.number).collect() };
    let required = components(&inputs.required);
    let len = if is_one {
        members.len()
    } else {
        groups.owning(required, &|| inputs.required.iter().map(|it| it.number).collect())?
    };
    let members = members.get(..len)?;
    match parts {
        [] => Some(MatchSource::Slices(Slices::new(members))),
        [_] => {
            // A group that also owns the optional pools has its members in front.
            let optional = &inputs.others;
            let split = groups.owning(required.union(components(&inputs.others)), &|| {
                inputs.all().map(|it| it.number).collect()
            })?;
            let is_there = |it: &Input<'_>| it.role == Role::Required && it.keys.len() >= split;
            let are_there = split <= members.len() && optional.iter().all(is_there);
            are_there.then(|| MatchSource::Slices(Slices::with_split(members, split)))
        }
        _ => None,
    }
}

/// Returns the group that serves the join best.
fn best_group<'w>(inputs: &Inputs<'w>, stores: Stores<'w>, reads: bool) -> Option<BestGroup<'w>> {
    if !inputs.required.iter().any(|input| stores.groups.require(input.number)) {
        return None;
    }
    let (required, excluded) = inputs.wanted();
    let read = inputs.components_read();
    let owned = if reads && is_small(inputs.driver) { read } else { ComponentSet::EMPTY };
    if !stores.groups.may_serve(&required, &excluded, &owned) {
        return None;
    }
    let wanted = Wanted {
        required,
        excluded,
        read,
        is_all: inputs.all_is_named(),
        terms: &|add| inputs.each_term(add),
    };
    stores.groups.best(stores.pools, &wanted)
}

/// Returns how a group's members serve the join, if any group serves it better than its own way.
fn of_group<'w>(
    inputs: &Inputs<'w>,
    stores: Stores<'w>,
    own: &MatchSource<'w>,
    reads: bool,
) -> Option<(MatchSource<'w>, Option<BestGroup<'w>>)> {
    let (driver, found) = (inputs.driver, best_group(inputs, stores, reads)?);
    let members = found.members;
    let is_driven = inputs.required.len() == 1 && matches!(own, MatchSource::Members(_));
    let list = |all_match| MatchSource::Members(MemberWalk::new(members, all_match));
    let source = if found.is_exact && inputs.parts.is_empty() && found.owns_all {
        MatchSource::Slices(Slices::new(members))
    } else if found.is_exact && !reads {
        list(true)
    } else if is_driven && found.listed.is_some() && driver.len() <= members.len() * DRIVES_GROUP {
        // Reading consecutive values outweighs the tests of members that do not match.
        return None;
    } else if found.is_exact && !found.owns_all && (is_driven || matches!(own, MatchSource::Pages))
    {
        let most = driver.page_count() * most_looked_up(inputs, found.listed.is_some());
        if members.len() <= most {
            list(true)
        } else if found.listed.is_some() && inputs.is_anything_unread() {
            MatchSource::Pages
        } else {
            return None;
        }
    } else if found.is_exact {
        list(true)
    } else if are_few(driver, members.len()) && members.len() < driver.len() {
        list(false)
    } else {
        return None;
    };
    Some((source, Some(found)))
}

/// Returns `true` if the search takes less time than finding a group that owns only some pools.
pub(super) fn is_small(driver: &Keys<Entity>) -> bool {
    driver.len() <= SMALL && driver.page_count() <= SMALL_PAGES
}

/// Returns `true` if testing this many entities one by one takes less time than joining the words of all pages.
#[inline(always)]
fn are_few(driver: &Keys<Entity>, entities: usize) -> bool {
    entities <= driver.page_count() * FEW_A_PAGE
}

/// Returns `true` if the members of the only required pool are tested, instead of joining the words of all pools.
///
/// Testing is better if it has few members, even if not all of them match. For many members, some are sampled: words
/// are better if few match, or if matches are neighbours in long runs.
fn drives(inputs: &Inputs<'_>) -> bool {
    let driver = inputs.driver;
    if driver.len() <= driver.page_count() * ALWAYS_A_PAGE {
        return true;
    }
    let (mut matches, mut neighbours) = (0, 0);
    for entity in driver.dense().iter().step_by(driver.len().div_ceil(SAMPLES)) {
        let index = entity.index();
        matches += usize::from(inputs.passes(index));
        neighbours += usize::from(inputs.is_in_long_run(index, LONG_RUN));
    }
    let is_dense = driver.len() > driver.page_count() * PAGE_LEN / 4;
    let enough = if is_dense { SAMPLES * 5 / 8 } else { SAMPLES / 4 };
    matches >= enough && neighbours < SAMPLES / 2
}

/// Returns all required pools as slices, if they have equal members in equal order: their pages show it, or some of
/// their members suggest it. Marks of earlier comparisons only save time; another thread may have made them.
fn in_step<'w>(inputs: &Inputs<'w>) -> Option<Slices<'w>> {
    let (driver, required) = (inputs.driver, &inputs.required[..]);
    if required.iter().any(|input| input.keys.len() != driver.len()) {
        return None;
    }
    let members = driver.dense();
    if required.iter().all(|input| input.keys.is_marked_in_step_by_pages(driver)) {
        return Some(Slices::new(members));
    }
    let all = |is_so: &dyn Fn(usize) -> bool| {
        (0..members.len()).step_by(members.len().div_ceil(STEPS).max(1)).all(is_so)
    };
    // Pages in order prove as much as the members, and cost less.
    let are_in_order = || {
        all(&|at| {
            let number = page_of(members[at].index());
            required.iter().all(|input| input.keys.page(number).is_sequential())
        })
    };
    if required.iter().all(|input| input.keys.is_marked_in_step(driver)) && !are_in_order() {
        return Some(Slices::new(members));
    }
    let by_pages = |number| {
        let page = driver.page(number);
        required.iter().all(|input| input.keys.page(number).is_in_step(page))
    };
    if (0..driver.page_count()).all(by_pages) {
        inputs.mark_in_step(true);
        return Some(Slices::new(members));
    }
    let are_alike = |at| required.iter().all(|input| input.keys.dense()[at] == members[at]);
    (all(&are_alike) && !are_in_order()).then(|| Slices::seemingly(members))
}

#[cfg(test)]
mod tests {
    use crate::{
        AnyComponent, Component, Entity, Group, GroupList, Plan, PlanKind, Without, World,
    };
    use PlanKind::{All, Dense, Words};
    use core::num::NonZeroU32;
    use std::format;
    use std::vec::Vec;

    #[derive(Component)]
    #[component(track)]
    struct A;
    #[derive(Component)]
    #[component(track)]
    struct B;
    #[derive(Component)]
    struct C;
    #[derive(Component)]
    struct D;

    /// Inserts a component for each entity with one of these indices, in this order. They need not be alive, as
    /// nothing here looks for more than members of pools.
    fn give<T: AnyComponent>(
        world: &mut World,
        indices: impl IntoIterator<Item = u32>,
        component: fn() -> T,
    ) {
        let pool = world.pools.get_or_create::<T>();
        for index in indices {
            pool.insert(Entity::new(index, NonZeroU32::MIN), component());
        }
    }

    /// Declares a group of such entities.
    fn declare<O: GroupList, S: GroupList, X: GroupList>(world: &mut World, _: Group<O, S, X>) {
        let World { groups, pools, .. } = world;
        groups.declare::<O, S, X>(pools).unwrap();
    }

    /// Returns the way of a plan, and `true` if a group supplies the candidates.
    fn way(plan: &Plan) -> (PlanKind, bool) {
        (plan.kind, plan.group.is_some())
    }

    const GROUP: (PlanKind, bool) = (PlanKind::Group, true);

    #[test]
    fn few_members_are_looked_up_without_asking_groups() {
        let mut world = World::new();
        give(&mut world, [5, 1_500, 9_500], || A);
        give(&mut world, [9_600, 1_500, 5], || B);
        declare(&mut world, Group::observing::<(A, B)>());
        declare(&mut world, Group::owning::<A>());
        let view = || world.view::<(&A, &B)>();
        assert_eq!(way(&view().explain()), (Dense, false));
        let words = view().with_plan(Words);
        assert_eq!((way(&words.explain()), words.count()), ((Words, false), 2));
        // A group that owns all that is required is walked all the same.
        assert_eq!(way(&world.view::<(&A, Option<&B>)>().explain()), GROUP);
        assert_eq!(way(&world.view::<&A>().explain()), (All, false));
    }

    #[test]
    fn the_words_of_many_members_on_a_page_are_joined() {
        let mut world = World::new();
        give(&mut world, 0..10, || A);
        give(&mut world, 5..15, || B);
        assert_eq!(world.view::<(&A, &B)>().explain().kind, Words);
    }

    #[test]
    fn pools_in_step_are_slices_if_the_plan_is_free_and_nothing_else_is_tested() {
        let mut world = World::new();
        give(&mut world, 0..300, || A);
        give(&mut world, 0..300, || B);
        give(&mut world, 10..20, || C);
        let view = || world.view::<(&A, &B)>();
        assert_eq!(view().explain().kind, All);
        assert_eq!(view().with_plan(Words).explain().kind, Words);
        assert_eq!(view().without::<C>().into_iter().count(), 290);
        // The group has all matches, but owns no pool of B.
        declare(&mut world, Group::owning::<A>().with::<B>());
        assert_eq!(way(&world.view::<(&A, &B)>().explain()), (All, false));
    }

    /// A hundred of each are scattered over thirty pages; half of them are the same.
    #[test]
    fn a_list_of_matches_is_walked_instead_of_twice_as_many_members() {
        let mut world = World::new();
        give(&mut world, (0..30_000).step_by(300), || A);
        give(&mut world, (0..15_000).step_by(300).rev(), || B);
        give(&mut world, (15_150..30_000).step_by(300), || B);
        assert_eq!(way(&world.view::<(&A, &B)>().explain()), (Dense, false));
        declare(&mut world, Group::observing::<(A, B)>());
        assert_eq!(way(&world.view::<(&A, &B)>().explain()), GROUP);
    }

    #[test]
    fn the_only_required_pool_is_walked_unless_a_list_is_much_shorter() {
        for (matches, expected) in [(50, (Dense, false)), (20, GROUP)] {
            let mut world = World::new();
            give(&mut world, (0..10_000).step_by(100), || A);
            give(&mut world, (matches * 100..10_000).step_by(100), || C);
            declare(&mut world, Group::observing::<A>().without::<C>());
            let view = world.view::<&A>().without::<C>();
            assert_eq!(way(&view.explain()), expected, "{matches} of 100");
        }
    }

    #[test]
    fn words_are_joined_instead_of_looking_up_a_long_list() {
        let mut world = World::new();
        give(&mut world, 0..1_000, || A);
        give(&mut world, (500..1_500).rev(), || B);
        declare(&mut world, Group::observing::<(A, B)>());
        let view = world.view::<(&A, &B)>();
        assert_eq!((way(&view.explain()), view.count()), ((Words, false), 500));
    }

    #[test]
    fn a_group_that_has_more_than_the_matches_is_looked_up_if_no_pool_is_as_small() {
        for (members, has_group) in [(20, false), (19, true)] {
            let mut world = World::new();
            give(&mut world, 0..600, || A);
            give(&mut world, 600 - members..1_200, || B);
            give(&mut world, (0..10_000).step_by(500), || D);
            declare(&mut world, Group::observing::<(A, B)>());
            let plan = world.view::<(&A, &B, &D)>().explain();
            assert_eq!(way(&plan), (Dense, has_group), "{members} members");
        }
    }

    #[test]
    fn members_of_a_group_that_do_not_match_are_not_counted() {
        let mut world = World::new();
        give(&mut world, 0..600, || A);
        give(&mut world, 597..1_200, || B);
        give(&mut world, [598], || C);
        declare(&mut world, Group::observing::<(A, B)>());
        let view = world.view::<(&A, &B)>();
        assert_eq!((view.count(), view.without::<C>().count()), (3, 2));
    }

    #[test]
    fn a_group_helps_if_it_avoids_more_than_a_hundred_tests() {
        for (members, help) in [(1_024, true), (1_016, false)] {
            let mut world = World::new();
            give(&mut world, 0..members, || A);
            give(&mut world, (1_000..1_000 + members).rev(), || B);
            give(&mut world, (0..1_000).chain([2_500]), || C);
            let explained = |plan: Plan| (plan.candidates, plan.helpful);
            let helpful = |terms| {
                (members as usize, help.then(|| format!("group owning (`A`) {terms} (`C`)")))
            };
            let lacking = world.view::<&A>().without::<C>().with_plan(Dense);
            assert_eq!(explained(lacking.explain()), helpful("without"));
            let joined = world.view::<&A>().with::<B>().with_plan(Dense);
            let (candidates, named) = helpful("with");
            let named = named.map(|named| named.replace('C', "B"));
            assert_eq!(explained(joined.explain()), (candidates, named));
            // No group has the matches of alternatives.
            let any = world.view::<(&A, &B)>().with_any::<(C, D)>().with_plan(Dense);
            assert_eq!(explained(any.explain()), (candidates, None));
        }
    }

    #[test]
    fn a_group_helps_a_join_only() {
        let mut world = World::new();
        world.spawn_batch((0..1_900).map(|_| ()));
        give(&mut world, [0, 9_000], || A);
        give(&mut world, 3..1_900, || B);
        give(&mut world, [2], || C);
        let lacking = world.view::<Entity>().without::<B>().without::<C>().explain();
        assert_eq!((lacking.kind, lacking.candidates), (PlanKind::Everyone, 1_900));
        assert_eq!(lacking.helpful, None, "a group requires a component");
        let one = world.view::<(&A, Option<&B>)>().with_plan(Words).explain();
        assert_eq!((one.kind, one.candidates), (Words, 9 * 1_024));
        assert_eq!(one.helpful, None, "the pool of A has all matches");
    }

    #[test]
    fn few_matches_are_marked_as_changed_and_no_other_members() {
        let mut world = World::new();
        let entities: Vec<Entity> = world.spawn_batch((0..5).map(|_| ()));
        entities[..4].iter().for_each(|&entity| world.insert(entity, A).unwrap());
        for at in [0, 2, 3, 4] {
            world.insert(entities[at], B).unwrap();
        }
        world.insert(entities[2], C).unwrap();
        let mut seen = (world.changes::<A>(), world.changes::<B>());
        world.view_mut::<(&mut A, &B)>().without::<C>().iter_mut().for_each(drop);
        world.advance(&mut seen.0);
        world.advance(&mut seen.1);
        assert!(seen.0.changed().indices().eq([0, 3]) && seen.1.changed().is_empty());
        world.view_mut::<(&A, Option<(&mut B, Without<C>)>)>().iter_mut().for_each(drop);
        world.advance(&mut seen.1);
        assert!(seen.1.changed().indices().eq([0, 3]));
    }
}
