//! The end of entities to which others point: who ends with them, and who loses a relation.
//!
//! ```text
//! despawn 1     1 <- 2 <- 4     those that end with it, level by level: [ 1 2 3 4 ]
//!               1 <- 3          vetoes, of all these; then 5 loses its relation, and all are told
//!               3 <~ 5          that 1 2 3 4 end, as one batch
//! ```

use crate::component::set::ComponentSet;
use crate::component::{Ending, Parting, Relation};
use crate::entity::Entity;
use crate::world::World;
use crate::world::error::DespawnError;
use crate::world::frames::{DEEPEST, Operation};
use crate::world::tell::{Followers, Open};
use alloc::vec::Vec;

/// Entities that end together: each behind those that it follows.
#[derive(Default)]
struct Ends {
    list: Vec<Entity>,
    seen: Followers,
}

/// What came of entities that were to end, in order.
#[derive(Default)]
pub(crate) struct Ended {
    /// So many ended, with those that ended with them.
    pub(crate) count: usize,
    /// Of those named, so many were not alive when it was their turn, or ended with others before.
    pub(crate) missing: usize,
    /// Of those named, so many are left, because a veto refused.
    pub(crate) refused: usize,
    /// What came of the last one that did not end.
    error: Option<DespawnError>,
}

/// An entity that points to one which ends, by the relation with this number.
struct Pointer {
    number: u32,
    source: Entity,
    target: Entity,
}

impl World {
    /// Whether relations point to an entity.
    pub(super) fn is_target(&self, entity: Entity) -> bool {
        let Self { pools, entities, .. } = self;
        entities.is_alive(entity)
            && pools.watch.is_marked(&entities.components(entity))
            && pools.relations.point_to(entity)
    }

    /// Ends an entity to which others point, if no veto refuses.
    pub(super) fn end_target(&mut self, entity: Entity) -> Result<(), DespawnError> {
        self.end_targets(&[entity], true).error.map_or(Ok(()), Err)
    }

