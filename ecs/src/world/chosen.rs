//! Change sets of parts of worlds that move to other worlds.

use crate::entity::Entity;
use crate::pool::kind::Kind;
use crate::saved::error::SaveError;
use crate::saved::write::write_values;
use crate::world::World;
use crate::world::change_set::{
    ChangeSet, ChangeSets, NAMED, PARTS, Sections, SentComponent, has, in_order, name_entities,
};
use crate::world::save::Save;
use alloc::vec::Vec;

impl ChangeSet {
    /// Returns a set that gives another world these entities, with all saved components whose kind `takes` accepts. It
    /// also has the entities outside of the list that the values name, by a relation or by a field that is marked by
    /// `#[component(entities)]`, in the order of their indices. O(entities × saved components).
    ///
    /// Unlike the sets of [`ChangeSets`], it has components that are not tracked, and does not follow on another set:
    /// its [`number`](Self::number) is 1, and a new [`Follower`](crate::save::Follower) applies it.
    /// [`World::apply_change_set`] spawns entities without components for the named ones, unless the follower has
    /// entities for them. So a part of one world moves to another world that has the rest of it, or entities that stand
    /// for the rest. Dead entities are left out. A saved component that an entity lacks does not return there with one
    /// that requires it.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written, or two components have one name.
    ///
    /// ```
    /// use ecs::{ChildOf, Name, World};
    /// use ecs::save::{ChangeSet, Follower, Limits, Received};
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
    /// assert_eq!(applied.unwrap(), Received::Applied);
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
        let (mut sent_components, mut named) = (Vec::new(), Vec::new());
        for (number, pool) in world.pools.numbered() {
            let Some((name, schema)) = pool.kind().saving() else { continue };
            if !takes(pool.kind()) {
                continue;
            }
            let is_member = |entity: &Entity| pool.contains(*entity);
            let changed: Vec<Entity> = chosen.iter().copied().filter(is_member).collect();
            if !changed.is_empty() {
                sent_components.push(SentComponent {
                    name,
                    schema,
                    number,
                    lost: Vec::new(),
                    changed,
                });
            }
        }
        let is_hidden = |entity| !has(&chosen, entity);
        let parts = ChangeSets::default().write_parts(
            &mut sent_components,
            &world.pools,
            &is_hidden,
            &mut named,
        )?;
        in_order(&mut named);
        named.retain(|entity| world.entities.is_alive(*entity) && !has(&chosen, *entity));
        let mut sections = Sections::default();
        sections.add(PARTS, sent_components.len(), &parts);
        sections.mark_whole();
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
    /// Returns an error if a value cannot be written, or two components have one name.
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
            write_values(part.pool, part.name, part.all_positions(), &mut bytes)?;
            name_entities(part.pool, part.schema.version, count, &bytes, &mut named)
                .map_err(|error| SaveError::new(&part.name, None, &error))?;
        }
        in_order(&mut named);
        named.retain(|entity| self.world.entities.is_alive(*entity));
        Ok(named)
    }
}
