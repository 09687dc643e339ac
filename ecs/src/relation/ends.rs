//! Both ends of all relations: the target of each source, and the sources of each target.
//!
//! ```text
//! slots   3: { target 7, place 2 }    5: { target 7, place 1 }    9: { target 7, place 4 }
//! lists   7: [ -  5  3  -  9 ]        a gap for each source that left; `first` is 1, `len` is 3
//! ```
//!
//! A source that leaves makes a gap, so that leaving is O(1) and the others keep their order. A list with more gaps
//! than sources is closed up.

use crate::component::access::{Access, Mode};
use crate::component::rules::{ComponentRule, DeclaredRule};
use crate::component::set::MARK;
use crate::component::{AnyComponent, AtTargetEnd, Rule, index_of};
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

/// The number of gaps, beyond the number of sources, that a list may have: closing fewer is not worthwhile.
const MOST_GAPS: usize = 8;

/// A component that no entity has: its number stands for the targets of the relation `R` in queries that require or
/// exclude them.
#[derive(Component)]
struct TargetsOf<R>(PhantomData<fn() -> R>);

/// A test for targets of the relation `R`.
#[doc(hidden)]
pub struct IsTarget<R>(PhantomData<fn() -> R>);

impl<R: AnyComponent> IsTarget<R> {
    /// Returns the number that stands for the targets.
    pub(crate) fn number() -> u32 {
        index_of::<TargetsOf<R>>().get()
    }

    /// Returns the access of a test.
    pub(crate) const fn access(mode: Mode) -> Access {
        Access::of::<TargetsOf<R>>(mode)
    }
}

/// The reason why an entity was not given a relation, or another component.
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
    /// The entity that would point was despawned, or belongs to another world.
    NoSuchEntity(Entity),
    /// The entity to which the relation of this name points was despawned, or belongs to another world.
    NoSuchTarget(&'static str, Entity),
    /// The relation of this name would point to this entity, which lacks the component of the other name: the relation
    /// [points](crate::Relation) to entities with it alone.
    WrongTarget(&'static str, Entity, &'static str),
    /// The relation of this name would close this circle: each entity would point to the next one, the last to the
    /// first.
    Circle(&'static str, Vec<Entity>),
    /// The component of this name is unique, and this entity has an equal one. If the entity is
    /// [`Entity::PLACEHOLDER`], two that are inserted together are equal. `World::relate` does not return this: no
    /// relation is unique.
    NotUnique(&'static str, Entity),
    /// The entity would break this rule between components. [`Entity::PLACEHOLDER`] stands for an entity that would be
    /// made.
    Rule(Entity, ComponentRule),
    /// The veto of the entity's component of this name keeps it, which the insertion would
    /// [replace](crate::guide::rules).
    Refused(Entity, &'static str),
}

impl fmt::Display for RelateError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => write!(f, "no such entity: {entity}"),
            Self::NoSuchTarget(relation, target) => {
                write!(f, "`{relation}` would point to no entity: {target} is not alive")
            }
            Self::WrongTarget(relation, target, component) => write!(
                f,
                "`{relation}` would point to {target}, which has no `{component}`: {}; insert a `{component}` there first",
                ComponentRule::PointsTo(relation, component)
            ),
            Self::Circle(relation, circle) => {
                write!(f, "`{relation}` would close a circle: ")?;
                let (shown, left) = circle.split_at(circle.len().min(MOST_SHOWN));
                shown.iter().try_for_each(|entity| write!(f, "{entity} -> "))?;
                if !left.is_empty() {
                    write!(f, "({} more) -> ", left.len())?;
                }
                write!(f, "{}", circle[0])
            }
            Self::NotUnique(name, Entity::PLACEHOLDER) => {
                write!(f, "`{name}` is unique, and two entities would have equal ones")
            }
            Self::NotUnique(name, holder) => {
                write!(f, "`{name}` is unique, and entity {holder} has an equal one")
            }
            Self::Rule(entity, rule) => {
                match *entity {
                    Entity::PLACEHOLDER => f.write_str("a new entity")?,
                    entity => write!(f, "entity {entity}")?,
                }
                match rule {
                    ComponentRule::PointsTo(name, other) => write!(
                        f,
                        " would keep its `{name}`, or be its target, without `{other}`: {rule}; remove the `{name}` first"
                    ),
                    ComponentRule::Needs(name, needed) => write!(
                        f,
                        " would have `{name}` without `{needed}`: {rule}; insert both in one bundle, or remove \
                         `{name}` first"
                    ),
                    ComponentRule::Excludes(name, other) | ComponentRule::Replaces(name, other) => {
                        write!(
                            f,
                            " would have both `{name}` and `{other}`: {rule}; remove one of them first"
                        )
                    }
                }
            }
            Self::Refused(entity, name) => {
                write!(f, "entity {entity} keeps its `{name}`: the component's veto refused")
            }
        }
    }
}

