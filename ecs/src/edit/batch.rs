//! Edits of many entities in one call.
//!
//! Pools and records are looked up once, not for each entity as in a loop of single edits. The entities are
//! edited pool by pool, a chunk at a time:
//!
//! ```text
//!            keys of the members            values
//!  insert    [ 3  5  1 ]                    [ a  b  c | x  y ]     pushed as they come
//!            [ 3  5  1  8  4 ]              [ a  b  c  x  y ]      the keys follow, a pool at a time
//!
//!  take out  [ 3 (5) 1 (8) 4 ]              [ a (b) c (x) y ]      few: exchanged for the last member
//!            [ 3  4  1 ]                    [ a  y  c | x  b ]     many: struck, then swept at once
//!  finish    [ 3  4  1 ]                    [ a  y  c ]            dropped when all is in order
//! ```

use crate::component::data::{AnyIndex, Giving, UniqueValue};
use crate::component::set::ComponentSet;
use crate::component::{AnyComponent, index_of};
use crate::edit::bundle::{Bundle, Parts, check_bundle, check_new_bundle, is_distinct, parts_of};
use crate::edit::commit;
use crate::edit::spawn::Filling;
use crate::entities::chunk::{AHEAD, CHUNK, EditChunk};
use crate::entities::out_of_indices;
use crate::entity::Entity;
use crate::pool::pools::Pools;
use crate::pool::watch::Question;
use crate::relation::ends::RelateError;
use crate::relation::relate::{admit_new, no_such};
use crate::world::World;
use crate::world::error::NoSuchEntitiesError;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Spawns entities like [`World::spawn_batch`].
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// world.extend((0..100).map(Health));
/// assert_eq!(world.len(), 100);
/// ```
impl<B: Bundle> Extend<B> for World {
    fn extend<I: IntoIterator<Item = B>>(&mut self, bundles: I) {
        self.spawn_batch(bundles);
    }
}

