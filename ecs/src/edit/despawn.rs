//! Despawning entities, one or many, with their dependents.
//!
//! ```text
//! despawn 1     1 <- 2 <- 4     those that are despawned with it, level by level: [ 1 2 3 4 ]
//!               1 <- 3          vetoes of all these are called; listeners are notified, entity by entity;
//!               3 <~ 5          5 loses its relation; then all four are despawned as one batch
//! ```

use crate::component::set::ComponentSet;
use crate::component::{AtTargetEnd, Relation, RelationEnding};
use crate::copy::replaced::Replaced;
use crate::edit::commit;
use crate::entity::Entity;
use crate::notify::calls::DEEPEST;
use crate::notify::change_log::{Change, ChangeRow, NotificationStage, Operation};
use crate::notify::observe::Topic;
use crate::pool::watch::{Fact, Question};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use crate::world::error::DespawnError;
use alloc::vec::Vec;

/// Entities, to be found by their handles.
type DespawnSet = SparseSet<(), Entity>;

/// The outcome of despawning several entities.
#[derive(Default)]
pub(crate) struct DespawnOutcome {
    /// The number of despawned entities, dependent ones included.
    pub(crate) count: usize,
    /// The number of named entities that were not alive when it was their turn.
    pub(crate) missing: usize,
    /// The number of named entities that are left, because a veto refused.
    pub(crate) refused: usize,
    /// The error of the last entity that was not despawned.
    error: Option<DespawnError>,
}

/// Entities that are despawned together, each behind the ones that it depends on.
#[derive(Default)]
struct Family {
    list: Vec<Entity>,
    /// All entities of the list, if any has dependents.
    all: DespawnSet,
    /// The entities that were not named.
    dependents: DespawnSet,
}

/// An entity that points to one which is despawned, by the relation with this number.
struct Pointer {
    number: u32,
    source: Entity,
    target: Entity,
}

/// # Despawning
impl World {
    /// Ends an entity and drops its components. O(components that it has or had); where one of them has a
    /// veto, O(pools).
    ///
    /// The vetoes of its components are called first; the values are dropped last. Each [relation](crate::Relation)
    /// declares the effect on entities that point to this one. Entities that end with it, to any depth, are
    /// despawned together, without recursion.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or a veto refuses, also a veto of an entity that would end with it
    /// or lose its relation. Nothing has changed then, except by the vetoes themselves.
    ///
    /// ```
    /// # use ecs::{DespawnError, World};
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// assert_eq!(world.despawn(entity), Ok(()));
    /// assert_eq!(world.despawn(entity), Err(DespawnError::NoSuchEntity(entity)));
    /// ```
    #[doc(alias = "delete", alias = "destroy")]
    pub fn despawn(&mut self, entity: Entity) -> Result<(), DespawnError> {
        self.entities.flush(); // before any is freed
        if !self.entities.is_alive(entity) {
            return Err(DespawnError::NoSuchEntity(entity));
        }
        let components = self.entities.components(entity);
        if self.pools.watch.watches_end(&components) {
            return self.despawn_watched(entity, &components);
        }
        let Self { pools, entities, groups, .. } = self;
        commit::despawn(pools, entities, groups, (entity, &components), false);
        Ok(())
    }

    /// Despawns an entity that is alive, and whose end is watched.
    #[inline(never)]
    fn despawn_watched(
        &mut self,
        entity: Entity,
        components: &ComponentSet,
    ) -> Result<(), DespawnError> {
        if self.pools.watch.answer_any(Question::CheckedEnd, components) {
            let DespawnOutcome { error, .. } = self.despawn_all(&[entity]);
            return error.map_or(Ok(()), Err);
        }
        self.despawn_now(&[entity], 1);
        Ok(())
    }

