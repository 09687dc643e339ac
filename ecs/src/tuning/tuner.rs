//! The tuner of a world: its history, and its decisions to change the layout.

use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::group::state::Terms;
use crate::pool::pools::Pools;
use crate::query::matcher::Stores;
use crate::query::measure::measure;
use crate::tuning::cost;
use crate::tuning::search;
use crate::tuning::shape::{SCALE, Shape, Sums, fade};
use alloc::string::ToString;
use alloc::vec::Vec;

/// The history of a world's views and edits, from which its groups are chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tuner {
    /// The shapes, in the order of their terms.
    pub(super) shapes: Vec<Shape>,
    /// The total weight of all calls.
    pub(super) intervals: u64,
    /// The walks of shapes that are too many, or have too many terms.
    pub(super) uncounted: u64,
    /// The number of edits of each component in a shape.
    pub(super) edited: Vec<u64>,
    /// The loss because the layout is not the target, in units of [`cost`].
    lost: u64,
    /// The layout that would cost least; the groups that were declared when it was weighed.
    target: Vec<Terms>,
    beside: Vec<Terms>,
    /// The components that no tuned group may name, and the ones that none may own, as the program sorts
    /// them.
    pub(super) excluded: Vec<u32>,
    pub(super) sorted: Vec<u32>,
    /// The number of calls until the counts are read again, and the number since they were read.
    pause: u32,
    passed: u32,
    /// The number of calls that the last reading of the counts stands for.
    calls: u64,
}

/// The changes that a call of the tuner made, by terms.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub(crate) declared: Vec<Terms>,
    pub(crate) dropped: Vec<Terms>,
    /// The groups that would take too long, and the number of members that each has to test.
    pub(crate) postponed: Vec<(Terms, usize)>,
}

/// A shape is weighed from its second interval on: its edits were not counted in the first one.
const YOUNG: u32 = 2;
/// The interval between two readings doubles while nothing changes, up to this number of calls: so a call for a small
/// world that does not change takes some ten nanoseconds. Edits are only counted before the last call, as a counted
/// edit takes up to twice as long. A reading after this many calls weighs as much as all before.
const MOST_PAUSED: u32 = 63;
/// While a better layout has not paid for itself yet, the counts are read again after one in this many of the calls
/// that it still needs.
const SOONER: u64 = 4;
/// Matches are counted again when the pools have grown or shrunk by one part in this many.
const REMEASURED: usize = 16;
/// Layouts are weighed again when the cost of a shape changes by one part in this many,
const MOVED: u64 = 4;
/// and by one part in this many of the cost of all shapes.
const NOTABLE: u64 = 64;

impl Tuner {
    /// Adds the counts since the last call. Returns `false` if nothing was counted.
    pub(crate) fn note(&mut self, groups: &mut Groups, pools: &Pools, entities: &Entities) -> bool {
        let Some(counts) = groups.counts_mut() else { return false };
        let calls = u64::from(core::mem::take(&mut self.passed) + 1);
        let were_counted = counts.edits.is_counting();
        counts.edits.set_counting(true);
        let walks = counts.take_walks();
        self.uncounted += counts.take_uncounted();
        let is_idle = walks.iter().all(|(_, walks)| *walks == 0);
        if is_idle && counts.edits.by_component().iter().all(|count| *count == 0) {
            return false;
        }
        fade(&mut self.intervals, calls);
        let before = self.intervals;
        self.intervals += SCALE * calls;
        self.calls = calls;
        let edited = counts.edits.by_component();
        self.edited.resize(edited.len().max(self.edited.len()), 0);
        for (sum, count) in self.edited.iter_mut().zip(edited) {
            *sum += count * calls; // the counts of the last call stand for all
        }
        for shape in &mut self.shapes {
            shape.sums.fade(calls);
        }
        let (stores, mut is_any_new) = (Stores { pools, entities, groups }, false);
        let Some(counts) = stores.groups.counts() else { return false };
        for (place, walks) in walks {
            let known = self.shapes.iter().position(|shape| shape.place == place);
            let at = known.unwrap_or_else(|| {
                is_any_new = true;
                let shape = Shape::new(place, counts.terms(place));
                let at = self.shapes.partition_point(|other| other.terms < shape.terms);
                self.shapes.insert(at, shape);
                at
            });
            let shape = &mut self.shapes[at];
            shape.age = shape.age.saturating_add(1);
            let (required, excluded) = shape.kept();
            if !were_counted {
                // The counts are assumed to equal the average.
                let average = |sum: u64| sum / before.max(1) * SCALE * calls;
                shape.sums.crossings += average(shape.sums.crossings);
                shape.sums.misses += average(shape.sums.misses);
            } else if let Some(edited) = counts.edits.of(required, excluded) {
                shape.sums.crossings += edited.crossings * SCALE * calls;
                shape.sums.misses += edited.misses * SCALE * calls;
            }
            if walks > 0 {
                shape.note(walks, stores);
            }
        }
        if let Some(counts) = groups.counts_mut() {
            counts.edits.forget();
            if is_any_new {
                counts.edits.count_shapes(self.shapes.iter().map(|shape| {
                    let (required, excluded) = shape.kept();
                    (required.to_vec(), excluded.to_vec())
                }));
            }
        }
        true
    }