/// # Many entities at once
impl World {
    /// Makes an entity for each bundle, and returns them in the order of the bundles. Room is made
    /// once, for as many as the iterator promises at least, to 2^20. O(components of all), and O(n
    /// log n) of the n entities that recycle indices. These are put into index order, in which
    /// pools are filled and walked the fastest.
    ///
    /// A panic of the iterator leaves the entities made so far.
    ///
    /// # Panics
    /// Panics like [`spawn`](Self::spawn).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entities = world.spawn_batch((0..100).map(Health));
    /// assert_eq!(world.get::<Health>(entities[42]).unwrap().0, 42);
    /// ```
    pub fn spawn_batch<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = B>) -> Vec<Entity> {
        const { check_new_bundle::<B>() };
        self.spawn_all(bundles.into_iter().map(parts_of))
    }

    fn spawn_all<P: Parts>(&mut self, all: impl Iterator<Item = P>) -> Vec<Entity> {
        if const { P::UNIQUE } {
            let kept: Vec<P> = all.collect();
            self.refuse_repeated(kept.iter().map(|parts| (None, parts)));
            return kept.into_iter().map(|parts| self.insert_new(parts)).collect();
        }
        // An untrusted promise: room is made up to a limit.
        let expected = all.size_hint().0.min(MOST_ROOM);
        let is_single = all.size_hint() == (1, Some(1));
        let mut entities = Vec::with_capacity(expected);
        if const { is_distinct(&P::PART) } && !is_single {
            self.entities.make_room(expected);
            let taken = P::prepare(&mut self.pools, expected, usize::MAX);
            let mut batch = Batch::<P>::new(self, taken, &mut entities);
            all.for_each(|parts| {
                if const { P::RULED } && batch.count == 0 {
                    batch.world.admit_new(P::kinds); // the answer is the same for all
                }
                if const { P::IS_CHECKED } {
                    admit_new(batch.world, &parts);
                }
                parts.push(&mut batch.taken);
                batch.count += 1;
            });
            let are_all_made = batch.finish();
            drop(batch);
            self.notify_all_added(true, false);
            if !are_all_made {
                out_of_indices();
            }
        } else {
            entities.extend(all.map(|parts| self.insert_new(parts)));
        }
        entities
    }

    /// Inserts into each entity the components of its bundle, like [`insert`](Self::insert) in a loop.
    /// O(components of all). It is faster than the loop for neighbours, such as
    /// [`spawn_batch`](Self::spawn_batch) makes, and in large worlds. It is a little slower for some
    /// thousands in random order that are in the caches.
    ///
    /// If an entity is named twice, the later bundle stays. Replaced values are dropped after some more bundles. A
    /// panic of the iterator, or of such a drop, leaves the components that were inserted before.
    ///
    /// # Errors
    /// Returns an error if there are no such entities, or none that a [relation](crate::Relation) of a bundle points
    /// to: those bundles are dropped, all others inserted.
    ///
    /// # Panics
    /// Panics if a relation of a bundle would close a circle that it may not close; those before it stay. Panics, and
    /// inserts none, if two entities would have equal components that are [unique](crate::guide::indexes#unique-values).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component, Clone, Copy)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entities = world.spawn_batch((0..100).map(Health));
    /// world.insert_batch(entities.iter().map(|&entity| (entity, Armour(5)))).unwrap();
    /// assert_eq!(world.view::<(Health, Armour)>().count(), 100);
    /// ```
    pub fn insert_batch<B: Bundle>(
        &mut self,
        bundles: impl IntoIterator<Item = (Entity, B)>,
    ) -> Result<(), NoSuchEntitiesError> {
        const { check_bundle::<B>() };
        let rows = bundles.into_iter().map(|(entity, bundle)| (entity, parts_of(bundle)));
        self.insert_rows(rows).missing.map_or(Ok(()), Err)
    }

    fn insert_rows<P: Parts>(&mut self, rows: impl Iterator<Item = (Entity, P)>) -> NotInserted {
        if const { P::UNIQUE } {
            let kept: Vec<(Entity, P)> = rows.collect();
            self.refuse_repeated(kept.iter().map(|(entity, parts)| (Some(*entity), parts)));
            return self.insert_all(BundleRows(kept.into_iter()), NotInserted::default());
        }
        self.insert_all(BundleRows(rows), NotInserted::default())
    }

    /// Checks that each entity, or one that is made, may be given the unique components of its parts, one after another.
    ///
    /// # Panics
    /// Panics if one may not.
    fn refuse_repeated<'p, P: Parts>(
        &mut self,
        rows: impl Iterator<Item = (Option<Entity>, &'p P)>,
    ) {
        let mut given = BTreeMap::<u32, Box<dyn AnyIndex>>::new();
        for (entity, parts) in rows {
            if entity.is_some_and(|entity| !self.entities.ensure_alive(entity)) {
                continue;
            }
            parts.uniques(&mut |UniqueValue { number, name, rule, value }| {
                let given = given.entry(number).or_insert_with(|| (rule.make)(number, name));
                let giving = Giving { world: self.pools.index(number), entity, value };
                let holder = rule.unique_value.and_then(|rule| (rule.give)(giving, &mut **given));
                if let Some(holder) = holder {
                    no_such(&RelateError::NotUnique(name, holder));
                }
            });
        }
    }

    /// Inserts like [`insert_batch`](Self::insert_batch), without its check of the bundle type. Adds the bundles that
    /// are not inserted to `left`, and returns it.
    pub(crate) fn insert_all<P: Parts>(
        &mut self,
        mut all: impl Bundles<P>,
        mut left: NotInserted,
    ) -> NotInserted {
        if const { P::RULED } || !self.pools.rules.is_empty() && self.is_any_ruled(P::kinds) {
            return self.insert_each(all, left);
        }
        if self.is_nested() {
            self.insert_while_notifying(all, &mut left);
            return left;
        }
        self.pools.watch.log.begin();
        let are_distinct = self.place_all(&mut all, &mut left);
        self.notify_all_added(true, !are_distinct);
        left
    }

    /// Inserts each bundle by itself, like [`insert_all`](Self::insert_all): it may replace components.
    #[cold]
    #[inline(never)]
    fn insert_each<P: Parts>(
        &mut self,
        mut all: impl Bundles<P>,
        mut left: NotInserted,
    ) -> NotInserted {
        while let Some((entity, parts)) = all.next() {
            left = self.insert_one(entity, parts, left);
        }
        left
    }

    /// Inserts one bundle like [`insert_all`](Self::insert_all).
    pub(crate) fn insert_one<P: Parts>(
        &mut self,
        entity: Entity,
        parts: P,
        mut left: NotInserted,
    ) -> NotInserted {
        if self.finish_parts::<P>(entity).is_err() {
            left.note(entity);
            return left;
        }
        if self.may_place(entity, &parts, &mut left) {
            self.pools.watch.log.begin();
            if self.place::<P, false, true>(entity, parts).is_err() {
                left.note(entity);
            }
            self.notify_all_added(true, true);
        }
        left
    }

    /// Inserts like [`insert_all`](Self::insert_all), while listeners may be notified of some of these components.
    #[cold]
    fn insert_while_notifying<P: Parts>(
        &mut self,
        mut all: impl Bundles<P>,
        left: &mut NotInserted,
    ) {
        let mut kept = Vec::new();
        while let Some((entity, parts)) = all.next() {
            if self.finish_parts::<P>(entity).is_ok() {
                kept.push((entity, parts));
            } else {
                left.note(entity);
            }
        }
        self.pools.watch.log.begin();
        self.place_each(&mut BundleRows(kept.into_iter()), left);
        self.notify_insertions(true, true);
    }

    /// Inserts all without notifying. Returns `true` if no entity was named twice.
    fn place_all<P: Parts>(&mut self, all: &mut impl Bundles<P>, left: &mut NotInserted) -> bool {
        // A single bundle is inserted like one: the iterator may have no other.
        let is_first = all.least() >= 2;
        if !is_first {
            let Some((entity, parts)) = all.next() else { return false };
            self.place_row(entity, parts, left);
        }
        if const { is_distinct(&P::PART) && !P::IS_CHECKED } {
            self.entities.flush();
            let (expected, most) = (all.least().min(MOST_ROOM), self.entities.alive());
            let taken = P::prepare(&mut self.pools, expected, most);
            let mut insertion = Insertion::<P>::new(self, taken, left);
            while insertion.fill(all) {}
            insertion.is_done = true;
            is_first && insertion.placing.are_new
        } else {
            // Instances of one generic type, which may be equal, or relations, which may close a circle with earlier
            // ones: inserted one after another.
            self.place_each(all, left);
            false
        }
    }

    /// Inserts these one after another without notifying.
    fn place_each<P: Parts>(&mut self, all: &mut impl Bundles<P>, left: &mut NotInserted) {
        while let Some((entity, parts)) = all.next() {
            self.place_row(entity, parts, left);
        }
    }

    /// Inserts one without notifying.
    #[inline]
    fn place_row<P: Parts>(&mut self, entity: Entity, parts: P, left: &mut NotInserted) {
        if self.may_place(entity, &parts, left)
            && self.place::<P, false, true>(entity, parts).is_err()
        {
            left.note(entity);
        }
    }

    /// Checks that an entity may be given these parts, and removes the components that they replace. Returns `false` if
    /// the parts are not to be inserted.
    #[inline]
    fn may_place<P: Parts>(&mut self, entity: Entity, parts: &P, left: &mut NotInserted) -> bool {
        let checked = if const { P::IS_CHECKED } {
            self.check_parts(entity, parts, false)
        } else {
            self.admit::<P>(entity, false).map(drop)
        };
        if let Err(error) = checked {
            left.note_refusal(&error);
            if left.spawns {
                self.end_if_empty(entity);
            }
            return false;
        }
        true
    }

    /// Despawns an entity after a failed spawn, unless other edits gave it components or relations to it.
    #[cold]
    #[inline]
    fn end_if_empty(&mut self, entity: Entity) {
        self.entities.flush();
        let has_any = || self.pools.numbered().any(|(_, pool)| pool.contains(entity));
        if self.entities.is_alive(entity) && !self.is_target(entity) && !has_any() {
            self.entities.free(entity);
        }
    }

    /// Takes a component from each of these entities and drops it, like [`remove`](Self::remove) in a loop, and faster.
    /// Returns the number of components that were removed. Dead entities, entities without the component, and those
    /// kept by its veto are passed over. O(entities).
    ///
    /// All vetoes are called before the first component is taken out, and the components are dropped when all are taken
    /// out. Their pool may be left in another order than by a loop. A panic of a veto leaves all components where they
    /// are.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entities = world.spawn_batch((0..100).map(Health));
    /// assert_eq!(world.remove_batch::<Health>(&entities[..60]), 60);
    /// assert_eq!(world.remove_batch::<Health>(&entities), 40);
    /// ```
    pub fn remove_batch<T: AnyComponent>(&mut self, entities: &[Entity]) -> usize {
        if let [entity] = entities {
            return usize::from(self.remove::<T>(*entity).is_some());
        }
        self.remove_from_all(entities, index_of::<T>().get())
    }
}

