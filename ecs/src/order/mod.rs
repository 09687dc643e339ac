//! Pools in one order, so that loops over several of them walk along slices.
//!
//! ```text
//! loops    count their matches at the pool that drove them
//! scan     a pool that was walked often enough, and those beside it, become bands
//! trial    loops gain and edits take, as if there were an order already
//! arrange  all members of the bands move to tiles, once
//! repair   after edits, what moved gets places again
//! ```
//!
//! All of it happens where the world is borrowed exclusively: before a loop that may write, before systems run. Loops pay its cost, in
//! units of matches: visits when loops have lost as much, repairs as long as loops find as much. So it takes only a part of the time
//! of a program, for any edits. Equal histories give equal orders, as nothing is measured by a clock.

mod arrange;
pub(crate) mod check;
pub(crate) mod repair;
mod survey;

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::order::repair::Scratch;
use crate::order::survey::scale;
use crate::pool::pools::{Pools, SCAN};
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
    /// The bank that a trial must reach before pools are arranged; 0 if there is no trial.
    pub(crate) target: i64,
    /// The number of matches while no pool was ordered, and the loss of the scattered ones. Both are halved at each look
    /// at the walks.
    pub(crate) found: i64,
    pub(crate) lost: i64,
    /// The gain of an ordered match, in parts of [`WHOLE`]: the average loss of a match before.
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
    /// The number of matches that it drove; for an ordered pool, their gain less the cost of its edits.
    pub(crate) balance: i64,
    /// The loss of the scattered ones, and the [places](Pools::place_of) of the pools in these loops.
    pub(crate) lost: i64,
    pub(crate) partners: [u64; 4],
    /// The gain of a match of an ordered pool, like [`PoolOrder::gain`].
    pub(crate) gain: i64,
    /// The number of times that ordering it did not pay.
    pub(crate) failures: u32,
}

/// The loss of a scattered match in the caches is 1, the unit of costs: some 0.5 ns. In larger pools it is the first of
/// these if values are [near](crate::storage::page::Page::is_near), and else the second.
pub(crate) const NEAR: u64 = 4;
pub(crate) const FAR: u64 = 16;
/// A pool may be ordered when loops that it drove have lost this for each of its members.
const PRICE: i64 = 8;
/// All such pools are ordered together when loops have lost this for each entity that is in several of them. A part of the
/// loss comes before edits are noted, and the rest is net of their cost. Beside ordered pools, others
/// enter when loops have lost that first part for each member of all these pools.
const VISIT: i64 = 64;
const BEFORE_TRIAL: i64 = 16;
/// A trial ends without an order when repairs would have cost more than loops gain, by this part of its target.
const TRIAL_LOSS: i64 = 8;
/// The cost of the beginning of a run. Pools are arranged if the members of an average tile gain as much.
const RUN: i64 = 16;
/// The cost of the repair of one edit of a pool, some 400 instructions, and of an exchange because an entity gained or
/// lost a component.
const EDIT: i64 = 256;
const FLIP: i64 = 32;
/// A pool that did not pay is ordered again when loops that it drove have lost twice as much; at most this often
/// doubled.
pub(crate) const MOST_FAILURES: u32 = 20;
/// Trials that fail double it at most this often.
const MOST_TRIALS: u32 = 4;
/// An ordered pool leaves if the edits of its component have cost more than the loops that it drove gained, by this for
/// each of its members.
const PATIENCE: i64 = 16;
/// The gain of a match that would be scattered without an order, in the caches, in the unit of [`PoolOrder::gain`]; and the
/// gain of one in large pools.
pub(crate) const WHOLE: i64 = 64;
pub(crate) const MOST_GAIN: i64 = WHOLE * FAR.cast_signed();
/// Repairs may cost this before loops have paid for it.
const CREDIT: i64 = 1 << 14;
/// Loops pay in advance for this for each member of an ordered pool.
const BANKED: i64 = 16;
/// After this many looks at the walks without a loss, one failure is forgotten.
const CALM: u32 = 16;
/// The number of calls between two looks at the walks, doubled by each failure.
const PAUSE: u32 = 16;

