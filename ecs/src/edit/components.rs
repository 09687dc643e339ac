//! Inserting, removing and changing components.

use crate::component::alias;
use crate::component::slot::ComponentIndex;
use crate::component::{AnyComponent, RefMut, check_writable, index_of, target_of};
use crate::edit::bundle::{
    Bundle, Inserter, One, Parts, Recipient, check_bundle, parts_of, unique_of,
};
use crate::edit::commit::{self, Inserted};
use crate::entity::Entity;
use crate::internal::Internal;
use crate::notify::change_log::Change;
use crate::pool::WorldPool;
use crate::pool::list::{ComponentList, repeated};
use crate::pool::pools::LastPosition;
use crate::pool::watch::{Fact, Question};
use crate::relation::ends::{Pointing, RelateError};
use crate::relation::relate::or_no_such;
use crate::tuples::for_each_tuple;
use crate::world::World;
use crate::world::error::{NoSuchEntityError, RemoveError};
use alloc::vec::Vec;

/// # Inserting and removing components
impl World {
    /// Inserts the components of `bundle` into `entity`. A component that it has is replaced in place and
    /// the old value dropped: if that panics, the components after it are dropped and not inserted.
    /// O(components).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or none that a [relation](crate::Relation) of the bundle points to;
    /// the bundle is dropped then.
    ///
    /// # Panics
    /// Panics if a relation of the bundle would close a circle that it may not close: see [`relate`](Self::relate); or if
    /// another entity has an equal component that is [unique](crate::guide::indexes#unique-values). A
    /// [rule](crate::guide::rules) between components that forbids the insertion is a panic, too. Nothing has changed
    /// then. [`try_insert`](Self::try_insert) returns these errors.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// world.insert(entity, (Health(3), Armour(5))).unwrap();
    /// world.insert(entity, Health(4)).unwrap();
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 4);
    /// ```
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn insert<B: Bundle>(
        &mut self,
        entity: Entity,
        bundle: B,
    ) -> Result<(), NoSuchEntityError> {
        const { check_bundle::<B>() };
        self.put(entity, parts_of(bundle))
    }

    /// Inserts the components of `bundle` into `entity` like [`insert`](Self::insert), but returns each error.
    /// O(components).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or none that a [relation](crate::Relation) of the bundle points to.
    /// Returns an error if a relation would close a circle that it may not close, or another entity has an equal component
    /// that is [unique](crate::guide::indexes#unique-values). Returns an error if a [rule](crate::guide::rules) between
    /// components forbids it. The bundle is dropped then, and nothing has changed, except by vetoes and by listeners to removals.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// #[component(needs(Health))]
    /// struct Player;
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let error = world.try_insert(entity, Player).unwrap_err();
    /// assert!(error.to_string().starts_with("entity 0v1 would have `Player` without `Health`"));
    /// assert_eq!(world.try_insert(entity, (Player, Health(3))), Ok(()));
    /// ```
    pub fn try_insert<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), RelateError> {
        const { check_bundle::<B>() };
        self.try_put(entity, parts_of(bundle))
    }

    fn try_put<P: Parts>(&mut self, entity: Entity, parts: P) -> Result<(), RelateError> {
        self.check_parts(entity, &parts, false)?;
        self.give::<P, false>(entity, parts).map_err(|it| RelateError::NoSuchEntity(it.0))
    }

    /// Inserts a bundle like [`insert`](Self::insert), without its check of the bundle type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn put<P: Parts>(
        &mut self,
        entity: Entity,
        parts: P,
    ) -> Result<(), NoSuchEntityError> {
        if const { P::IS_CHECKED } {
            self.validate_relations(entity, &parts, false)?;
        }
        self.give::<P, false>(entity, parts)
    }

    /// Inserts such parts into an entity, or `ABSENT` ones only, with all that they require, and notifies of them.
    ///
    /// Unwatched insertions pay for one branch, and are compiled into the place. The rest is a function of its own.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn give<P: Parts, const ABSENT: bool>(
        &mut self,
        entity: Entity,
        parts: P,
    ) -> Result<(), NoSuchEntityError> {
        let Self { pools, entities, .. } = self;
        if P::may_be_watched(pools) {
            return self.give_watched::<P, ABSENT>(entity, parts);
        }
        let mut inserter = Inserter::new(
            pools,
            entities,
            entity,
            Recipient::UNWATCHED,
            const { P::HAVE_LONE_HOOK },
        );
        if !insert::<P, ABSENT>(parts, &mut inserter) {
            return Err(NoSuchEntityError(entity));
        }
        if const { P::HAVE_LONE_HOOK } {
            if let Some(hook) = inserter.hook() {
                self.call_hook(hook, entity);
            }
        } else if inserter.has_rows() {
            self.notify_edit();
        }
        Ok(())
    }

    #[inline(never)]
    fn give_watched<P: Parts, const ABSENT: bool>(
        &mut self,
        entity: Entity,
        parts: P,
    ) -> Result<(), NoSuchEntityError> {
        self.finish_parts::<P>(entity)?;
        if const { !P::IS_CHECKED } {
            or_no_such(self.admit::<P>(entity, ABSENT))?;
        }
        if self.place::<P, ABSENT, false>(entity, parts)? {
            self.notify_edit();
        }
        Ok(())
    }

    /// Inserts like [`give`](Self::give), but does not notify. Returns `true` if rows were added, by this insertion or,
    /// if it `CONTINUES`, by one before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn place<P: Parts, const ABSENT: bool, const CONTINUES: bool>(
        &mut self,
        entity: Entity,
        parts: P,
    ) -> Result<bool, NoSuchEntityError> {
        let Self { pools, entities, groups, .. } = self;
        let recipient = Recipient::Existing { groups: Some(groups), has_rows: CONTINUES };
        let mut inserter = Inserter::new(pools, entities, entity, recipient, false);
        let is_alive = insert::<P, ABSENT>(parts, &mut inserter);
        if is_alive { Ok(inserter.has_rows()) } else { Err(NoSuchEntityError(entity)) }
    }

    /// Completes notifications under way of such parts of an entity, before they are inserted.
    ///
    /// # Errors
    /// Returns an error if the entity is being despawned.
    #[inline(always)]
    pub(crate) fn finish_parts<P: Parts>(
        &mut self,
        entity: Entity,
    ) -> Result<(), NoSuchEntityError> {
        if self.pools.watch.is_notifying() { self.finish_each(entity, P::numbers) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn finish_each(
        &mut self,
        entity: Entity,
        tell: fn(&mut dyn FnMut(u32)),
    ) -> Result<(), NoSuchEntityError> {
        if !self.is_nested() {
            return Ok(());
        }
        let mut numbers = Vec::new();
        tell(&mut |number| numbers.push(number));
        self.finish_before_insertion(entity, &numbers)
    }

    /// Inserts the components of `bundle` that `entity` lacks, and their
    /// [requirements](crate::Component#required-components). Drops the others, which change nothing and call no
    /// observer. O(components).
    ///
    /// [`get_or_insert_with`](Self::get_or_insert_with) makes a value only where it is missing.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or none that a [relation](crate::Relation) points to which the entity
    /// lacks; the bundle is dropped then.
    ///
    /// # Panics
    /// Panics like [`insert`](Self::insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # #[derive(Component, Debug, PartialEq)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.insert_if_absent(entity, (Health(9), Armour(5))).unwrap();
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(3)));
    /// assert_eq!(world.get::<Armour>(entity), Some(&Armour(5)));
    /// ```
    pub fn insert_if_absent<B: Bundle>(
        &mut self,
        entity: Entity,
        bundle: B,
    ) -> Result<(), NoSuchEntityError> {
        const { check_bundle::<B>() };
        self.put_absent(entity, parts_of(bundle))
    }

    fn put_absent<P: Parts>(&mut self, entity: Entity, parts: P) -> Result<(), NoSuchEntityError> {
        if const { P::IS_CHECKED } {
            self.validate_relations(entity, &parts, true)?;
        }
        self.give::<P, true>(entity, parts)
    }

    /// Inserts the requirements of such parts into these entities, where they lack them.
    pub(crate) fn require<P: Parts>(&mut self, list: &[Entity]) {
        let Self { pools, entities, groups, .. } = self;
        for &entity in list {
            let recipient = Recipient::Existing { groups: Some(groups), has_rows: true };
            P::require(&mut Inserter::new(pools, entities, entity, recipient, false), P::ALL);
        }
    }

    /// Inserts a component into `entity`, and returns the one that it replaces. O(1).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or none that the value points to as a [relation](crate::Relation); the
    /// value is dropped then.
    ///
    /// # Panics
    /// Panics like [`insert`](Self::insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// assert_eq!(world.replace(entity, Health(3)), Ok(None));
    /// assert_eq!(world.replace(entity, Health(4)), Ok(Some(Health(3))));
    /// ```
    pub fn replace<T: AnyComponent>(
        &mut self,
        entity: Entity,
        value: T,
    ) -> Result<Option<T>, NoSuchEntityError> {
        self.finish_parts::<One<T>>(entity)?;
        let (index, target) = (index_of::<T>(), target_of(&value));
        loop {
            if let Some(pointing) = Pointing::of(&value) {
                self.validate_relation(entity, pointing)?;
            }
            if let Some(unique) = unique_of(&value) {
                if !self.entities.ensure_alive(entity) {
                    return Err(NoSuchEntityError(entity));
                }
                or_no_such(self.pools.check_unique(Some(entity), &unique))?;
            }
            if !or_no_such(self.admit::<One<T>>(entity, false))? {
                break;
            }
        }
        match self.pools.get_mut_at(index).filter(|pool| pool.contains(entity)) {
            Some(pool) => {
                let replaced = pool.put(entity, value);
                self.complete_update(entity, index.get(), target);
                if const { T::REQUIRES } {
                    self.require::<One<T>>(&[entity]);
                }
                self.notify_added();
                Ok(replaced)
            }
            None => self.put(entity, parts_of(value)).map(|()| None),
        }
    }

    /// Completes the update of a component, which may point to this target now, as the first change of an edit.
    fn complete_update(&mut self, entity: Entity, number: u32, target: Option<Entity>) {
        let Self { pools, entities, .. } = self;
        pools.watch.log.begin();
        let last = LastPosition::NOWHERE;
        let inserted = Inserted { entity, number, is_new: false, target, last };
        commit::insertion(pools, entities, None, inserted, true);
    }

    /// Returns the component of `entity`, to be changed: the one that it has, or else the one that `make` makes. O(1),
    /// and the time of `make`.
    ///
    /// # Errors
    /// Returns an error if there is no such entity; `make` is not called then. It also returns one if an observer of
    /// the insertion removed the component.
    ///
    /// A [relation](crate::Relation) is not lent to be changed: that does not compile.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Hits(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// for _ in 0..3 {
    ///     world.get_or_insert_with(entity, || Hits(0)).unwrap().0 += 1;
    /// }
    /// assert_eq!(world.get::<Hits>(entity).unwrap().0, 3);
    /// ```
    pub fn get_or_insert_with<T: AnyComponent>(
        &mut self,
        entity: Entity,
        make: impl FnOnce() -> T,
    ) -> Result<RefMut<'_, T>, NoSuchEntityError> {
        const { check_writable::<T>() };
        self.obtain(entity, make)
    }

    /// Returns a component, or makes one, like [`get_or_insert_with`](Self::get_or_insert_with) without its check.
    pub(crate) fn obtain<T: AnyComponent>(
        &mut self,
        entity: Entity,
        make: impl FnOnce() -> T,
    ) -> Result<RefMut<'_, T>, NoSuchEntityError> {
        if !self.is_alive(entity) {
            return Err(NoSuchEntityError(entity));
        }
        if self.get::<T>(entity).is_none() {
            let value = make();
            self.put(entity, parts_of(value))?;
        }
        self.lend::<T>(entity).ok_or(NoSuchEntityError(entity))
    }

    /// Removes a component of `entity`, or several, each for itself, and returns them. Returns `None` for one that it
    /// lacks, one that a veto keeps or another component [needs](crate::guide::rules), and each one of a dead entity.
    /// O(components).
    ///
    /// [`take`](Self::take) takes several together, or none. [`try_remove`](Self::try_remove) returns the reason.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # #[derive(Component, Debug, PartialEq)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn((Health(3), ecs::Name::new("Bob"))).id();
    /// assert_eq!(world.remove::<Health>(entity), Some(Health(3)));
    /// assert_eq!(world.remove::<Health>(entity), None);
    /// let (armour, name) = world.remove::<(Armour, ecs::Name)>(entity);
    /// assert_eq!((armour, name), (None, Some(ecs::Name::new("Bob"))));
    /// ```
    #[inline(always)] // so that nothing is moved out by way of memory that is dropped at once
    pub fn remove<L: TakeList>(&mut self, entity: Entity) -> L::Removed {
        L::remove(self, entity)
    }

    /// Takes components from `entity`, all of them, or none: where it lacks one, a veto refuses, or a component that stays
    /// [needs](crate::guide::rules) one of them. O(components).
    ///
    /// All vetoes are called before the first component is taken. Then they are taken one after the other: if an observer
    /// of a removal removes a later one of them, those before it are dropped.
    ///
    /// # Panics
    /// Panics if one component is named twice by a generic type; by others that does not compile.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # #[derive(Component, Debug, PartialEq)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.take::<(Health, Armour)>(entity), None);
    /// world.insert(entity, Armour(5)).unwrap();
    /// assert_eq!(world.take::<(Health, Armour)>(entity), Some((Health(3), Armour(5))));
    /// ```
    #[track_caller]
    pub fn take<L: TakeList>(&mut self, entity: Entity) -> Option<L::Taken> {
        const { alias::refuse_repetition(L::WITH, "components to be taken") };
        if const { alias::may_repeat(L::WITH) } {
            refuse_repetition::<L>();
        }
        L::take(self, entity)
    }

    /// Takes all components from `entity` except the ones in `L`, and drops them. O(pools).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, the veto of one that would go refuses, or one that stays
    /// [needs](crate::guide::rules) one that would go. Nothing has changed then, except by the vetoes themselves.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn((Health(3), Armour(5), ecs::Name::new("Bob"))).id();
    /// world.remove_except::<(Health, ecs::Name)>(entity).unwrap();
    /// assert!(world.has::<(Health, ecs::Name)>(entity) && !world.has::<Armour>(entity));
    /// ```
    pub fn remove_except<L: ComponentList>(&mut self, entity: Entity) -> Result<(), RemoveError> {
        let mut kept = Vec::new();
        L::add_numbers(&mut kept);
        self.retain_numbered(entity, &kept)
    }

    /// Removes all components of an entity but those with these numbers; or none, where a veto refuses.
    #[inline]
    pub(crate) fn retain_numbered(
        &mut self,
        entity: Entity,
        kept: &[u32],
    ) -> Result<(), RemoveError> {
        if !self.entities.ensure_alive(entity) {
            return Err(RemoveError::NoSuchEntity(entity));
        }
        let goes = |(number, pool): &(u32, &dyn WorldPool)| {
            !kept.contains(number) && pool.contains(entity)
        };
        let gone: Vec<u32> = self.pools.numbered().filter(goes).map(|(number, _)| number).collect();
        self.remove_numbered(entity, &gone)
    }

    /// Takes the components with these numbers, which `entity` has, and drops them; or none, where a veto
    /// refuses.
    #[inline]
    pub(crate) fn remove_numbered(
        &mut self,
        entity: Entity,
        gone: &[u32],
    ) -> Result<(), RemoveError> {
        self.check_removal(entity, gone)?;
        for &number in gone {
            let pool = self.pools.at_mut(number);
            if !pool.permits_removal(entity) {
                return Err(RemoveError::Refused(entity, pool.name()));
            }
        }
        let mut gone = gone.to_vec();
        if self.is_any_needed() {
            self.pools.rules.sort_removal(&mut gone);
        }
        let is_notified =
            gone.iter().any(|&number| self.pools.watch.answer(Question::NotifiedRemoval, number));
        for &number in &gone {
            if is_notified {
                self.check_removal(entity, &[number])?; // a listener may have inserted one that needs it
                self.drop_component(entity, number);
            } else {
                self.take_out(entity, number);
            }
        }
        self.pools.finish(&gone.into_iter().collect());
        Ok(())
    }

    /// Returns `true` if any component needs a `T`.
    fn is_needed<T: AnyComponent>(&self) -> bool {
        self.is_any_needed() && self.pools.watch.is(Fact::Needed, index_of::<T>().get())
    }

    /// Returns `true` if any component needs another one.
    fn is_any_needed(&self) -> bool {
        !self.pools.watch.of(Fact::Needed).is_empty()
    }

    /// Returns `true` if no other component of an entity needs one of these.
    fn may_lose<L: ComponentList>(&self, entity: Entity) -> bool {
        if !self.is_any_needed() {
            return true;
        }
        let mut numbers = Vec::new();
        L::add_numbers(&mut numbers);
        self.pools.check_removal(entity, &numbers).is_ok()
    }

    /// Returns `true` if `entity` has a `T` that its veto does not keep.
    #[inline]
    fn may_take<T: AnyComponent>(&mut self, entity: Entity) -> bool {
        if self.is_nested() {
            self.finish_insertions(entity, index_of::<T>().get());
        }
        let value = self.pools.get_mut::<T>().and_then(|pool| pool.get_mut(entity));
        value.is_some_and(|value| !T::GUARDED || T::permits_removal(Internal::CALL, value))
    }

    /// Removes one component like [`remove`](Self::remove), without calling its veto.
    #[inline(always)]
    pub(super) fn release<T: AnyComponent>(&mut self, entity: Entity) -> Option<T> {
        if self.pools.watch.may_be(Change::Remove, T::BIT) {
            return self.take_watched(entity);
        }
        // The record keeps the bit (E4): writing it would take longer than all the rest.
        self.pools.get_mut::<T>()?.remove(entity)
    }

    /// Removes a component that is watched.
    #[inline(never)]
    fn take_watched<T: AnyComponent>(&mut self, entity: Entity) -> Option<T> {
        let index = index_of::<T>(); // user code, which may panic: before anything is changed
        let number = index.get();
        if !self.pools.watch.answer(Question::Removal, number) {
            return self.pools.get_mut_at(index)?.remove(entity); // it shares its bit with one that is followed
        }
        if self.pools.check_removal(entity, &[number]).is_err() {
            return None;
        }
        self.take_followed(entity, index)
    }

    /// Removes a component that is watched, although another one may need it.
    fn take_followed<T: AnyComponent>(
        &mut self,
        entity: Entity,
        index: ComponentIndex<T>,
    ) -> Option<T> {
        let number = index.get();
        if self.take_out(entity, number) { self.pools.get_mut_at(index)?.pop_taken() } else { None }
    }

    /// Removes a component like [`remove`](Self::remove), but returns an error where nothing was removed. O(1).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, it lacks the component, the veto refuses, or another component needs
    /// it by a [rule](crate::guide::rules). Nothing has changed then, except by the veto itself.
    ///
    /// ```
    /// # use ecs::{Component, RemoveError, World};
    /// # #[derive(Component, Debug)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let error = world.try_remove::<Health>(entity).unwrap_err();
    /// assert_eq!(error, RemoveError::Missing(entity, "Health"));
    /// ```
    pub fn try_remove<T: AnyComponent>(&mut self, entity: Entity) -> Result<T, RemoveError> {
        if !self.is_alive(entity) {
            return Err(RemoveError::NoSuchEntity(entity));
        }
        if self.get::<T>(entity).is_none() {
            return Err(RemoveError::Missing(entity, T::NAME));
        }
        self.check_removal(entity, &[index_of::<T>().get()])?;
        self.remove::<T>(entity).ok_or(RemoveError::Refused(entity, T::NAME))
    }

    /// Changes a component in place. Returns `true` if there is one. O(1), beside the cost of `change`.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert!(world.patch::<Health>(entity, |health| health.0 -= 1));
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 2);
    /// ```
    #[inline]
    pub fn patch<T: AnyComponent>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(RefMut<'_, T>),
    ) -> bool {
        const { check_writable::<T>() };
        self.change::<T>(entity, change)
    }

    /// Changes a component like [`patch`](Self::patch), without its check.
    #[inline]
    pub(crate) fn change<T: AnyComponent>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(RefMut<'_, T>),
    ) -> bool {
        if self.pools.watch.may_be(Change::Update, T::BIT) {
            return self.change_watched(entity, change);
        }
        let is_there = self.lend::<T>(entity).map(change).is_some();
        if is_there && let Some(hook) = const { T::HOOKS.list.on_update } {
            self.call_hook(hook, entity);
        }
        is_there
    }

    #[cold]
    fn change_watched<T: AnyComponent>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(RefMut<'_, T>),
    ) -> bool {
        let number = index_of::<T>().get();
        let is_announced = !self.is_nested() || self.finish_before_update(entity, number);
        let is_there = self.lend::<T>(entity).map(change).is_some();
        if is_there && is_announced {
            self.complete_update(entity, number, None);
            self.notify_added();
        }
        is_there
    }
}