/// The number of entities of a circle that a message names.
const MOST_SHOWN: usize = 8;

impl core::error::Error for RelateError {}

/// A relation that an entity is about to get.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Pointing {
    pub(crate) number: u32,
    pub(crate) name: &'static str,
    pub(crate) acyclic: bool,
    /// The rule for targets, if there is one.
    pub(crate) of_targets: Option<&'static DeclaredRule>,
    target: Entity,
}

impl Pointing {
    /// Returns the pointing of this component, if it is a relation.
    #[inline(always)]
    pub(crate) fn of<T: AnyComponent>(value: &T) -> Option<Self> {
        if const { T::RELATION.is_none() } {
            return None;
        }
        let rule = T::RELATION?;
        Some(Self::to((rule.target)(value), &rule))
    }

    /// Returns the target.
    pub(crate) const fn target(self) -> Entity {
        self.target
    }

    /// Returns the error of a target that lacks the component of all targets.
    #[inline]
    pub(crate) fn wrong_target(self) -> RelateError {
        let component = self.of_targets.map_or("", |rule| rule.name);
        RelateError::WrongTarget(self.name, self.target, component)
    }

    /// Returns the pointing of a component with this target, by this rule.
    #[inline(always)]
    pub(crate) fn to<T: AnyComponent>(target: Entity, rule: &Rule<T>) -> Self {
        let of_targets = const { DeclaredRule::of_targets(T::RULES) };
        let (number, name) = (index_of::<T>().get(), T::NAME);
        Self { number, name, acyclic: rule.acyclic, of_targets, target }
    }
}

/// The relations of a world.
pub(crate) struct Relations {
    /// The relations, in the order of their numbers.
    all: Vec<Ends>,
}

/// Both ends of a relation.
///
/// * R1: an entity has a slot exactly if it has the component, and both have one target. It is in the list of that
///   target, at the slot's place, and in no other.
/// * R2: a list has `len` entities, at least one; `first` is the place of the first one, and the last place belongs to
///   the last one.
/// * R3: targets are alive, and their sets of components have the [mark](MARK).
#[doc(hidden)]
pub struct Ends {
    pub(crate) number: u32,
    /// The number that stands for the targets.
    targets_number: u32,
    pub(crate) at_end: AtTargetEnd,
    slots: SparseSet<SourceSlot, Entity>,
    lists: SparseSet<SourceList, Entity>,
}

#[derive(Clone, Copy)]
struct SourceSlot {
    target: Entity,
    place: u32,
}

#[derive(Clone, Default)]
struct SourceList {
    entries: Vec<Option<Entity>>,
    first: usize,
    len: usize,
}

/// The place of a changed source among the sources of its target: its position among all changed sources, and the
/// source before it, if it is not the first.
pub(crate) type PlaceInList = (usize, Option<Entity>);

impl Relations {
    pub(crate) const fn new() -> Self {
        Self { all: Vec::new() }
    }

    /// Adds a relation.
    pub(crate) fn add(&mut self, number: u32, targets: u32, at_end: AtTargetEnd) {
        let at = self.all.partition_point(|relation| relation.number < number);
        self.all.insert(at, Ends::new(number, targets, at_end));
    }

    /// Replaces the relation with the number of this one, and marks its targets.
    #[cfg(feature = "serde")]
    pub(crate) fn replace(&mut self, relation: Ends, entities: &mut Entities) {
        for target in relation.lists.keys() {
            entities.add(*target, MARK);
        }
        if let Some(before) = self.get_mut(relation.number) {
            *before = relation;
        }
    }

    /// Makes the relations copies of others; each exists here, too. Relations that are not copied become empty.
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