    /// Ends these entities, and those that end with them, but where a veto refuses, if it is asked.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_targets(&mut self, roots: &[Entity], ask: bool) -> Ended {
        if self.pools.watch.is_telling() {
            // The last ones first: each of them then ends alone.
            self.finish_all(|world| {
                let all = world.all_that_end(roots).list.into_iter();
                all.rev().for_each(|entity| world.finish_entity(entity));
            });
        }
        self.entities.flush();
        let (mut ends, mut agreed, mut ended) = (Ends::default(), Vec::new(), Ended::default());
        for &root in roots {
            if !self.entities.is_alive(root) || ends.seen.contains(root) {
                ended.missing += 1;
                ended.error = Some(DespawnError::NoSuchEntity(root));
                continue;
            }
            let start = ends.list.len();
            self.add_ends(&mut ends, root);
            if ask && let Some(refused) = self.refusal_of(&ends, start) {
                ended.refused += 1;
                ended.error = Some(refused);
                ends.list.drain(start..).for_each(|entity| _ = ends.seen.remove(entity));
            } else {
                agreed.push(root);
            }
        }
        let pointers = self.pointers_to(&ends);
        if !pointers.is_empty() {
            if !self.part_all(&pointers) {
                return Ended::default();
            }
            self.entities.flush();
            ended.count +=
                ends.list.iter().filter(|entity| !self.entities.is_alive(**entity)).count();
            ends = self.all_that_end(&agreed); // whoever was called may have changed it
        }
        if !self.is_any_told_of(&ends.list) {
            ended.count += self.end_told(&ends.list);
            return ended;
        }
        let Ends { list, seen: mut followers } = ends;
        for root in agreed {
            followers.remove(root);
        }
        let (left, early) = self.before_ends(&list, false, &followers);
        ended.count += early + self.end_told(&left);
        ended
    }

    /// Ends these entities, of which all were told. Those that others let point to them meanwhile are parted
    /// from them first, or end with them. How many of these ended.
    ///
    /// # Panics
    /// When observers let others point to them without end.
    pub(super) fn end_told(&mut self, list: &[Entity]) -> usize {
        if !list.iter().any(|entity| self.is_target(*entity)) {
            return self.end_batch(list, ComponentSet::EMPTY);
        }
        let count = list.iter().filter(|entity| self.entities.is_alive(**entity)).count();
        let mut told = list.to_vec();
        for _ in 0..DEEPEST {
            let mut ends = Ends::default();
            ends.list.extend(told.iter().filter(|entity| self.entities.is_alive(**entity)));
            ends.seen.extend(ends.list.iter().map(|entity| (*entity, ())));
            let mut pointers = self.pointers_to(&ends);
            if pointers.is_empty() {
                self.end_batch(&ends.list, ComponentSet::EMPTY);
                return count;
            }
            // Who meets one of them meanwhile finishes its end: nobody is to be told of it any more.
            let open = Open::new(self, Operation::End);
            ends.list.iter().for_each(|entity| open.world.push_end(*entity, &[]));
            let Some(more) = open.world.tell_followers(&ends, &pointers) else { return 0 };
            ends.seen.extend(more.iter().map(|entity| (*entity, ())));
            pointers.retain(|pointer| !ends.seen.contains(pointer.source));
            if !open.world.part_all(&pointers) {
                return 0;
            }
            told = ends.list;
            told.extend(more);
        }
        panic!(
            "observers let entities point to one that ends, again and again: {DEEPEST} times; let them \
             look whether it is about to end"
        );
    }

    /// Tells of those that end with entities of which all were told, to any depth, but where a veto refuses. Those
    /// that are to be ended, and those that point to them and end in any case; none, if another world is in the
    /// place of this one.
    fn tell_followers(&mut self, told: &Ends, pointers: &[Pointer]) -> Option<Vec<Entity>> {
        let id = self.telling.world();
        let among = || Ends { list: Vec::new(), seen: told.seen.clone() };
        let (mut follow, mut all) = (Vec::new(), among());
        for &Pointer { number, source, .. } in pointers {
            if self.ends_with_target(number) {
                follow.push(source);
                self.add_ends(&mut all, source);
            } else if self.is_ending(source) && all.seen.insert(source, ()).is_none() {
                all.list.push(source);
            }
        }
        if all.list.is_empty() {
            return Some(Vec::new());
        }
        // The last ones first: what is being told of them already is finished, and they end with these.
        let mut more = Vec::new();
        for entity in all.list.into_iter().rev() {
            let is_told = self.take_over_end(entity);
            if self.telling.world() != id {
                return None;
            }
            if is_told {
                self.push_end(entity, &[]); // to the frame of those that end already
                more.push(entity);
            }
        }
        self.entities.flush();
        let mut ends = among();
        ends.seen.extend(more.iter().map(|entity| (*entity, ())));
        for entity in follow {
            let is_target = |target| told.seen.contains(target);
            if !self.entities.is_alive(entity) || !self.follows(entity, is_target) {
                continue;
            }
            let start = ends.list.len();
            self.add_ends(&mut ends, entity);
            if self.refusal_of(&ends, start).is_some() {
                ends.list.drain(start..).for_each(|entity| _ = ends.seen.remove(entity));
            }
        }
        let pointers = self.pointers_to(&ends);
        if !self.part_all(&pointers) {
            return None;
        }
        let (left, _) = self.before_ends(&ends.list, false, &Followers::default());
        if self.telling.world() != id {
            return None;
        }
        for entity in left {
            self.push_end(entity, &[]);
            more.push(entity);
        }
        Some(more)
    }

    /// Whether an entity ends with one of which this is true.
    fn follows(&self, entity: Entity, is_it: impl Fn(Entity) -> bool) -> bool {
        let relations = self.pools.relations.iter();
        let mut ending = relations.filter(|it| matches!(it.at_end, Parting::Despawn));
        ending.any(|relation| relation.target(entity).is_some_and(&is_it))
    }

    fn ends_with_target(&self, number: u32) -> bool {
        let relation = self.pools.relations.get(number);
        relation.is_some_and(|relation| matches!(relation.at_end, Parting::Despawn))
    }

    /// Those of these entities that are alive, and all that end with them.
    fn all_that_end(&self, roots: &[Entity]) -> Ends {
        let mut ends = Ends::default();
        for &root in roots.iter().filter(|root| self.entities.is_alive(**root)) {
            self.add_ends(&mut ends, root);
        }
        ends
    }

    /// Adds an entity, and all that end with it and are not there yet.
    fn add_ends(&self, ends: &mut Ends, root: Entity) {
        let Ends { list, seen } = ends;
        let mut at = list.len();
        if seen.insert(root, ()).is_none() {
            list.push(root);
        }
        while let Some(&target) = list.get(at) {
            for relation in self.pools.relations.iter() {
                if matches!(relation.at_end, Parting::Despawn) {
                    let new = relation.sources(target);
                    list.extend(new.filter(|source| seen.insert(*source, ()).is_none()));
                }
            }
            at += 1;
        }
    }

    /// Those that point to one of these and do not end with them.
    fn pointers_to(&self, ends: &Ends) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        for &target in &ends.list {
            for relation in self.pools.relations.iter() {
                let others = relation.sources(target).filter(|it| !ends.seen.contains(*it));
                let number = relation.number;
                pointers.extend(others.map(|source| Pointer { number, source, target }));
            }
        }
        pointers
    }

    /// Which veto refuses of those that end, from this one on, or that lose a relation to them.
    fn refusal_of(&mut self, ends: &Ends, start: usize) -> Option<DespawnError> {
        for &entity in &ends.list[start..] {
            let components = self.entities.components(entity);
            if let Some(name) = self.pools.refusal(entity, &components) {
                return Some(DespawnError::Refused(entity, name));
            }
        }
        if !self.pools.watch.vetoes().intersects(self.pools.watch.relations()) {
            return None;
        }
        let new = Ends { list: ends.list[start..].to_vec(), seen: Followers::default() };
        for Pointer { number, source, .. } in self.pointers_to(&new) {
            let pool = self.pools.at_mut(number);
            if !ends.seen.contains(source) && !pool.permits_removal(source) {
                return Some(DespawnError::Refused(source, pool.name()));
            }
        }
        None
    }

    /// Takes the relations from those that still have them. Whether this is still the same world.
    fn part_all(&mut self, pointers: &[Pointer]) -> bool {
        let id = self.telling.world();
        for &Pointer { number, source, target } in pointers {
            let Some(relation) = self.pools.relations.get(number) else { continue };
            if relation.target(source) != Some(target) {
                continue;
            }
            match relation.at_end {
                Parting::Call(part) => part(self, source),
                Parting::Remove | Parting::Despawn => {
                    if !self.pools.watch.tells_removal(number)
                        || self.before_removal(source, number)
                    {
                        self.take_out_now(source, number);
                    }
                }
            }
            if self.telling.world() != id {
                return false;
            }
        }
        true
    }

    /// Takes a relation from an entity whose target ends, and calls what is to be called then.
    pub(crate) fn part_from<R: Relation>(&mut self, entity: Entity) {
        if let Ending::Call(part) = R::AT_END.0
            && let Some(relation) = self.release::<R>(entity)
        {
            self.deeper(|world| part(world, entity, relation));
        }
    }
}
