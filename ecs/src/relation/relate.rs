//! Relations: from sources to targets, followed in both directions.

use crate::component::rules::DeclaredRule;
use crate::component::{Relation, index_of};
use crate::edit::bundle::{One, Parts, parts_of};
use crate::entity::Entity;
use crate::pool::kind::Kind;
use crate::relation::ends::{Descendants, Ends, Pointing, RelateError, Related};
use crate::text::Text;
use crate::world::World;
use crate::world::error::NoSuchEntityError;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::iter::successors;

/// Returns the error of a dead entity.
///
/// # Panics
/// Panics if the relation would create a cycle, a component is not unique, or a rule forbids it.
#[inline]
pub(crate) fn no_such(error: &RelateError) -> NoSuchEntityError {
    match *error {
        RelateError::NoSuchEntity(nobody) | RelateError::NoSuchTarget(_, nobody) => {
            NoSuchEntityError(nobody)
        }
        RelateError::Circle(..) => panic!("{error}; `World::relate` returns this error"),
        RelateError::NotUnique(..) => panic!("{error}; `World::index` finds it beforehand"),
        RelateError::WrongTarget(..) | RelateError::Rule(..) | RelateError::Refused(..) => {
            panic!("{error}; `World::try_insert` returns this error")
        }
    }
}

/// Returns the result of a check, with the error of [`no_such`].
///
/// # Panics
/// Panics like it.
#[inline]
pub(crate) fn or_no_such<R>(checked: Result<R, RelateError>) -> Result<R, NoSuchEntityError> {
    checked.map_err(|error| no_such(&error))
}

/// # Relations
impl World {
    /// Inserts a relation into `entity` like [`insert`](Self::insert), but returns each error. It replaces a relation
    /// to another target. The entity comes last among the sources of the target, but keeps its place if it was among
    /// them.
    ///
    /// O(1). An `acyclic` relation of an entity with sources is O(ancestors of the target) or O(descendants of the
    /// entity), whichever are fewer. Building a tree from its root, or by putting trees below entities that point
    /// nowhere, stays O(1) each.
    ///
    /// # Errors
    /// Returns an error if either entity is not alive, or the relation would close a circle that it may not close. The
    /// relation is dropped then, and nothing has changed.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// #[derive(Component)]
    /// #[component(relation, acyclic)]
    /// struct Follows(Entity);
    ///
    /// let mut world = World::new();
    /// let [a, b, c] = [(); 3].map(|()| world.spawn_empty().id());
    /// world.relate(b, Follows(a)).unwrap();
    /// world.relate(c, Follows(b)).unwrap();
    /// let error = world.relate(a, Follows(c)).unwrap_err();
    /// assert_eq!(error.to_string(), "`Follows` would close a circle: 0v1 -> 2v1 -> 1v1 -> 0v1");
    /// ```
    pub fn relate<R: Relation>(&mut self, entity: Entity, relation: R) -> Result<(), RelateError> {
        self.finish_parts::<One<R>>(entity).map_err(|it| RelateError::NoSuchEntity(it.0))?;
        if let Some(pointing) = Pointing::of(&relation) {
            self.check_pointing(entity, pointing)?;
            if self.admit::<One<R>>(entity, false)? {
                self.check_pointing(entity, pointing)?;
            }
        }
        self.give_checked(entity, parts_of(relation)).map_err(|it| RelateError::NoSuchEntity(it.0))
    }

    #[inline]
    fn give_checked<P: Parts>(
        &mut self,
        entity: Entity,
        parts: P,
    ) -> Result<(), NoSuchEntityError> {
        self.give::<P, false>(entity, parts)
    }

    /// Checks that an entity may be given these parts, and removes the components that they replace. Relations that it
    /// has already are checked only if they are to be replaced.
    ///
    /// # Panics
    /// Panics if a circle would be closed that may not be, a component is not unique, or a rule forbids it.
    #[inline]
    pub(crate) fn validate_relations<P: Parts>(
        &mut self,
        entity: Entity,
        parts: &P,
        only_absent: bool,
    ) -> Result<(), NoSuchEntityError> {
        or_no_such(self.check_parts(entity, parts, only_absent))
    }

    /// Validates like [`validate_relations`](Self::validate_relations), but returns each error.
    pub(crate) fn check_parts<P: Parts>(
        &mut self,
        entity: Entity,
        parts: &P,
        only_absent: bool,
    ) -> Result<(), RelateError> {
        self.finish_parts::<P>(entity).map_err(|it| RelateError::NoSuchEntity(it.0))?;
        if !self.entities.ensure_alive(entity) {
            return Err(RelateError::NoSuchEntity(entity));
        }
        self.check_values(entity, parts, only_absent)?;
        if self.admit::<P>(entity, only_absent)? {
            self.check_values(entity, parts, only_absent)?;
        }
        Ok(())
    }

