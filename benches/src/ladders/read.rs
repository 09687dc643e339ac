//! Components that are read by handle, in random order.

use super::Ladder;
use super::cells::{Forms, Plain};
use super::page::Paged;
use super::set::{Entity, Flat, Set, Sparse, number};
use super::world::{Erased, Pools};
use crate::components::{Position, Telling};
use crate::scene;

/// The handles, in the order in which they are read.
fn order() -> Vec<Entity> {
    let mut order: Vec<_> =
        (0..number(scene::MANY)).map(|index| Entity { index, generation: 1 }).collect();
    scene::shuffle(&mut order, 1);
    order
}

fn places() -> impl Iterator<Item = (Entity, Position)> {
    (0..number(scene::MANY))
        .map(|index| (Entity { index, generation: 1 }, Position::of(index as usize)))
}

fn set<S: Sparse>(ladder: Ladder, name: &'static str, adds: &'static str) -> Ladder {
    ladder.rung(
        name,
        adds,
        || {
            let mut set = Set::<Position, Entity, S>::default();
            places().for_each(|(entity, position)| set.push(entity, position));
            (set, order())
        },
        |(set, order)| {
            order.iter().map(|&entity| set.get(entity).map_or(0.0, Telling::x)).sum::<f32>()
        },
        |_| (),
    )
}

pub fn random_get() -> Ladder {
    let mut ladder = Ladder::new("random_get", scene::MANY, "a read").rung(
        "bare",
        "a cell of 4 bytes leads to the value, and nothing is asked",
        || {
            let cells: Vec<_> = (0..number(scene::MANY)).collect();
            (cells, places().map(|(_, position)| position).collect::<Vec<_>>(), order())
        },
        |(cells, values, order)| {
            let read = |entity: &Entity| values[cells[entity.index as usize] as usize].x();
            order.iter().map(read).sum::<f32>()
        },
        |_| (),
    );
    ladder = ladder.sparse_floor("a cell of 8 bytes, with the generation, which is compared");
    ladder = set::<Flat>(
        ladder,
        "handles",
        "instead, the handle in the dense array is compared; a cell has 4 bytes",
    );
    ladder =
        set::<Paged<Plain>>(ladder, "pages", "membership bits; bits and cells in pages of 1,024");
    ladder = set::<Paged<Forms>>(
        ladder,
        "forms",
        "no cells, as members are in order; the page knows the generation, no handle is read",
    );
    ladder = ladder.rung(
        "types",
        "the pool is found by its type, once",
        || {
            let mut pools = Pools::<Box<dyn Erased<Paged<Forms>>>>::default();
            places().for_each(|(entity, position)| pools.make().push(entity, position));
            (pools, order())
        },
        |(pools, order)| {
            let pool = pools.get::<Position>().expect("there is one");
            order.iter().map(|&entity| pool.get(entity).map_or(0.0, Telling::x)).sum::<f32>()
        },
        |_| (),
    );
    ladder.ours().rung(
        "memory",
        "no rung: reads of 8 bytes in the same order, from an array of 16 MB, that depend on nothing",
        || {
            let values: Vec<_> = places()
                .flat_map(|(_, position)| [f64::from(position.x()), 0.0])
                .collect();
            (values, order())
        },
        |(values, order)| {
            let read = |entity: &Entity| values[2 * entity.index as usize];
            #[expect(clippy::cast_possible_truncation, reason = "whole numbers below 2^24")]
            let sum = order.iter().map(read).sum::<f64>() as f32;
            sum
        },
        |_| (),
    )
}
