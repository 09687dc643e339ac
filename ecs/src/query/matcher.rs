//! What finds the matches of a query, without knowing its types.
//!
//! A matcher is told which pools are asked and why. It chooses one of three sources of matches, and gives
//! blocks of them: positions in the pools, or runs of neighbours. Reading values there is left to the
//! query.

use crate::component::access::Access;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::declare::GroupNames;
use crate::group::groups::{BestGroup, Groups, Wanted};
use crate::pool::pools::Pools;
use crate::pool::{ErasedPool, WorldPool};
use crate::query::bits::{self, Find, Way, Words, by_own_instructions};
use crate::query::block::{Block, Found, Handles, Lanes};
use crate::query::chunks::Chunks;
use crate::query::inputs::{Input, Inputs, Role, Strided, is_cached};
use crate::query::members::{FindAll, Members};
use crate::query::pages::{Pages, Search};
use crate::query::plan::{Plan, PlanKind};
use crate::query::slices::Slices;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, page_of};
use crate::storage::values::CellOrder;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The smallest pool drives the join when it has at most this many members a page. Measured, as
/// what follows: with one a page, looking them up took 0.2 to 0.6 of the time of joining the words,
/// with four 0.5 to 1 (1.3 where both pools are large and in different orders), with eight 0.8 to
/// 1.8.
const FEW_A_PAGE: usize = 4;
/// So many members, or fewer, are looked up without looking for a better way.
const FEW: usize = 16;
/// The members of a group that owns nothing are looked up one by one when there are fewer than
/// this many a page; more are found by the group's bits. With two a page it took 0.4 to 0.9 of the
/// time of joining the words, with four 1 to 1.2.
const LISTED_A_PAGE: usize = 2;
/// With so many members a page, or fewer, the only pool that is required drives the join.
const ALWAYS_A_PAGE: usize = 16;
/// Of more, so many are looked at to see whether it should.
const SAMPLES: usize = 32;
/// So many members are compared to see whether pools seem to be in step.
const STEPS: usize = 8;
/// Of so many pages, each is asked whether pools are in step: it takes as long as to walk by pages that
/// are.
const TOLD_PAGES: usize = 8;
/// Neighbours in a word, on average, that make it worth while to go by words.
const LONG_RUN: u32 = 24;
/// A group would help where it spares so many tests, be it of a word of bits.
const WORTH_A_GROUP: usize = 128;
/// Candidates that are looked up one by one, for each match, before a group would help.
const FEW_MATCHES: usize = 8;
/// The only pool that is required drives the join, whatever group there is that owns nothing, when it
/// has at most so many times as many members as match.
const DRIVES_GROUP: usize = 4;
/// A join of more than two pools fetches pages in advance when the smallest pool has more members a page
/// than this: else few cells are read. Measured, of 1M, with and without: 100 members a page, three pools
/// 41 and 35 µs, four 47 and 30; 512 a page 2.9 and 3.3 ms, 2.7 and 3.0.
const WARM_A_PAGE: usize = 256;

/// Where matches come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'w> {
    /// The same positions in all pools.
    Slices(Slices<'w>),
    /// A list of entities, each of which is looked up.
    Members(Members<'w>),
    /// The pages of all pools.
    Pages,
}

/// What a query may be answered from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stores<'w> {
    pub(crate) pools: &'w Pools,
    pub(crate) entities: &'w Entities,
    pub(crate) groups: &'w Groups,
}

/// What finds the matches of a query.
///
/// * J2: what it finds matches, and it finds no match twice; of a block, each pool that is read has a value
///   at the positions that its lanes tell.
pub struct Matcher<'w> {
    find: Find<Matching>,
    search: Search<'w>,
    source: Source<'w>,
    pages: Pages<'w>,
    chunks: Chunks,
}

/// The search for matches, by a matcher.
struct Matching;

impl bits::Finder for Matching {
    type State<'w> = Matcher<'w>;
    type Found = Found;
}

impl fmt::Debug for Matcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matcher").field("source", &self.source).finish_non_exhaustive()
    }
}

/// The entities of no world.
static NO_ENTITIES: Entities = Entities::new();

impl<'w> Matcher<'w> {
    pub(super) const fn new() -> Self {
        Self {
            find: Find::portable::<Nothing>(),
            search: Search { inputs: Inputs::new(), block: Block::new(), entities: &NO_ENTITIES },
            source: Source::Pages,
            pages: Pages::new(),
            chunks: Chunks::new(),
        }
    }