    /// Ends these entities and drops their components, like [`despawn`](Self::despawn) in a loop, and faster. Returns
    /// the number of ended entities, with the ones that end with them by a [relation](crate::Relation). Dead entities
    /// are passed over, and so are those whose veto refuses: [`is_alive`](Self::is_alive) is `true` of the latter.
    /// O(components of all).
    ///
    /// The components are dropped when all entities are ended; their pools may be left in another
    /// order than by a loop. Entities in index order free their indices such that later spawns use them in index
    /// order. All vetoes are called before the first entity is despawned, so a panic of a veto leaves all entities. A
    /// veto that refused is not called again for the other entities that depend on its answer.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entities = world.spawn_batch((0..100).map(Health));
    /// assert_eq!(world.despawn_batch(&entities[..60]), 60);
    /// assert_eq!(world.despawn_batch(&entities), 40);
    /// assert!(world.is_empty());
    /// ```
    pub fn despawn_batch(&mut self, entities: &[Entity]) -> usize {
        let free = self.entities.make_room_to_free(entities.len());
        let DespawnOutcome { count, .. } = self.despawn_in_order(entities);
        self.entities.turn_freed(free);
        count
    }

    /// Despawns like [`despawn_batch`](Self::despawn_batch), but frees handles in the order of `entities`.
    pub(crate) fn despawn_in_order(&mut self, entities: &[Entity]) -> DespawnOutcome {
        let watch = &self.pools.watch;
        let asked = watch.idle_answer(Question::NotifiedRemoval).union(*watch.of(Fact::Vetoed));
        if self.is_nested() || self.is_any_target(entities) || self.has_any_of(entities, &asked) {
            return self.despawn_all(entities);
        }
        let count = self.despawn_now(entities, entities.len());
        // An entity that is named twice was dead at the second time.
        DespawnOutcome { count, missing: entities.len() - count, ..DespawnOutcome::default() }
    }

    /// Despawns the living ones among these entities, to which no others point, without notifying. Returns their
    /// number. They are left of `all` that were named or depend on those.
    fn despawn_now(&mut self, list: &[Entity], all: usize) -> usize {
        if self.taking.is_some() {
            return self.take_now(list);
        }
        self.entities.make_room_to_free(list.len());
        let Self { pools, entities, groups, .. } = self;
        let ([entity], 1) = (list, all) else {
            return commit::despawns(pools, entities, groups, list, all);
        };
        let entity = *entity;
        let is_alive = entities.is_alive(entity);
        if is_alive {
            let components = entities.components(entity);
            commit::despawn(pools, entities, groups, (entity, &components), true);
        }
        usize::from(is_alive)
    }

    /// Despawns all entities and drops all components, without calling vetoes. O(indices and components).
    ///
    /// Hooks and observers of components are not called. Observers of [`Replaced`] are notified once, when the world is
    /// empty; readers of [changes](Self::changes) find the removals; [collectors](Self::collector) forget their lists.
    /// To let each entity die as if alone, give all to [`despawn_batch`](Self::despawn_batch).
    ///
    /// [Resources](crate::Resource), observers and groups stay. Keeps the room for entities and for values; gives back
    /// the pages by which pools find them.
    ///
    /// If a value's `Drop` panics, the world is empty, and no observer is notified of it.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer of components: note there that the world is to be cleared, and
    /// clear it after the edit.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// world.clear();
    /// assert!(world.is_empty() && !world.is_alive(entity));
    /// ```
    #[doc(alias = "despawn_all")]
    #[track_caller]
    #[inline]
    pub fn clear(&mut self) {
        self.refuse_while_notifying("cleared");
        self.pools.track_all_ends();
        self.empty();
        self.announce(Replaced::Cleared);
    }

    /// Despawns all entities and drops all components without notifying.
    #[inline]
    pub(crate) fn empty(&mut self) {
        self.groups.clear();
        self.pools.relations.clear();
        self.entities.clear();
        self.groups.mark_exact(*self.groups.inexact()); // no entity has a component
        self.pools.clear();
    }

    /// Returns `true` if relations point to an entity.
    pub(super) fn is_target(&self, entity: Entity) -> bool {
        let Self { pools, entities, .. } = self;
        entities.is_alive(entity)
            && entities.components(entity).is_marked()
            && pools.relations.point_to(entity)
    }

