//! Saving one entity in any format of serde, alone or with the entities that point to it.
//!
//! ```text
//! { entity: "0v2", outside: ["7v1"], dead: ["8v1"], versions: { health: 2 }, removes: ["armour"],
//!   components: { health: 10, aim: "7v1" },
//!   others: [{ entity: "1v1", components: { ecs::ChildOf: "0v2" } }] }
//! ```

use crate::component::Relation;
use crate::component::data::SavingName;
use crate::entity::Entity;
use crate::pool::WorldPool;
use crate::saved::error::{ONE_NAME, SaveError};
use crate::saved::save::{Save, unsaved_error};
use crate::saved::save_text::TextNode;
use crate::storage::sparse_set::SparseSet;
use crate::world::error::NoSuchEntityError;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::ser::Error;
use serde::{Serialize, Serializer};

/// An entity to be written in any format of serde, such as JSON, RON or the bytes of postcard: from [`Save::entity`].
/// [`World::spawn_from`](crate::World::spawn_from) reads it into a world that may have other entities.
///
/// Components are written by their saved names, with versions other than 1. Handles of the written entities become
/// handles of the new ones; handles of dead entities become [`Entity::PLACEHOLDER`]. A handle of another living entity is an
/// error, unless it is [kept](Self::keep_outside). A saved component that the entity lacks, though another one requires it,
/// is noted, so that it does not return.
///
/// ```
/// use ecs::{ChildOf, Name, World};
///
/// let mut world = World::new();
/// let ship = world.spawn_named("ship").id();
/// world.spawn((Name::new("gun"), ChildOf(ship)));
/// let text = serde_json::to_string(&world.save().entity(ship).with_sources::<ChildOf>())?;
///
/// let mut other = World::new();
/// other.register::<(Name, ChildOf)>();
/// other.spawn_named("was here");
/// let new = other.spawn_from(&mut serde_json::Deserializer::from_str(&text))?;
/// assert_eq!((other.name(new[0]), other.name(new[1])), (Some("ship"), Some("gun")));
/// assert_eq!(other.parent(new[1]), Some(new[0]));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is saved until it is given a serializer"]
pub struct SaveEntity<'w> {
    save: Save<'w>,
    /// The entities that are written, the first one first.
    entities: Vec<Entity>,
    keeps_outside: bool,
}

/// The components of an entity that is written.
struct EntityRecord<'w> {
    entity: Entity,
    components: Vec<(SavingName, u32, &'w dyn WorldPool)>,
    /// The saved components that others require, and that the entity lacks.
    lacks: Vec<String>,
}

impl<'w> Save<'w> {
    /// Saves this entity alone, in any format of serde: with the components that this save has, and without resources. The
    /// result is written like a value. O(pools).
    ///
    /// See [`SaveEntity`] for an example.
    #[inline]
    pub fn entity(self, entity: Entity) -> SaveEntity<'w> {
        SaveEntity { save: self, entities: Vec::from([entity]), keeps_outside: false }
    }
}