    /// Reorders the sources of each target like their originals in other relations. `copy` returns the copy of an
    /// original.
    #[inline]
    pub(crate) fn order_like(&mut self, other: &Self, copy: &dyn Fn(Entity) -> Entity) {
        for relation in &mut self.all {
            let Some(other) = other.get(relation.number) else { continue };
            for (target, list) in other.lists.iter().filter(|(_, list)| list.len > 1) {
                let order: Vec<Entity> = list.iter().map(copy).collect();
                relation.reorder(copy(target), &order);
            }
        }
    }

    /// Returns `true` if there are no relations.
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

    /// Returns the relation with this number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&Ends> {
        self.all.get(self.place(number)?)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Ends> {
        let at = self.place(number)?;
        self.all.get_mut(at)
    }

    /// Returns the targets of a relation by the number that stands for them.
    #[cold]
    #[inline(never)]
    pub(crate) fn targets_at(&self, number: u32) -> Option<&Keys<Entity>> {
        let relation = self.all.iter().find(|relation| relation.targets_number == number);
        relation.map(|relation| relation.lists.raw_keys())
    }

    /// Returns `true` if these are the targets of a relation.
    #[inline]
    pub(crate) fn are_targets(&self, keys: &Keys<Entity>) -> bool {
        self.all.iter().any(|relation| core::ptr::eq(relation.lists.raw_keys(), keys))
    }

    /// Returns `true` if any relation points to this entity.
    pub(crate) fn point_to(&self, target: Entity) -> bool {
        self.all.iter().any(|relation| relation.lists.contains(target))
    }

    /// Returns an error if an entity, or one that is about to be made, cannot be given a relation. O(1). For a relation
    /// without circles and a source that is a target itself, O(ancestors of the target) or O(descendants of the source),
    /// whichever are fewer.
    pub(crate) fn check(
        &self,
        entities: &mut Entities,
        source: Option<Entity>,
        pointing: Pointing,
    ) -> Result<(), RelateError> {
        let Pointing { number, name, acyclic, target, .. } = pointing;
        if !entities.ensure_alive(target) {
            return Err(RelateError::NoSuchTarget(name, target));
        }
        let Some(source) = source.filter(|_| acyclic) else { return Ok(()) };
        let relation = self.get(number);
        if source != target && relation.is_none_or(|relation| !relation.is_above(source, target)) {
            return Ok(());
        }
        let above = || core::iter::successors(Some(target), |at| relation?.target(*at));
        let Some(steps) = above().position(|at| at == source) else { return Ok(()) };
        let circle = core::iter::once(source).chain(above().take(steps)).collect();
        Err(RelateError::Circle(name, circle))
    }

    /// Notes that an entity has this relation now.
    #[inline]
    pub(crate) fn link(
        &mut self,
        entities: &mut Entities,
        number: u32,
        source: Entity,
        target: Entity,
    ) {
        if let Some(relation) = self.get_mut(number)
            && relation.point(source, target)
        {
            entities.add(target, MARK);
        }
    }

    /// Notes that an entity does not have this relation any more.
    #[inline]
    pub(crate) fn unlink(&mut self, number: u32, source: Entity) {
        if let Some(relation) = self.get_mut(number) {
            relation.leave(source);
        }
    }

    /// Removes an entity that ends, and its sources, which end as well.
    pub(crate) fn forget(&mut self, entity: Entity, is_marked: bool) {
        self.all.iter_mut().for_each(|relation| relation.forget(entity, is_marked));
    }

    /// Returns the places that targets would lose among the targets if this entity ended, or lost the relation with
    /// `only` this number.
    pub(crate) fn places_of_targets(
        &self,
        entity: Entity,
        only: Option<u32>,
    ) -> impl Iterator<Item = TargetPlace> {
        let all =
            self.all.iter().filter(move |relation| only.is_none_or(|it| it == relation.number));
        all.flat_map(move |relation| {
            let number = relation.number;
            let is_left = |target: &Entity| relation.sources(*target).len() == 1;
            let of_source = relation.target(entity).filter(is_left).filter(|it| *it != entity);
            let own = Some(entity).filter(|_| only.is_none());
            let keys = relation.lists.raw_keys();
            let at = move |target: Entity| keys.find(target);
            let own = own.and_then(at);
            // The last target takes the place of this one first.
            let moved = move |at| match own {
                Some(own) if at + 1 == keys.len() => own,
                _ => at,
            };
            let of_source = of_source.and_then(|target| Some((target, moved(at(target)?))));
            let own = own.map(|at| (entity, at));
            own.into_iter().chain(of_source).map(move |(target, at)| TargetPlace {
                number,
                target,
                at,
            })
        })
    }