impl PoolOrder {
    pub(crate) const fn new() -> Self {
        let accounts = Vec::new();
        Self {
            is_off: false,
            seen: 0,
            bank: 0,
            target: 0,
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
    #[inline]
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
        let is_scan = self.pause == 0 || asked & SCAN != 0 && self.failures == 0;
        if is_scan {
            self.pause = PAUSE << self.failures;
            self.scan(pools, groups);
        }
        self.pause -= 1;
        let mut survey = survey::survey(pools);
        if survey.lost != 0 {
            self.leave_all(pools, survey.lost);
            survey = survey::survey(pools);
        }
        if survey.edits > 0 && !self.pay(survey.edits * EDIT, survey.members, pools) {
            // Loops gain less than repairs take: for a while at least, all pools go without an order.
            let is_trial = is_waiting(pools);
            self.fail(pools, if is_trial { MOST_TRIALS } else { MOST_FAILURES });
        } else if is_waiting(pools) {
            // Counting the walks at each loop would be a third of the time of short ones.
            if is_scan || survey.edits > 0 || self.pause.is_multiple_of(PAUSE) {
                self.wait(pools, entities, survey.edits > 0);
            }
        } else if survey.edits > 0 {
            let flipped = repair::repair(pools, self.scratch(), entities, survey);
            self.charge(flipped, pools);
        }
    }

    /// Takes the price of repairs out of the bank. Returns `false` if that is more than it lends.
    fn pay(&mut self, price: i64, members: i64, pools: &Pools) -> bool {
        let lent = CREDIT.max(self.target / TRIAL_LOSS);
        if price > self.bank + lent {
            self.collect(pools);
        }
        if self.target == 0 {
            self.bank = self.bank.min(members * BANKED + CREDIT);
        }
        let can_pay = price <= self.bank + lent;
        self.bank -= if can_pay { price } else { 0 };
        can_pay
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        let scratch = self.scratch.as_ref().map(|scratch| size_of::<Scratch>() + scratch.memory());
        heap(&self.accounts) + scratch.unwrap_or(0)
    }

    /// Frees the memory that is made again on demand.
    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        self.scratch = None;
        self.accounts.shrink_to_fit();
    }

    /// Orders all pools that may be ordered, now and completely. They are not kept in order if that is off.
    #[inline]
    pub(crate) fn order_all(&mut self, pools: &mut Pools, entities: &Entities, groups: &Groups) {
        self.seen = entities.turnover();
        let all = pools.made().to_vec();
        self.leave_all(pools, survey::survey(pools).lost);
        self.enter(pools, groups, all);
        restart(pools);
        (self.gain, self.target) = (WHOLE, 0);
        arrange::arrange(pools, self.scratch(), entities, 0);
        if self.is_off {
            self.turn(pools, entities, false);
        }
    }