    /// Returns the shapes that can be weighed.
    pub(super) fn grown(&self) -> Vec<&Shape> {
        self.shapes.iter().filter(|shape| shape.age >= YOUNG).collect()
    }

    /// Returns the groups with which the recorded views and edits cost least, beside the declared ones. Searches only
    /// if the costs have changed enough.
    pub(super) fn weigh(&mut self, groups: &Groups, pools: &Pools) -> &[Terms] {
        let declared: Vec<&Terms> = of(groups, false);
        let all = self.shapes.iter().map(|shape| shape.sums.none).sum::<u64>();
        let has_moved = |shape: &Shape| {
            let is_far = |now: u64, before: u64| {
                let moved = now.abs_diff(before);
                moved * MOVED > before && moved * NOTABLE > all
            };
            let edits = shape.edits(&NO_GROUP);
            is_far(shape.sums.none, shape.weighed.0) || is_far(edits, shape.weighed.1)
        };
        if !self.grown().into_iter().any(has_moved) && declared.iter().copied().eq(&self.beside) {
            return &self.target;
        }
        let current = of(groups, true);
        let may_keep = |terms: &Terms| {
            let is_excluded = |number: &u32| self.excluded.contains(number);
            !terms.required().chain(&terms.excluded).any(is_excluded)
                && !terms.owned.iter().any(|number| self.sorted.contains(number))
                && has_pools(pools, terms)
        };
        let name = |terms: &Terms| terms.names(pools).to_string();
        let target = search::best(&self.grown(), &declared, &current, may_keep, name);
        self.beside = declared.into_iter().cloned().collect();
        self.target = target;
        for shape in self.shapes.iter_mut().filter(|shape| shape.age >= YOUNG) {
            let edits = shape.edits(&NO_GROUP);
            shape.weighed = (shape.sums.none, edits);
        }
        &self.target
    }

    /// Returns the cost of the whole history with these groups, including their edits, and with the declared ones.
    fn cost(&self, declared: &[&Terms], tuned: &[&Terms]) -> u64 {
        let (mut total, grown) = (0, self.grown());
        for shape in &grown {
            let with = declared.iter().chain(tuned).filter_map(|group| shape.with(group));
            total += with.fold(shape.sums.none, u64::min);
        }
        total + tuned.iter().map(|group| edits(&grown, group)).sum::<u64>()
    }

    /// Returns `true` if neither this call nor the next one reads the counts.
    #[inline]
    pub(crate) fn pass(&mut self) -> bool {
        let passes = self.passed + 1 < self.pause;
        self.passed += u32::from(passes);
        passes
    }

    /// Changes the groups that the world chose, if that is worth its cost; tests at most `most` members.
    pub(crate) fn tune(
        &mut self,
        groups: &mut Groups,
        pools: &mut Pools,
        entities: &Entities,
        most: usize,
    ) -> Changed {
        let mut changed = Changed::default();
        if self.passed < self.pause {
            self.passed += 1;
            if self.passed == self.pause
                && let Some(counts) = groups.counts_mut()
            {
                counts.edits.set_counting(true);
            }
            return changed;
        }
        let is_new = self.note(groups, pools, entities);
        self.weigh(groups, pools);
        let (declared, current) = (of(groups, false), of(groups, true));
        let target: Vec<&Terms> = self.target.iter().collect();
        let added: Vec<&Terms> =
            target.iter().filter(|terms| !current.contains(terms)).copied().collect();
        let dropped: Vec<&Terms> =
            current.iter().filter(|terms| !target.contains(terms)).copied().collect();
        if added.is_empty() && dropped.is_empty() {
            self.lost = 0;
            self.rest(MOST_PAUSED.min(self.pause * 2 + 1), groups);
            return changed;
        }
        let [now, then] = [&current, &target].map(|groups| self.cost(&declared, groups));
        // This is the average over the recorded intervals.
        let a_call = now.saturating_sub(then) / self.intervals.max(1);
        if is_new {
            self.lost += a_call * self.calls;
        }
        let members = |terms: &Terms| smallest(pools, terms);
        let price = added.iter().chain(&dropped).map(|terms| cost::declaration(members(terms)));
        let left = price.sum::<u64>().saturating_sub(self.lost);
        if left > 0 {
            let calls = left.checked_div(a_call).unwrap_or(0) / SOONER;
            self.rest(calls.try_into().unwrap_or(MOST_PAUSED).min(MOST_PAUSED), groups);
            return changed;
        }
        self.pause = 0;
        let mut left = most;
        for terms in added {
            let members = members(terms);
            if members <= left {
                left -= members;
                changed.declared.push(terms.clone());
            } else {
                changed.postponed.push((terms.clone(), members));
            }
        }
        // A group that a postponed one replaces stays until then.
        let is_replaced = |terms: &&&Terms| {
            !changed.postponed.iter().any(|(new, _)| new.conflict(terms).is_some())
                || changed.declared.iter().any(|new| new.conflict(terms).is_some())
        };
        changed.dropped =
            dropped.iter().filter(is_replaced).map(|terms| (*terms).clone()).collect();
        groups.drop_tuned(|terms| changed.dropped.contains(terms));
        for terms in &changed.declared {
            groups.add_tuned(terms.clone(), pools);
        }
        if changed.postponed.is_empty() {
            self.lost = 0;
        }
        changed
    }