    /// Puts a target back in its place among the targets; this many of them are last and have no place yet.
    /// Returns `false` if it is not among these.
    #[inline]
    pub(crate) fn put_target(&mut self, place: TargetPlace, unplaced: usize) -> bool {
        let TargetPlace { number, target, at } = place;
        let Some(relation) = self.get_mut(number) else { return false };
        let first = relation.lists.len() - unplaced.min(relation.lists.len());
        let now = relation.lists.raw_keys().find(target);
        let Some(now) = now.filter(|now| *now >= first) else { return false };
        // It is placed like one that was added before the others.
        relation.lists.untyped().swap_at(now, first);
        if at < first {
            relation.lists.untyped().swap_at(first, at);
        }
        true
    }

    /// Removes all sources and targets.
    #[inline]
    pub(crate) fn clear(&mut self) {
        for relation in &mut self.all {
            relation.slots.clear();
            relation.lists.clear();
        }
    }

    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        for relation in &mut self.all {
            let Ends { slots, lists, .. } = relation;
            lists.iter_mut().for_each(|(_, list)| list.close_up(slots));
            lists.iter_mut().for_each(|(_, list)| list.entries.shrink_to_fit());
            slots.shrink_to_fit();
            lists.shrink_to_fit();
        }
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        let of_list = |list: &SourceList| list.entries.capacity() * size_of::<Option<Entity>>();
        let of_relation = |relation: &Ends| {
            let Ends { slots, lists, .. } = relation;
            let of_lists = lists.iter().map(|(_, list)| of_list(list)).sum::<usize>();
            slots.memory_usage().total() + lists.memory_usage().total() + of_lists
        };
        self.all.capacity() * size_of::<Ends>() + self.all.iter().map(of_relation).sum::<usize>()
    }

    /// Checks R1 to R3, for the members of the pool with a relation's number, and their targets.
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
            let points = |(source, slot): (Entity, &SourceSlot)| {
                target(relation.number, source) == Some(slot.target)
            };
            if !slots.iter().all(points) {
                return Err("R1: a slot has another target than the component");
            }
            let is_listed = |(source, slot): (Entity, &SourceSlot)| {
                let list = lists.get(slot.target);
                list.is_some_and(|it| it.entries.get(slot.place as usize) == Some(&Some(source)))
            };
            if !slots.iter().all(is_listed) {
                return Err("R1: a slot leads to another's place");
            }
            if lists.iter().map(|(_, list)| list.len).sum::<usize>() != slots.len() {
                return Err("R1: a list has more than have slots");
            }
            for (target, SourceList { entries, first, len }) in lists {
                if entries.iter().flatten().count() != *len
                    || entries[..*first].iter().any(Option::is_some)
                    || !matches!(
                        (entries.get(*first), entries.last()),
                        (Some(Some(_)), Some(Some(_)))
                    )
                {
                    return Err("R2: a list is not as it says");
                }
                if !entities.is_alive(target) || !entities.components(target).contains(MARK) {
                    return Err("R3: a target is dead, or not marked");
                }
            }
        }
        Ok(())
    }
}

/// The position of a target among the targets of the relation with this number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetPlace {
    pub(crate) number: u32,
    target: Entity,
    at: usize,
}

impl Ends {
    /// Returns a relation without sources.
    fn new(number: u32, targets_number: u32, at_end: AtTargetEnd) -> Self {
        let (slots, lists) = (SparseSet::default(), SparseSet::default());
        Self { number, targets_number, at_end, slots, lists }
    }

    /// Returns this relation with these ends instead, at most this many sources and targets: each source points to its
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

    /// Returns the target of this entity.
    #[inline]
    pub(crate) fn target(&self, source: Entity) -> Option<Entity> {
        #[cfg(test)]
        crate::steps::count();
        Some(self.slots.get(source)?.target)
    }

    /// Returns `true` if `entity` points to `ancestor`, directly or by way of others. The relation may not have circles.
    ///
    /// Walks up from `entity` and down from `ancestor` in turns, until one walk ends. So the shorter walk decides the
    /// cost: a tree that grows, or a small one that is put below a deep one, takes few steps.
    #[inline]
    fn is_above(&self, ancestor: Entity, entity: Entity) -> bool {
        self.lists.contains(ancestor) && self.is_above_by_walks(ancestor, entity)
    }