    /// Forgets all that it was told, so that nothing of a world is left.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.search.inputs.clear();
        self.search.block.list = &[];
        self.search.entities = &NO_ENTITIES;
        self.source = Source::Pages;
        self.pages.begin(0, None, false, false);
        self.chunks.clear();
    }

    /// Matches are members of this pool, which has this number and is read. Its values, or a column of
    /// them, are there.
    #[inline(never)]
    pub(super) fn read(
        &mut self,
        number: u32,
        keys: &'w Keys<Entity>,
        address: usize,
        stride: usize,
    ) {
        self.search.inputs.read(number, keys, Strided { address, stride });
    }

    /// The values of the pool that was asked last have another column there.
    #[inline(never)]
    pub(super) fn column(&mut self, address: usize, stride: usize) {
        self.search.inputs.add_column(Strided { address, stride });
    }

    /// Matches pass tests of presence.
    pub(super) fn test(&mut self, access: &Access, pools: &'w Pools) {
        self.search.inputs.test(access, pools);
    }

    /// Something optional is asked for from here on. What was asking until now.
    #[inline]
    pub(super) fn begin_optional(&mut self) -> u32 {
        self.search.inputs.begin_optional()
    }

    /// That asks again.
    #[inline]
    pub(super) fn end_optional(&mut self, outer: u32) {
        self.search.inputs.end_optional(outer);
    }

    /// Chooses where matches come from: in this way, if it can be, or in the best one.
    #[inline(never)]
    pub(super) fn begin(&mut self, stores: Stores<'w>, plan: Option<PlanKind>) {
        self.finish(stores);
        if plan.is_none() && stores.groups.is_empty() && self.goes_by_pages() {
            self.begin_pages(None); // as below, but at a glance
        } else {
            self.choose(stores, plan, true);
        }
    }

    /// Knows what is asked.
    #[inline(always)]
    fn finish(&mut self, stores: Stores<'w>) {
        self.search.inputs.finish();
        let Search { inputs, block, entities } = &mut self.search;
        block.begin(inputs.lanes as usize, inputs.parts.len());
        if let Some(input) = inputs.handle_input() {
            (block.list, block.handle_lane) = (input.keys.dense(), input.lane);
        }
        block.handles = Handles::OfLane;
        *entities = stores.entities;
    }

    /// Whether it takes no more than a glance to see that a join goes by pages.
    #[inline(always)]
    fn goes_by_pages(&self) -> bool {
        let Inputs { required, driver, .. } = &self.search.inputs;
        let are_in_step = required.iter().all(|input| input.keys.len() == driver.len());
        required.len() > 1
            && !are_in_step
            && self.search.inputs.is_all_required()
            && !are_few(driver, driver.len())
    }

    /// The same, for those who read values or not; and the group that it uses.
    fn choose(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
        reads: bool,
    ) -> Option<BestGroup<'w>> {
        let (source, group) = choose(&self.search.inputs, stores, plan, reads);
        let listed = group.and_then(|group| group.listed);
        self.begin_at(source, listed);
        if let Source::Members(members) = source {
            self.align(members, group);
        }
        group
    }

    fn begin_at(&mut self, source: Source<'w>, listed: Option<&'w Keys<Entity>>) {
        self.source = source;
        self.find = match source {
            Source::Slices(_) => Find::by::<BySlices>(),
            Source::Members(members) => {
                self.search.block.list = members.list();
                Find::by::<ByMembers>()
            }
            Source::Pages => return self.begin_pages(listed),
        };
    }

    #[inline]
    fn begin_pages(&mut self, listed: Option<&'w Keys<Entity>>) {
        let Inputs { driver, required, .. } = &self.search.inputs;
        let (pages, is_cached) = (self.page_count(), is_cached(driver));
        let is_warmed = !is_cached && (required.len() <= 2 || driver.len() > pages * WARM_A_PAGE);
        self.source = Source::Pages;
        self.pages.begin(pages, listed, is_cached, is_warmed);
        let is_all = listed.is_none() && self.search.inputs.is_all_required();
        self.find = match (required.len(), is_cached) {
            (2, true) if is_all => Find::by::<BySmallPages<2>>(),
            (3, true) if is_all => Find::by::<BySmallPages<3>>(),
            (4, true) if is_all => Find::by::<BySmallPages<4>>(),
            (2, _) if is_all => Find::by::<ByPages<2>>(),
            (3, _) if is_all => Find::by::<ByPages<3>>(),
            (4, _) if is_all => Find::by::<ByPages<4>>(),
            _ => Find::by::<ByPages<0>>(),
        };
    }

    /// How many pages can have matches.
    fn page_count(&self) -> usize {
        if self.search.inputs.required.is_empty() {
            return self.search.entities.index_count().div_ceil(PAGE_LEN);
        }
        self.search.inputs.driver.page_count()
    }

    /// Notes which pools have the members of a list at the same positions.
    fn align(&mut self, members: Members<'w>, group: Option<BestGroup<'w>>) {
        for input in &mut self.search.inputs.required {
            input.is_aligned = match group {
                Some(group) => group.owns(input.number),
                None => members.is_of(input.keys),
            };
        }
    }

    /// Finds the next block of matches; as words, if they are wanted and can be.
    #[inline(always)]
    pub(super) fn next(&mut self, wants_words: bool) -> Found {
        self.find.call(self, wants_words)
    }

    /// The matches of a block that is words: one bit for each offset.
    #[inline(always)]
    pub(super) const fn words(&self) -> &Words {
        self.pages.words()
    }

    /// Goes on with members of the driver from there, which are looked up.
    #[cold]
    fn look_up_from(&mut self, at: usize) {
        let driver = self.search.inputs.driver;
        let members = Members::new(driver.dense(), false, is_cached(driver)).from(at);
        self.begin_at(Source::Members(members), None);
        self.align(members, None);
    }

    /// Where the values of the block are that was found last.
    #[inline(always)]
    pub(super) fn lanes(&self) -> Lanes<'_> {
        self.search.block.lanes()
    }

    /// Which cells its matches have.
    #[inline(always)]
    pub(super) fn order(&self) -> CellOrder {
        self.search.block.order()
    }

    /// How many matches there are; up to `most` are counted. It has not begun.
    #[inline(never)]
    pub(super) fn count(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
        most: usize,
    ) -> usize {
        self.finish(stores);
        self.choose(stores, plan, false);
        match &mut self.source {
            Source::Slices(slices) => slices.left().0,
            Source::Members(members) => members.count(&mut self.search, most),
            Source::Pages => self.pages.count(&mut self.search, most),
        }
    }

    /// The count by both ways of counting bits: for tests.
    pub(super) fn counts(&mut self, stores: Stores<'w>) -> [usize; 2] {
        self.finish(stores);
        self.begin_at(Source::Pages, None);
        self.pages.counts(&mut self.search)
    }

    /// The matches, if they are the first members of all pools that are read. It has not begun.
    #[inline(never)]
    pub(super) fn front(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
    ) -> Option<&'w [Entity]> {
        self.finish(stores);
        self.choose(stores, plan, false);
        match self.source {
            Source::Slices(slices) if self.search.inputs.parts.is_empty() => Some(slices.members()),
            _ => None,
        }
    }

    /// How matches are found. It has not begun.
    pub(super) fn plan(
        &mut self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
        access: &Access,
    ) -> Plan {
        self.finish(stores);
        let mut group = self.choose(stores, plan, true);
        if let Source::Slices(_) = self.source
            && self.search.inputs.required.len() > 1
            && group.is_none()
        {
            let is_it = |found: &BestGroup<'_>| found.is_exact && found.owns_all;
            group = best_group(&self.search.inputs, stores).filter(is_it); // was seen at a glance
        }
        let driver = self.search.inputs.driver;
        let is_driver = |pool: &&dyn WorldPool| core::ptr::eq(pool.raw_keys(), driver);
        let driver_name = stores.pools.iter().find(is_driver).map(ErasedPool::name);
        let (kind, candidates) = match self.source {
            Source::Slices(slices) => {
                let members = slices.members().len();
                let kind = match group {
                    Some(_) => PlanKind::Group,
                    None if slices.are_aligned() || self.search.inputs.are_in_step(0..members) => {
                        PlanKind::All
                    }
                    None => PlanKind::Dense,
                };
                (kind, members)
            }
            Source::Members(members) => {
                let is_kept = group.is_some_and(|group| group.is_exact);
                let kind = if is_kept { PlanKind::Group } else { PlanKind::Dense };
                (kind, members.left().0)
            }
            Source::Pages => match group {
                Some(group) => (PlanKind::Group, group.members.len()),
                None if self.search.inputs.required.is_empty() => {
                    (PlanKind::Everyone, stores.entities.index_count())
                }
                None => (PlanKind::Words, driver.page_count() * PAGE_LEN),
            },
        };
        let tests = match kind {
            PlanKind::Words => candidates / 64,
            _ => candidates / FEW_MATCHES,
        };
        let names = group.map(|group| group.names(stores.pools).to_string());
        let is_kept = group.is_some_and(|group| group.is_exact);
        let helpful = if is_kept { None } else { self.helpful(stores, access, tests) };
        Plan { kind, driver: driver_name, candidates, group: names, helpful }
    }

    /// The group that would spare so many tests, where there are many, and fewer matches.
    fn helpful(&mut self, stores: Stores<'w>, access: &Access, tests: usize) -> Option<String> {
        let (mut observed, mut excluded) = (Vec::new(), Vec::new());
        access.for_each_test(&mut |term| {
            let list = if term.is_exclusion() { &mut excluded } else { &mut observed };
            list.push(term.name());
        });
        let is_join = !observed.is_empty() && observed.len() + excluded.len() > 1;
        let is_worth = self.search.inputs.all_is_named()
            && is_join
            && tests >= WORTH_A_GROUP
            && self.count(stores, None, tests) < tests;
        is_worth.then(|| {
            let (observed, excluded) = (observed.into(), excluded.into());
            GroupNames { observed, excluded, ..GroupNames::default() }.to_string()
        })
    }

    /// Begins to look lists of entities up, instead of finding matches: first in the driver.
    pub(super) fn begin_list(&mut self, stores: Stores<'w>) {
        self.finish(stores);
        let Inputs { required, driver, .. } = &mut self.search.inputs;
        let is_driver = |input: &&mut Input<'_>| core::ptr::eq(input.keys, *driver);
        if let Some(input) = required.iter_mut().find(is_driver) {
            input.is_aligned = true;
        }
    }

    /// Makes those of these entities that match the next block. How many.
    #[inline(never)]
    pub(super) fn find_all(&mut self, list: &[Entity]) -> usize {
        by_own_instructions(FindAll(list, &mut self.search))
    }

    /// The smallest pool that every match is a member of.
    pub(super) fn driver(&mut self) -> &'w Keys<Entity> {
        self.search.inputs.finish();
        self.search.inputs.driver
    }

    /// Finds the next run of matches, which is as long as can be: how long, or 0, if there is none.
    pub(super) fn next_chunk(&mut self) -> usize {
        loop {
            let len = if self.chunks.needs_block() {
                let found = self.next(false);
                let len = self.chunks.enter(found);
                if found.len == 0 {
                    return len;
                }
                len
            } else {
                self.chunks.take(&self.search.inputs, &self.search.block)
            };
            if len > 0 {
                return len;
            }
        }
    }

    /// Where the values of the run are that was found last.
    pub(super) fn chunk_lanes(&self) -> Lanes<'_> {
        let Search { inputs, block, .. } = &self.search;
        let handles = inputs.handle_input().map_or(block.list, |input| input.keys.dense());
        self.chunks.lanes(block.handle_lane, handles)
    }

    /// The least and the most matches that there are beside the blocks that were found.
    pub(super) fn bounds(&self) -> (usize, Option<usize>) {
        let (left, all_match) = match &self.source {
            Source::Slices(slices) => slices.left(),
            Source::Members(members) => members.left(),
            Source::Pages if self.pages.is_over() => (0, true),
            Source::Pages if self.search.inputs.required.is_empty() => {
                (self.search.entities.len(), false)
            }
            Source::Pages => (self.search.inputs.driver.len(), false),
        };
        (if all_match { left } else { 0 }, Some(left))
    }
}