    /// Passes this many calls before the counts are read again, and counts edits only before the last; passes none while
    /// a shape is too young to be weighed.
    fn rest(&mut self, calls: u32, groups: &mut Groups) {
        let is_any_young = self.shapes.iter().any(|shape| shape.age < YOUNG);
        self.pause = if is_any_young { 0 } else { calls };
        if let Some(counts) = groups.counts_mut() {
            counts.edits.set_counting(self.pause == 0);
        }
    }

    /// Counts edits from now on, and reads the counts in the next call.
    pub(super) const fn count_every_edit(&mut self) {
        self.pause = 0;
    }

    /// Excludes this component from all tuned groups, or allows it again.
    pub(crate) fn set_excluded(&mut self, number: u32, is_excluded: bool) {
        self.excluded.retain(|other| *other != number);
        if is_excluded {
            self.excluded.push(number);
        }
        self.weigh_anew();
    }

    /// Prevents tuned groups from owning this component from now on.
    pub(crate) fn note_sorted(&mut self, number: u32) {
        if !self.sorted.contains(&number) {
            self.sorted.push(number);
            self.weigh_anew();
        }
    }

    /// Removes the history.
    pub(crate) fn forget(&mut self) {
        let Self { excluded, sorted, .. } = core::mem::take(self);
        *self = Self { excluded, sorted, ..Self::default() };
    }

    fn weigh_anew(&mut self) {
        self.pause = 0;
        self.target.clear();
        self.lost = 0;
        for shape in &mut self.shapes {
            shape.weighed = (0, 0);
        }
    }
}

/// The group for observing only, with which edits are weighed.
static NO_GROUP: Terms = Terms::none();

/// Returns the terms of the declared groups, or of the groups that the world chose.
pub(super) fn of(groups: &Groups, is_tuned: bool) -> Vec<&Terms> {
    groups.terms().filter(|(_, tuned)| *tuned == is_tuned).map(|(terms, _)| terms).collect()
}

/// Returns `true` if each component of a group has a pool. The targets of a relation have none.
pub(super) fn has_pools(pools: &Pools, terms: &Terms) -> bool {
    let mut all = terms.required().chain(&terms.excluded);
    all.all(|number| pools.numbered().any(|(other, _)| other == *number))
}

/// Returns the cost of edits for a group that serves one of these shapes.
pub(super) fn edits(shapes: &[&Shape], group: &Terms) -> u64 {
    let of = shapes.iter().find(|shape| shape.with(group).is_some());
    of.map_or(0, |shape| shape.edits(group))
}

/// Returns the number of members that declaring a group tests.
pub(super) fn smallest(pools: &Pools, terms: &Terms) -> usize {
    terms.required().map(|number| pools.keys_at(*number).len()).min().unwrap_or(0)
}

impl Shape {
    /// Adds this many walks, with the current number of matches.
    fn note(&mut self, walks: u64, stores: Stores<'_>) {
        let all = self.required.iter().chain(&self.excluded);
        let members = all.map(|number| stores.pools.keys_at(*number).len()).sum::<usize>();
        let is_old = |(_, before): &(_, usize)| {
            members.abs_diff(*before) * REMEASURED > *before || self.age.is_multiple_of(16)
        };
        if self.measured.as_ref().is_none_or(is_old) {
            self.measured = Some((measure(stores, &self.terms), members));
        }
        let walk = self.walk();
        let walks = walks * SCALE;
        self.sums += Sums {
            walks,
            matches: walks * self.measured.map_or(0, |(measured, _)| measured.matches as u64),
            none: walks * walk.none,
            owned: walks * walk.owned,
            half: walks * walk.half,
            listed: walks * walk.listed,
            crossings: 0,
            misses: 0,
        };
    }
}
