//! Pools in one order, so that loops over several of them walk along slices.
//!
//! ```text
//! loops    count their matches at the pool that drove them
//! scan     a pool that was walked often enough, and those beside it, become bands
//! visit    entities get places in tiles, some at a time
//! repair   after edits, what moved gets places again
//! ```
//!
//! All of it happens where the world is borrowed exclusively: before a loop that may write, before systems run. Loops pay its cost, in
//! units of matches: visits when loops have lost as much, repairs as long as loops find as much. So it takes only a part of the time
//! of a program, for any edits. Equal histories give equal orders, as nothing is measured by a clock.

pub(crate) mod check;
pub(crate) mod repair;
mod survey;

use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::order::repair::Scratch;
use crate::order::survey::scale;
use crate::pool::pools::{Pools, REPAIR, SCAN};
use crate::pool::tiling::{BandSet, bands_of, heap};
use crate::storage::keys::Keys;
use crate::storage::sort::sort_few;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The state of a world that orders its pools.
#[derive(Debug)]
pub(crate) struct PoolOrder {
    pub(crate) is_off: bool,
    /// The [turnover](Entities::turnover) at the last repair.
    pub(crate) seen: usize,
    /// The gain of ordered loops, less the price of repairs.
    pub(crate) bank: i64,
    /// The numbers of all matches and of scattered ones, found while no pool was ordered. Both are halved at each look at
    /// the walks.
    pub(crate) found: i64,
    pub(crate) lost: i64,
    /// The gain of an ordered match, in parts of [`WHOLE`]: as large a part as was scattered before.
    pub(crate) gain: i64,
    /// The number of calls before the walks are looked at.
    pub(crate) pause: u32,
    /// The number of times that ordering did not pay, and of looks at the walks since.
    pub(crate) failures: u32,
    pub(crate) calm: u32,
    /// The accounts of components, by their numbers.
    pub(crate) accounts: Vec<Account>,
    scratch: Option<Box<Scratch>>,
}

/// The reasons for a pool to be ordered, and against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    /// The number of matches that it drove, less the cost of its edits.
    pub(crate) balance: i64,
    /// The number of matches that were not found as slices, and the [places](Pools::place_of) of the pools in these
    /// loops.
    pub(crate) scattered: i64,
    pub(crate) partners: [u64; 4],
    /// The number of times that ordering it did not pay.
    pub(crate) failures: u32,
}

/// A scattered match takes longer than one in a slice: by 1, the unit of costs, in the caches, some 0.5 ns; by this in
/// large pools.
pub(crate) const FAR: u64 = 8;
/// A pool may be ordered when loops that it drove have lost this for each of its members.
const PRICE: i64 = 8;
/// The cost of a visit. All such pools are ordered together, from the beginning, when loops have lost this for each
/// entity that is visited. One pool enters beside others when loops have lost this for each of its members. A visit takes
/// some 900 instructions, which is several times as much: it pays to begin early, as loops go on.
const VISIT: i64 = 64;
/// The cost of the repair of one edit of a pool, some 400 instructions, and of an exchange because an entity gained or
/// lost a component.
const EDIT: i64 = 256;
const FLIP: i64 = 32;
/// A pool that did not pay is ordered again when loops that it drove have lost twice as much; at most this often
/// doubled.
pub(crate) const MOST_FAILURES: u32 = 20;
/// An ordered pool leaves if the edits of its component have cost more than the loops that it drove gained, by this for
/// each of its members.
const PATIENCE: i64 = 16;
/// The gain of a match that would be scattered without an order, in the unit of [`PoolOrder::gain`].
pub(crate) const WHOLE: i64 = 64;
/// Repairs may cost this before loops have paid for it.
const CREDIT: i64 = 1 << 14;
/// Loops pay in advance for this for each member of an ordered pool.
const BANKED: i64 = 16;
/// After this many looks at the walks without a loss, times two for each failure, one failure is forgotten.
const CALM: u32 = 64;
/// The number of calls between two looks at the walks.
const PAUSE: u32 = 16;
/// The least number of entities that a call visits, in some 0.1 ms.
const LEAST_VISITED: usize = if cfg!(test) { 1 << 4 } else { 1 << 8 };
/// A call visits one entity for this number of matches that loops found since the last call, so that visits take about as
/// long as these loops.
const FOUND_FOR_VISIT: i64 = 128;

impl PoolOrder {
    pub(crate) const fn new() -> Self {
        let accounts = Vec::new();
        Self {
            is_off: false,
            seen: 0,
            bank: 0,
            found: 0,
            lost: 0,
            gain: WHOLE,
            pause: 0,
            failures: 0,
            calm: 0,
            accounts,
            scratch: None,
        }
    }