/// Bundles for entities, one after the other.
///
/// A large value is not returned: it would be moved by each caller, which needs stack in an unoptimised build.
pub(crate) trait Bundles<P: Parts> {
    /// Returns the least number of bundles that are left.
    fn least(&self) -> usize;
    /// Returns the next bundle and its entity.
    fn next(&mut self) -> Option<(Entity, P)>;
    /// Pushes up to `most` bundles to these pools, and calls `pushed` with the entity of each. The entities must follow.
    fn push_all(&mut self, most: usize, taken: &mut P::Taken, pushed: impl FnMut(Entity));
}

/// The bundles of an iterator.
struct BundleRows<I>(I);

impl<P: Parts, I: Iterator<Item = (Entity, P)>> Bundles<P> for BundleRows<I> {
    fn least(&self) -> usize {
        self.0.size_hint().0
    }
    fn next(&mut self) -> Option<(Entity, P)> {
        self.0.next()
    }
    #[inline]
    fn push_all(&mut self, most: usize, taken: &mut P::Taken, mut pushed: impl FnMut(Entity)) {
        self.0.by_ref().take(most).for_each(|(entity, parts)| {
            parts.push(taken);
            pushed(entity);
        });
    }
}

/// The values of a batch go into their pools first, in rows; the entities follow, in columns.
///
/// The pools are taken out of the world until then, so that they need not be found for each row. Should
/// the iterator panic, the entities follow when this is dropped.
struct Batch<'w, P: Parts> {
    world: &'w mut World,
    taken: P::Taken,
    /// The number of rows in the pools that have no entities yet.
    count: usize,
    /// `true` if the pools are in `taken`.
    is_filling: bool,
    entities: &'w mut Vec<Entity>,
}