    /// Returns `true` if relations point to one of these entities.
    fn is_any_target(&self, entities: &[Entity]) -> bool {
        !self.pools.relations.is_empty() && entities.iter().any(|entity| self.is_target(*entity))
    }

    /// Returns `true` if one of these entities has one of these components.
    fn has_any_of(&self, entities: &[Entity], components: &ComponentSet) -> bool {
        self.pools.have_members(components)
            && entities.iter().any(|entity| {
                self.entities.is_alive(*entity)
                    && self.entities.components(*entity).intersects(components)
            })
    }

    /// Despawns these entities and their dependents, but where a veto refuses.
    #[cold]
    #[inline(never)]
    fn despawn_all(&mut self, named: &[Entity]) -> DespawnOutcome {
        let mut despawned = DespawnOutcome::default();
        self.entities.flush();
        let family = self.family_of(named, &mut despawned);
        despawned.count = self.despawn_family(family, named.len());
        despawned
    }

    /// Despawns a family; this many entities of it were named. Returns the number of despawned entities.
    fn despawn_family(&mut self, mut family: Family, named: usize) -> usize {
        let notified = *self.pools.watch.idle_answer(Question::NotifiedRemoval);
        let is_noticed = self.is_nested()
            || self.has_any_of(&family.list, &notified)
            || !self.pointers_to(&family.list, &family.all).is_empty();
        let all = named.max(family.list.len());
        if !is_noticed {
            return self.despawn_now(&family.list, all);
        }
        self.note_components(&family.list);
        let left = self.announce_despawn(&mut family);
        self.despawn_now(&left, all);
        let is_gone = |entity: &&Entity| !self.entities.is_alive(**entity);
        family.list.iter().filter(is_gone).count()
    }

    /// Takes an entity and its dependents out of the world, into the journal that is under way.
    ///
    /// # Errors
    /// Returns an error, and takes nothing, if the entity is not alive, a veto refuses, or another entity loses a
    /// relation to it that could not be given back.
    #[inline]
    pub(crate) fn take_family(&mut self, entity: Entity) -> Result<(), DespawnError> {
        self.entities.flush();
        let mut despawned = DespawnOutcome::default();
        let family = self.family_of(&[entity], &mut despawned);
        if let Some(error) = despawned.error {
            return Err(error);
        }
        for Pointer { number, source, .. } in self.pointers_to(&family.list, &family.all) {
            let pool = self.pools.at(number);
            let is_called = matches!(pool.relation(), Some((AtTargetEnd::Call(_), _)));
            if is_called && pool.copying().is_none() {
                return Err(DespawnError::Unrestorable(source, pool.name()));
            }
        }
        self.despawn_family(family, 1);
        Ok(())
    }

    /// Returns the entities to despawn: named ones that are alive and that no veto keeps, and all that depend on them.
    fn family_of(&mut self, named: &[Entity], despawned: &mut DespawnOutcome) -> Family {
        let mut family = Family::default();
        let is_guarded = !self.pools.watch.of(Fact::Vetoed).is_empty();
        let are_distinct = named.is_sorted_by(|a, b| a.index() < b.index());
        if are_distinct && !is_guarded && !self.is_any_target(named) {
            let alive = named.iter().copied().filter(|entity| self.entities.is_alive(*entity));
            family.list = alive.collect();
            despawned.missing = named.len() - family.list.len();
            despawned.error = named.first().copied().map(DespawnError::NoSuchEntity);
            despawned.error.take_if(|_| despawned.missing == 0);
            return family;
        }
        // Entities that do not end, because one that would end with them is kept by a veto.
        let mut refused = DespawnSet::default();
        for &root in named {
            if !self.entities.is_alive(root) || family.all.contains(root) {
                despawned.missing += 1;
                despawned.error = Some(DespawnError::NoSuchEntity(root));
                continue;
            }
            if refused.contains(root) {
                despawned.refused += 1;
                continue;
            }
            let start = family.list.len();
            if let Err((kept, error)) = self.add_family(&mut family, root) {
                despawned.refused += 1;
                despawned.error = Some(error);
                family.list.drain(start..).for_each(|entity| _ = family.all.remove(entity));
                self.add_dependencies(kept, &mut refused);
            }
        }
        for &root in named {
            family.dependents.remove(root);
        }
        family
    }

