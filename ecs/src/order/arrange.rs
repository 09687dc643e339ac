//! The first order of pools: all their members move once, to tiles in the order of entity indices.
//!
//! ```text
//! count     the entities of each kind
//! lay out   a tile for each kind with enough of them, in all its bands; then single ones; then the members of one band
//! move      each pool once, so the work for a member is that of a sort without comparisons
//! ```

use crate::entities::Entities;
use crate::entity::Entity;
use crate::order::repair::{Repair, Scratch, begin, short};
use crate::order::survey::survey;
use crate::pool::pools::Pools;
use crate::pool::tiling::{BandPositions, BandSet, MOST_BANDS, bands_of, count_of};
use crate::storage::sort::exchanges;
use alloc::vec;
use alloc::vec::Vec;

/// The least number of entities of a kind that get a tile. Repairs make tiles of more: few entities may soon be gone.
const LEAST_ARRANGED: u32 = 16;

/// A kind of several bands: its number of entities, and where they begin in each band.
struct Layout {
    kind: BandSet,
    count: u32,
    starts: BandPositions,
}

impl Layout {
    /// Returns `true` if there are enough entities for a tile.
    const fn has_tile(&self) -> bool {
        self.count >= LEAST_ARRANGED
    }
}

/// Orders all bands of a tiling that waits for it. Returns `false`, and does nothing, if tiles would have fewer members than
/// `least` on average.
pub(crate) fn arrange(
    pools: &mut Pools,
    scratch: &mut Scratch,
    entities: &Entities,
    least: u64,
) -> bool {
    let survey = survey(pools);
    let Some(mut tiling) = pools.tiling_mut().take() else { return true };
    let mut repair = begin(pools, &mut tiling, scratch, entities, survey);
    let layouts = repair.lay_out();
    let (mut members, mut runs) = (0, 0);
    for of in &layouts {
        members += u64::from(of.count) * u64::from(count_of(of.kind));
        runs += u64::from(count_of(of.kind));
    }
    let is_worth = members >= runs * least;
    if is_worth {
        repair.tiling.waits = false;
        repair.arrange(layouts);
        repair.touched = repair.tiling.all();
    } else {
        repair.touched = 0;
    }
    repair.finish();
    *pools.tiling_mut() = Some(tiling);
    is_worth
}

impl Repair<'_> {
    fn arrange(&mut self, layouts: Vec<Layout>) {
        let all = self.tiling.all();
        // For each band, the positions from which its members come.
        let mut orders: Vec<Vec<u32>> = vec![Vec::new(); MOST_BANDS];
        for band in bands_of(all) {
            let placed = layouts.iter().filter(|of| of.kind >> band & 1 != 0);
            let placed = placed.map(|of| of.count as usize).sum();
            orders[band] = vec![0; placed];
        }
        let mut ends: Vec<u32> = vec![0; layouts.len()];
        self.visit(|repair, entity, kind| {
            let Ok(at) = layouts.binary_search_by_key(&kind, |of| of.kind) else { return };
            for band in bands_of(kind) {
                let to = layouts[at].starts[band] + ends[at];
                orders[band][to as usize] = repair.positions[band];
            }
            if !layouts[at].has_tile() {
                let mut starts = layouts[at].starts;
                bands_of(kind).for_each(|band| starts[band] += ends[at]);
                repair.tiling.add_single(entity, kind, &starts);
            }
            ends[at] += 1;
        });
        for of in layouts.into_iter().filter(Layout::has_tile) {
            self.tiling.add(of.kind, of.count, &of.starts);
        }
        for band in bands_of(all) {
            self.move_all(band, core::mem::take(&mut orders[band]));
        }
    }

    /// Returns where the entities of each kind of several bands lie, in the order of the kinds: those with a tile first.
    fn lay_out(&mut self) -> Vec<Layout> {
        let mut layouts: Vec<Layout> = Vec::new();
        let mut last = 0;
        self.visit(|_, _, kind| {
            if layouts.get(last).is_none_or(|of| of.kind != kind) {
                last = layouts.binary_search_by_key(&kind, |of| of.kind).unwrap_or_else(|at| {
                    layouts.insert(at, Layout { kind, count: 0, starts: [0; MOST_BANDS] });
                    at
                });
            }
            layouts[last].count += 1;
        });
        let mut ends = [0; MOST_BANDS];
        for has_tile in [true, false] {
            for of in layouts.iter_mut().filter(|of| of.has_tile() == has_tile) {
                for band in bands_of(of.kind) {
                    of.starts[band] = ends[band];
                    ends[band] += of.count;
                }
            }
        }
        layouts
    }

    /// Calls `f` with each entity that has several bands, in the order of their indices, and its kind.
    fn visit(&mut self, mut f: impl FnMut(&mut Self, Entity, BandSet)) {
        let entities = self.entities;
        for entity in entities.with_several(0..entities.index_count(), self.components) {
            // Sets of components may be too large, and that depends on numbers of the process.
            let kind = self.look_at(entity);
            if count_of(kind) > 1 {
                f(self, entity, kind);
            }
        }
    }

    /// Moves the members of a band from these positions to its front. The others follow in their order, as a tile.
    fn move_all(&mut self, band: usize, mut order: Vec<u32>) {
        let number = self.tiling.band(band).number;
        let pool = self.pools.at_mut(number);
        let (len, placed) = (pool.len(), order.len());
        let mut is_placed = vec![false; len];
        for from in &order {
            is_placed[*from as usize] = true;
        }
        order.extend((0..short(len)).filter(|at| !is_placed[*at as usize]));
        if !order.is_sorted() {
            pool.set_mut().exchange_all(0, &exchanges(order));
        }
        if placed < len {
            let mut starts = [0; MOST_BANDS];
            starts[band] = short(placed);
            self.tiling.add(1 << band, short(len - placed), &starts);
        }
    }
}