/// Where there is nothing more to find.
struct Nothing;

impl Way<Matching> for Nothing {
    fn find(_: &mut Matcher<'_>, _: bool) -> Found {
        Found::NONE
    }
}

/// By pages of this many pools, that are required; or of any.
struct ByPages<const K: usize>;

impl<const K: usize> Way<Matching> for ByPages<K> {
    #[inline(always)]
    fn find(matcher: &mut Matcher<'_>, _: bool) -> Found {
        let found = matcher.pages.next::<K>(&mut matcher.search);
        if matcher.pages.is_over() {
            matcher.find = Find::portable::<Nothing>();
        } else if K > 0 && matcher.pages.may_go_on_small() {
            matcher.find = Find::by::<BySmallPages<K>>();
        }
        found
    }
}

/// By pages of so many pools that are required, where values are in the caches, and cells are small.
struct BySmallPages<const K: usize>;

impl<const K: usize> Way<Matching> for BySmallPages<K> {
    #[inline(always)]
    fn find(matcher: &mut Matcher<'_>, wants_words: bool) -> Found {
        let Matcher { search, pages, find, .. } = matcher;
        let Some(found) = pages.next_small::<K>(search, wants_words) else {
            *find = Find::by::<ByPages<K>>();
            return find.call(matcher, false);
        };
        if pages.is_over() {
            *find = Find::portable::<Nothing>();
        }
        found
    }
}