    /// Turns ordering on or off. Members stay where they are, and the losses of loops are forgotten.
    pub(crate) fn turn(&mut self, pools: &mut Pools, entities: &Entities, is_on: bool) {
        let numbers = pools.tiling_mut().take().map(|tiling| tiling.numbers()).unwrap_or_default();
        numbers.into_iter().for_each(|number| pools.at_mut(number).set_mut().scatter());
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
            let (matches, of_these) = (limited(walked.matches), limited(walked.lost));
            found = added(found, matches);
            lost = added(lost, of_these);
            let is_ordered = pools.tiling().is_some_and(|it| it.band_with(number).is_some());
            let account = self.account(number);
            let gain = if is_ordered { account.gain } else { WHOLE };
            account.balance = added(account.balance, gained(matches, gain));
            account.lost = added(account.lost, of_these);
            for (all, some) in account.partners.iter_mut().zip(walked.places) {
                *all |= some;
            }
        }
        if is_ordering(pools) {
            self.bank = added(self.bank, gained(found, self.gain));
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
        if self.failures > 0 && self.calm >= CALM {
            (self.failures, self.calm) = (self.failures - 1, 0);
        }
        let is_beside = is_ordering(pools);
        let least = if is_beside { VISIT } else { PRICE };
        let (mut places, mut sum) = ([0; 4], 0);
        for (number, account) in (0..).zip(&self.accounts) {
            if account.lost < (least * scale(pools.keys_at(number).len())) << account.failures {
                continue;
            }
            let mut may_any = false;
            for place in places_in(account.partners) {
                let Some(other) = pools.number_at(place) else { continue };
                let has_failed =
                    self.accounts.get(other as usize).is_some_and(|account| account.failures > 0);
                if (other == number || !has_failed) && may_enter(pools, groups, other) {
                    may_any = true;
                    places[usize::from(place / 64)] |= 1 << (place % 64);
                }
            }
            if may_any {
                sum += account.lost;
            }
        }
        let numbers: Vec<u32> =
            places_in(places).filter_map(|place| pools.number_at(place)).collect();
        let (mut all, mut most) = (0, 0);
        for number in &numbers {
            let len = pools.keys_at(*number).len();
            (all, most) = (all + len, most.max(len));
        }
        if is_beside {
            let ordered: usize = pools.tiling().map_or(0, |tiling| {
                tiling.bands().map(|(_, band)| pools.keys_at(band.number).len()).sum()
            });
            if sum > 0 && sum >= BEFORE_TRIAL * scale(ordered + all) {
                self.enter(pools, groups, numbers);
                restart(pools);
            }
            return;
        }
        // Entities with a component of the largest pool alone are not visited.
        let visited = most.min(all - most);
        if sum > 0 && sum >= (BEFORE_TRIAL * scale(visited)) << self.failures {
            self.gain = gain_of(self.lost, self.found);
            (self.bank, self.target) = (0, (VISIT - BEFORE_TRIAL) * scale(visited));
            self.enter(pools, groups, numbers);
            restart(pools);
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
                account.gain = gain_of(account.lost, account.balance);
                (account.balance, account.lost) = (0, 0);
                let tiling = pools.tiling_mut().get_or_insert_default();
                tiling.add_band(number);
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

    /// Ends the ordering of all pools, which begins again later. `most` is the limit of doubling.
    fn fail(&mut self, pools: &mut Pools, most: u32) {
        (self.failures, self.calm) = (self.failures.max((self.failures + 1).min(most)), 0);
        self.leave_all(pools, BandSet::MAX);
    }

    /// Ends the ordering of these bands.
    fn leave_all(&mut self, pools: &mut Pools, bands: BandSet) {
        let Some(tiling) = pools.tiling() else { return };
        let some = tiling.bands().filter(|(at, _)| bands >> at & 1 != 0);
        let left: Vec<u32> = some.map(|(_, band)| band.number).collect();
        for number in left {
            self.account(number).balance = 0;
            leave(pools, number);
        }
    }

    /// Arranges bands that wait for it, if loops have paid for that.
    fn wait(&mut self, pools: &mut Pools, entities: &Entities, is_edited: bool) {
        // A quarter of the gain is to be left, so that a trial comes to an end.
        self.bank -= gained(self.collect(pools), self.gain) / 4;
        if self.target == 0 || self.bank >= self.target {
            self.target = 0;
            let least = (RUN * WHOLE / self.gain).unsigned_abs();
            if !arrange::arrange(pools, self.scratch(), entities, least) {
                self.fail(pools, MOST_FAILURES);
            }
        } else if is_edited {
            restart(pools); // and forget the edits that are paid
        }
    }
}

/// Returns the loss from which on a pool with this many members may be ordered.
pub(crate) fn price(members: usize) -> i64 {
    PRICE * scale(members)
}

/// Returns the places with these bits.
pub(crate) fn places_in(words: [u64; 4]) -> impl Iterator<Item = u8> {
    ComponentSet::of_words(words).numbers().map(|place| u8::try_from(place).unwrap_or(u8::MAX))
}

/// Sums are limited to this.
const MOST: i64 = i64::MAX >> 1;

/// Returns the gain of a match by an order, if some matches lost this without.
fn gain_of(lost: i64, matches: i64) -> i64 {
    let part = i128::from(lost) * i128::from(WHOLE) / i128::from(matches.max(1));
    i64::try_from(part).unwrap_or(MOST_GAIN).clamp(1, MOST_GAIN)
}

/// Returns the gain of this many matches.
const fn gained(matches: i64, gain: i64) -> i64 {
    (matches / WHOLE).saturating_mul(gain) + matches % WHOLE * gain / WHOLE
}

/// Returns the sum, limited.
fn added(sum: i64, more: i64) -> i64 {
    sum.saturating_add(more).min(MOST)
}

/// Returns `true` if any pool is ordered.
fn is_ordering(pools: &Pools) -> bool {
    pools.tiling().is_some_and(|tiling| tiling.all() != 0)
}

/// Returns `true` if pools wait for their first order.
fn is_waiting(pools: &Pools) -> bool {
    is_ordering(pools) && pools.tiling().is_some_and(|tiling| tiling.waits)
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
        let len = pool.len();
        pool.set_mut().keep(len, None);
    }
}

/// Ends the ordering of a pool.
pub(crate) fn leave(pools: &mut Pools, number: u32) {
    if let Some(tiling) = pools.tiling_mut()
        && let Some(band) = tiling.band_with(number)
    {
        tiling.remove_band(band);
        pools.at_mut(number).set_mut().scatter();
    }
}

#[cfg(test)]
mod tests {
    use crate::{Component, PlanKind, World};

    #[derive(Component)]
    struct A(u32);
    #[derive(Component)]
    struct B(u32);
    #[derive(Component)]
    struct C;
    #[derive(Component)]
    struct D;

    #[test]
    fn pools_enter_with_kinds_that_come_late() {
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
        }
    }

    #[test]
    fn edits_keep_pools_that_are_in_step_without_an_order() {
        let mut world = World::new();
        let entities = world.spawn_batch((0..1_500).map(|at| (A(at), B(1))));
        entities.iter().step_by(10).for_each(|it| world.insert(*it, C).unwrap());
        let mut play = |frames: std::ops::Range<usize>, edits: usize| {
            for frame in frames {
                for edit in 0..edits {
                    let entity = entities[(frame * 31 + edit * 577) % entities.len()];
                    if world.remove::<C>(entity).is_none() {
                        world.insert(entity, C).unwrap();
                    }
                }
                world.view_mut::<(&mut A, &B)>().for_each(|(_, a, b)| a.0 += b.0);
                world.view_mut::<(&mut A, &C)>().for_each(|(_, a, _)| a.0 += 1);
            }
            world.check_invariants();
            world.view::<(&A, &C)>().explain().kind == PlanKind::Runs
        };
        assert!(!play(0..400, 16), "repairs would take more than loops gain");
        assert!(play(400..1_600, 0), "without edits an order pays");
    }
}