impl<'w, P: Parts> Batch<'w, P> {
    fn new(world: &'w mut World, mut taken: P::Taken, entities: &'w mut Vec<Entity>) -> Self {
        P::exchange(&mut taken, &mut world.pools);
        Self { world, taken, count: 0, is_filling: true, entities }
    }

    /// Makes the entities. Returns `false` if indices ran out; the values without an entity are dropped.
    fn finish(&mut self) -> bool {
        let Self { world, taken, count, is_filling, entities } = self;
        P::exchange(taken, &mut world.pools);
        *is_filling = false;
        world.make_all(*count, &|add| P::taken_numbers(taken, add), requirement::<P>(), entities)
    }
}

impl<P: Parts> Drop for Batch<'_, P> {
    fn drop(&mut self) {
        if self.is_filling {
            self.finish();
        }
    }
}

/// The most entities that room is made for on an iterator's word alone.
const MOST_ROOM: usize = 1 << 20;

/// The bundles that a batch does not insert.
#[derive(Default)]
pub(crate) struct NotInserted {
    /// The bundles for a dead entity, or with a relation to a dead one.
    pub(crate) missing: Option<NoSuchEntitiesError>,
    /// The number of bundles with a relation that would close a circle, or that another rule refuses.
    pub(crate) circles: usize,
    /// `true` if these bundles are passed over; otherwise they cause a panic.
    passes_circles: bool,
    /// `true` if the entities are new, and end if their bundles are not inserted.
    spawns: bool,
}