    /// Checks the relations and unique values among these parts.
    fn check_values<P: Parts>(
        &mut self,
        entity: Entity,
        parts: &P,
        only_absent: bool,
    ) -> Result<(), RelateError> {
        let mut result = Ok(());
        parts.pointings(&mut |pointing| {
            let is_there = only_absent && self.pools.has(pointing.number, entity);
            if result.is_ok() && !is_there {
                result = self.check_pointing(entity, pointing);
            }
        });
        parts.uniques(&mut |unique| {
            let is_there = only_absent && self.pools.has(unique.number, entity);
            if result.is_ok() && !is_there {
                result = self.pools.check_unique(Some(entity), &unique);
            }
        });
        result
    }

    /// Validates a single relation.
    #[inline]
    pub(crate) fn validate_relation(
        &mut self,
        entity: Entity,
        pointing: Pointing,
    ) -> Result<(), NoSuchEntityError> {
        or_no_such(self.check_pointing(entity, pointing))
    }

    /// Checks that an entity may be given this relation.
    #[inline]
    pub(crate) fn check_pointing(
        &mut self,
        entity: Entity,
        pointing: Pointing,
    ) -> Result<(), RelateError> {
        if !self.entities.ensure_alive(entity) {
            return Err(RelateError::NoSuchEntity(entity));
        }
        self.check_new_pointing(Some(entity), pointing)
    }

    /// Checks that an entity, or one that is about to be made, may be given this relation.
    #[inline]
    pub(crate) fn check_new_pointing(
        &mut self,
        entity: Option<Entity>,
        pointing: Pointing,
    ) -> Result<(), RelateError> {
        let Self { pools, entities, .. } = self;
        pools.check_pointing(entities, entity, pointing)?;
        match pointing.of_targets.map(DeclaredRule::number) {
            // A component that listeners see leave is there until they return.
            Some(number) if self.is_nested() && self.is_leaving(pointing.target(), number) => {
                Err(pointing.wrong_target())
            }
            _ => Ok(()),
        }
    }

    /// Returns both ends of `R`, if any entity ever had it.
    fn ends<R: Relation>(&self) -> Option<&Ends> {
        self.pools.relations.get(index_of::<R>().get())
    }

    fn ends_mut<R: Relation>(&mut self) -> Option<&mut Ends> {
        self.pools.relations.get_mut(index_of::<R>().get())
    }

    /// Returns the entity to which `entity` points by the relation `R`. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// assert_eq!(world.target_of::<ChildOf>(child), Some(parent));
    /// ```
    #[must_use]
    #[inline]
    pub fn target_of<R: Relation>(&self, entity: Entity) -> Option<Entity> {
        self.get::<R>(entity).map(R::target)
    }