    /// Makes this the state of a copy of a world.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let mut accounts = core::mem::take(&mut self.accounts);
        accounts.clone_from(&other.accounts);
        let scratch = self.scratch.take(); // which is empty between calls
        *self = Self { accounts, scratch, ..*other };
    }

    /// Returns the order of an empty world that is like another one.
    #[cfg(feature = "serde")]
    pub(crate) fn empty_like(other: &Self) -> Self {
        Self { is_off: other.is_off, ..Self::new() }
    }

    /// Returns `true` if a loop asked for an order, or entities came or went since the last repair of one.
    #[inline(always)]
    pub(crate) fn is_due(&self, pools: &Pools, entities: &Entities) -> bool {
        pools.is_asked() || pools.tiling().is_some() && self.seen != entities.turnover()
    }

    /// Orders pools as far as loops have paid for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep(&mut self, pools: &mut Pools, entities: &Entities, groups: &Groups) {
        self.seen = entities.turnover();
        let asked = pools.take_asked();
        if self.is_off {
            return;
        }
        if self.pause == 0 || asked & SCAN != 0 {
            self.pause = PAUSE;
            self.scan(pools, groups);
        }
        self.pause -= 1;
        let mut survey = survey::survey(pools);
        if survey.lost != 0 {
            leave_all(pools, survey.lost);
            survey = survey::survey(pools);
        }
        if survey.edits > 0 {
            let price = survey.edits * EDIT;
            if price > self.bank + CREDIT {
                self.collect(pools);
            }
            self.bank = self.bank.min(survey.members * BANKED + CREDIT);
            if price > self.bank + CREDIT {
                // Loops gain less than repairs take: for a while at least, all pools go without an order.
                leave_all(pools, BandSet::MAX);
                (self.failures, self.calm) = ((self.failures + 1).min(MOST_FAILURES), 0);
                return;
            }
            let flipped = repair::repair(pools, self.scratch(), entities, survey);
            self.bank -= price;
            self.charge(flipped, pools);
        }
        if survey.is_entering {
            self.visit(pools, entities);
        }
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let scratch = self.scratch.as_ref().map(|scratch| size_of::<Scratch>() + scratch.memory());
        heap(&self.accounts) + scratch.unwrap_or(0)
    }

    /// Frees the memory that is made again on demand.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.scratch = None;
        self.accounts.shrink_to_fit();
    }

    /// Orders all pools that may be ordered, now and completely. They are not kept in order if that is off.
    pub(crate) fn order_all(&mut self, pools: &mut Pools, entities: &Entities, groups: &Groups) {
        self.seen = entities.turnover();
        let all = pools.made().to_vec();
        leave_all(pools, survey::survey(pools).lost);
        self.enter(pools, groups, all);
        restart(pools);
        self.gain = WHOLE;
        while repair::visit(pools, self.scratch(), entities, usize::MAX) {}
        if self.is_off {
            self.turn(pools, entities, false);
        }
    }

    /// Turns ordering on or off. Members stay where they are, and the losses of loops are forgotten.
    pub(crate) fn turn(&mut self, pools: &mut Pools, entities: &Entities, is_on: bool) {
        let numbers = pools.tiling_mut().take().map(|tiling| tiling.numbers()).unwrap_or_default();
        numbers.into_iter().for_each(|number| pools.at_mut(number).scatter());
        pools.iter().for_each(|pool| _ = pool.raw_keys().walks.take());
        pools.take_asked();
        *self = Self { seen: entities.turnover(), is_off: !is_on, ..Self::new() };
    }

    pub(crate) fn is_on(&self) -> bool {
        !self.is_off
    }

    fn scratch(&mut self) -> &mut Scratch {
        self.scratch.get_or_insert_default()
    }

    pub(crate) fn account(&mut self, number: u32) -> &mut Account {
        let at = number as usize;
        if self.accounts.len() <= at {
            self.accounts.resize(at + 1, Account::default());
        }
        &mut self.accounts[at]
    }

    /// Adds the losses and gains of loops to the accounts. Returns the number of matches that they found.
    fn collect(&mut self, pools: &Pools) -> i64 {
        let (mut found, mut lost) = (0, 0);
        for (number, pool) in pools.numbered() {
            let walked = pool.raw_keys().walks.take();
            if walked.matches == 0 {
                continue;
            }
            let limited = |count: u64| i64::try_from(count).unwrap_or(MOST);
            let (matches, scattered) = (limited(walked.matches), limited(walked.scattered));
            found = added(found, matches);
            lost = added(lost, scattered);
            let account = self.account(number);
            account.balance = added(account.balance, matches);
            account.scattered = added(account.scattered, scattered);
            for (all, some) in account.partners.iter_mut().zip(walked.places) {
                *all |= some;
            }
        }
        if is_ordering(pools) {
            let gain = found / WHOLE * self.gain + found % WHOLE * self.gain / WHOLE;
            self.bank = added(self.bank, gain);
        } else {
            self.found = added(self.found, found);
            self.lost = added(self.lost, lost);
        }
        found
    }

    /// Looks at the walks of all pools, and orders the pools that were walked enough.
    fn scan(&mut self, pools: &mut Pools, groups: &Groups) {
        (self.found, self.lost) = (self.found / 2, self.lost / 2);
        self.collect(pools);
        self.calm += 1;
        if self.failures > 0 && self.calm >> self.failures >= CALM {
            (self.failures, self.calm) = (self.failures - 1, 0);
        }
        let (mut some, mut one) = ([0; 4], [0; 4]);
        let mut sum = 0;
        for (number, account) in (0..).zip(&self.accounts) {
            let scale = scale(pools.keys_at(number).len()) << account.failures;
            if account.scattered < PRICE * scale {
                continue;
            }
            let (mut may_any, is_far) = (false, account.scattered >= VISIT * scale);
            for place in places_in(account.partners) {
                let Some(other) = pools.number_at(place) else { continue };
                let account = self.accounts.get(other as usize);
                let has_failed = account.is_some_and(|account| account.failures > 0);
                if (other == number || !has_failed) && may_enter(pools, groups, other) {
                    may_any = true;
                    let (word, bit) = (usize::from(place / 64), 1 << (place % 64));
                    some[word] |= bit;
                    if is_far {
                        one[word] |= bit;
                    }
                }
            }
            if may_any {
                sum += account.scattered;
            }
        }
        if some == [0; 4] {
            return;
        }
        let numbers = |places: [u64; 4]| -> Vec<u32> {
            places_in(places).filter_map(|place| pools.number_at(place)).collect()
        };
        let (some, one) = (numbers(some), numbers(one));
        // Entities with a component of the largest pool alone are not visited.
        let (mut all, mut most) = (0, 0);
        for number in &some {
            let len = pools.keys_at(*number).len();
            (all, most) = (all + len, most.max(len));
        }
        let visited = most.min(all - most);
        if sum >= (VISIT * scale(visited)) << self.failures {
            if !is_ordering(pools) {
                let part =
                    i128::from(self.lost) * i128::from(WHOLE) / i128::from(self.found.max(1));
                self.gain = i64::try_from(part).unwrap_or(WHOLE).clamp(1, WHOLE);
            }
            self.enter(pools, groups, some);
            restart(pools);
        } else if is_ordering(pools) && !one.is_empty() {
            self.enter(pools, groups, one);
        }
    }

    /// Makes these pools bands, if they may be ordered. Bands are in the order of names: numbers differ from process to
    /// process, but orders must not.
    fn enter(&mut self, pools: &mut Pools, groups: &Groups, mut numbers: Vec<u32>) {
        let name = |number: u32| pools.at(number).kind().type_name();
        sort_few(&mut numbers, |a, b| name(*a) < name(*b));
        for number in numbers {
            if may_enter(pools, groups, number) {
                let account = self.account(number);
                (account.balance, account.scattered) = (0, 0);
                let tiling = pools.tiling_mut().get_or_insert_default();
                if tiling.add_band(number).is_some() {
                    let pool = pools.at_mut(number);
                    pool.keep(pool.len(), None);
                }
            }
        }
    }

    /// Charges pools for the edits of their components. A pool leaves if its edits cost more than loops gain.
    fn charge(&mut self, flipped: BandSet, pools: &mut Pools) {
        for band in bands_of(flipped) {
            let Some(tiling) = pools.tiling() else { return };
            let number = tiling.band(band).number;
            let len = pools.keys_at(number).len();
            let flips = self.scratch().take_flips(band);
            let account = self.account(number);
            account.balance -= flips * FLIP;
            if account.balance < -PATIENCE * scale(len) {
                account.balance = 0;
                account.failures = (account.failures + 1).min(MOST_FAILURES);
                leave(pools, number);
            }
        }
    }

    /// Visits entities of bands that are entering: loops have paid for all of them.
    fn visit(&mut self, pools: &mut Pools, entities: &Entities) {
        let count = usize::try_from(self.collect(pools) / FOUND_FOR_VISIT).unwrap_or(0);
        repair::visit(pools, self.scratch(), entities, count.max(LEAST_VISITED));
        pools.ask(REPAIR); // to go on
    }
}

