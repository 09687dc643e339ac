//! Both ends of all relations: who points to whom, and who is pointed to by whom.
//!
//! ```text
//! slots   3: { target 7, place 2 }    5: { target 7, place 1 }    9: { target 7, place 4 }
//! lists   7: [ -  5  3  -  9 ]        a gap for each that left; `first` is 1, `len` is 3
//! ```
//!
//! Who leaves makes a gap, so that leaving is O(1) and the others keep their order. A list in which gaps
//! prevail is closed up.

use crate::component::access::{Access, Mode};
use crate::component::{AtTargetEnd, Component, Rule, index_of};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::storage::keys::Keys;
use crate::storage::sparse_set::SparseSet;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::slice;
use ecs_derive::Component;

/// So many gaps more than entities are in a list at most: fewer are not worth closing it up.
const MOST_GAPS: usize = 8;

/// No entity has it: its number in an entity's set of components tells that a relation may point there (E4).
#[derive(Component)]
enum Mark {}

/// No entity has it: its number stands for the targets of the relation `R` in queries that require or exclude them.
#[derive(Component)]
struct Targets<R>(PhantomData<fn() -> R>);

/// Tests whether an entity is a target of the relation `R`.
#[doc(hidden)]
pub struct IsTarget<R>(PhantomData<fn() -> R>);

impl<R: Component> IsTarget<R> {
    /// Returns the number that stands for the targets.
    pub(crate) fn number() -> u32 {
        index_of::<Targets<R>>().get()
    }

    /// Returns the access of a test.
    pub(crate) const fn access(mode: Mode) -> Access {
        Access::of::<Targets<R>>(mode)
    }
}

/// Why an entity was not given a relation.
///
/// ```
/// # use ecs::{ChildOf, RelateError, World};
/// let mut world = World::new();
/// let [a, b] = [world.spawn_empty().id(), world.spawn_empty().id()];
/// world.relate(b, ChildOf(a)).unwrap();
/// let error = world.relate(a, ChildOf(b)).unwrap_err();
/// assert_eq!(error, RelateError::Circle("ChildOf", vec![a, b]));
/// assert_eq!(error.to_string(), "`ChildOf` would close a circle: 0v1 -> 1v1 -> 0v1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelateError {
    /// The entity that would point was despawned, or is of another world.
    NoSuchEntity(Entity),
    /// The entity that the relation of this name points to was despawned, or is of another world.
    NoSuchTarget(&'static str, Entity),
    /// The relation of this name would close this circle: each of these would point to the next one, the last
    /// to the first.
    Circle(&'static str, Vec<Entity>),
}

impl fmt::Display for RelateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => write!(f, "no such entity: {entity}"),
            Self::NoSuchTarget(relation, target) => {
                write!(f, "`{relation}` would point to no entity: {target} is not alive")
            }
            Self::Circle(relation, circle) => {
                write!(f, "`{relation}` would close a circle: ")?;
                let (shown, left) = circle.split_at(circle.len().min(MOST_SHOWN));
                shown.iter().try_for_each(|entity| write!(f, "{entity} -> "))?;
                if !left.is_empty() {
                    write!(f, "({} more) -> ", left.len())?;
                }
                write!(f, "{}", circle[0])
            }
        }
    }
}

/// A message names so many entities of a circle.
const MOST_SHOWN: usize = 8;

impl core::error::Error for RelateError {}

/// A relation that an entity is to be given.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Pointing {
    pub(crate) number: u32,
    name: &'static str,
    acyclic: bool,
    target: Entity,
}

impl Pointing {
    /// That of this component, if it is a relation.
    #[inline(always)]
    pub(crate) fn of<T: Component>(value: &T) -> Option<Self> {
        let rule = T::RELATION?;
        Some(Self::to((rule.target)(value), &rule))
    }

    /// The entity that is pointed to.
    #[cfg(feature = "serde")]
    pub(crate) const fn target(self) -> Entity {
        self.target
    }

    /// That of a component which points to this entity, by this rule.
    #[inline(always)]
    pub(crate) fn to<T: Component>(target: Entity, rule: &Rule<T>) -> Self {
        Self { number: index_of::<T>().get(), name: T::NAME, acyclic: rule.acyclic, target }
    }
}

/// The relations of a world.
pub(crate) struct Relations {
    /// In the order of their numbers.
    all: Vec<Ends>,
    /// What marks the entities that they point to.
    mark: u32,
}