/// Inserts all parts, or only `ABSENT` ones, and their requirements. Returns `false` if the entity is not alive.
#[cfg_attr(not(debug_assertions), inline(always))]
fn insert<P: Parts, const ABSENT: bool>(parts: P, target: &mut Inserter<'_>) -> bool {
    if ABSENT && !target.is_alive() {
        return false;
    }
    let (is_alive, inserted) =
        if ABSENT { (true, parts.insert_absent(target)) } else { (parts.insert(target), P::ALL) };
    if const { P::REQUIRES } && is_alive {
        P::require(target, inserted);
    }
    is_alive
}

/// # Panics
/// Panics if a component is named twice.
#[track_caller]
fn refuse_repetition<L: ComponentList>() {
    let mut numbers = Vec::new();
    L::add_numbers(&mut numbers);
    assert!(repeated(numbers).is_none(), "a component is named twice among those to be taken");
}

/// Components that are taken from an entity in one call: a component, or a tuple of up to twelve. A parameter of
/// [`World::remove`] and [`World::take`].
///
/// ```
/// # use ecs::{Component, Entity, TakeList, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// fn rob<L: TakeList>(world: &mut World, from: Entity) -> L::Removed {
///     world.remove::<L>(from)
/// }
/// # let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// assert_eq!(rob::<(Health, ecs::Name)>(&mut world, entity), (Some(Health(3)), None));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a tuple of up to 12 components",
    label = "cannot be taken from an entity",
    note = "name the component itself: `remove::<Audio>`, `take::<(Position, Velocity)>`"
)]
pub trait TakeList: ComponentList {
    /// An `Option` of a component, or a tuple of such.
    type Removed;
    /// A component, or a tuple of components.
    type Taken;
    #[doc(hidden)]
    fn remove(world: &mut World, entity: Entity) -> Self::Removed;
    #[doc(hidden)]
    fn take(world: &mut World, entity: Entity) -> Option<Self::Taken>;
    /// Takes each component from each of these entities, and drops it. Returns the number of refusals by vetoes.
    #[doc(hidden)]
    fn remove_batch(world: &mut World, entities: &[Entity]) -> usize;
}