impl NotInserted {
    /// For commands, which insert into new entities if they are `spawns`.
    pub(crate) fn of_commands(spawns: bool) -> Self {
        Self { passes_circles: true, spawns, ..Self::default() }
    }

    #[cold]
    fn note(&mut self, entity: Entity) {
        self.missing.get_or_insert(NoSuchEntitiesError { first: entity, count: 0 }).count += 1;
    }

    #[cold]
    fn note_refusal(&mut self, error: &RelateError) {
        if self.passes_circles
            && matches!(
                error,
                RelateError::Circle(..)
                    | RelateError::WrongTarget(..)
                    | RelateError::NotUnique(..)
                    | RelateError::Rule(..)
                    | RelateError::Refused(..)
            )
        {
            self.circles += 1;
        } else {
            self.note(no_such(error).0);
        }
    }
}

/// Calls a function with the numbers of a bundle's components. No user code runs.
type NumberLister<'a> = &'a dyn Fn(&mut dyn FnMut(u32));

/// Inserts into entities the components that others require, where they lack them.
type Require = fn(&mut World, &[Entity]);

/// Returns the function that inserts the components that a bundle requires, if it requires any.
const fn requirement<P: Parts>() -> Option<Require> {
    if P::REQUIRES { Some(World::require::<P>) } else { None }
}

/// Returns the components with these numbers; and the numbers, with no members yet, if the components need rows.
#[inline]
fn components_of(numbers: NumberLister<'_>, pools: &Pools) -> (ComponentSet, Vec<(u32, usize)>) {
    let (mut components, mut given) = (ComponentSet::EMPTY, Vec::new());
    numbers(&mut |number| components.insert(number));
    if pools.watch.answer_any(Question::Row, &components) {
        numbers(&mut |number| given.push((number, 0)));
    }
    (components, given)
}

impl World {
    /// Makes entities for `count` values that were pushed to the pools with these numbers. Returns `false` if indices ran
    /// out; the values without an entity are dropped.
    #[inline]
    fn make_all(
        &mut self,
        count: usize,
        numbers: NumberLister<'_>,
        require: Option<Require>,
        made: &mut Vec<Entity>,
    ) -> bool {
        let (components, given) = components_of(numbers, &self.pools);
        let new = self.entities.spawn_many(count, components, made);
        let (recycled, new) = made.split_at(made.len() - new);
        let filling = Filling::new(self, made);
        numbers(&mut |number| {
            filling.world.pools.at_mut(number).set_mut().adopt(recycled, new);
        });
        filling.finish();
        let Self { pools, entities, groups, .. } = self;
        pools.watch.log.begin();
        if pools.watch.is_any() {
            commit::insertions(pools, entities, groups, made, &components, &given, true);
        }
        if let Some(require) = require {
            require(self, made); // in other pools: they have all of the bundle
        }
        let are_all_made = made.len() == count;
        if !are_all_made {
            // The values of entities that were not made.
            self.pools.finish(&components);
        }
        are_all_made
    }
}

/// The insertion of bundles: their values are in the pools, the entities of the chunk follow, if
/// there are such. Their records are fetched from memory meanwhile.
///
/// The pools are taken out of the world while a chunk is filled. Should the iterator panic, the entities
/// follow when this is dropped.
struct Insertion<'w, 'm, P: Parts> {
    placing: Placing<'w, 'm>,
    taken: P::Taken,
    /// `true` if the pools are in `taken`.
    is_filling: bool,
    /// `true` when all bundles are inserted.
    is_done: bool,
}

/// The part of an [`Insertion`] that does not depend on the types of its components.
struct Placing<'w, 'm> {
    world: &'w mut World,
    /// The components of a bundle.
    components: ComponentSet,
    /// Their numbers in the bundle's order, if they need rows, and how many entities have them.
    given: Vec<(u32, usize)>,
    /// `true` if all entities with new components had none before.
    are_new: bool,
    chunk: EditChunk,
    left: &'m mut NotInserted,
}