/// Both ends of a relation.
///
/// * R1: an entity has a slot exactly if it has the component, and both have one target. It is in the list of that
///   target, at the slot's place, and in no other.
/// * R2: a list has `len` entities, at least one; `first` is the place of the first, the last place is the last
///   one's.
/// * R3: targets are alive, and their sets of components have the mark.
#[doc(hidden)]
pub struct Ends {
    pub(crate) number: u32,
    /// The number that stands for the targets.
    targets_number: u32,
    pub(crate) at_end: AtTargetEnd,
    slots: SparseSet<Slot, Entity>,
    lists: SparseSet<List, Entity>,
}

#[derive(Clone, Copy)]
struct Slot {
    target: Entity,
    place: u32,
}

#[derive(Clone, Default)]
struct List {
    entries: Vec<Option<Entity>>,
    first: usize,
    len: usize,
}

/// The place of a source that changed among those with its target: its position among all that changed, and the source
/// before it, if it is not the first.
#[cfg(feature = "serde")]
pub(crate) type Place = (usize, Option<Entity>);

impl Relations {
    pub(crate) const fn new() -> Self {
        Self { all: Vec::new(), mark: 0 }
    }

    /// Begins to keep a relation; what marks its targets.
    pub(crate) fn add(&mut self, number: u32, targets: u32, at_end: AtTargetEnd) -> u32 {
        self.mark = index_of::<Mark>().get();
        let at = self.all.partition_point(|relation| relation.number < number);
        self.all.insert(at, Ends::new(number, targets, at_end));
        self.mark
    }

    /// What marks targets, if there is a relation.
    #[cfg(feature = "serde")]
    pub(crate) fn mark(&self) -> Option<u32> {
        (!self.is_empty()).then_some(self.mark)
    }

    /// Puts a relation into the place of the one with its number; its targets are marked.
    #[cfg(feature = "serde")]
    pub(crate) fn replace(&mut self, relation: Ends, entities: &mut Entities) {
        for target in relation.lists.keys() {
            entities.add(*target, self.mark);
        }
        if let Some(before) = self.get_mut(relation.number) {
            *before = relation;
        }
    }

    /// Becomes a copy of others, each of which is kept here, too; without those that are not copied.
    pub(crate) fn copy_from(&mut self, from: &Self, is_copied: impl Fn(u32) -> bool) {
        for relation in &mut self.all {
            if let Some(from) = from.get(relation.number).filter(|from| is_copied(from.number)) {
                relation.slots.clone_from(&from.slots);
                relation.lists.clone_from(&from.lists);
            } else {
                relation.slots.clear();
                relation.lists.clear();
            }
        }
    }

    /// Gives those that point to one entity the order that those have in other relations of which they are the
    /// copies, as `copy` tells.
    pub(crate) fn order_like(&mut self, other: &Self, copy: &dyn Fn(Entity) -> Entity) {
        for relation in &mut self.all {
            let Some(other) = other.get(relation.number) else { continue };
            for (target, list) in other.lists.iter().filter(|(_, list)| list.len > 1) {
                let order: Vec<Entity> = list.iter().map(copy).collect();
                relation.reorder(copy(target), &order);
            }
        }
    }

    /// Makes room for so many entities that have a relation, and that it points to.
    #[cfg(feature = "serde")]
    pub(crate) fn reserve(&mut self, number: u32, sources: usize, targets: usize) {
        if let Some(relation) = self.get_mut(number) {
            relation.reserve(sources, targets);
        }
    }

