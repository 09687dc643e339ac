//! Change sets of parts of worlds that move to other worlds.

use crate::entity::Entity;
use crate::pool::kind::Kind;
use crate::saved::error::SaveError;
use crate::world::World;
use crate::world::change_set::{
    ChangeSet, ChangeSets, NAMED, NAMES, PARTS, Sections, Told, has, in_order, name_entities,
};
use crate::world::save::Save;
use alloc::string::ToString;
use alloc::vec::Vec;

impl ChangeSet {
    /// Returns a set that gives another world these entities, with all saved components whose kind `takes` accepts;
    /// and the entities outside of the list that the values name, by a relation or by a field that is marked by
    /// `#[component(entities)]`, in the order of their indices. O(entities × saved components).
    ///
    /// Unlike the sets of [`ChangeSets`], it has components that are not tracked, and does not follow on another set: its
    /// [`number`](Self::number) is 1, and a new [`Follower`](crate::save::Follower) applies it. [`World::apply_change_set`]
    /// spawns entities without components for the named ones, unless the follower has entities for them. So a part of one
    /// world moves to another world that has the rest of it, or entities that stand for the rest. Dead entities are left
    /// out.
    ///
    /// # Errors
    /// When a value cannot be written, or two components have one name.
    ///
    /// ```
    /// use ecs::{ChildOf, Name, World};
    /// use ecs::save::{Applied, ChangeSet, Follower, Limits};
    ///
    /// let mut town = World::new();
    /// let inn = town.spawn_named("inn").id();
    /// let guest = town.spawn((Name::new("guest"), ChildOf(inn))).id();
    /// let (set, named) = ChangeSet::of(&town, &[guest], &|_| true).unwrap();
    /// assert_eq!(named, [inn]);
    ///
    /// let mut road = World::new();
    /// road.register::<(Name, ChildOf)>();
    /// let mut follower = Follower::default();
    /// let applied = road.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
    /// assert_eq!(applied.unwrap(), Applied::Done);
    /// let [inn, guest] = [inn, guest].map(|entity| follower.get(entity).unwrap());
    /// assert_eq!((road.name(guest), road.parent(guest)), (Some("guest"), Some(inn)));
    /// assert_eq!(road.name(inn), None);
    /// ```
    pub fn of(
        world: &World,
        entities: &[Entity],
        takes: &dyn Fn(Kind) -> bool,
    ) -> Result<(Self, Vec<Entity>), SaveError> {
        let mut chosen = entities.to_vec();
        in_order(&mut chosen);
        let (mut told, mut named) = (Vec::new(), Vec::new());
        for (number, pool) in world.pools.numbered() {
            let Some((name, version)) = pool.saved_as() else { continue };
            if !takes(pool.kind()) {
                continue;
            }
            let is_member = |entity: &Entity| pool.contains(*entity);
            let changed: Vec<Entity> = chosen.iter().copied().filter(is_member).collect();
            if !changed.is_empty() {
                let (name, lost) = (name.to_string(), Vec::new());
                told.push(Told { name, version, number, lost, changed });
            }
        }
        let mut new_names = Vec::new();
        let parts = ChangeSets::default().write_parts(
            &mut told,
            &world.pools,
            false,
            &|entity| !has(&chosen, entity),
            &mut new_names,
            &mut named,
        )?;
        in_order(&mut named);
        named.retain(|entity| world.entities.is_alive(*entity) && !has(&chosen, *entity));
        let mut sections = Sections::default();
        sections.add(NAMES, new_names.len(), &new_names.concat());
        sections.add(PARTS, told.len(), &parts);
        sections.add_handles(NAMED, &named);
        Ok((sections.into_set(0, false), named))
    }
}

impl Save<'_> {
    /// Returns the living entities that the values to be saved name, by a relation or by a field that is marked by
    /// `#[component(entities)]`: each once, in the order of their indices. O(components that hold handles), which are
    /// written for it.
    ///
    /// # Errors
    /// When a value cannot be written, or two components have one name.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let (parent, other) = (world.spawn_empty().id(), world.spawn_empty().id());
    /// world.spawn(ChildOf(parent));
    /// assert_eq!(world.save().named_entities().unwrap(), [parent]);
    /// ```
    pub fn named_entities(&self) -> Result<Vec<Entity>, SaveError> {
        let (parts, _) = self.parts()?;
        let mut named = Vec::new();
        for part in parts.iter().filter(|part| part.pool.kind().holds_entities()) {
            let (count, mut bytes) = (part.all_positions().count(), Vec::new());
            let written = part.pool.write(&mut part.all_positions(), &mut bytes);
            let written = written.map_err(|(at, error)| (part.pool.keys().get(at).copied(), error));
            let read = written.and_then(|()| {
                name_entities(part.pool, part.schema.version, count, &bytes, &mut named)
                    .map_err(|error| (None, error))
            });
            read.map_err(|(entity, error)| SaveError {
                component: part.name.to_string(),
                entity,
                what: error.into_text(),
            })?;
        }
        in_order(&mut named);
        named.retain(|entity| self.world.entities.is_alive(*entity));
        Ok(named)
    }
}