    #[inline(never)]
    fn is_above_by_walks(&self, ancestor: Entity, entity: Entity) -> bool {
        // Its own target is above it.
        if self.target(ancestor) == Some(entity) {
            return false;
        }
        let mut at = entity;
        for descendant in Descendants::of(Some(self), ancestor) {
            if descendant == entity {
                return true;
            }
            match self.target(at) {
                Some(target) if target == ancestor => return true,
                Some(target) => at = target,
                None => return false,
            }
        }
        false
    }

    /// Returns the sources of an entity, in order.
    #[inline]
    pub(crate) fn sources(&self, target: Entity) -> Related<'_> {
        self.lists.get(target).map_or_else(Related::nobody, SourceList::iter)
    }

    /// Returns `true` if one of these entities points to one of them, or any entity to another one.
    #[inline]
    pub(crate) fn points_among(&self, entities: Option<&[Entity]>) -> bool {
        let Some(entities) = entities else { return self.len() > 0 };
        let among: SparseSet<(), Entity> = entities.iter().map(|entity| (*entity, ())).collect();
        let points = |source: &Entity| self.target(*source).is_some_and(|it| among.contains(it));
        entities.iter().any(points)
    }

    /// Returns all targets.
    pub(crate) fn targets(&self) -> &[Entity] {
        self.lists.keys()
    }

    /// Returns the number of sources.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the next source of this source's target.
    pub(crate) fn next(&self, source: Entity) -> Option<Entity> {
        let SourceSlot { target, place } = *self.slots.get(source)?;
        self.lists.get(target)?.entries[place as usize + 1..].iter().flatten().next().copied()
    }

    /// Returns the source before this one among the sources of its target.
    #[inline]
    pub(crate) fn before(&self, source: Entity) -> Option<Entity> {
        let SourceSlot { target, place } = *self.slots.get(source)?;
        self.lists.get(target)?.entries[..place as usize].iter().flatten().next_back().copied()
    }

    /// Returns `true` if any source points to itself through others. O(sources).
    #[cfg(feature = "serde")]
    pub(crate) fn has_circle(&self) -> bool {
        let mut walks = SparseSet::<usize, Entity>::default(); // the first walk that met each
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

    /// Adds `source` as the last source of `target`; if it is one already, it stays where it is. Returns `true` if it
    /// is the first.
    pub(crate) fn point(&mut self, source: Entity, target: Entity) -> bool {
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
            self.lists
                .put(target, SourceList { entries: Vec::from([Some(source)]), first: 0, len: 1 });
            (0, true)
        };
        self.slots.put(source, SourceSlot { target, place: stored(place) });
        is_first
    }

    /// Removes an entity that ends, and its sources.
    fn forget(&mut self, entity: Entity, is_marked: bool) {
        if is_marked && let Some(list) = self.lists.remove(entity) {
            for source in list.entries.iter().flatten() {
                self.slots.remove(*source);
            }
        }
        self.leave(entity);
    }

    /// Removes `source` from the sources of its target.
    fn leave(&mut self, source: Entity) {
        let Some(SourceSlot { target, place }) = self.slots.remove(source) else { return };
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

    /// Moves `source` to this position among the sources of its target, or behind all of them. Returns `false` if it
    /// has no target.
    #[inline]
    pub(crate) fn move_to(&mut self, source: Entity, position: usize) -> bool {
        let Some(target) = self.target(source) else { return false };
        let Some(list) = self.lists.get_mut(target) else { return false };
        list.entries.retain(|entry| entry.is_some_and(|it| it != source));
        list.entries.insert(position.min(list.entries.len()), Some(source));
        list.renumber(&mut self.slots);
        true
    }

    /// Reorders the sources of `target`; `order` must be a permutation of them.
    #[inline]
    pub(crate) fn reorder(&mut self, target: Entity, order: &[Entity]) {
        let Some(list) = self.lists.get_mut(target) else { return };
        list.entries.clear();
        list.entries.extend(order.iter().map(|source| Some(*source)));
        list.renumber(&mut self.slots);
    }

    /// Returns the places of changed sources, for [`arrange`](Self::arrange): target by target, in the order of the
    /// lists. A source at the end of its list has no place if appending in the order of `changed` puts it there, unless
    /// its target `has_all`.
    pub(crate) fn places_of(
        &self,
        changed: &[Entity],
        has_all: impl Fn(Entity) -> bool,
    ) -> Vec<PlaceInList> {
        let slot =
            |at: usize| self.slots.get(changed[at]).map(|slot| (slot.target, slot.place, at));
        let mut slots: Vec<_> = (0..changed.len()).filter_map(slot).collect();
        slots.sort_unstable();
        let mut places = Vec::new();
        for list in slots.chunk_by(|a, b| a.0 == b.0) {
            let has_all = has_all(list[0].0);
            let list: Vec<usize> = list.iter().map(|(.., at)| *at).collect();
            let mut next = None;
            let is_last = |at: &&usize| {
                let source = changed[**at];
                self.next(source) == next.replace(source)
            };
            let tail = list.len() - list.iter().rev().take_while(is_last).count();
            let (inner, tail) = list.split_at(if has_all { list.len() } else { tail });
            let appended = 1 + tail.windows(2).take_while(|pair| pair[0] < pair[1]).count();
            let moved = inner.iter().chain(tail.iter().skip(appended));
            places.extend(moved.map(|&at| (at, self.before(changed[at]))));
        }
        places
    }

    /// Appends the changed sources to their lists, and moves those with a [place](Place) there. Places of one target
    /// must be side by side.
    #[inline]
    pub(crate) fn arrange(&mut self, changed: &[Entity], places: &[PlaceInList]) {
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

    /// Returns the sources of this target; each one with a place follows the source of its place, or is at the front.
    #[inline]
    fn order_with(&self, target: Entity, placed: &[(Entity, Option<Entity>)]) -> Vec<Entity> {
        let mut sorted: Vec<Entity> = placed.iter().map(|(source, _)| *source).collect();
        sorted.sort_unstable();
        let has_place = |source: Entity| sorted.binary_search(&source).is_ok();
        let others: Vec<Entity> =
            self.sources(target).filter(|source| !has_place(*source)).collect();
        let (mut order, mut taken) = (Vec::with_capacity(others.len() + placed.len()), 0);
        for &(source, before) in placed {
            // A source with a place itself is in the order already, or behind one that is.
            let before = before.filter(|before| !has_place(*before));
            let before = before.and_then(|before| self.slots.get(before));
            if let Some(&SourceSlot { place, .. }) = before.filter(|slot| slot.target == target) {
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

    /// Returns the sources that are in another order than before, among the sources that had their target
    /// then.
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

    /// Exchanges the places of two sources of one target. Returns `false` if their targets differ.
    #[inline]
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

impl SourceList {
    fn iter(&self) -> Related<'_> {
        Related { entries: self.entries[self.first..].iter(), len: self.len }
    }

    /// Closes the gaps.
    fn close_up(&mut self, slots: &mut SparseSet<SourceSlot, Entity>) {
        self.entries.retain(Option::is_some);
        self.renumber(slots);
    }

    /// Updates the places in the slots; there must be no gaps.
    fn renumber(&mut self, slots: &mut SparseSet<SourceSlot, Entity>) {
        self.first = 0;
        for (place, source) in self.entries.iter().flatten().enumerate() {
            if let Some(slot) = slots.get_mut(*source) {
                slot.place = stored(place);
            }
        }
    }
}

/// Converts a place to the form that slots store. A list has at most two entries for each entity and a constant number
/// more, and fewer entities are alive than have indices.
#[inline]
fn stored(place: usize) -> u32 {
    u32::try_from(place).expect("a list of a relation has fewer than 2^32 entries")
}

/// The sources of an entity by a relation, in order, from either end. Returned by
/// [`World::related`](crate::World::related). An exact-size iterator.
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

/// The descendants of an entity, depth first.
pub(crate) struct Descendants<'w> {
    ends: Option<&'w Ends>,
    root: Entity,
    /// The last descendant that was returned; `None` at the end.
    at: Option<Entity>,
}

impl<'w> Descendants<'w> {
    pub(crate) const fn of(ends: Option<&'w Ends>, root: Entity) -> Self {
        Self { ends, root, at: Some(root) }
    }
}

impl Iterator for Descendants<'_> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        #[cfg(test)]
        crate::steps::count();
        let (ends, mut at) = (self.ends?, self.at?);
        self.at = ends.sources(at).next();
        while self.at.is_none() && at != self.root {
            self.at = ends.next(at);
            at = ends.target(at)?;
        }
        self.at
    }
}

impl FusedIterator for Descendants<'_> {}