#[diagnostic::do_not_recommend]
impl<T: AnyComponent> TakeList for T {
    type Removed = Option<T>;
    type Taken = T;

    #[inline(always)]
    fn remove(world: &mut World, entity: Entity) -> Option<T> {
        if T::GUARDED && !world.may_take::<T>(entity) {
            return None;
        }
        world.release::<T>(entity)
    }
    #[inline(always)]
    fn take(world: &mut World, entity: Entity) -> Option<T> {
        <T as TakeList>::remove(world, entity)
    }
    fn remove_batch(world: &mut World, entities: &[Entity]) -> usize {
        world.remove_batch::<T>(entities);
        if !T::GUARDED && !world.is_needed::<T>() {
            return 0;
        }
        let pool = world.pool::<T>();
        entities.iter().filter(|entity| pool.contains(**entity)).count()
    }
}

macro_rules! take_list_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: AnyComponent),+> TakeList for ($($name,)+) {
            type Removed = ($(Option<$name>,)+);
            type Taken = ($($name,)+);

            fn remove(world: &mut World, entity: Entity) -> Self::Removed {
                ($(<$name as TakeList>::remove(world, entity),)+)
            }
            fn take(world: &mut World, entity: Entity) -> Option<Self::Taken> {
                let may_go = $(world.may_take::<$name>(entity))&&+;
                if !may_go || !world.may_lose::<Self>(entity) {
                    return None;
                }
                if world.is_any_needed() {
                    // Each before the ones that it needs.
                    let mut taken = ($(None::<$name>,)+);
                    loop {
                        let mut is_any = false;
                        $(if taken.$index.is_none() {
                            taken.$index = world.release::<$name>(entity);
                            is_any |= taken.$index.is_some();
                        })+
                        let is_all = $(taken.$index.is_some())&&+;
                        if is_all || !is_any {
                            return Some(($(taken.$index?,)+));
                        }
                    }
                }
                Some(($(world.release::<$name>(entity)?,)+))
            }
            fn remove_batch(world: &mut World, entities: &[Entity]) -> usize {
                [$(<$name as TakeList>::remove_batch(world, entities)),+].iter().sum()
            }
        }
    };
}
for_each_tuple!(take_list_for_tuple);
