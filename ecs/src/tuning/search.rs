//! The search for the layout that costs least: greedy, and then by exchanges.

use crate::group::state::Terms;
use crate::tuning::shape::Shape;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A group that could be chosen.
struct Candidate {
    terms: Terms,
    /// The shapes that it serves, and the cost of their walks then.
    serves: Vec<(usize, u64)>,
    edits: u64,
    /// The displayed group. Numbers differ from process to process, but names do not: so the first name decides between
    /// equally good groups.
    name: String,
}

/// The shared state while layouts are tried.
struct Trial {
    /// The cost of each shape without tuned groups.
    base: Vec<u64>,
    candidates: Vec<Candidate>,
}

/// A set of candidates, and the cost of all shapes and edits with it.
#[derive(Clone)]
struct Layout {
    chosen: Vec<usize>,
    /// The cost of each shape.
    costs: Vec<u64>,
    total: u64,
}

/// A group that does not exist yet is chosen if it gains this many eighths of the cost of its edits.
const MARGIN: u64 = 10;
/// The most rounds in which all exchanges are tried.
const ROUNDS: usize = 4;

/// Returns the groups with which all walks and edits cost least, beside the declared ones. `current` are the groups
/// that exist already; `may_keep` returns `true` for the groups that are allowed.
pub(super) fn best(
    shapes: &[&Shape],
    declared: &[&Terms],
    current: &[&Terms],
    may_keep: impl Fn(&Terms) -> bool,
    name: impl Fn(&Terms) -> String,
) -> Vec<Terms> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for shape in shapes {
        for terms in shape.groups() {
            let is_there = |candidate: &Candidate| candidate.terms == terms;
            let is_free = |other: &&Terms| terms.conflict(other).is_none() && **other != terms;
            if candidates.iter().any(is_there) || !declared.iter().all(is_free) || !may_keep(&terms)
            {
                continue;
            }
            let serves =
                (0..).zip(shapes).filter_map(|(at, shape)| Some((at, shape.with(&terms)?)));
            let edits = shape.edits(&terms);
            let is_kept = current.contains(&&terms);
            candidates.push(Candidate {
                serves: serves.collect(),
                edits: if is_kept { edits } else { edits * MARGIN / 8 },
                name: name(&terms),
                terms,
            });
        }
    }
    candidates.sort_by(|a, b| a.name.cmp(&b.name));
    let base = shapes.iter().map(|shape| {
        let served = declared.iter().filter_map(|group| shape.with(group));
        served.fold(shape.sums.none, u64::min)
    });
    let trial = Trial { base: base.collect(), candidates };
    let layout = trial.search();
    let mut chosen: Vec<Terms> =
        layout.chosen.iter().map(|&at| trial.candidates[at].terms.clone()).collect();
    chosen.sort_unstable();
    chosen
}

impl Trial {
    fn search(&self) -> Layout {
        let empty =
            Layout { chosen: Vec::new(), costs: self.base.clone(), total: self.base.iter().sum() };
        let mut best = self.refilled(empty);
        for _ in 0..ROUNDS {
            let mut is_better = false;
            for at in 0..self.candidates.len() {
                if best.chosen.contains(&at) {
                    continue;
                }
                let stays = |other: &&usize| !self.conflict(at, **other);
                let mut chosen: Vec<usize> = best.chosen.iter().filter(stays).copied().collect();
                if chosen.len() == best.chosen.len() {
                    continue; // it could have been added
                }
                chosen.push(at);
                let tried = self.refilled(self.layout(chosen));
                if tried.total < best.total {
                    (best, is_better) = (tried, true);
                }
            }
            // Omitting a group can be better, if others serve its shapes.
            for at in best.chosen.clone() {
                let others = best.chosen.iter().copied().filter(|other| *other != at);
                let tried = self.refilled(self.layout(others.collect()));
                if tried.total < best.total {
                    (best, is_better) = (tried, true);
                }
            }
            if !is_better {
                break;
            }
        }
        best
    }

    fn conflict(&self, a: usize, b: usize) -> bool {
        self.candidates[a].terms.conflict(&self.candidates[b].terms).is_some()
    }

    fn layout(&self, chosen: Vec<usize>) -> Layout {
        let mut costs = self.base.clone();
        let mut edits = 0;
        for candidate in chosen.iter().map(|at| &self.candidates[*at]) {
            edits += candidate.edits;
            for &(shape, cost) in &candidate.serves {
                costs[shape] = costs[shape].min(cost);
            }
        }
        Layout { chosen, total: costs.iter().sum::<u64>() + edits, costs }
    }

    /// Adds the candidate that gains most, as long as one gains anything.
    fn refilled(&self, mut layout: Layout) -> Layout {
        let mut is_out = vec![false; self.candidates.len()];
        for &chosen in &layout.chosen {
            is_out[chosen] = true;
        }
        loop {
            let mut best: Option<(u64, usize)> = None;
            for (at, candidate) in self.candidates.iter().enumerate() {
                if is_out[at] {
                    continue;
                }
                let gain = |&(shape, cost): &(usize, u64)| layout.costs[shape].saturating_sub(cost);
                let gain = candidate.serves.iter().map(gain).sum::<u64>();
                let gain = gain.saturating_sub(candidate.edits);
                // A candidate that gains nothing now gains nothing beside more groups.
                if gain == 0 || layout.chosen.iter().any(|chosen| self.conflict(at, *chosen)) {
                    is_out[at] = true;
                } else if best.is_none_or(|(most, _)| gain > most) {
                    best = Some((gain, at));
                }
            }
            let Some((_, at)) = best else { break };
            is_out[at] = true;
            layout.chosen.push(at);
            let candidate = &self.candidates[at];
            for &(shape, cost) in &candidate.serves {
                layout.costs[shape] = layout.costs[shape].min(cost);
            }
        }
        self.layout(layout.chosen)
    }
}

/// Returns the group with which this one conflicts, and `true` if it was declared.
pub(super) fn beside<'a>(
    terms: &Terms,
    declared: &[&'a Terms],
    target: &'a [Terms],
) -> Option<(&'a Terms, bool)> {
    let is_in_the_way = |other: &&Terms| terms.conflict(other).is_some();
    let declared = declared.iter().copied().find(is_in_the_way).map(|other| (other, true));
    declared.or_else(|| target.iter().find(is_in_the_way).map(|other| (other, false)))
}