struct ByMembers;

impl Way<Matching> for ByMembers {
    #[inline(always)]
    fn find(matcher: &mut Matcher<'_>, _: bool) -> Found {
        match &mut matcher.source {
            Source::Members(members) => members.next(&mut matcher.search),
            Source::Slices(_) | Source::Pages => Found::NONE,
        }
    }
}

struct BySlices;

impl Way<Matching> for BySlices {
    #[inline(always)]
    fn find(matcher: &mut Matcher<'_>, wants_words: bool) -> Found {
        let Source::Slices(slices) = &mut matcher.source else { return Found::NONE };
        match slices.next(&mut matcher.search) {
            Ok(found) => found,
            Err(at) => {
                matcher.look_up_from(at);
                matcher.next(wants_words)
            }
        }
    }
}

/// Chooses where matches come from, and finds the group that tells them.
fn choose<'w>(
    inputs: &Inputs<'w>,
    stores: Stores<'w>,
    plan: Option<PlanKind>,
    reads: bool,
) -> (Source<'w>, Option<BestGroup<'w>>) {
    let (driver, groups) = (inputs.driver, stores.groups);
    if inputs.required.is_empty() {
        return (Source::Pages, None);
    }
    let is_exact = inputs.tests == 0;
    let is_free = plan.is_none();
    if is_free
        && is_exact
        && let Some(source) = front(inputs, groups, reads)
    {
        return (source, None);
    }
    let look_up = || Source::Members(Members::new(driver.dense(), false, is_cached(driver)));
    if is_free
        && inputs.required.len() > 1
        && is_few(driver)
        && (groups.is_empty() || !groups.require_any(&inputs.wanted().0))
    {
        return (look_up(), None);
    }
    let own = match plan {
        _ if inputs.required.len() == 1 && inputs.is_all_required() => {
            Source::Slices(Slices::new(driver.dense()))
        }
        Some(PlanKind::Words) => Source::Pages,
        Some(PlanKind::Dense) => look_up(),
        _ if inputs.required.len() == 1 && drives(inputs) => look_up(),
        _ if are_few(driver, driver.len()) => look_up(),
        _ => Source::Pages,
    };
    if let (Source::Pages | Source::Members(_), false) = (&own, groups.is_empty())
        && matches!(plan, None | Some(PlanKind::Group))
        && let Some(chosen) = of_group(inputs, stores, &own)
    {
        return chosen;
    }
    if is_free && is_exact && reads && inputs.parts.is_empty() && inputs.required.len() > 1 {
        match in_step(inputs) {
            InStep::Told => return (Source::Slices(Slices::new(driver.dense())), None),
            InStep::Seemingly => return (Source::Slices(Slices::seemingly(driver.dense())), None),
            InStep::Not => {}
        }
    }
    (own, None)
}

