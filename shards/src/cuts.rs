//! Cuts: which rank has which part of a line of cells. They move by load.

use crate::{ShardError, Shards, Transport};
use ecs::{AnyComponent, Ref, World};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A line of cells, such as the columns of a map, cut into one part for each rank. All ranks have equal cuts.
///
/// [`Shards::balance`] moves the cuts, so that all ranks have about the same load.
///
/// ```
/// use ecs_shards::Cuts;
///
/// let cuts = Cuts::even(10, 4);
/// assert_eq!((0..4).map(|rank| cuts.part(rank)).collect::<Vec<_>>(), [0..2, 2..5, 5..7, 7..10]);
/// assert_eq!(cuts.owner(6), 2);
/// assert_eq!(cuts.neighbours(3), [2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cuts {
    /// The first cell behind each part, in order.
    ends: Vec<usize>,
}

impl Cuts {
    /// Returns parts of equal length, or nearly so.
    ///
    /// # Panics
    /// Panics if there are fewer cells than ranks, or no ranks: each part has a cell.
    #[must_use]
    pub fn even(cells: usize, ranks: usize) -> Self {
        assert!(0 < ranks && ranks <= cells, "cannot cut {cells} cells into {ranks} parts");
        let end = |rank: usize| ((rank as u128 + 1) * cells as u128 / ranks as u128) as usize;
        Self { ends: (0..ranks).map(end).collect() }
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Returns the cells of a rank, which are at least one.
    ///
    /// # Panics
    /// Panics if there is no such rank.
    #[must_use]
    pub fn part(&self, rank: usize) -> Range<usize> {
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        start..self.ends[rank]
    }

    /// Returns the rank that has a cell; the last one for a cell behind the last. O(log ranks).
    #[must_use]
    pub fn owner(&self, cell: usize) -> usize {
        self.ends[..self.ends.len() - 1].partition_point(|end| *end <= cell)
    }

    /// Returns the ranks whose parts lie beside the one of this rank. However the cuts move, these are the same ranks, and
    /// entities move only to them.
    #[must_use]
    pub fn neighbours(&self, rank: usize) -> Vec<usize> {
        let all = rank.saturating_sub(1)..(rank + 2).min(self.ends.len());
        all.filter(|other| *other != rank).collect()
    }

    /// Returns cuts nearest to equal loads: a cell moves to a rank beside its own at most, and no part is empty.
    fn moved(&self, loads: &[u64]) -> Self {
        let mut before = vec![0_u128]; // the load before each cell
        for load in loads {
            before.push(before[before.len() - 1] + u128::from(*load));
        }
        let (cells, ranks) = (self.cells(), self.ends.len());
        let total = before[cells];
        if total == 0 {
            return self.clone();
        }
        let mut ends: Vec<usize> = Vec::with_capacity(ranks);
        for rank in 0..ranks - 1 {
            let target = total * (rank as u128 + 1) / ranks as u128;
            let behind = before.partition_point(|load| *load < target);
            let is_behind_nearer =
                behind == 0 || before[behind] - target < target - before[behind - 1];
            let nearest = if is_behind_nearer { behind } else { behind - 1 };
            let start = ends.last().copied().unwrap_or_default();
            let least = self.part(rank).start.max(start + 1);
            let most = self.ends[rank + 1].min(cells + 1 + rank - ranks);
            ends.push(nearest.clamp(least, most));
        }
        ends.push(cells);
        Self { ends }
    }
}

impl<T: Transport> Shards<T> {
    /// Moves the cuts so that all ranks have about the same load: the sum of the weights of their components `C`. `load`
    /// puts each component into a cell. Returns `true` if they moved; [`migrate`](Self::migrate) then moves the entities.
    /// Collective; O(components of type `C`, and cells).
    ///
    /// Loads are counts, not times, so a run repeats exactly. Each cut moves at most to the next one. Call it while entities
    /// are where they belong, as after `migrate`; others count in the nearest cell of their rank.
    ///
    /// # Errors
    /// When the ranks have different cuts, a rank ended or a message is not right.
    ///
    /// # Panics
    /// Panics if the cuts are of another number of ranks.
    ///
    /// ```
    /// use ecs::{Component, World};
    /// use ecs_shards::{Channels, Cuts, Identity, Shards};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// #[component(save = "column")]
    /// struct Column(usize);
    ///
    /// let entities = Channels::run(2, |channels| {
    ///     let mut world = World::new();
    ///     world.register::<Column>();
    ///     let mut shards = Shards::new(channels, &mut world)?;
    ///     let mut cuts = Cuts::even(100, 2);
    ///     // All are on the left, and so on one rank.
    ///     if shards.rank() == 0 {
    ///         world.spawn_batch((0..40).map(|at| (Identity(at as u64), Column(at))));
    ///     }
    ///     shards.balance::<Column>(&world, &mut cuts, |column| (column.0, 1))?;
    ///     shards.migrate::<Column>(&mut world, |column| cuts.owner(column.0))?;
    ///     assert_eq!(cuts.part(0), 0..20);
    ///     Ok(world.len())
    /// });
    /// assert_eq!(entities.unwrap(), [20, 20]);
    /// ```
    pub fn balance<C: AnyComponent>(
        &mut self,
        world: &World,
        cuts: &mut Cuts,
        load: impl Fn(Ref<'_, C>) -> (usize, u64),
    ) -> Result<bool, ShardError> {
        let (ranks, of) = (self.ranks(), cuts.ends.len());
        assert_eq!(of, ranks, "the cuts are of {of} ranks, and there are {ranks}");
        let part = cuts.part(self.rank());
        let mut own = vec![0_u64; part.len()];
        for (_, value) in world.pool::<C>() {
            let (cell, weight) = load(value);
            let sum = &mut own[cell.clamp(part.start, part.end - 1) - part.start];
            *sum = sum.saturating_add(weight);
        }
        let all = self.gather(own)?;
        for (rank, loads) in all.iter().enumerate() {
            let (found, expected) = (loads.len(), cuts.part(rank).len());
            if found != expected {
                let what = format!("it cuts {found} cells for itself instead of {expected}");
                return Err(ShardError::Mismatch { rank, what });
            }
        }
        let moved = cuts.moved(&all.concat());
        let have_moved = moved != *cuts;
        *cuts = moved;
        Ok(have_moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(cuts: &Cuts, loads: &[u64]) -> u64 {
        let ranks = 0..cuts.ends.len();
        ranks.map(|rank| loads[cuts.part(rank)].iter().sum()).max().unwrap()
    }

    #[test]
    fn cuts_move_to_equal_loads_by_neighbouring_parts() {
        let mut random = 1_u64;
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % end
        };
        for _ in 0..300 {
            let ranks = 1 + below(8);
            let cells = ranks + below(40);
            let peak = 1 + below(1_000);
            let loads: Vec<u64> = (0..cells)
                .map(|cell| if below(3) == 0 { 0 } else { below(peak + cell * cell) as u64 })
                .collect();
            let mut cuts = Cuts::even(cells, ranks);
            for _ in 0..2 * cells {
                let before = cuts.clone();
                cuts = before.moved(&loads);
                assert!((0..ranks).all(|rank| !cuts.part(rank).is_empty()));
                assert_eq!(cuts.cells(), cells);
                for cell in 0..cells {
                    let [old, new] = [&before, &cuts].map(|cuts| cuts.owner(cell));
                    assert!(cuts.part(new).contains(&cell) && old.abs_diff(new) <= 1);
                }
            }
            assert_eq!(cuts.moved(&loads), cuts, "they come to rest");
            // No part has more than its share and the load of half of a cell at either end; or each has one cell.
            let share = loads.iter().sum::<u64>() / ranks as u64;
            let of_cell = loads.iter().copied().max().unwrap();
            if cells > 4 * ranks && of_cell < share / 2 {
                assert!(most(&cuts, &loads) <= share + of_cell + 1, "{cuts:?} {loads:?}");
            }
        }
    }

    #[test]
    fn cuts_stay_without_loads_and_bear_the_largest() {
        let cuts = Cuts::even(7, 3);
        assert_eq!(cuts.moved(&[0; 7]), cuts);
        assert_eq!(cuts.moved(&[u64::MAX; 7]).cells(), 7);
        let cuts = Cuts::even(3, 3);
        assert_eq!(cuts.moved(&[0, 0, 9]), cuts, "each rank has a cell");
    }

    #[test]
    #[should_panic = "cannot cut 2 cells into 3 parts"]
    fn each_part_has_a_cell() {
        let _ = Cuts::even(2, 3);
    }
}
