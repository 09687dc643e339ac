//! Counts of the walks of views and of edits, from which a layout is chosen.
//!
//! Views count behind a shared borrow, on any thread. Each thread adds to a shard, and sums do not depend on the order
//! of additions. Edits have exclusive access to the world and add to plain numbers.

use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::pool::pools::Pools;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The number of counted shapes. A program has some dozens; walks of further shapes are only counted together.
const SHAPES: usize = 256;
/// The most terms of a counted shape.
const MOST_TERMS: usize = 12;
/// The number of threads with a shard of their own, which they add to without waiting. Later threads share the other
/// shards in turn: two threads in one shard wait for each other, but count right.
const OWN_SHARDS: usize = 8;
const SHARED_SHARDS: usize = 8;
/// The length of a set of places, one bit each.
const PLACE_WORDS: usize = SHAPES / 64;

/// The role of a component in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TermRole {
    /// Matches have the component, and its values are read or written.
    Read,
    /// Matches have the component.
    Required,
    /// Matches lack the component.
    Excluded,
    /// The component is read for those matches that have it.
    Optional,
}

/// A component of a view, with its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Term {
    pub(crate) number: u32,
    pub(crate) role: TermRole,
}

impl Term {
    #[inline]
    pub(crate) const fn new(number: u32, role: TermRole) -> Self {
        Self { number, role }
    }

    #[inline]
    const fn packed(self) -> u64 {
        self.number as u64 | (self.role as u64) << 32
    }

    const fn unpacked(packed: u64) -> Self {
        let role = match packed >> 32 {
            0 => TermRole::Read,
            1 => TermRole::Required,
            2 => TermRole::Excluded,
            _ => TermRole::Optional,
        };
        #[expect(clippy::cast_possible_truncation, reason = "the number is in the low half")]
        Self { number: packed as u32, role }
    }
}

/// The place of a shape: a hash of its terms in any order, and the terms.
///
/// A thread claims the place by the hash, and then writes the terms. They are complete if `len` is not zero.
#[derive(Debug, Default)]
struct Place {
    hash: AtomicU64,
    len: AtomicU32,
    terms: [AtomicU64; MOST_TERMS],
}

/// The walks of all shapes by some threads; no two shards share a cache line.
#[derive(Debug)]
#[repr(align(128))]
struct Shard([AtomicU64; SHAPES]);

/// The counts of a world that observes its views.
#[derive(Debug)]
pub(crate) struct Counts {
    places: Box<[Place]>,
    /// The places that belong to a shape, so that the others need not be looked at.
    claimed: [AtomicU64; PLACE_WORDS],
    shards: Box<[Shard]>,
    /// The walks of shapes without a place.
    uncounted: AtomicU64,
    pub(crate) edits: Edits,
}

impl Counts {
    pub(crate) fn new() -> Self {
        Self {
            places: (0..SHAPES).map(|_| Place::default()).collect(),
            claimed: [const { AtomicU64::new(0) }; PLACE_WORDS],
            shards: (0..OWN_SHARDS + SHARED_SHARDS)
                .map(|_| Shard([const { AtomicU64::new(0) }; SHAPES]))
                .collect(),
            uncounted: AtomicU64::new(0),
            edits: Edits::default(),
        }
    }

    /// Returns the place of a shape; claims a new one for a new shape.
    #[inline]
    pub(crate) fn place(&self, terms: &(impl Iterator<Item = Term> + Clone)) -> Option<usize> {
        let add = |hash: u64, term: Term| hash.wrapping_add(mixed(term.packed()));
        let hash = terms.clone().fold(0, add).max(1);
        let first = (hash >> 56) as usize;
        if self.places[first].hash.load(Ordering::Relaxed) == hash {
            return Some(first);
        }
        self.search(first, hash, &mut || terms.clone().collect())
    }

    /// Returns the place of a shape that is not the first with its hash; claims a new one for a new shape.
    #[cold]
    #[inline(never)]
    fn search(
        &self,
        first: usize,
        hash: u64,
        list: &mut dyn FnMut() -> Vec<Term>,
    ) -> Option<usize> {
        for at in (first..SHAPES).chain(0..first) {
            match self.places[at].hash.load(Ordering::Relaxed) {
                0 => {}
                seen if seen == hash => return Some(at),
                _ => continue,
            }
            if let Some(is_new) = self.claim(at, hash, &list()) {
                return is_new.then_some(at);
            }
        }
        None
    }