impl<'w, 'm, P: Parts> Insertion<'w, 'm, P> {
    fn new(world: &'w mut World, taken: P::Taken, left: &'m mut NotInserted) -> Self {
        let placing = Placing::new(world, &|add| P::taken_numbers(&taken, add), left);
        Self { placing, taken, is_filling: false, is_done: false }
    }

    /// Inserts the next bundles, up to a chunk. Returns `true` if there may be more.
    #[inline]
    fn fill(&mut self, all: &mut impl Bundles<P>) -> bool {
        P::exchange(&mut self.taken, &mut self.placing.world.pools);
        self.is_filling = true;
        let Self { placing: Placing { world, chunk, .. }, taken, .. } = self;
        all.push_all(CHUNK, taken, |entity| {
            if chunk.len() < AHEAD {
                world.entities.prefetch(entity);
            }
            chunk.push(entity);
        });
        let is_full = chunk.len() == CHUNK;
        self.finish();
        is_full
    }

    #[inline(never)]
    fn finish(&mut self) {
        let Self { placing, taken, is_filling, .. } = self;
        if core::mem::take(is_filling) {
            P::exchange(taken, &mut placing.world.pools);
        }
        placing.finish(&|add| P::taken_numbers(taken, add), requirement::<P>());
    }
}

impl<'w, 'm> Placing<'w, 'm> {
    #[inline]
    fn new(world: &'w mut World, numbers: NumberLister<'_>, left: &'m mut NotInserted) -> Self {
        let (components, given) = components_of(numbers, &world.pools);
        Self { world, components, given, are_new: true, chunk: EditChunk::new(), left }
    }

    /// Makes the living entities of the chunk members of the pools with these numbers, to which their values were pushed.
    #[inline]
    fn finish(&mut self, numbers: NumberLister<'_>, require: Option<Require>) {
        let World { entities, pools, .. } = &mut *self.world;
        let mut chunk = self.chunk.take();
        if !entities.add_to_run(chunk, self.components) {
            let (mut found, mut len) = ([false; CHUNK], 0);
            for at in 0..chunk.len() {
                entities.prefetch_after(chunk, at);
                if entities.is_alive(chunk[at]) {
                    entities.add_all(chunk[at], self.components);
                    found[at] = true;
                    chunk[len] = chunk[at];
                    len += 1;
                } else {
                    self.left.note(chunk[at]);
                }
            }
            if len < chunk.len() {
                numbers(&mut |number| pools.at_mut(number).set_mut().put_first(&found));
            }
            chunk = &mut chunk[..len];
        }
        let chunk = &*chunk;
        for (number, before) in &mut self.given {
            *before = pools.keys_at(*number).len();
        }
        let filling = Filling::new(self.world, chunk);
        numbers(&mut |number| filling.world.pools.at_mut(number).set_mut().take_over(chunk));
        filling.finish();
        let World { entities, pools, groups, .. } = &mut *self.world;
        if pools.watch.is_any() {
            let (components, given) = (&self.components, &self.given);
            self.are_new &=
                commit::insertions(pools, entities, groups, chunk, components, given, false);
        }
        if let Some(require) = require {
            require(self.world, chunk); // in other pools: they have all of this bundle
        }
        self.world.pools.finish(&self.components);
    }
}