/// The matches as slices, where that takes little to see: those of one pool, or of a group that owns just
/// what is required, and maybe what is optional. Whoever has what is required matches.
fn front<'w>(inputs: &Inputs<'w>, groups: &Groups, reads: bool) -> Option<Source<'w>> {
    let members = inputs.driver.dense();
    let parts = if reads { &inputs.parts[..] } else { &[] };
    if groups.is_empty() {
        let is_slice = inputs.required.len() == 1 && parts.is_empty();
        return is_slice.then(|| Source::Slices(Slices::new(members)));
    }
    let (required, _) = inputs.wanted();
    let len = if inputs.required.len() == 1 { members.len() } else { groups.owning(&required)? };
    let members = members.get(..len)?;
    match parts {
        [] => Some(Source::Slices(Slices::new(members))),
        [_] => {
            // Where another group also owns what is optional, its members are in front.
            let optional = &inputs.others;
            let all = optional.iter().map(|input| input.number).collect();
            let split = groups.owning(&required.union(all))?;
            let is_there = |it: &Input<'_>| it.role == Role::Required && it.keys.len() >= split;
            let are_there = split <= members.len() && optional.iter().all(is_there);
            are_there.then(|| Source::Slices(Slices::with_split(members, split)))
        }
        _ => None,
    }
}