impl SaveEntity<'_> {
    /// Saves the sources of the entities by this relation, too, their sources, and so on: with
    /// [`ChildOf`](crate::ChildOf), all descendants. The sources of one target keep their order. Entities that do not
    /// [match](Save::matching) are left out.
    ///
    /// See [`SaveEntity`] for an example.
    pub fn with_sources<R: Relation>(mut self) -> Self {
        let mut seen: SparseSet<(), Entity> = self.entities.iter().map(|it| (*it, ())).collect();
        let mut at = 0;
        while let Some(&target) = self.entities.get(at) {
            let matching = self.save.matching.as_ref();
            let sources = self.save.world.related::<R>(target);
            let sources = sources.filter(|it| matching.is_none_or(|all| all.contains(*it)));
            self.entities.extend(sources.filter(|it| seen.insert(*it, ()).is_none()));
            at += 1;
        }
        self
    }

    /// Keeps handles of living entities that are not saved: they are written as they are, and the world that reads the text
    /// must have these entities. So an entity is copied within its world.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// let error = serde_json::to_string(&world.save().entity(child)).unwrap_err().to_string();
    /// assert!(error.starts_with("cannot save `ecs::ChildOf` of 1v1: it names 0v1, which is alive and not saved with it"));
    ///
    /// let text = serde_json::to_string(&world.save().entity(child).keep_outside())?;
    /// let copy = world.spawn_from(&mut serde_json::Deserializer::from_str(&text))?[0];
    /// assert_eq!(world.parent(copy), Some(parent));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub const fn keep_outside(mut self) -> Self {
        self.keeps_outside = true;
        self
    }

    /// Returns the components of an entity.
    #[inline]
    fn record(&self, entity: Entity) -> Result<EntityRecord<'_>, String> {
        let Save { world, only, left_out, .. } = &self.save;
        if !world.is_alive(entity) {
            return Err(NoSuchEntityError(entity).to_string());
        }
        if let Some(name) = world.unknown_names_of(&[entity]).next().filter(|_| !left_out.rest) {
            let what = "the world keeps it without knowing it, so it is not saved with an entity: register it before the \
                        world is loaded, or leave it out by `Save::leave_out_rest`";
            return Err(SaveError::new(name, Some(entity), what).to_string());
        }
        let (mut components, mut unsaved) = (Vec::new(), Vec::new());
        let mut required = Vec::new();
        for (number, pool) in world.pools.numbered().filter(|(_, pool)| pool.contains(entity)) {
            let is_chosen = only.as_ref().is_none_or(|only| only.contains(&number));
            let kind = pool.kind();
            if !is_chosen || kind.skips_saves() || left_out.components.contains(&number) {
                continue;
            }
            match kind.saving() {
                Some((name, schema)) => components.push((name, schema.version, pool)),
                None if !left_out.rest => unsaved.push(pool.name()),
                None => {}
            }
            required.extend(kind.required());
        }
        unsaved.sort_unstable();
        if let [first, others @ ..] = &unsaved[..] {
            return Err(unsaved_error(first, others).to_string());
        }
        components.sort_by_key(|(name, ..)| *name);
        let checked = SaveError::refuse_twice(&components, |(name, ..)| *name, ONE_NAME);
        checked.map_err(|error| error.to_string())?;
        let absent = required.iter().filter(|kind| !world.pools.has(kind.number, entity));
        let mut lacks: Vec<String> =
            absent.filter_map(|kind| Some(kind.saving()?.0.to_string())).collect();
        lacks.sort_unstable();
        lacks.dedup();
        Ok(EntityRecord { entity, components, lacks })
    }

    /// Returns the living and the dead entities outside that the values of these entities name, in the order of their
    /// indices.
    #[inline]
    fn outside(&self, records: &[EntityRecord<'_>]) -> Result<[Vec<Entity>; 2], SaveError> {
        let inside: SparseSet<(), Entity> = self.entities.iter().map(|it| (*it, ())).collect();
        let (mut alive, mut dead) = (BTreeSet::new(), BTreeSet::new());
        for EntityRecord { entity, components, .. } in records {
            for (name, _, pool) in components {
                let Some(at) = pool.raw_keys().find(*entity) else { continue };
                let mut error = None;
                pool.as_saved().visit_entities(at, &mut |named| {
                    if !self.save.world.is_alive(named) {
                        dead.extend((named != Entity::PLACEHOLDER).then_some(named));
                    } else if !inside.contains(named) {
                        alive.insert(named);
                        error = error.or(Some(named));
                    }
                });
                if let Some(named) = error.filter(|_| !self.keeps_outside) {
                    let what = alloc::format!(
                        "it names {named}, which is alive and not saved with it: save both, by \
                         `SaveEntity::with_sources`, leave `{name}` out by `Save::leave_out`, or keep the handle by \
                         `SaveEntity::keep_outside`"
                    );
                    return Err(SaveError::new(name, Some(*entity), &what));
                }
            }
        }
        Ok([alive, dead].map(|all| all.into_iter().collect()))
    }
}

impl EntityRecord<'_> {
    #[inline]
    fn node<'a>(&'a self, outside: [Vec<Entity>; 2], others: Vec<TextNode<'a>>) -> TextNode<'a> {
        let Self { entity, components, lacks } = self;
        let versions = components.iter().filter(|(_, version, _)| *version != 1);
        let versions: Vec<_> =
            versions.map(|(name, version, _)| (*name, TextNode::Number(*version))).collect();
        let value = |(name, _, pool): &(SavingName, u32, &'a dyn WorldPool)| {
            Some((*name, TextNode::Value(*name, *pool, pool.raw_keys().find(*entity)?)))
        };
        let [outside, dead] =
            outside.map(|list| (!list.is_empty()).then_some(TextNode::Handles(list)));
        let fields = [
            ("entity", Some(TextNode::Handle(*entity))),
            ("outside", outside),
            ("dead", dead),
            ("versions", (!versions.is_empty()).then_some(TextNode::Named(versions))),
            ("removes", (!lacks.is_empty()).then(|| TextNode::Names(lacks.clone()))),
            ("components", Some(TextNode::Named(components.iter().filter_map(value).collect()))),
            ("others", (!others.is_empty()).then_some(TextNode::List(others))),
        ];
        TextNode::Struct("Entity", fields.into())
    }
}

/// Writes the entity, in any format. An entity that is not alive, an unsaved component and a handle of another living
/// entity are errors: see [`SaveEntity`].
impl Serialize for SaveEntity<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let records = self.entities.iter().map(|entity| self.record(*entity));
        let records: Vec<_> = records.collect::<Result<_, _>>().map_err(S::Error::custom)?;
        let outside = self.outside(&records).map_err(S::Error::custom)?;
        let (first, others) = records.split_first().expect("there is a first entity");
        let others = others.iter().map(|record| record.node(<_>::default(), Vec::new())).collect();
        first.node(outside, others).serialize(serializer)
    }
}