    /// Adds an entity, and all that depend on it and are not in the family yet. Returns the first of them that a veto
    /// keeps, and the error; the family is not complete then.
    fn add_family(
        &mut self,
        family: &mut Family,
        root: Entity,
    ) -> Result<(), (Entity, DespawnError)> {
        let start = family.list.len();
        let mut at = start;
        family.all.insert(root, ());
        family.list.push(root);
        while let Some(&target) = family.list.get(at) {
            // Each is asked when it is its turn: so a refusal does not cost the walk through all others.
            if let Some(refusal) = self.refusal_of(target) {
                return Err((target, refusal));
            }
            let Family { list, all, dependents } = family;
            for relation in self.pools.relations.iter() {
                if matches!(relation.at_end, AtTargetEnd::Despawn) {
                    for source in relation.sources(target) {
                        if all.insert(source, ()).is_none() {
                            dependents.insert(source, ());
                            list.push(source);
                        }
                    }
                }
            }
            at += 1;
        }
        self.check_pointers(family, start)
    }

    /// Adds an entity, and all that it depends on, to a set that has the latter of each of its members.
    fn add_dependencies(&self, entity: Entity, set: &mut DespawnSet) {
        let mut left = Vec::from([entity]);
        while let Some(entity) = left.pop() {
            if set.insert(entity, ()).is_none() {
                let deciding = self.pools.relations.iter();
                let deciding = deciding.filter(|it| matches!(it.at_end, AtTargetEnd::Despawn));
                left.extend(deciding.filter_map(|relation| relation.target(entity)));
            }
        }
    }

    /// Returns the error of the first veto of an entity's components that refuses.
    fn refusal_of(&mut self, entity: Entity) -> Option<DespawnError> {
        let components = self.entities.components(entity);
        let name = self.pools.refusal(entity, &components)?;
        Some(DespawnError::Refused(entity, name))
    }

    /// Calls the vetoes of relations that others would lose, to entities from `start` on, and checks that no other
    /// component needs them. Returns the target of the first one that is kept, and the error.
    fn check_pointers(
        &mut self,
        family: &Family,
        start: usize,
    ) -> Result<(), (Entity, DespawnError)> {
        let watch = &self.pools.watch;
        let deciding = watch.of(Fact::Vetoed).union(*watch.of(Fact::Needed));
        if !deciding.intersects(watch.of(Fact::Relation)) {
            return Ok(());
        }
        for Pointer { number, source, target } in
            self.pointers_to(&family.list[start..], &family.all)
        {
            if let Err((_, rule)) = self.pools.check_removal(source, &[number]) {
                let name = self.pools.at(number).name();
                return Err((target, DespawnError::Rule(source, name, rule)));
            }
            let pool = self.pools.at_mut(number);
            if !pool.permits_removal(source) {
                return Err((target, DespawnError::Refused(source, pool.name())));
            }
        }
        Ok(())
    }