    /// Claims a place that was free. Returns `None` if it belongs to another shape, and `Some(false)` if the shape has
    /// too many terms, or a number without a bit of its own in sets of components.
    fn claim(&self, at: usize, hash: u64, terms: &[Term]) -> Option<bool> {
        let is_shared = |term: &Term| ComponentSet::is_shared(term.number);
        if terms.len() > MOST_TERMS || terms.iter().any(is_shared) {
            return Some(false);
        }
        let place = &self.places[at];
        match place.hash.compare_exchange(0, hash, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => {
                for (cell, term) in place.terms.iter().zip(terms) {
                    cell.store(term.packed(), Ordering::Relaxed);
                }
                #[expect(clippy::cast_possible_truncation, reason = "a dozen at most")]
                place.len.store(terms.len() as u32, Ordering::Release);
                self.claimed[at / 64].fetch_or(1 << (at % 64), Ordering::Relaxed);
                Some(true)
            }
            Err(other) => (other == hash).then_some(true),
        }
    }

    /// Counts a walk of the shape with these terms.
    #[inline]
    pub(crate) fn walk(&self, terms: &(impl Iterator<Item = Term> + Clone)) {
        self.walk_at(self.place(terms));
    }

    /// Counts a walk of the shape at this place.
    #[inline]
    pub(crate) fn walk_at(&self, place: Option<usize>) {
        let Some(at) = place else {
            self.uncounted.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let shard = shard();
        let count = &self.shards[shard].0[at];
        if shard < OWN_SHARDS {
            // No other thread stores here meanwhile.
            count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        } else {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the places of all shapes with their numbers of walks, and resets the numbers.
    pub(crate) fn take_walks(&mut self) -> Vec<(usize, u64)> {
        let mut taken = Vec::new();
        for (word, claimed) in self.claimed.iter_mut().enumerate() {
            let mut left = *claimed.get_mut();
            while left != 0 {
                let at = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let walks = self.shards.iter_mut().map(|it| core::mem::take(it.0[at].get_mut()));
                taken.push((at, walks.sum()));
            }
        }
        taken
    }

    /// Returns the terms of the shape at this place, in order.
    pub(crate) fn terms(&self, place: usize) -> Vec<Term> {
        self.places[place].terms()
    }

    /// Returns the number of walks of shapes without a place, and resets it.
    pub(crate) fn take_uncounted(&mut self) -> u64 {
        core::mem::take(self.uncounted.get_mut())
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.places) + size_of_val(&*self.shards) + self.edits.memory()
    }
}

impl Place {
    fn terms(&self) -> Vec<Term> {
        let len = self.len.load(Ordering::Acquire) as usize;
        let terms = self.terms[..len].iter();
        let mut terms: Vec<Term> =
            terms.map(|term| Term::unpacked(term.load(Ordering::Relaxed))).collect();
        terms.sort_unstable();
        terms
    }
}

/// Counts that other threads add meanwhile may be missing from the copy.
impl Clone for Counts {
    fn clone(&self) -> Self {
        let new = Self::new();
        for (at, (place, copy)) in self.places.iter().zip(&new.places).enumerate() {
            let terms = place.terms();
            if terms.is_empty() {
                continue;
            }
            // The places stay equal, because groups store the places of their shapes.
            copy.hash.store(place.hash.load(Ordering::Relaxed), Ordering::Relaxed);
            for (cell, term) in copy.terms.iter().zip(&terms) {
                cell.store(term.packed(), Ordering::Relaxed);
            }
            copy.len.store(place.len.load(Ordering::Relaxed), Ordering::Relaxed);
            new.claimed[at / 64].fetch_or(1 << (at % 64), Ordering::Relaxed);
            let walks = self.shards.iter().map(|shard| shard.0[at].load(Ordering::Relaxed)).sum();
            new.shards[0].0[at].store(walks, Ordering::Relaxed);
        }
        let uncounted = AtomicU64::new(self.uncounted.load(Ordering::Relaxed));
        Self { uncounted, edits: self.edits.clone(), ..new }
    }
}

/// Spreads the bits of a number, by the finalizer of splitmix64.
#[inline]
const fn mixed(number: u64) -> u64 {
    let number = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^ (number >> 27)
}

/// Returns the shard of this thread: its own, if it is among the first threads.
#[cfg(feature = "std")]
#[inline]
fn shard() -> usize {
    use core::sync::atomic::AtomicUsize;
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    std::thread_local! {
        static SHARD: core::cell::Cell<usize> = const { core::cell::Cell::new(usize::MAX) };
    }
    match SHARD.get() {
        usize::MAX => {
            let turn = NEXT.fetch_add(1, Ordering::Relaxed);
            let later =
                turn.checked_sub(OWN_SHARDS).map(|later| OWN_SHARDS + later % SHARED_SHARDS);
            let shard = later.unwrap_or(turn);
            SHARD.set(shard);
            shard
        }
        shard => shard,
    }
}

/// Returns a shared shard: without `std`, threads cannot be distinguished.
#[cfg(not(feature = "std"))]
#[inline]
fn shard() -> usize {
    OWN_SHARDS
}

/// The edits of components in counted shapes.
///
/// Each edit of an entity is an *event*: the components that it gained or lost together. One event in 64 on average is
/// sampled: each shape is tested for a match that came or went. The choice of events follows from their number alone.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    /// The components of the shapes, and `true` if they are counted at present.
    components: ComponentSet,
    is_counting: bool,
    by_component: Vec<u64>,
    shapes: Vec<Edited>,
    /// The number of events before the next sample, and the number between the previous two.
    left: u32,
    weight: u32,
    random: u64,
}

/// The effects of edits on the matches of a shape.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub(crate) required: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
    components: ComponentSet,
    /// Events that made or ended a match.
    pub(crate) crossings: u64,
    /// Other events of these components.
    pub(crate) misses: u64,
}

