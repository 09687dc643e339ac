//! The shapes of views: the components of each, and the history of its walks and of edits.

use crate::group::counts::{ShapeTerm, TermRole};
use crate::group::state::Terms;
use crate::query::measure::Measured;
use crate::tuning::cost::{self, Walk};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::AddAssign;

/// Sums over the calls of the tuner, in units of [`cost`], or numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) walks: u64,
    pub(super) matches: u64,
    pub(super) none: u64,
    pub(super) owned: u64,
    pub(super) half: u64,
    pub(super) listed: u64,
    pub(super) crossings: u64,
    pub(super) misses: u64,
}

impl Sums {
    fn fields(&mut self) -> [&mut u64; 8] {
        let Self { walks, matches, none, owned, half, listed, crossings, misses } = self;
        [walks, matches, none, owned, half, listed, crossings, misses]
    }

    /// Reduces the sums after this many calls.
    pub(super) fn fade(&mut self, calls: u64) {
        for sum in self.fields() {
            fade(sum, calls);
        }
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, mut other: Self) {
        for (sum, other) in self.fields().into_iter().zip(other.fields()) {
            *sum += *other;
        }
    }
}

/// The weight of the results of one call, which decreases by one part in [`MEMORY`] with each later call.
pub(super) const SCALE: u64 = 1 << 8;
/// The weight halves after some 90 calls. A program that alternates between two ways to use its components, a hundred
/// frames each, is treated as one that does both.
const MEMORY: u64 = 128;

/// Reduces a sum after this many calls.
pub(super) fn fade(sum: &mut u64, calls: u64) {
    *sum -= (*sum * calls).div_ceil(MEMORY).min(*sum);
}

/// A shape: the components that a view requires, excludes, reads optionally, and reads.
#[derive(Clone, Debug)]
pub(super) struct ViewShape {
    /// The place of its walks in the counts.
    pub(super) place: usize,
    pub(super) terms: Vec<ShapeTerm>,
    pub(super) required: Vec<u32>,
    pub(super) excluded: Vec<u32>,
    pub(super) read: Vec<u32>,
    /// Both components of a view of one component and an optional one. A group of these contains the matches with both.
    pub(super) split: Option<Vec<u32>>,
    /// The last measured cost of finding its matches, and the number of members of the pools then.
    pub(super) measured: Option<(Measured, usize)>,
    pub(super) sums: Sums,
    /// The cost of its walks and of its edits when layouts were last weighed.
    pub(super) weighed: (u64, u64),
    /// The number of intervals in which its edits were counted.
    pub(super) age: u32,
}

impl ViewShape {
    pub(super) fn new(place: usize, terms: Vec<ShapeTerm>) -> Self {
        let of = |wanted: &dyn Fn(TermRole) -> bool| {
            let named = terms.iter().filter(|term| wanted(term.role));
            let mut numbers: Vec<u32> = named.map(|term| term.number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let required = of(&|role| matches!(role, TermRole::Read | TermRole::Required));
        let excluded = of(&|role| role == TermRole::Excluded);
        let all = of(&|_| true);
        let is_split = required.len() == 1 && excluded.is_empty() && all.len() == 2;
        Self {
            read: of(&|role| role == TermRole::Read),
            split: is_split.then_some(all),
            place,
            required,
            excluded,
            terms,
            measured: None,
            sums: Sums::default(),
            weighed: (0, 0),
            age: 0,
        }
    }

    /// Returns the cost of one walk, as last measured.
    pub(super) fn walk(&self) -> Walk {
        let (reads, is_split) = (!self.read.is_empty(), self.split.is_some());
        let walk = |(measured, _): &(Measured, _)| Walk::of(measured, reads, is_split);
        self.measured.as_ref().map_or(Walk::default(), walk)
    }

    /// Returns the components that groups with its matches require and exclude.
    pub(super) fn kept(&self) -> (&[u32], &[u32]) {
        (self.split.as_ref().unwrap_or(&self.required), &self.excluded)
    }

    /// Returns the cost of all walks with a group; `None` if its members are not the matches.
    pub(super) fn with(&self, group: &Terms) -> Option<u64> {
        let (required, excluded) = self.kept();
        let is_required = group.owned.len() + group.observed.len() == required.len()
            && group.required().all(|number| required.binary_search(number).is_ok());
        if !is_required || group.excluded != excluded {
            return None;
        }
        if self.split.is_some() {
            return group.observed.is_empty().then_some(self.sums.owned);
        }
        let owns = |number| group.owned.binary_search(number).is_ok();
        Some(if !group.owned.is_empty() && self.read.iter().all(owns) {
            self.sums.owned
        } else if group.owned.is_empty() {
            self.sums.listed
        } else {
            self.sums.half
        })
    }

    /// Returns the cost of the edits of a group with its matches.
    pub(super) fn edits(&self, group: &Terms) -> u64 {
        let is_far = self.measured.as_ref().is_some_and(|(measured, _)| measured.is_far);
        cost::edits(group, self.sums.crossings, self.sums.misses, is_far)
    }

    /// Returns the groups with its matches that make its walks cheaper: they own the pools that are read, some of them,
    /// or nothing.
    pub(super) fn groups(&self) -> Vec<Terms> {
        let (read, sums) = (&self.read, &self.sums);
        if let Some(both) = &self.split {
            let group = Terms::new(both.clone(), Vec::new(), Vec::new());
            return if sums.owned < sums.none { vec![group] } else { Vec::new() };
        }
        let mut groups = Vec::new();
        let mut add = |owned: &[u32], cost: u64| {
            if cost < sums.none {
                let rest = self.required.iter().filter(|number| !owned.contains(number));
                groups.push(Terms::new(
                    owned.to_vec(),
                    rest.copied().collect(),
                    self.excluded.clone(),
                ));
            }
        };
        if !read.is_empty() {
            add(read, sums.owned);
        }
        if read.len() > 1 {
            for at in 0..read.len() {
                add(&read[at..=at], sums.half);
            }
            for at in (0..read.len()).filter(|_| read.len() > 2) {
                let others = read.iter().enumerate().filter(|(other, _)| *other != at);
                add(&others.map(|(_, number)| *number).collect::<Vec<_>>(), sums.half);
            }
        }
        add(&[], sums.listed);
        groups
    }
}
