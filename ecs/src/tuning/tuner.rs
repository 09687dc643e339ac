//! The tuner of a world: what it remembers, and how it decides when a layout is changed.

use crate::entities::Entities;
use crate::group::counts::Edited;
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

/// What a world remembers of its views and edits, to choose its groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tuner {
    /// In the order of their terms.
    pub(super) shapes: Vec<Shape>,
    /// What all calls weigh together.
    pub(super) intervals: u64,
    /// The walks of shapes that are too many, or have too many terms.
    pub(super) uncounted: u64,
    /// How often each component was edited, of those that shapes name.
    pub(super) edited: Vec<u64>,
    /// What was lost because the layout is not the target, in units of [`cost`].
    lost: u64,
    /// The layout that would cost least; the groups that were declared when it was weighed.
    target: Vec<Terms>,
    beside: Vec<Terms>,
    /// The components that no tuned group names, and those that none owns, as the program sorts them.
    pub(super) excluded: Vec<u32>,
    pub(super) sorted: Vec<u32>,
    /// How many calls pass before the counts are looked at again, and how many did since they were.
    pause: u32,
    passed: u32,
    /// How many calls the last look at the counts stands for.
    calls: u64,
}

/// What a call of the tuner did, by terms.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub(crate) declared: Vec<Terms>,
    pub(crate) dropped: Vec<Terms>,
    /// Those that would take too long, and how many members each has to look at.
    pub(crate) postponed: Vec<(Terms, usize)>,
}

/// A shape is weighed from its second interval on: in the first, its edits were not counted.
const YOUNG: u32 = 2;
/// As long as nothing is to be changed, twice as many calls pass between two looks at the counts, up to this many: so a
/// call of a small world that has settled takes some ten nanoseconds. Edits are only counted before the last of them, as
/// a counted edit takes up to twice as long.
const MOST_PAUSED: u32 = 16;
/// Matches are counted again when the pools have grown or shrunk by one part in so many.
const REMEASURED: usize = 16;
/// Layouts are weighed again when a shape costs more or less by one part in so many,
const MOVED: u64 = 4;
/// and that is one part in so many of what all shapes cost.
const NOTABLE: u64 = 64;

impl Tuner {
    /// Takes the counts since the last time. Returns `false` if nothing was counted.
    pub(crate) fn note(&mut self, groups: &mut Groups, pools: &Pools, entities: &Entities) -> bool {
        let Some(counts) = groups.counts_mut() else { return false };
        let calls = u64::from(core::mem::take(&mut self.passed) + 1);
        let were_counted = counts.edits.is_counting();
        counts.edits.set_counting(true);
        let walks = counts.take_walks();
        let (edits, edited) = counts.edits.take();
        self.uncounted += counts.take_uncounted();
        let is_idle = walks.iter().all(|(_, walks)| *walks == 0);
        if is_idle && edited.is_empty() {
            return false;
        }
        fade(&mut self.intervals, calls);
        let before = self.intervals;
        self.intervals += SCALE * calls;
        self.calls = calls;
        for (number, count) in edited.into_iter().enumerate() {
            if number >= self.edited.len() {
                self.edited.resize(number + 1, 0);
            }
            self.edited[number] += count * calls; // those of the last call stand for all
        }
        for shape in &mut self.shapes {
            shape.sums.fade(calls);
        }
        let stores = Stores { pools, entities, groups };
        for (terms, walks) in walks {
            let at = match self.shapes.binary_search_by(|shape| shape.terms.cmp(&terms)) {
                Ok(at) => at,
                Err(at) => {
                    self.shapes.insert(at, Shape::new(terms));
                    at
                }
            };
            let shape = &mut self.shapes[at];
            shape.age = shape.age.saturating_add(1);
            let (required, excluded) = shape.kept();
            let is_it = |it: &&Edited| it.required == required && it.excluded == excluded;
            if !were_counted {
                // As many as there were on average.
                let average = |sum: u64| sum / before.max(1) * SCALE * calls;
                shape.sums.crossings += average(shape.sums.crossings);
                shape.sums.misses += average(shape.sums.misses);
            } else if let Some(edited) = edits.iter().find(is_it) {
                shape.sums.crossings += edited.crossings * SCALE * calls;
                shape.sums.misses += edited.misses * SCALE * calls;
            }
            if walks > 0 {
                shape.note(walks, stores);
            }
        }
        let kept = self.shapes.iter().map(|shape| {
            let (required, excluded) = shape.kept();
            (required.to_vec(), excluded.to_vec())
        });
        let kept: Vec<_> = kept.collect();
        if let Some(counts) = groups.counts_mut() {
            counts.edits.count_shapes(kept.into_iter());
        }
        true
    }