/// The average number of events for each sample.
const SAMPLED: u32 = 64;

impl Default for Edits {
    fn default() -> Self {
        Self {
            components: ComponentSet::EMPTY,
            is_counting: true,
            by_component: Vec::new(),
            shapes: Vec::new(),
            left: SAMPLED,
            weight: SAMPLED,
            random: 0x2545_f491_4f6c_dd1d,
        }
    }
}

impl Edits {
    /// Returns the components that are counted at present.
    pub(crate) const fn counted(&self) -> ComponentSet {
        if self.is_counting { self.components } else { ComponentSet::EMPTY }
    }

    /// Returns `true` if the components of the shapes are counted at present.
    pub(crate) const fn is_counting(&self) -> bool {
        self.is_counting
    }

    /// Starts or stops counting: components that are not counted cost edits nothing.
    pub(crate) const fn set_counting(&mut self, is_counting: bool) {
        self.is_counting = is_counting;
    }

    /// Replaces the counted shapes by these lists of required and excluded components, in order.
    pub(crate) fn count_shapes(&mut self, shapes: impl Iterator<Item = (Vec<u32>, Vec<u32>)>) {
        let before = core::mem::take(&mut self.shapes);
        self.components = ComponentSet::EMPTY;
        for (required, excluded) in shapes {
            let is_it = |other: &Edited| other.required == required && other.excluded == excluded;
            if self.shapes.iter().any(is_it) {
                continue;
            }
            let components: ComponentSet = required.iter().chain(&excluded).copied().collect();
            self.components = self.components.union(components);
            let kept = before.iter().find(|other| is_it(other)).cloned();
            self.shapes.push(kept.unwrap_or(Edited {
                required,
                excluded,
                components,
                crossings: 0,
                misses: 0,
            }));
        }
        let len = self.components.numbers().max().map_or(0, |last| last as usize + 1);
        self.by_component.resize(len.max(self.by_component.len()), 0);
    }

    /// Counts that this entity gained or lost the component with this number, which is counted.
    pub(crate) fn add_one(&mut self, pools: &Pools, entity: Entity, number: u32) {
        let Some(count) = self.by_component.get_mut(number as usize) else { return };
        *count += 1;
        self.left -= 1;
        if self.left == 0 {
            self.look_at(pools, entity, &ComponentSet::of(number));
        }
    }