impl<P: Parts> Drop for Insertion<'_, '_, P> {
    fn drop(&mut self) {
        if !self.is_done {
            self.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Component, Group};
    use alloc::sync::Arc;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[derive(Component)]
    struct Number(u32);
    #[derive(Component)]
    struct Shared(Arc<()>); // counts itself
    #[derive(Component)]
    #[component(layout = "soa")]
    struct Pair {
        number: u32,
        shared: Arc<()>,
    }
    #[derive(Component)]
    struct Tag;

    /// Asserts that `edit` fails because indices ran out.
    fn runs_out(edit: impl FnOnce()) {
        let payload = catch_unwind(AssertUnwindSafe(edit)).expect_err("not enough indices");
        let text = payload.downcast_ref::<&str>().expect("words");
        assert_eq!(*text, "no entity index is left: despawn entities before spawning more");
    }

    /// Worlds in unit tests have 2,000 indices.
    const ALL: usize = 2_000;

    /// Returns a world with indices for this many entities: recycled ones, at both ends of their range,
    /// and new ones.
    fn with_room_for(recycled: usize, new: usize) -> World {
        let mut world = World::new();
        let mut old = world.spawn_batch((0..ALL - new).map(|_| Tag));
        let last = old.split_off(old.len() - recycled.div_ceil(2));
        world.despawn_batch(&last);
        world.despawn_batch(&old[..recycled / 2]);
        world
    }

    #[test]
    fn a_batch_that_exhausts_indices_keeps_existing_entities() {
        for (recycled, new) in [(0, 0), (0, 5), (5, 0), (40, 200), (7, 1_300)] {
            for (missing, is_grouped) in [(1, false), (300, false), (1, true), (300, true)] {
                let (mut world, room) = (with_room_for(recycled, new), recycled + new);
                if is_grouped {
                    world.declare_group(Group::owning::<(Number, Shared)>()).unwrap();
                    world.declare_group(Group::observing::<(Shared, Pair)>()).unwrap();
                }
                let alive = Arc::new(());
                let shared = || alive.clone();
                let row =
                    |number| (Number(number), Shared(shared()), Pair { number, shared: shared() });
                let rows = (0..).take(room + missing);
                runs_out(|| drop(world.spawn_batch(rows.map(row))));
                world.check_invariants();
                assert_eq!(world.len(), ALL);
                assert_eq!(Arc::strong_count(&alive), 1 + 2 * room, "the others are dropped");
                let mut seen = vec![false; room];
                world.view::<(&Number, &Shared, &Pair)>().for_each(|(_, number, _, pair)| {
                    assert_eq!(number.0, *pair.number);
                    assert!(!core::mem::replace(&mut seen[number.0 as usize], true));
                });
                assert!(seen.iter().all(|seen| *seen), "the first bundles are those that are left");
                runs_out(|| _ = world.spawn_empty());
                runs_out(|| _ = world.spawn(Tag));
                runs_out(|| _ = world.reserve_entity());
                world.check_invariants();

                let some = world.entities().step_by(3).collect::<Vec<_>>();
                assert_eq!(world.despawn_batch(&some), some.len());
                let again = world.spawn_batch((0..).take(some.len()).map(row));
                assert_eq!(world.get::<Number>(again[1]).map(|number| number.0), Some(1));
                world.check_invariants();
                drop(world);
                assert_eq!(Arc::strong_count(&alive), 1);
            }
        }
    }

    #[test]
    fn an_iterator_may_panic_when_indices_have_run_out() {
        let mut world = with_room_for(0, 5);
        let rows = (0..10).map(|at| {
            assert!(at < 8, "no more");
            Number(at)
        });
        let panicked = catch_unwind(AssertUnwindSafe(|| drop(world.spawn_batch(rows))));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"no more"));
        world.check_invariants();
        assert_eq!((world.len(), world.view::<Number>().count()), (ALL, 5));
    }

    #[test]
    fn reserved_entities_take_indices_from_a_batch() {
        let mut world = with_room_for(3, 3);
        let reserved: Vec<Entity> = (0..4).map(|_| world.reserve_entity()).collect();
        runs_out(|| drop(world.spawn_batch((0..3).map(Number))));
        world.check_invariants();
        assert_eq!((world.len(), world.view::<Number>().count()), (ALL, 2));
        assert!(reserved.iter().all(|&it| world.is_alive(it) && !world.has::<Number>(it)));
    }

    #[test]
    fn a_component_that_may_be_there_twice_is_given_until_indices_run_out() {
        #[derive(Component)]
        struct Stock<T>(T);
        let mut world = with_room_for(2, 2);
        runs_out(|| drop(world.spawn_batch((0..9_u8).map(|at| (Stock(at), Stock(u16::from(at)))))));
        world.check_invariants();
        assert_eq!((world.len(), world.view::<(Stock<u8>, Stock<u16>)>().count()), (ALL, 4));
        assert!(
            world.view::<(&Stock<u8>, &Stock<u16>)>().iter().all(|(_, a, b)| a.0 < 4 && b.0 < 4)
        );
    }
}