    /// Returns the shapes that can be weighed.
    pub(super) fn grown(&self) -> Vec<&Shape> {
        self.shapes.iter().filter(|shape| shape.age >= YOUNG).collect()
    }

    /// Returns the groups with which the views and edits that are remembered cost least, beside those that were
    /// declared. They are searched anew only if what is remembered has moved.
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
        let has_pool = |number: &u32| pools.numbered().any(|(other, _)| other == *number);
        let may_keep = |terms: &Terms| {
            let is_excluded = |number: &u32| self.excluded.contains(number);
            !terms.required().chain(&terms.excluded).any(is_excluded)
                && !terms.owned.iter().any(|number| self.sorted.contains(number))
                && terms.required().chain(&terms.excluded).all(has_pool)
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

    /// What all that is remembered costs with these groups, their edits included, and with those that were declared.
    fn cost(&self, declared: &[&Terms], tuned: &[&Terms]) -> u64 {
        let (mut total, grown) = (0, self.grown());
        for shape in &grown {
            let with = declared.iter().chain(tuned).filter_map(|group| shape.with(group));
            total += with.fold(shape.sums.none, u64::min);
        }
        total + tuned.iter().map(|group| edits(&grown, group)).sum::<u64>()
    }

    /// Changes the groups that the world chose, if that is worth its cost: at most so many members are looked at.
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
            if self.shapes.iter().all(|shape| shape.age >= YOUNG) && !self.shapes.is_empty() {
                self.pause = MOST_PAUSED.min(self.pause * 2 + 1);
                if let Some(counts) = groups.counts_mut() {
                    counts.edits.set_counting(false);
                }
            }
            return changed;
        }
        self.pause = 0;
        if is_new {
            let [now, then] = [&current, &target].map(|groups| self.cost(&declared, groups));
            // On average of the intervals that are remembered.
            self.lost += now.saturating_sub(then) / self.intervals.max(1) * self.calls;
        }
        let members = |terms: &Terms| smallest(pools, terms);
        let price = added.iter().chain(&dropped).map(|terms| cost::declaration(members(terms)));
        if self.lost < price.sum() {
            return changed;
        }
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
        // What is replaced by a group that was postponed stays until then.
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

    /// No tuned group names this component from now on, or some may.
    pub(crate) fn set_excluded(&mut self, number: u32, is_excluded: bool) {
        self.excluded.retain(|other| *other != number);
        if is_excluded {
            self.excluded.push(number);
        }
        self.weigh_anew();
    }

    /// No tuned group owns this component from now on.
    pub(crate) fn note_sorted(&mut self, number: u32) {
        if !self.sorted.contains(&number) {
            self.sorted.push(number);
            self.weigh_anew();
        }
    }

    /// Forgets what was counted.
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

/// What only observes, to weigh edits.
static NO_GROUP: Terms = Terms::none();

/// The declared groups, or those that the world chose.
pub(super) fn of(groups: &Groups, is_tuned: bool) -> Vec<&Terms> {
    groups.terms().filter(|(_, tuned)| *tuned == is_tuned).map(|(terms, _)| terms).collect()
}

/// What edits cost a group that one of these shapes asks for.
pub(super) fn edits(shapes: &[&Shape], group: &Terms) -> u64 {
    let of = shapes.iter().find(|shape| shape.with(group).is_some());
    of.map_or(0, |shape| shape.edits(group))
}

/// How many members declaring a group looks at.
pub(super) fn smallest(pools: &Pools, terms: &Terms) -> usize {
    terms.required().map(|number| pools.keys_at(*number).len()).min().unwrap_or(0)
}

impl Shape {
    /// Adds so many walks, of as many matches as there are now.
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