    /// Counts that each of these entities gained or lost the counted ones among the `changed` components.
    pub(crate) fn add(&mut self, pools: &Pools, entities: &[Entity], changed: &ComponentSet) {
        let changed = changed.intersection(self.counted());
        if changed.is_empty() || entities.is_empty() {
            return;
        }
        for number in changed.numbers() {
            self.by_component[number as usize] += entities.len() as u64;
        }
        let mut left = entities;
        while let Some((passed, rest)) = left.split_at_checked(self.left as usize) {
            self.look_at(pools, passed[passed.len() - 1], &changed);
            left = rest;
        }
        #[expect(clippy::cast_possible_truncation, reason = "fewer than are left of 127")]
        {
            self.left -= left.len() as u32;
        }
    }

    /// Counts that each of these entities was given components with these numbers; the second number is the previous
    /// number of members of the pool. Previous members must still be in their positions.
    pub(crate) fn add_given(&mut self, pools: &Pools, entities: &[Entity], given: &[(u32, usize)]) {
        let components = self.counted();
        let counted = || given.iter().filter(|(number, _)| components.contains(*number));
        let is_all_new = |(number, before): &(u32, usize)| {
            pools.keys_at(*number).len() - before == entities.len()
        };
        if counted().all(is_all_new) {
            let all = counted().map(|(number, _)| *number).collect();
            return self.add(pools, entities, &all);
        }
        for &entity in entities {
            let is_new = |(number, before): &&(u32, usize)| {
                pools.keys_at(*number).find(entity).is_some_and(|at| at >= *before)
            };
            let new = counted().filter(is_new).map(|(number, _)| *number).collect();
            self.add(pools, &[entity], &new);
        }
    }

    /// Tests each shape for a match that the event made or ended. The entity has the components that changed, or had
    /// them before.
    #[cold]
    fn look_at(&mut self, pools: &Pools, entity: Entity, changed: &ComponentSet) {
        for shape in &mut self.shapes {
            if !shape.components.intersects(changed) {
                continue;
            }
            let differs = |number: &u32| changed.contains(*number);
            let has = |number: &u32| pools.keys_at(*number).find(entity).is_some();
            let is_crossing = shape.required.iter().all(|it| differs(it) || has(it))
                && shape.excluded.iter().all(|it| differs(it) || !has(it));
            let count = if is_crossing { &mut shape.crossings } else { &mut shape.misses };
            *count += u64::from(self.weight);
        }
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        #[expect(clippy::cast_possible_truncation, reason = "some bits of many")]
        let next = 1 + (self.random >> 20) as u32 % (2 * SAMPLED - 1);
        (self.left, self.weight) = (next, next);
    }

    /// Returns the effects of edits on the matches of a shape.
    pub(crate) fn of(&self, required: &[u32], excluded: &[u32]) -> Option<&Edited> {
        self.shapes.iter().find(|it| it.required == required && it.excluded == excluded)
    }

    /// Returns the number of edits of each component, by its number.
    pub(crate) fn by_component(&self) -> &[u64] {
        &self.by_component
    }

    /// Resets all counts.
    pub(crate) fn forget(&mut self) {
        self.by_component.fill(0);
        for shape in &mut self.shapes {
            (shape.crossings, shape.misses) = (0, 0);
        }
    }