    /// Returns `true` if there are none.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn iter(&self) -> slice::Iter<'_, Ends> {
        self.all.iter()
    }

    #[inline]
    fn place(&self, number: u32) -> Option<usize> {
        self.all.binary_search_by_key(&number, |relation| relation.number).ok()
    }

    /// The relation with this number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&Ends> {
        self.all.get(self.place(number)?)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Ends> {
        let at = self.place(number)?;
        self.all.get_mut(at)
    }

    /// Returns the targets of the relation for whose targets this number stands.
    #[cold]
    #[inline(never)]
    pub(crate) fn targets_at(&self, number: u32) -> Option<&Keys<Entity>> {
        let relation = self.all.iter().find(|relation| relation.targets_number == number);
        relation.map(|relation| relation.lists.raw_keys())
    }

    /// Returns `true` if these are the targets of a relation.
    pub(crate) fn are_targets(&self, keys: &Keys<Entity>) -> bool {
        self.all.iter().any(|relation| core::ptr::eq(relation.lists.raw_keys(), keys))
    }

    /// Returns `true` if any points to this entity.
    pub(crate) fn point_to(&self, target: Entity) -> bool {
        self.all.iter().any(|relation| relation.lists.contains(target))
    }

    /// Looks whether an entity, or one that is about to be made, may be given a relation. O(1); of one that may
    /// not close circles and is given to an entity that others point to, O(ancestors of the target).
    pub(crate) fn check(
        &self,
        entities: &mut Entities,
        source: Option<Entity>,
        pointing: Pointing,
    ) -> Result<(), RelateError> {
        let Pointing { number, name, acyclic, target } = pointing;
        if !entities.ensure_alive(target) {
            return Err(RelateError::NoSuchTarget(name, target));
        }
        let Some(source) = source.filter(|_| acyclic) else { return Ok(()) };
        let relation = self.get(number);
        // Nobody's target closes no circle, but with itself: so trees that grow are not walked.
        if source != target && relation.is_none_or(|relation| !relation.lists.contains(source)) {
            return Ok(());
        }
        let above = || core::iter::successors(Some(target), |at| relation?.target(*at));
        let Some(steps) = above().position(|at| at == source) else { return Ok(()) };
        let circle = core::iter::once(source).chain(above().take(steps)).collect();
        Err(RelateError::Circle(name, circle))
    }

    /// An entity has this relation now.
    #[inline]
    pub(crate) fn link(
        &mut self,
        entities: &mut Entities,
        number: u32,
        source: Entity,
        target: Entity,
    ) {
        let mark = self.mark;
        if let Some(relation) = self.get_mut(number)
            && relation.point(source, target)
        {
            entities.add(target, mark);
        }
    }

    /// An entity has no such relation any more.
    #[inline]
    pub(crate) fn unlink(&mut self, number: u32, source: Entity) {
        if let Some(relation) = self.get_mut(number) {
            relation.leave(source);
        }
    }

    /// An entity ends; and so do all that point to it.
    pub(crate) fn forget(&mut self, entity: Entity, is_marked: bool) {
        for relation in &mut self.all {
            if is_marked && let Some(list) = relation.lists.remove(entity) {
                for source in list.entries.iter().flatten() {
                    relation.slots.remove(*source);
                }
            }
            relation.leave(entity);
        }
    }

    /// Nobody is alive any more.
    pub(crate) fn clear(&mut self) {
        for relation in &mut self.all {
            relation.slots.clear();
            relation.lists.clear();
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        for relation in &mut self.all {
            let Ends { slots, lists, .. } = relation;
            lists.iter_mut().for_each(|(_, list)| list.close_up(slots));
            lists.iter_mut().for_each(|(_, list)| list.entries.shrink_to_fit());
            slots.shrink_to_fit();
            lists.shrink_to_fit();
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let of_list = |list: &List| list.entries.capacity() * size_of::<Option<Entity>>();
        let of_relation = |relation: &Ends| {
            let Ends { slots, lists, .. } = relation;
            let of_lists = lists.iter().map(|(_, list)| of_list(list)).sum::<usize>();
            slots.memory_usage().total() + lists.memory_usage().total() + of_lists
        };
        self.all.capacity() * size_of::<Ends>() + self.all.iter().map(of_relation).sum::<usize>()
    }

    /// R1 to R3, where the pool with a relation's number has these members, which point to these targets.
    pub(crate) fn check_all<'p>(
        &self,
        entities: &Entities,
        members: impl Fn(u32) -> &'p [Entity],
        target: impl Fn(u32, Entity) -> Option<Entity>,
    ) -> Result<(), &'static str> {
        for relation in &self.all {
            let (Ends { slots, lists, .. }, members) = (relation, members(relation.number));
            if slots.len() != members.len() || members.iter().any(|it| !slots.contains(*it)) {
                return Err("R1: others have a slot than have the component");
            }
            let points = |(source, slot): (Entity, &Slot)| {
                target(relation.number, source) == Some(slot.target)
            };
            if !slots.iter().all(points) {
                return Err("R1: a slot has another target than the component");
            }
            let is_listed = |(source, slot): (Entity, &Slot)| {
                let list = lists.get(slot.target);
                list.is_some_and(|it| it.entries.get(slot.place as usize) == Some(&Some(source)))
            };
            if !slots.iter().all(is_listed) {
                return Err("R1: a slot leads to another's place");
            }
            if lists.iter().map(|(_, list)| list.len).sum::<usize>() != slots.len() {
                return Err("R1: a list has more than have slots");
            }
            for (target, List { entries, first, len }) in lists {
                if entries.iter().flatten().count() != *len
                    || entries[..*first].iter().any(Option::is_some)
                    || !matches!(
                        (entries.get(*first), entries.last()),
                        (Some(Some(_)), Some(Some(_)))
                    )
                {
                    return Err("R2: a list is not as it says");
                }
                if !entities.is_alive(target) || !entities.components(target).contains(self.mark) {
                    return Err("R3: a target is dead, or not marked");
                }
            }
        }
        Ok(())
    }
}

