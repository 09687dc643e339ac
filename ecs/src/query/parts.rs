//! A loop in parts, which are processed independently, by one thread or several.
//!
//! ```text
//! source   ├──────────┼──────────┼──────────┼──────────┼─────┤    positions or indices
//! leaves        0          1          2          3        4       of a fold: their number depends on the length alone
//!               └────┬─────┘          └────┬─────┘        │
//!                    └──────────┬──────────┘              │
//!                               └────────────┬────────────┘       combined in this order, for any threads
//! ```

use crate::query::matcher::{MatchSource, Matcher};
use alloc::vec::Vec;
use core::ops::{DerefMut, Range};
use core::sync::atomic::{AtomicBool, Ordering};

/// A source of matches; each part of it is processed once.
struct SourceParts<'w> {
    source: MatchSource<'w>,
    /// The number of positions or indices.
    len: usize,
    is_out_of_step: AtomicBool,
}

impl<'w> SourceParts<'w> {
    /// Returns the parts of a matcher that has begun, and has found nothing yet.
    fn new(matcher: &Matcher<'w>) -> Self {
        let (source, len) = matcher.source();
        Self { source, len, is_out_of_step: AtomicBool::new(false) }
    }

    /// Processes a part: `walk` continues until the matcher finds no more.
    fn walk<M: DerefMut<Target = Matcher<'w>>, R>(
        &self,
        matcher: &mut M,
        part: Range<usize>,
        walk: &dyn Fn(&mut M) -> R,
    ) -> R {
        matcher.begin_part(self.source, part);
        let result = walk(matcher);
        if matcher.is_out_of_step() {
            self.is_out_of_step.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Ends the loop when all parts were processed.
    fn end(self, matcher: &Matcher<'w>) {
        if !self.is_out_of_step.into_inner() {
            matcher.mark_in_step(self.source);
        }
    }
}

/// Calls `walk` with a matcher of each part of the source, until it finds no more there. The matcher must have begun,
/// and must not have found anything yet.
pub(super) fn walk<'w, M>(mut matcher: M, walk: &(dyn Fn(&mut M) + Sync))
where
    M: DerefMut<Target = Matcher<'w>> + Clone + Sync,
{
    #[cfg(feature = "parallel")]
    {
        let parts = SourceParts::new(&matcher);
        crate::parallel::pace::pace(parts.len, &mut matcher, &|matcher, part| {
            parts.walk(matcher, part, walk);
        });
        parts.end(&matcher);
    }
    #[cfg(not(feature = "parallel"))]
    walk(&mut matcher);
}

/// Folds a matcher of each leaf of the source, and combines the results. The leaves, and the order of combination,
/// depend on the length only. Returns `None` if the source is empty.
pub(super) fn fold<'w, M, B: Send>(
    mut matcher: M,
    fold: &(dyn Fn(&mut M) -> B + Sync),
    combine: &(dyn Fn(B, B) -> B + Sync),
) -> Option<B>
where
    M: DerefMut<Target = Matcher<'w>> + Clone + Sync,
{
    let parts = SourceParts::new(&matcher);
    let leaf = leaf_len(parts.len);
    let leaves = parts.len.div_ceil(leaf);
    let fold_some = |matcher: &mut M, leaves: Range<usize>| {
        let mut tree = Tree::new();
        for at in leaves {
            let part = at * leaf..parts.len.min((at + 1) * leaf);
            tree.push(Subtotal { at, rank: 0, result: parts.walk(matcher, part, fold) }, combine);
        }
        tree
    };
    #[cfg(feature = "parallel")]
    let tree = {
        use crate::parallel::sync::{Mutex, lock, unlocked};
        let nodes = Mutex::new(Vec::new());
        crate::parallel::pace::pace(leaves, &mut matcher, &|matcher, leaves| {
            let Tree(mut some) = fold_some(matcher, leaves);
            lock(&nodes).append(&mut some);
        });
        let mut nodes = unlocked(nodes);
        nodes.sort_unstable_by_key(|node| node.at);
        let mut tree = Tree::new();
        for node in nodes {
            tree.push(node, combine);
        }
        tree
    };
    #[cfg(not(feature = "parallel"))]
    let tree = fold_some(&mut matcher, 0..leaves);
    parts.end(&matcher);
    tree.combine(combine)
}

/// Returns the number of positions or indices that are folded to one result: some dozens of leaves for short sources,
/// some hundreds for long ones.
const fn leaf_len(len: usize) -> usize {
    const LEAST_LEAVES: usize = 16;
    let Some(log) = len.checked_ilog2() else { return 1 };
    let leaf = 1 << (log * 2 / 3);
    let most = len.div_ceil(LEAST_LEAVES);
    if leaf < most { leaf } else { most }
}

/// The result of the leaves from one on; their number is two to the power of its rank.
struct Subtotal<B> {
    at: usize,
    rank: u32,
    result: B,
}

/// The results of leaves, in their order. Two nodes are combined as soon as they are the halves of a third one: so the
/// combinations do not depend on the order in which results arrive.
struct Tree<B>(Vec<Subtotal<B>>);

impl<B> Tree<B> {
    const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds the node that follows the last one.
    fn push(&mut self, mut node: Subtotal<B>, combine: &dyn Fn(B, B) -> B) {
        // Nodes are consecutive, so nodes of one rank are neighbours.
        let is_left_of = |left: &Subtotal<B>, node: &Subtotal<B>| {
            left.rank == node.rank && left.at >> node.rank & 1 == 0
        };
        while let Some(left) = self.0.pop_if(|left| is_left_of(left, &node)) {
            let Subtotal { at, rank, result } = left;
            node = Subtotal { at, rank: rank + 1, result: combine(result, node.result) };
        }
        self.0.push(node);
    }

    /// Returns the combined result.
    fn combine(self, combine: &dyn Fn(B, B) -> B) -> Option<B> {
        let results = self.0.into_iter().map(|node| node.result).rev();
        results.reduce(|right, left| combine(left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::{String, ToString};

    /// Combines leaves in two pieces: those below a number, and the others.
    fn combined(leaves: usize, pieces: usize) -> String {
        let combine = |left: String, right: String| format!("({left}{right})");
        let mut all = Tree::new();
        for piece in [0..pieces, pieces..leaves] {
            let mut tree = Tree::new();
            for at in piece {
                tree.push(Subtotal { at, rank: 0, result: at.to_string() }, &combine);
            }
            for node in tree.0 {
                all.push(node, &combine);
            }
        }
        all.combine(&combine).unwrap()
    }

    #[test]
    fn leaves_are_combined_alike_in_any_pieces() {
        for pieces in 0..=7 {
            assert_eq!(combined(7, pieces), "(((01)(23))((45)6))");
            assert_eq!(combined(8, pieces), "(((01)(23))((45)(67)))");
        }
    }
}
