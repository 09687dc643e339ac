//! Joins: entities that have all of two or four components.

use super::Ladder;
use super::cells::{Cells, Forms, Plain};
use super::page::{Membership, Page, Paged};
use super::set::{Entity, Set, number};
use super::world::{Erased, Numbered, Pools};
use crate::components::{Audio, Position, Proximity, Telling, Velocity};
use crate::scene::{self, Join};

type Pool<T, C> = Set<T, Entity, Paged<C>>;

/// Cells in the form that they have when their set is complete.
trait Settled: Cells {
    fn settle(pages: &mut Paged<Self>, size: usize);
}

impl Settled for Plain {
    fn settle(_: &mut Paged<Self>, _: usize) {}
}

impl Settled for Forms {
    fn settle(pages: &mut Paged<Self>, size: usize) {
        pages.pack(size);
    }
}

fn fill<T: Telling, C: Settled>(pool: &mut Pool<T, C>, join: &Join, component: usize) {
    for at in join.members(component) {
        pool.push(Entity { index: number(at), generation: 1 }, T::of(at));
    }
    C::settle(&mut pool.sparse, pool.dense.len());
}

fn filled<T: Telling, C: Settled>(join: &Join, component: usize) -> Pool<T, C> {
    let mut pool = Set::default();
    fill(&mut pool, join, component);
    pool
}