impl Ends {
    /// One by which nobody points anywhere yet.
    fn new(number: u32, targets_number: u32, at_end: AtTargetEnd) -> Self {
        let (slots, lists) = (SparseSet::default(), SparseSet::default());
        Self { number, targets_number, at_end, slots, lists }
    }

    /// Returns this relation as if these were its ends, so many sources and targets at most: each source points to its
    /// target, in this order.
    #[cfg(feature = "serde")]
    pub(crate) fn with_ends(
        &self,
        (sources, targets): (usize, usize),
        ends: impl Iterator<Item = (Entity, Entity)>,
    ) -> Self {
        let mut relation = Self::new(self.number, self.targets_number, self.at_end);
        relation.reserve(sources, targets);
        for (source, target) in ends {
            relation.point(source, target);
        }
        relation
    }

    #[cfg(feature = "serde")]
    fn reserve(&mut self, sources: usize, targets: usize) {
        self.slots.reserve(sources);
        self.lists.reserve(targets);
    }

    /// The entity that this one points to.
    #[inline]
    pub(crate) fn target(&self, source: Entity) -> Option<Entity> {
        Some(self.slots.get(source)?.target)
    }

    /// Those that point to an entity, in order.
    #[inline]
    pub(crate) fn sources(&self, target: Entity) -> Related<'_> {
        self.lists.get(target).map_or_else(Related::nobody, List::iter)
    }

    /// The entities that are pointed to.
    pub(crate) fn targets(&self) -> &[Entity] {
        self.lists.keys()
    }

    /// Returns the number of entities that point to others.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The next one that points to the same target.
    pub(crate) fn next(&self, source: Entity) -> Option<Entity> {
        let Slot { target, place } = *self.slots.get(source)?;
        self.lists.get(target)?.entries[place as usize + 1..].iter().flatten().next().copied()
    }

    /// Returns the source before this one among those that point to the same target.
    #[cfg(feature = "serde")]
    pub(crate) fn before(&self, source: Entity) -> Option<Entity> {
        let Slot { target, place } = *self.slots.get(source)?;
        self.lists.get(target)?.entries[..place as usize].iter().flatten().next_back().copied()
    }

    /// Returns `true` if any points to itself by way of others. O(those that point).
    #[cfg(feature = "serde")]
    pub(crate) fn has_circle(&self) -> bool {
        let mut walks = SparseSet::<usize, Entity>::default(); // which came by first
        walks.reserve(self.slots.len());
        self.slots.keys().iter().enumerate().any(|(walk, source)| {
            let mut at = *source;
            while let Some(target) = self.target(at) {
                match walks.get(at) {
                    Some(before) => return *before == walk,
                    None => drop(walks.insert(at, walk)),
                }
                at = target;
            }
            false
        })
    }

    /// Lets `source` point to `target`, as the last; if it does already, it stays where it is. Whether it is the
    /// first to do so.
    fn point(&mut self, source: Entity, target: Entity) -> bool {
        match self.target(source) {
            Some(before) if before == target => return false,
            Some(_) => self.leave(source),
            None => {}
        }
        let (place, is_first) = if let Some(list) = self.lists.get_mut(target) {
            list.entries.push(Some(source));
            list.len += 1;
            (list.entries.len() - 1, false)
        } else {
            self.lists.put(target, List { entries: Vec::from([Some(source)]), first: 0, len: 1 });
            (0, true)
        };
        self.slots.put(source, Slot { target, place: stored(place) });
        is_first
    }

    /// Lets `source` point nowhere.
    fn leave(&mut self, source: Entity) {
        let Some(Slot { target, place }) = self.slots.remove(source) else { return };
        let Some(list) = self.lists.get_mut(target) else { return };
        list.entries[place as usize] = None;
        list.len -= 1;
        if list.len == 0 {
            self.lists.remove(target);
            return;
        }
        while list.entries.pop_if(|entry| entry.is_none()).is_some() {}
        while list.entries[list.first].is_none() {
            list.first += 1;
        }
        if list.entries.len() - list.len > list.len + MOST_GAPS {
            list.close_up(&mut self.slots);
        }
    }

    /// Puts `source` at this position among those that point to the same target, or behind all of them. Whether
    /// it points anywhere.
    pub(crate) fn move_to(&mut self, source: Entity, position: usize) -> bool {
        let Some(target) = self.target(source) else { return false };
        let Some(list) = self.lists.get_mut(target) else { return false };
        list.entries.retain(|entry| entry.is_some_and(|it| it != source));
        list.entries.insert(position.min(list.entries.len()), Some(source));
        list.renumber(&mut self.slots);
        true
    }

    /// Gives those that point to `target` this order: it is one of them.
    pub(crate) fn reorder(&mut self, target: Entity, order: &[Entity]) {
        let Some(list) = self.lists.get_mut(target) else { return };
        list.entries.clear();
        list.entries.extend(order.iter().map(|source| Some(*source)));
        list.renumber(&mut self.slots);
    }

    /// Returns the places of sources that changed, for [`arrange`](Self::arrange): target by target, in the order of
    /// the lists. A source at the end of its list has none if it gets there by being appended in the order of
    /// `changed`.
    #[cfg(feature = "serde")]
    pub(crate) fn places_of(&self, changed: &[Entity]) -> Vec<Place> {
        let slot =
            |at: usize| self.slots.get(changed[at]).map(|slot| (slot.target, slot.place, at));
        let mut slots: Vec<_> = (0..changed.len()).filter_map(slot).collect();
        slots.sort_unstable();
        let mut places = Vec::new();
        for list in slots.chunk_by(|a, b| a.0 == b.0) {
            let list: Vec<usize> = list.iter().map(|(.., at)| *at).collect();
            let mut next = None;
            let is_last = |at: &&usize| {
                let source = changed[**at];
                self.next(source) == next.replace(source)
            };
            let tail = list.len() - list.iter().rev().take_while(is_last).count();
            let (inner, tail) = list.split_at(tail);
            let appended = 1 + tail.windows(2).take_while(|pair| pair[0] < pair[1]).count();
            let moved = inner.iter().chain(tail.iter().skip(appended));
            places.extend(moved.map(|&at| (at, self.before(changed[at]))));
        }
        places
    }

    /// Appends the sources that changed to their lists, and moves those with a [place](Place) there. Places of one
    /// target stand side by side.
    #[cfg(feature = "serde")]
    pub(crate) fn arrange(&mut self, changed: &[Entity], places: &[Place]) {
        for source in changed {
            if let Some(target) = self.target(*source) {
                self.leave(*source);
                self.point(*source, target);
            }
        }
        let moves: Vec<_> = places.iter().map(|(at, before)| (changed[*at], *before)).collect();
        let mut left = &moves[..];
        while let Some(target) = left.first().map(|(source, _)| self.target(*source)) {
            let is_here = |(source, _): &&(Entity, _)| self.target(*source) == target;
            let (here, others) = left.split_at(left.iter().take_while(is_here).count());
            if let Some(target) = target {
                let order = self.order_with(target, here);
                self.reorder(target, &order);
            }
            left = others;
        }
    }

    /// Returns the sources of this target, those with a place each behind the source beside it, or at the front.
    #[cfg(feature = "serde")]
    fn order_with(&self, target: Entity, placed: &[(Entity, Option<Entity>)]) -> Vec<Entity> {
        let mut sorted: Vec<Entity> = placed.iter().map(|(source, _)| *source).collect();
        sorted.sort_unstable();
        let has_place = |source: Entity| sorted.binary_search(&source).is_ok();
        let others: Vec<Entity> =
            self.sources(target).filter(|source| !has_place(*source)).collect();
        let (mut order, mut taken) = (Vec::with_capacity(others.len() + placed.len()), 0);
        for &(source, before) in placed {
            // A source that has a place itself is in the order already, or behind one that is.
            let before = before.filter(|before| !has_place(*before));
            let before = before.and_then(|before| self.slots.get(before));
            if let Some(&Slot { place, .. }) = before.filter(|slot| slot.target == target) {
                let is_up_to =
                    |it: &Entity| self.slots.get(*it).is_some_and(|it| it.place <= place);
                let end = others.partition_point(is_up_to).max(taken);
                order.extend(&others[taken..end]);
                taken = end;
            }
            order.push(source);
        }
        order.extend(&others[taken..]);
        order
    }

    /// Returns the sources that are ordered otherwise than before, among those that pointed to their target then.
    #[cfg(feature = "serde")]
    pub(crate) fn reordered_since(&self, before: &Self) -> Vec<Entity> {
        let mut reordered = Vec::new();
        for target in self.lists.keys() {
            let stayed = |ends: &'_ Self, other: &'_ Self| -> Vec<Entity> {
                let sources = ends.sources(*target);
                sources.filter(|source| other.target(*source) == Some(*target)).collect()
            };
            let (old, new) = (stayed(before, self), stayed(self, before));
            reordered
                .extend(old.into_iter().zip(new).filter(|(old, new)| old != new).map(|it| it.1));
        }
        reordered
    }

    /// Exchanges the places of two that point to the same target. Whether they do.
    pub(crate) fn swap(&mut self, a: Entity, b: Entity) -> bool {
        let slot = |entity| self.slots.get(entity).copied();
        let (Some(of_a), Some(of_b)) = (slot(a), slot(b)) else { return false };
        if of_a.target != of_b.target {
            return false;
        }
        if let Some(list) = self.lists.get_mut(of_a.target) {
            list.entries.swap(of_a.place as usize, of_b.place as usize);
        }
        self.slots.put(a, of_b);
        self.slots.put(b, of_a);
        true
    }
}

