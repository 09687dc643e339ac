//! Change sets of parts of worlds that move to other worlds.

use crate::entity::Entity;
use crate::pool::kind::Kind;
use crate::saved::change_set::{
    ChangeSet, ChangeSets, NAMED, PARTS, Sections, SentComponent, has, in_order,
};
use crate::saved::error::SaveError;
use crate::saved::save::{Save, unsaved_error};
use crate::world::World;
use alloc::vec::Vec;

impl ChangeSet {
    /// Returns a set that gives another world these entities, with all components whose kind `takes` accepts, and that do
    /// not say `#[component(save = skip)]`. It also has the entities outside of the list that the values name, by a
    /// relation or by another handle that [`MapEntities`](crate::MapEntities) finds, in the order of their indices.
    /// O(entities × components).
    ///
    /// Unlike the sets of [`ChangeSets`], it has components that are not tracked, and does not follow on another set:
    /// its [`number`](Self::number) is 1, and a new [`Follower`](crate::save::Follower) applies it.
    /// [`World::apply_change_set`] spawns entities without components for the named ones, unless the follower has
    /// entities for them. So a part of one world moves to another world that has the rest of it, or entities that stand
    /// for the rest. Dead entities are left out. A saved component that an entity lacks does not return there with one
    /// that requires it.
    ///
    /// # Errors
    /// Returns an error if one of the entities has a component that `takes` accepts and that is not saved, or if two
    /// components have one name. So it does if a value cannot be written, or has handles of entities that nothing
    /// replaces.
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
    #[inline]
    pub fn of(
        world: &World,
        entities: &[Entity],
        takes: &dyn Fn(Kind) -> bool,
    ) -> Result<(Self, Vec<Entity>), SaveError> {
        let mut chosen = entities.to_vec();
        in_order(&mut chosen);
        let (mut sent_components, mut named) = (Vec::new(), Vec::new());
        let mut unsaved = Vec::new();
        for (number, pool) in world.pools.numbered() {
            if pool.kind().skips_saves() || !takes(pool.kind()) {
                continue;
            }
            let is_member = |entity: &Entity| pool.contains(*entity);
            let changed: Vec<Entity> = chosen.iter().copied().filter(is_member).collect();
            if changed.is_empty() {
                continue;
            }
            match pool.kind().saving() {
                Some((name, schema)) => {
                    let lost = Vec::new();
                    sent_components.push(SentComponent { name, schema, number, lost, changed });
                }
                None => unsaved.push(pool.name()),
            }
        }
        unsaved.sort_unstable();
        if let [first, others @ ..] = &unsaved[..] {
            return Err(unsaved_error(first, others));
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
    /// Returns the living entities that the values to be saved name, by a relation or by another handle that is found by
    /// [`MapEntities`](crate::MapEntities). Each comes once, in the order of their indices. O(components that hold
    /// handles).
    ///
    /// # Errors
    /// Returns an error if entities have a component that is neither saved nor left out, or two components have one
    /// name.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let (parent, other) = (world.spawn_empty().id(), world.spawn_empty().id());
    /// world.spawn(ChildOf(parent));
    /// assert_eq!(world.save().named_entities().unwrap(), [parent]);
    /// ```
    #[inline]
    pub fn named_entities(&self) -> Result<Vec<Entity>, SaveError> {
        let (parts, _) = self.parts()?;
        let mut named = Vec::new();
        for part in parts.iter().filter(|part| part.pool.kind().holds_entities()) {
            let pool = part.pool.as_saved();
            for at in part.all_positions() {
                pool.visit_entities(at, &mut |entity| named.push(entity));
            }
        }
        in_order(&mut named);
        named.retain(|entity| self.world.entities.is_alive(*entity));
        Ok(named)
    }
}