    /// Returns the entities that point to `target` by the relation `R`, in the order in which they came, or were put by
    /// [`move_related`](Self::move_related) and the like. O(1) to begin, and O(entities) to walk.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # #[derive(Component)] #[component(relation)] struct CarriedBy(Entity);
    /// let mut world = World::new();
    /// let hero = world.spawn_empty().id();
    /// let items = world.spawn_batch((0..3).map(|_| CarriedBy(hero)));
    /// world.despawn(items[1]).unwrap();
    /// assert!(world.related::<CarriedBy>(hero).eq([items[0], items[2]]));
    /// assert_eq!(world.related::<CarriedBy>(hero).len(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn related<R: Relation>(&self, target: Entity) -> Related<'_> {
        self.ends::<R>().map_or_else(Related::nobody, |ends| ends.sources(target))
    }

    /// Returns the entity to which `entity` points, the one to which that points, and so on. O(1) a step.
    ///
    /// Requires that `R` is `acyclic`, or does not compile: other walks might not end.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let root = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(root)).id();
    /// let grandchild = world.spawn(ChildOf(child)).id();
    /// assert!(world.ancestors_of::<ChildOf>(grandchild).eq([child, root]));
    /// ```
    pub fn ancestors_of<R: Relation>(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        const { check_acyclic::<R>() };
        let ends = self.ends::<R>();
        successors(ends.and_then(|it| it.target(entity)), move |at| ends?.target(*at))
    }

    /// Returns the sources of `target`, each followed by its own sources: depth first. O(1) a step, on
    /// average over all; allocates nothing.
    ///
    /// Requires that `R` is `acyclic`, like [`ancestors_of`](Self::ancestors_of).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let root = world.spawn_empty().id();
    /// let children = world.spawn_batch([ChildOf(root), ChildOf(root)]);
    /// let grandchild = world.spawn(ChildOf(children[0])).id();
    /// assert!(world.descendants_of::<ChildOf>(root).eq([children[0], grandchild, children[1]]));
    /// ```
    pub fn descendants_of<R: Relation>(&self, target: Entity) -> impl Iterator<Item = Entity> {
        const { check_acyclic::<R>() };
        Descendants::of(self.ends::<R>(), target)
    }

    /// Returns the targets that have no target themselves. O(targets).
    ///
    /// Requires that `R` is `acyclic`, like [`ancestors_of`](Self::ancestors_of).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let root = world.spawn_empty().id();
    /// world.spawn(ChildOf(root));
    /// assert!(world.roots_of::<ChildOf>().eq([root]));
    /// ```
    pub fn roots_of<R: Relation>(&self) -> impl Iterator<Item = Entity> {
        const { check_acyclic::<R>() };
        let roots = |ends: &'_ Ends| -> Vec<Entity> {
            let targets = ends.targets().iter().copied();
            targets.filter(|target| ends.target(*target).is_none()).collect()
        };
        self.ends::<R>().map_or_else(Vec::new, roots).into_iter()
    }

    /// Returns all sources and targets, level by level: each entity behind its target. For values that pass from
    /// parents to children, with [`for_each_many`](crate::View::for_each_many). O(entities); allocates the list.
    ///
    /// Requires that `R` is `acyclic`, like [`ancestors_of`](Self::ancestors_of).
    ///
    /// ```
    /// # use ecs::{ChildOf, Component, World};
    /// #[derive(Component)] struct Local(f32);
    /// #[derive(Component)] struct Global(f32);
    /// let mut world = World::new();
    /// let root = world.spawn((Local(1.0), Global(0.0))).id();
    /// let child = world.spawn((Local(2.0), Global(0.0), ChildOf(root))).id();
    /// let order = world.by_depth::<ChildOf>();
    /// let (mut locals, mut globals) =
    ///     world.split_mut::<((&Local, Option<&ChildOf>), &mut Global)>();
    /// locals.for_each_many(&order, |(entity, local, parent)| {
    ///     let above = parent.and_then(|parent| globals.get_mut(parent.0)).map_or(0.0, |it| it.1.0);
    ///     globals.get_mut(entity).unwrap().1.0 = above + local.0;
    /// });
    /// assert_eq!(world.get::<Global>(child).unwrap().0, 3.0);
    /// ```
    #[must_use]
    pub fn by_depth<R: Relation>(&self) -> Vec<Entity> {
        const { check_acyclic::<R>() };
        let Some(ends) = self.ends::<R>() else { return Vec::new() };
        let mut order = Vec::with_capacity(ends.len() + ends.targets().len());
        order.extend(self.roots_of::<R>());
        let mut at = 0;
        while let Some(target) = order.get(at) {
            order.extend(ends.sources(*target));
            at += 1;
        }
        order
    }

    /// Moves `entity` to this position among the sources of its target, or to the end if there are fewer. Returns
    /// `true` if it has a target. O(sources of the target).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let [a, b, c] = [(); 3].map(|()| world.spawn(ChildOf(parent)).id());
    /// world.move_related::<ChildOf>(c, 1);
    /// assert!(world.related::<ChildOf>(parent).eq([a, c, b]));
    /// ```
    pub fn move_related<R: Relation>(&mut self, entity: Entity, position: usize) -> bool {
        let Some(ends) = self.ends_mut::<R>() else { return false };
        let next = ends.next(entity);
        let points = ends.move_to(entity, position);
        if ends.next(entity) != next {
            self.note_moves::<R>([entity]);
        }
        points
    }

    /// Exchanges the positions of two sources of one target. Returns `true` if they are. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let [a, b] = [(); 2].map(|()| world.spawn(ChildOf(parent)).id());
    /// assert!(world.swap_related::<ChildOf>(a, b) && !world.swap_related::<ChildOf>(a, parent));
    /// assert!(world.related::<ChildOf>(parent).eq([b, a]));
    /// ```
    pub fn swap_related<R: Relation>(&mut self, a: Entity, b: Entity) -> bool {
        let are_swapped = self.ends_mut::<R>().is_some_and(|ends| ends.swap(a, b));
        if are_swapped && a != b {
            self.note_moves::<R>([a, b]);
        }
        are_swapped
    }

    /// Sorts the sources of `target` by a comparison that may read the world. Stable; O(n log n) comparisons. A
    /// comparison that panics leaves the order as it was.
    ///
    /// # Panics
    /// May panic if the comparison is no total order: see [`slice::sort_by`].
    ///
    /// ```
    /// # use ecs::{ChildOf, Component, World};
    /// # #[derive(Component)] struct Depth(u32);
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let [a, b] = [7, 3].map(|depth| world.spawn((Depth(depth), ChildOf(parent))).id());
    /// world.sort_related_by::<ChildOf>(parent, |world, a, b| {
    ///     let depth = |entity| world.get::<Depth>(entity).map(|depth| depth.0);
    ///     depth(a).cmp(&depth(b))
    /// });
    /// assert!(world.related::<ChildOf>(parent).eq([b, a]));
    /// ```
    pub fn sort_related_by<R: Relation>(
        &mut self,
        target: Entity,
        mut compare: impl FnMut(&Self, Entity, Entity) -> Ordering,
    ) {
        let mut order: Vec<Entity> = self.related::<R>(target).collect();
        order.sort_by(|a, b| compare(self, *a, *b));
        if Kind::of::<R>().is_tracked() {
            let both = self.related::<R>(target).zip(&order);
            let moved: Vec<Entity> =
                both.filter(|(old, new)| old != *new).map(|(_, new)| *new).collect();
            self.note_moves::<R>(moved);
        }
        if let Some(ends) = self.ends_mut::<R>() {
            ends.reorder(target, &order);
        }
    }

    /// Marks the relations of these entities as moved, for change sets.
    fn note_moves<R: Relation>(&mut self, moved: impl IntoIterator<Item = Entity>) {
        let kind = Kind::of::<R>();
        if kind.is_tracked() {
            self.pools.note_moves(kind.number, moved);
        }
    }
}