impl List {
    fn iter(&self) -> Related<'_> {
        Related { entries: self.entries[self.first..].iter(), len: self.len }
    }

    /// Closes the gaps.
    fn close_up(&mut self, slots: &mut SparseSet<Slot, Entity>) {
        self.entries.retain(Option::is_some);
        self.renumber(slots);
    }

    /// Tells the slots their places, where there are no gaps.
    fn renumber(&mut self, slots: &mut SparseSet<Slot, Entity>) {
        self.first = 0;
        for (place, source) in self.entries.iter().flatten().enumerate() {
            if let Some(slot) = slots.get_mut(*source) {
                slot.place = stored(place);
            }
        }
    }
}

/// A place, as slots have it: a list has at most two entries and some for each entity, of which fewer are alive
/// than have indices.
#[inline]
fn stored(place: usize) -> u32 {
    u32::try_from(place).expect("a list of a relation has fewer than 2^32 entries")
}

/// Those who point to an entity by a relation, in order: from [`World::related`](crate::World::related). From
/// either end; it knows how many are left.
///
/// ```
/// # use ecs::{ChildOf, World};
/// let mut world = World::new();
/// let parent = world.spawn_empty().id();
/// let children = world.spawn_batch((0..3).map(|_| ChildOf(parent)));
/// let related = world.related::<ChildOf>(parent);
/// assert_eq!((related.len(), related.clone().next_back()), (3, Some(children[2])));
/// assert!(related.eq(children));
/// ```
#[derive(Clone, Debug)]
pub struct Related<'w> {
    entries: slice::Iter<'w, Option<Entity>>,
    len: usize,
}

impl Related<'_> {
    pub(crate) fn nobody() -> Self {
        Self { entries: [].iter(), len: 0 }
    }
}

impl Iterator for Related<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        let entity = self.entries.by_ref().flatten().next()?;
        self.len -= 1;
        Some(*entity)
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
    #[inline]
    fn fold<B, F: FnMut(B, Entity) -> B>(self, init: B, f: F) -> B {
        self.entries.flatten().copied().fold(init, f)
    }
}

impl DoubleEndedIterator for Related<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Entity> {
        let entity = self.entries.by_ref().flatten().next_back()?;
        self.len -= 1;
        Some(*entity)
    }
}

impl ExactSizeIterator for Related<'_> {}
impl FusedIterator for Related<'_> {}