    fn memory(&self) -> usize {
        self.by_component.capacity() * size_of::<u64>()
            + self.shapes.capacity() * size_of::<Edited>()
            + self
                .shapes
                .iter()
                .map(|it| (it.required.capacity() + it.excluded.capacity()) * size_of::<u32>())
                .sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::index_of;
    use crate::{Component, World};
    use TermRole::{Excluded, Optional, Read, Required};
    use std::collections::BTreeSet;
    use std::string::ToString;
    use std::sync::Barrier;
    use std::thread;
    use std::vec;

    #[derive(Component)]
    struct A;
    #[derive(Component)]
    struct B;
    #[derive(Component)]
    struct C;

    fn place(counts: &Counts, terms: &[Term]) -> Option<usize> {
        counts.place(&terms.iter().copied())
    }

    #[test]
    fn each_shape_has_a_place_of_its_own_until_there_is_none() {
        let mut counts = Counts::new();
        let shape = |at: u32| {
            let role = [Read, Required, Excluded, Optional][at as usize % 4];
            [Term::new(7, Read), Term::new(at / 4, role)]
        };
        let count = u32::try_from(SHAPES).unwrap();
        let places: Vec<_> = (0..count).filter_map(|at| place(&counts, &shape(at))).collect();
        assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), SHAPES);
        for (at, &found) in (0..count).zip(&places) {
            let [first, second] = shape(at);
            assert_eq!(place(&counts, &[second, first]), Some(found), "in any order");
            let mut sorted = vec![first, second];
            sorted.sort_unstable();
            assert_eq!(counts.terms(found), sorted);
        }
        assert_eq!(place(&counts, &shape(count)), None);
        (0..3).for_each(|_| counts.walk(&shape(count).into_iter()));
        assert_eq!((counts.take_uncounted(), counts.take_uncounted()), (3, 0));
        // A place that another thread claimed meanwhile.
        let hash = counts.places[0].hash.load(Ordering::Relaxed);
        assert_eq!(counts.claim(0, hash, &shape(0)), Some(true));
        assert_eq!(counts.claim(0, hash + 1, &shape(0)), None);
    }

    #[test]
    fn shapes_of_many_terms_or_shared_numbers_have_no_place() {
        let counts = Counts::new();
        let terms = |len| (0..len).map(|number| Term::new(number, Read)).collect::<Vec<_>>();
        assert!(place(&counts, &terms(12)).is_some());
        assert_eq!(place(&counts, &terms(13)), None);
        assert!(place(&counts, &[Term::new(254, Read)]).is_some());
        assert_eq!(place(&counts, &[Term::new(255, Read)]), None);
    }

    /// Four threads at least have each shared shard; those with the first two add at the same time.
    #[test]
    fn no_walk_of_many_threads_is_lost() {
        const THREADS: usize = OWN_SHARDS + 4 * SHARED_SHARDS;
        const OFTEN: u64 = if cfg!(miri) { 1_000 } else { 800_000 }; // Miri changes threads often
        let mut counts = Counts::new();
        let term = [Term::new(3, Read)];
        let at = place(&counts, &term).unwrap();
        let name = thread::current().name().unwrap_or("").to_string();
        let mut sum = 0;
        for shared in OWN_SHARDS..OWN_SHARDS + 2 {
            let (all, busy) = (Barrier::new(THREADS), AtomicU32::new(0));
            let walk = || {
                let is_shared = shard() == shared;
                busy.fetch_add(is_shared.into(), Ordering::Relaxed);
                all.wait();
                let mut walks = 0;
                let is_awaited = |walks| walks < OFTEN || busy.load(Ordering::Relaxed) > 0;
                while walks < 100 || is_shared && is_awaited(walks) {
                    counts.walk_at(Some(at));
                    walks += 1;
                    if walks == OFTEN {
                        busy.fetch_sub(1, Ordering::Relaxed);
                    }
                }
                walks
            };
            thread::scope(|scope| {
                // The threads have the name of their test: by names, tests/mutants finds which tests run some code.
                let spawn = |_| thread::Builder::new().name(name.clone()).spawn_scoped(scope, walk);
                let threads: Vec<_> = (0..THREADS).map(spawn).collect();
                sum += threads.into_iter().map(|it| it.unwrap().join().unwrap()).sum::<u64>();
            });
        }
        assert!(sum > OFTEN, "threads share these shards");
        counts.walk(&term.into_iter());
        assert_eq!(counts.take_walks(), [(at, sum + 1)]);
        assert_eq!(counts.take_walks(), [(at, 0)]);
    }

    #[test]
    fn a_copy_has_the_counts_and_the_places() {
        let mut counts = Counts::new();
        counts.walk(&[Term::new(3, Read), Term::new(1, Excluded)].into_iter());
        counts.walk_at(None);
        counts.edits.count_shapes([(vec![1], vec![])].into_iter());
        counts.edits.set_counting(false);
        let mut copy = counts.clone();
        assert_eq!((copy.take_uncounted(), copy.edits.is_counting()), (1, false));
        assert!(copy.edits.of(&[1], &[]).is_some());
        let walks = copy.take_walks();
        assert_eq!(walks, counts.take_walks());
        assert_eq!(copy.terms(walks[0].0), [Term::new(1, Excluded), Term::new(3, Read)]);
    }

    #[test]
    fn the_memory_of_counts_is_that_of_their_lists() {
        let mut counts = Counts::new();
        let fixed = SHAPES * size_of::<Place>() + 16 * SHAPES * 8;
        assert_eq!(counts.memory(), fixed);
        counts.edits.count_shapes([(vec![1, 2], vec![9])].into_iter());
        let edits = &counts.edits;
        let shapes = edits.shapes.capacity() * size_of::<Edited>();
        assert_eq!(counts.memory(), fixed + edits.by_component.capacity() * 8 + shapes + 3 * 4);
    }

    #[test]
    fn shapes_that_stay_counted_keep_their_counts() {
        let mut edits = Edits::default();
        let shapes = [(vec![1, 2], vec![]), (vec![1, 2], vec![3]), (vec![1], vec![3])];
        edits.count_shapes(shapes.iter().chain(&shapes).cloned());
        assert_eq!((edits.shapes.len(), edits.by_component().len()), (3, 4));
        edits.shapes[1].crossings = 5;
        edits.count_shapes(shapes[1..].iter().cloned());
        let crossings = |required: &[u32], excluded: &[u32]| {
            edits.of(required, excluded).map(|edited| edited.crossings)
        };
        assert_eq!(crossings(&[1, 2], &[3]), Some(5));
        assert_eq!((crossings(&[1], &[3]), crossings(&[1, 2], &[])), (Some(0), None));
    }

    /// The weights of samples are the numbers of events, so their sum lags behind by less than one sample.
    #[test]
    fn samples_stand_for_the_events_between_them() {
        let world = World::new();
        let entities = vec![Entity::PLACEHOLDER; 1_000];
        let changed = ComponentSet::of(2);
        let mut edits = Edits::default();
        edits.count_shapes([(vec![2], vec![])].into_iter());
        let mut weights = BTreeSet::new();
        let (mut events, mut samples) = (0, 0);
        for round in 0..20_000 {
            if round % 100 == 0 {
                edits.add(&world.pools, &entities[..round / 20], &changed);
                edits.add(&world.pools, &entities, &ComponentSet::EMPTY);
                events += round / 20;
            }
            edits.add_one(&world.pools, Entity::PLACEHOLDER, 2);
            events += 1;
            samples += u64::from(weights.insert(edits.weight));
            let seen = edits.of(&[2], &[]).unwrap().crossings;
            assert!((events as u64).wrapping_sub(seen) < 127, "{seen} of {events}");
        }
        assert_eq!(edits.by_component()[2], events as u64);
        assert!(samples > 120 && weights.iter().all(|weight| (1..=127).contains(weight)));
    }

    #[test]
    fn an_edit_crosses_a_shape_if_all_else_fits() {
        let mut world = World::new();
        let [a, b, c] = [index_of::<A>().get(), index_of::<B>().get(), index_of::<C>().get()];
        let entities = [
            world.spawn(A).id(),
            world.spawn((A, B)).id(),
            world.spawn((A, B, C)).id(),
            world.spawn((A, C)).id(),
        ];
        let crosses = |entity: usize, changed: &[u32]| {
            let mut edits = Edits::default();
            edits.count_shapes([(vec![a, b], vec![c])].into_iter());
            edits.weight = 1;
            let changed = changed.iter().copied().collect();
            edits.look_at(&world.pools, entities[entity], &changed);
            let shape = edits.of(&[a, b], &[c]).unwrap();
            assert_eq!(shape.crossings + shape.misses, 1);
            shape.crossings == 1
        };
        assert!(!crosses(0, &[a]) && crosses(0, &[a, b]) && crosses(0, &[b]));
        assert!(crosses(1, &[a]) && crosses(1, &[b]) && crosses(1, &[c]));
        assert!(!crosses(2, &[a]) && crosses(2, &[c]) && crosses(2, &[a, b, c]));
        assert!(!crosses(3, &[c]) && crosses(3, &[b, c]));
    }
}