/// Calls `visit` with where the matches are in pages that are all there.
#[inline(always)]
fn each_match<const N: usize>(pages: [&Membership; N], mut visit: impl FnMut(usize)) {
    if pages.iter().fold(!0, |all, page| all & page.summary()) == 0 {
        return;
    }
    // All words at once, by whole registers: most are not zero, of most matches nothing is left.
    let words: [u64; 16] =
        std::array::from_fn(|word| pages.iter().fold(!0, |all, page| all & page.word(word)));
    for (first, mut bits) in (0..).step_by(64).zip(words) {
        while bits != 0 {
            visit(first + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// The `x` of a member of a page.
#[inline(always)]
fn x<T: Telling, C: Cells>(pool: &Pool<T, C>, page: &Page<C>, offset: usize) -> f32 {
    pool.values.get(page.position(offset) as usize).map_or(0.0, Telling::x)
}

#[inline]
fn sum_of_two<C: Cells>(a: &Pool<Proximity, C>, b: &Pool<Audio, C>) -> f32 {
    let mut sum = 0.0;
    for pages in a.sparse.pages().iter().zip(b.sparse.pages()) {
        let (Some(at_a), Some(at_b)) = pages else { continue };
        each_match([&at_a.members, &at_b.members], |offset| {
            sum += x(a, at_a, offset) * x(b, at_b, offset);
        });
    }
    sum
}

/// Returns the result of [`sum_of_two`]; collects the positions of some dozens of matches before it reads them.
#[inline]
fn sum_of_two_in_batches<C: Cells>(a: &Pool<Proximity, C>, b: &Pool<Audio, C>) -> f32 {
    const FULL: usize = 64;
    let mut batch = [(0, 0); FULL];
    let (mut found, mut sum) = (0, 0.0);
    let read = |batch: &[(u32, u32)]| {
        let x = |(at_a, at_b): &(u32, u32)| {
            let (a, b) = (a.values.get(*at_a as usize), b.values.get(*at_b as usize));
            a.map_or(0.0, Telling::x) * b.map_or(0.0, Telling::x)
        };
        batch.iter().map(x).sum::<f32>()
    };
    for pages in a.sparse.pages().iter().zip(b.sparse.pages()) {
        let (Some(at_a), Some(at_b)) = pages else { continue };
        each_match([&at_a.members, &at_b.members], |offset| {
            batch[found % FULL] = (at_a.position(offset), at_b.position(offset));
            found += 1;
            if found == FULL {
                sum += read(&batch);
                found = 0;
            }
        });
    }
    sum + read(&batch[..found])
}

struct Four<C> {
    a: Pool<Proximity, C>,
    b: Pool<Audio, C>,
    p: Pool<Position, C>,
    v: Pool<Velocity, C>,
}

impl<C: Settled> Four<C> {
    fn of(join: &Join) -> Self {
        Self { a: filled(join, 0), b: filled(join, 1), p: filled(join, 2), v: filled(join, 3) }
    }

    fn sum(&self) -> f32 {
        sum_of_four(&self.a, &self.b, &self.p, &self.v)
    }
}

#[inline]
fn sum_of_four<C: Cells>(
    a: &Pool<Proximity, C>,
    b: &Pool<Audio, C>,
    p: &Pool<Position, C>,
    v: &Pool<Velocity, C>,
) -> f32 {
    let mut sum = 0.0;
    let ab = a.sparse.pages().iter().zip(b.sparse.pages());
    for pages in ab.zip(p.sparse.pages().iter().zip(v.sparse.pages())) {
        let ((Some(at_a), Some(at_b)), (Some(at_p), Some(at_v))) = pages else { continue };
        let members = [&at_a.members, &at_b.members, &at_p.members, &at_v.members];
        each_match(members, |at| {
            sum += x(a, at_a, at) * x(b, at_b, at) + x(p, at_p, at) * x(v, at_v, at);
        });
    }
    sum
}

type Table = Pools<Box<dyn Erased<Paged<Forms>>>>;

/// The pool of a type, which there is.
#[inline]
fn of<T: Numbered>(table: &Table) -> &Pool<T, Forms> {
    table.get().expect("there is one")
}

const BARE: &str = "masks, a word for 64 entities; flat arrays of 4 bytes a cell";
const PAGES: &str = "bits and cells in pages of 1,024; one without members is not there";
const FORMS: &str = "3 bytes a cell, or, in a page with few members, a cell a member, found by \
                     counting bits (in safe code not by the processor's instruction)";
const TYPES: &str = "the pools are found by their types, each time";

const BATCHES: &str = "no promise: some dozens of matches are found, then read, so that more values are on their \
 way from memory at once";

pub fn two(name: &'static str) -> Ladder {
    fn by_pages<C: Settled>(
        ladder: Ladder,
        join: Join,
        name: &'static str,
        adds: &'static str,
    ) -> Ladder {
        ladder.rung(
            name,
            adds,
            move || (filled::<_, C>(&join, 0), filled::<_, C>(&join, 1)),
            |(a, b)| sum_of_two(a, b),
            |_| (),
        )
    }
    let join = *scene::JOINS.iter().find(|join| join.name == name).expect("a join");
    let ladder = Ladder::new(name, join.matches(2).count(), "a match").sparse_floor(BARE);
    let ladder = by_pages::<Plain>(ladder, join, "pages", PAGES);
    let ladder = by_pages::<Forms>(ladder, join, "forms", FORMS);
    let make = move || {
        let mut table = Table::default();
        fill::<Proximity, _>(table.make(), &join, 0);
        fill::<Audio, _>(table.make(), &join, 1);
        table
    };
    ladder
        .rung("types", TYPES, make, |table| sum_of_two(of(table), of(table)), |_| ())
        .rung("batches", BATCHES, make, |table| sum_of_two_in_batches(of(table), of(table)), |_| ())
        .ours()
}

pub fn four() -> Ladder {
    const JOIN: Join = scene::JOIN4;
    let make = move || {
        let mut table = Table::default();
        fill::<Proximity, _>(table.make(), &JOIN, 0);
        fill::<Audio, _>(table.make(), &JOIN, 1);
        fill::<Position, _>(table.make(), &JOIN, 2);
        fill::<Velocity, _>(table.make(), &JOIN, 3);
        table
    };
    let sum = |table: &mut Table| sum_of_four(of(table), of(table), of(table), of(table));
    Ladder::new(JOIN.name, JOIN.matches(4).count(), "a match")
        .sparse_floor(BARE)
        .rung("pages", PAGES, || Four::<Plain>::of(&JOIN), |four| four.sum(), |_| ())
        .rung("forms", FORMS, || Four::<Forms>::of(&JOIN), |four| four.sum(), |_| ())
        .rung("types", TYPES, make, sum, |_| ())
        .ours()
}