/// Returns the number of scattered matches from which on a pool with this many members may be ordered.
pub(crate) fn price(members: usize) -> i64 {
    PRICE * scale(members)
}

/// Returns the places with these bits.
pub(crate) fn places_in(words: [u64; 4]) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(move |place| words[usize::from(place / 64)] >> (place % 64) & 1 != 0)
}

/// Sums are limited to this.
const MOST: i64 = i64::MAX >> 1;

/// Returns the sum, limited.
fn added(sum: i64, more: i64) -> i64 {
    sum.saturating_add(more).min(MOST)
}

/// Returns `true` if any pool is ordered.
fn is_ordering(pools: &Pools) -> bool {
    pools.tiling().is_some_and(|tiling| tiling.all() != 0)
}

/// Returns `true` if the pool with this number is not ordered, and may be.
fn may_enter(pools: &Pools, groups: &Groups, number: u32) -> bool {
    let is_ordered = pools.tiling().is_some_and(|it| it.band_with(number).is_some());
    let may_be = |keys: &Keys<Entity>| !keys.is_pinned() && !groups.own(number);
    !is_ordered
        && pools.place_of(number).is_some()
        && pools.find_at(number).is_some_and(|pool| may_be(pool.raw_keys()))
}

/// Begins to order all bands anew.
fn restart(pools: &mut Pools) {
    let Some(tiling) = pools.tiling_mut() else { return };
    tiling.restart();
    for number in tiling.numbers() {
        let pool = pools.at_mut(number);
        pool.keep(pool.len(), None);
    }
}