    /// Returns the relations from other entities to these.
    fn pointers_to(&self, list: &[Entity], but: &DespawnSet) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        for &target in list.iter().filter(|entity| self.is_target(**entity)) {
            for relation in self.pools.relations.iter() {
                let others = relation.sources(target).filter(|source| !but.contains(*source));
                let number = relation.number;
                pointers.extend(others.map(|source| Pointer { number, source, target }));
            }
        }
        pointers
    }

    /// Notifies listeners that these entities are about to be despawned, and takes the relations to them from others.
    /// Returns the entities that are to be despawned. Entities that become dependent on one of them meanwhile join
    /// the family.
    ///
    /// # Panics
    /// Panics if listeners relate more and more entities to these without end.
    fn announce_despawn(&mut self, family: &mut Family) -> Vec<Entity> {
        let is_nested = self.is_nested();
        self.log().begin();
        let operating = self.operate(Operation::Despawn);
        let (world, operation) = (&mut *operating.world, operating.at);
        let was_at_once = world.announce_at_once(operation, &family.list);
        let has_rows = is_nested || was_at_once;
        let (mut next, mut left) = (0, Vec::with_capacity(family.list.len()));
        for _ in 0..DEEPEST {
            world.enter_edit(|world| {
                let mut kept = next;
                while let Some(&entity) = family.list.get(next) {
                    next += 1;
                    if family.dependents.contains(entity) && world.is_independent(entity) {
                        family.all.remove(entity);
                        continue;
                    }
                    family.list[kept] = entity;
                    kept += 1;
                    if world.entities.is_alive(entity)
                        && world.announce_one(operation, entity, has_rows)
                    {
                        left.push(entity);
                    }
                }
                family.list.truncate(kept);
                next = kept;
            });
            world.entities.flush();
            left.retain(|entity| world.entities.is_alive(*entity));
            if !world.part_others(family, &left) {
                return left;
            }
        }
        panic!(
            "observers gave new sources to an entity that is about to end, {DEEPEST} times in a row: let them \
             check whether it is about to end"
        );
    }

    /// Notifies listeners that take all entities at once of the despawn of these. Returns `true` if there are any.
    fn announce_at_once(&mut self, operation: usize, list: &[Entity]) -> bool {
        let removal = |number| Topic { number, change: Change::Remove, at_once: true };
        if list.len() < 2 || !self.observers.has_any_at_once() {
            return false;
        }
        for &entity in list {
            if !self.entities.is_alive(entity) || self.log().is_despawning(entity) {
                continue;
            }
            let components = self.entities.components(entity);
            let Self { pools, observers, .. } = self;
            let is_at_once = |number| observers.has(removal(number));
            if !pools.observed_of(entity, &components).any(is_at_once) {
                continue;
            }
            self.finish_before_despawn(entity);
            if !self.entities.is_alive(entity) {
                continue;
            }
            self.log().push(ChangeRow::of_entity(entity));
            for number in self.observed_of(entity) {
                self.log().push(ChangeRow::new(entity, number, Change::Remove));
            }
        }
        let topics = self.topics(operation);
        self.notify_topics(operation, &topics);
        true
    }

    /// Notifies listeners that an entity is about to be despawned; it may have rows already. Returns `true` if it is
    /// still alive.
    fn announce_one(&mut self, operation: usize, entity: Entity, has_rows: bool) -> bool {
        let mut is_despawning = false;
        if has_rows {
            self.finish_before_despawn(entity);
            if !self.entities.is_alive(entity) {
                return false;
            }
            is_despawning = self.log().is_despawning(entity);
        }
        self.end_moved();
        if !is_despawning {
            self.log().push(ChangeRow::of_entity(entity));
        }
        let start = self.log().range(operation).end;
        if has_rows {
            for number in self.observed_of(entity) {
                self.log().push(ChangeRow::new(entity, number, Change::Remove));
            }
        } else {
            self.pools.add_removals(entity, &self.entities.components(entity));
        }
        let rows = start..self.log().range(operation).end;
        self.notify_range(operation, rows, true);
        if has_rows {
            let is_left = |operation, row: &ChangeRow| {
                operation == Operation::Despawn
                    && row.is_removal()
                    && !matches!(row.stage, NotificationStage::Notified | NotificationStage::Done)
            };
            while let Some((operation, at)) = self.find_row(entity, &is_left) {
                self.finish_row(operation, at);
            }
        }
        self.entities.is_alive(entity)
    }

    /// Completes the pending notifications of an entity, before it is despawned inside a listener. Components with an
    /// insertion that no listener was notified of get a row for that: their removal is not notified either.
    fn finish_before_despawn(&mut self, entity: Entity) {
        let has_begun =
            |operation, row: &ChangeRow| operation != Operation::Despawn && row.has_begun();
        while let Some((_, at)) = self.find_row(entity, &has_begun) {
            let ChangeRow { number, .. } = self.log()[at];
            self.finish_insertions(entity, number);
            self.finish_removals(entity, number);
        }
        let is_pending = |operation, row: &ChangeRow| {
            operation != Operation::Despawn && row.stage == NotificationStage::Pending
        };
        while let Some((_, at)) = self.find_row(entity, &is_pending) {
            let row = &mut self.log()[at];
            row.stage = NotificationStage::Done;
            if row.change == Change::Insert {
                let number = row.number;
                let silent = ChangeRow::new(entity, number, Change::Remove);
                self.log().push(ChangeRow { stage: NotificationStage::Done, ..silent });
            }
        }
    }

    /// Returns the components of an entity with listeners of their removal, without the ones that have a row
    /// already.
    fn observed_of(&mut self, entity: Entity) -> Vec<u32> {
        let mut known = Vec::new();
        self.log().numbers_of_despawn(entity, &mut known);
        let components = self.entities.components(entity);
        let observed = self.pools.observed_of(entity, &components);
        observed.filter(|number| !known.contains(number)).collect()
    }

    /// Returns `true` if an entity is alive and depends on none that is being despawned any more.
    fn is_independent(&mut self, entity: Entity) -> bool {
        let Self { pools, entities, .. } = self;
        let relations = pools.relations.iter();
        let deciding = relations.filter(|it| matches!(it.at_end, AtTargetEnd::Despawn));
        let rows = &mut pools.watch.log;
        entities.is_alive(entity)
            && !rows.is_despawning(entity)
            && !deciding.filter_map(|it| it.target(entity)).any(|it| rows.is_despawning(it))
    }

    /// Takes the relations to entities that are being despawned from all others; dependents join the family
    /// instead, but where a veto refuses. Returns `false` if nothing points to them.
    fn part_others(&mut self, family: &mut Family, left: &[Entity]) -> bool {
        if !self.is_any_target(left) {
            return false;
        }
        let mut here: DespawnSet = left.iter().map(|entity| (*entity, ())).collect();
        let mut is_any = false;
        let pointers = self.pointers_to(left, &here);
        if self.taking.is_some() {
            self.note_orders(pointers.iter().map(|it| (it.number, it.source)).collect());
        }
        for Pointer { number, source, target } in pointers {
            is_any = true;
            let Some(relation) = self.pools.relations.get(number) else { continue };
            if relation.target(source) != Some(target) || here.contains(source) {
                continue;
            }
            let parting = relation.at_end;
            let is_dependent = matches!(parting, AtTargetEnd::Despawn);
            if is_dependent
                && (self.log().is_despawning(source) || self.refusal_of(source).is_none())
            {
                here.insert(source, ());
                family.all.insert(source, ());
                family.dependents.insert(source, ());
                family.list.push(source);
                continue;
            }
            self.remove_needing(source, number);
            match parting {
                _ if self.taking.is_some() => self.lose(source, number, parting),
                AtTargetEnd::Call(part) => part(self, source),
                AtTargetEnd::Remove | AtTargetEnd::Despawn => {
                    self.drop_component(source, number);
                }
            }
        }
        is_any
    }

    /// Removes the components of an entity that need this one, which is about to go: a listener inserted them or the
    /// relation after the check.
    fn remove_needing(&mut self, entity: Entity, number: u32) {
        while let Err((_, rule)) = self.pools.check_removal(entity, &[number]) {
            let Some(by) = self.pools.rules.needing(number, rule) else { return };
            self.remove_needing(entity, by);
            self.drop_component(entity, by);
        }
    }

    /// Removes a relation to a target that is being despawned, and calls the function that the relation names for it.
    pub(crate) fn part_from<R: Relation>(&mut self, entity: Entity) {
        if let RelationEnding::Call(part) = R::AT_END.0
            && let Some(relation) = self.release::<R>(entity)
        {
            self.enter_edit(|world| part(world, entity, relation));
        }
    }
}