/// Checks that an entity that is about to be made may be given the relations among these parts.
///
/// # Panics
/// Panics if one points to an entity that is not alive, or is not unique.
pub(crate) fn admit_new<P: Parts>(world: &mut World, parts: &P) {
    parts.pointings(&mut |pointing| {
        if let Err(error) = world.check_new_pointing(None, pointing) {
            panic!(
                "{error}; of an entity that is spawned empty, `World::relate` returns this error"
            );
        }
    });
    parts.uniques(&mut |unique| {
        if let Err(error) = world.pools.check_unique(None, &unique) {
            no_such(&error);
        }
    });
}

/// Checks that a walk along `R` comes to an end: in a constant, a compile error.
#[track_caller]
const fn check_acyclic<R: Relation>() {
    if !R::ACYCLIC {
        Text::new()
            .push("`")
            .push(R::NAME)
            .push(
                "` may form circles, on which a walk has no end: add `acyclic`, as in \
                   `#[component(relation, acyclic)]`",
            )
            .panic()
    }
}

#[cfg(test)]
mod tests {
    use crate::steps;
    use crate::{ChildOf, Entity, World};
    use std::vec::Vec;

    /// Spawns a chain; each entity is the only child of the one before.
    fn chain(world: &mut World, len: usize) -> Vec<Entity> {
        let all = world.spawn_batch((0..len).map(|_| ()));
        for pair in all.windows(2) {
            world.attach(pair[1], pair[0]).unwrap();
        }
        all
    }

    /// Returns the steps that an attachment takes, and asserts that it fails as it should.
    fn steps_of(world: &mut World, child: Entity, parent: Entity, closes_circle: bool) -> usize {
        steps::taken();
        assert_eq!(world.attach(child, parent).is_err(), closes_circle);
        steps::taken()
    }

    #[test]
    fn a_circle_is_looked_for_from_both_ends() {
        let mut world = World::new();
        let (long, short) = (chain(&mut world, 1_000), chain(&mut world, 5));
        assert!(steps_of(&mut world, short[0], long[999], false) <= 20, "few are below");
        assert!(steps_of(&mut world, long[0], short[0], true) > 400, "many are between");
        assert!(steps_of(&mut world, long[998], short[4], true) <= 30);
        assert!(steps_of(&mut world, long[500], long[499], false) <= 5, "it is its parent");
        world.detach(short[0]);
        assert!(steps_of(&mut world, long[0], short[4], false) <= 20, "few are above");
        assert!(steps_of(&mut world, short[0], short[0], true) <= 5);
        assert!(steps_of(&mut world, short[3], short[4], true) <= 10);
        world.check_invariants();
    }

    #[test]
    fn every_circle_of_a_small_tree_is_found() {
        // Each of six entities is a child of one before it, or of none.
        for tree in 0..720_usize {
            let (mut world, mut left) = (World::new(), tree);
            let all = world.spawn_batch((0..6).map(|_| ()));
            for (at, entity) in all.iter().enumerate().skip(1) {
                if let Some(parent) = (left % (at + 1)).checked_sub(1) {
                    world.attach(*entity, all[parent]).unwrap();
                }
                left /= at + 1;
            }
            for child in &all {
                for parent in &all {
                    let is_below = world.ancestors_of::<ChildOf>(*parent).any(|it| it == *child);
                    let mut copy = world.try_clone().unwrap();
                    let is_err = copy.attach(*child, *parent).is_err();
                    assert_eq!(is_err, is_below || child == parent, "{tree}: {child} {parent}");
                }
            }
        }
    }
}