/// Ends the ordering of a pool.
pub(crate) fn leave(pools: &mut Pools, number: u32) {
    if let Some(tiling) = pools.tiling_mut()
        && let Some(band) = tiling.band_with(number)
    {
        tiling.remove_band(band);
        pools.at_mut(number).scatter();
    }
}

/// Ends the ordering of these bands.
fn leave_all(pools: &mut Pools, bands: BandSet) {
    let Some(tiling) = pools.tiling() else { return };
    let left: Vec<u32> =
        tiling.bands().filter(|(at, _)| bands >> at & 1 != 0).map(|(_, it)| it.number).collect();
    left.into_iter().for_each(|number| leave(pools, number));
}

#[cfg(test)]
mod tests {
    use crate::{Component, World};

    #[derive(Component)]
    struct A(u32);
    #[derive(Component)]
    struct B(u32);
    #[derive(Component)]
    struct C;
    #[derive(Component)]
    struct D;

    /// In unit tests few entities are counted before room is reserved, and few are visited at once.
    #[test]
    fn pools_enter_in_pieces_with_kinds_that_were_not_counted() {
        for seed in 0..48_u64 {
            let mut state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut below = |end: u64| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % end
            };
            let mut world = World::new();
            let mut all = Vec::new();
            let mut matches = 0;
            for at in 0..900 {
                let mut entity = world.spawn(A(0));
                // Every 28th is counted, so one kind is not, and another one comes late.
                let kind = match at {
                    300..600 if at % 28 > 0 => seed,
                    600.. => seed / 8,
                    _ => seed / 64,
                };
                if kind & 1 != 0 {
                    entity.insert(B(1));
                    matches += 1;
                }
                if kind & 2 != 0 {
                    entity.insert(C);
                }
                if kind & 4 != 0 {
                    entity.insert(D);
                }
                all.push(entity.id());
            }
            for frame in 0..160 {
                world.view_mut::<(&mut A, &B)>().for_each(|(_, a, b)| a.0 += b.0);
                world.view_mut::<(&mut A, &C)>().for_each(|(_, a, _)| a.0 += 0);
                world.view_mut::<(&mut B, &D)>().for_each(|(_, b, _)| b.0 += 0);
                if frame % 8 == 0 {
                    world.check_invariants();
                }
                let at = usize::try_from(below(all.len() as u64)).unwrap();
                if frame % 3 == 0 && !world.has::<B>(all[at]) {
                    world.despawn(all.swap_remove(at)).unwrap();
                }
            }
            let sum: u32 = world.view::<&A>().iter().map(|(_, a)| a.0).sum();
            assert_eq!(sum, 160 * matches, "seed {seed}");
            assert!(world.pool::<A>().is_ordered());
        }
    }
}