/// The group that serves the join best.
fn best_group<'w>(inputs: &Inputs<'w>, stores: Stores<'w>) -> Option<BestGroup<'w>> {
    let (required, excluded) = inputs.wanted();
    let wanted = Wanted {
        required,
        excluded,
        read: inputs.components_read(),
        is_all: inputs.all_is_named(),
        terms: &|tell| inputs.tell_terms(tell),
    };
    stores.groups.best(stores.pools, &wanted)
}

/// How a group's members serve the join, if any group's do so better than its own way.
fn of_group<'w>(
    inputs: &Inputs<'w>,
    stores: Stores<'w>,
    own: &Source<'w>,
) -> Option<(Source<'w>, Option<BestGroup<'w>>)> {
    let (driver, found) = (inputs.driver, best_group(inputs, stores)?);
    let members = found.members;
    let is_driven = inputs.required.len() == 1 && matches!(own, Source::Members(_));
    let list = |all_match| Source::Members(Members::new(members, all_match, is_cached(driver)));
    let source = if found.is_exact && inputs.parts.is_empty() && found.owns_all {
        Source::Slices(Slices::new(members))
    } else if is_driven && found.listed.is_some() && driver.len() <= members.len() * DRIVES_GROUP {
        // Reading the values in a row is worth the tests of those that do not match.
        return None;
    } else if found.is_exact {
        let is_listed =
            found.listed.is_some() && members.len() >= driver.page_count() * LISTED_A_PAGE;
        let goes_by_words = matches!(own, Source::Pages) || is_driven;
        if is_listed && goes_by_words { Source::Pages } else { list(true) }
    } else if are_few(driver, members.len()) && members.len() < driver.len() {
        list(false)
    } else {
        return None;
    };
    Some((source, Some(found)))
}

/// Whether the members of a pool are so few that each is looked up without looking for a better way.
#[inline(always)]
pub(super) fn is_few(driver: &Keys<Entity>) -> bool {
    driver.len() <= FEW && are_few(driver, driver.len())
}

/// Whether testing so many entities one by one takes less than joining the words of all pages.
#[inline(always)]
fn are_few(driver: &Keys<Entity>, entities: usize) -> bool {
    entities <= driver.page_count() * FEW_A_PAGE
}

/// Whether the members of the only pool that is required are tested, instead of joining the words of all.
///
/// That is better where it has few members, be it that not all of them match. Of many, some are looked at:
/// words are better where few match, and where matches are neighbours in long runs.
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

/// Whether pools are in step: their pages tell so, or some of their members.
enum InStep {
    Told,
    Seemingly,
    Not,
}

/// Whether all required pools have the same members in the same order, so that their values are read in
/// a row.
fn in_step(inputs: &Inputs<'_>) -> InStep {
    let driver = inputs.driver;
    if inputs.required.iter().any(|input| input.keys.len() != driver.len()) {
        return InStep::Not;
    }
    let pages = driver.page_count();
    let is_told = |number| {
        let page = driver.page(number);
        inputs.required.iter().all(|input| input.keys.page(number).is_in_step(page))
    };
    if pages <= TOLD_PAGES && (0..pages).all(is_told) {
        return InStep::Told;
    }
    // Where pages tell that they are in order, they tell as much, and for less.
    let mut are_in_order = true;
    for at in (0..driver.len()).step_by(driver.len().div_ceil(STEPS).max(1)) {
        let entity = driver.dense()[at];
        if inputs.required.iter().any(|input| input.keys.dense()[at] != entity) {
            return InStep::Not;
        }
        let number = page_of(entity.index());
        let is_in_order = |input: &Input<'_>| input.keys.page(number).is_sequential();
        are_in_order &= inputs.required.iter().all(is_in_order);
    }
    if are_in_order { InStep::Not } else { InStep::Seemingly }
}
