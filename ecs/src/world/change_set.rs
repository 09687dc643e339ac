//! Change sets: what happened to the components that are tracked and saved, entity by entity, to be sent.
//!
//! ```text
//! magic     "ecc", the version of the format
//! ended     those that had one of the components, or are named by the values, and are not alive
//! parts     by name: version, length
//!           | those that lost it and are alive, those whose value came or changed, these values
//!           | of a relation: places of those that changed, target by target, in the order of the sources
//! bare      those that the values name, are alive, and have none of the components
//! ```
//!
//! A place is a position among those that changed, and the source before it: a generation, and an index if that is not
//! zero. Those without a place come last, in order. In the first version there were no places and no bare ones.
//!
//! Entities are told by their handles where the set was made: the step from the index before, and the generation. So
//! who applies a set may have entities of its own, and pools in any order.

use crate::entity::Entity;
use crate::format::checked::check;
use crate::format::reader::ReadError;
use crate::format::writer::{write_block, write_number, write_text};
use crate::pool::WorldPool;
use crate::pool::list::ComponentList;
use crate::pool::pools::Pools;
use crate::pool::track::{Marked, News, Reader};
use crate::world::World;
use crate::world::save::SaveError;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// What a change set begins with; the last byte is the version of the format.
pub(super) const MAGIC: [u8; 4] = *b"ecc\x02";

/// The changes of the components of a world that are tracked and saved, as bytes: from [`ChangeSets::drain`], for
/// [`World::apply_change_set`].
///
/// Beside a [`Delta`](crate::save::Delta), which compares two worlds position by position, and is exact: a set costs what
/// changed, and not what there is; who applies it may have entities and components of its own, and another order; and
/// it has only components with both `#[component(track)]` and `save`.
///
/// ```
/// use ecs::{Component, Entity, SparseSet, World};
/// use ecs::save::Limits;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
/// #[component(track, save = "health")]
/// struct Health(u32);
///
/// let (mut server, mut client) = (World::new(), World::new());
/// client.register::<Health>();
/// client.spawn_empty(); // of its own
/// let mut sent = server.change_sets();
/// let mut known = SparseSet::<Entity, Entity>::default(); // whom the server's entities are here
///
/// let hero = server.spawn(Health(3)).id();
/// let set = sent.drain(&mut server).unwrap();
/// client.apply_change_set(set.as_bytes(), &mut known, &Limits::default()).unwrap();
/// assert_eq!(client.get::<Health>(*known.get(hero).unwrap()), Some(&Health(3)));
///
/// server.despawn(hero).unwrap();
/// let set = sent.drain(&mut server).unwrap();
/// client.apply_change_set(set.as_bytes(), &mut known, &Limits::default()).unwrap();
/// assert_eq!((client.len(), known.len()), (1, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    bytes: Vec<u8>,
    is_empty: bool,
}

impl ChangeSet {
    /// The bytes, to be sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, to be sent.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether nothing happened: then there is nothing to send.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let mut sent = world.change_sets();
    /// assert!(sent.drain(&mut world).unwrap().is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// A reader of all that is tracked and saved, for [change sets](ChangeSet): from [`World::change_sets`]. Each has its
/// own place, so there may be one a client. One that is dropped costs no more.
///
/// A new one, `ChangeSets::default()`, was told of nothing yet: its first set has all that there is.
///
/// ```
/// # use ecs::{ChildOf, World};
/// # use ecs::save::ChangeSets;
/// let mut world = World::new();
/// let parent = world.spawn_empty().id();
/// world.spawn(ChildOf(parent));
/// let mut late = ChangeSets::default();
/// assert!(!late.drain(&mut world).unwrap().is_empty());
/// assert!(late.drain(&mut world).unwrap().is_empty());
/// ```
#[derive(Default)]
pub struct ChangeSets {
    reader: Reader,
    /// The numbers of these components only.
    only: Option<Vec<u32>>,
    /// The entities that were sent, are alive, and have none of the components: no mark tells of their end.
    bare: Vec<Entity>,
}

impl ChangeSets {
    /// Tells of these components only, of those that are tracked and saved.
    ///
    /// ```
    /// # use ecs::{ChildOf, Name, World};
    /// # use ecs::save::ChangeSets;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let mut hierarchy = ChangeSets::default().only::<ChildOf>();
    /// assert!(hierarchy.drain(&mut world).unwrap().is_empty());
    /// let mut both = ChangeSets::default().only::<(ChildOf, Name)>();
    /// assert!(!both.drain(&mut world).unwrap().is_empty());
    /// ```
    #[must_use]
    pub fn only<L: ComponentList>(mut self) -> Self {
        L::add_numbers(self.only.get_or_insert_default());
        self
    }

    /// Returns what happened since the last call, or since the reader began. O(pages of the components), and what happened.
    ///
    /// An entity comes with its first component that is sent, or with a value that names it, by a relation or by a field
    /// that is marked by `#[component(entities)]`, and stays until it ends. A value that was lent to be written counts
    /// as changed, as [`Changes`](crate::Changes) says. A relation is sent, too, if its source was moved among those with
    /// its target. A reader of another world begins anew.
    ///
    /// # Errors
    /// When a value cannot be written, or two components have one name. What the set would have told is lost then: begin
    /// with `ChangeSets::default()`.
    ///
    /// See [`ChangeSet`] for an example.
    pub fn drain(&mut self, world: &mut World) -> Result<ChangeSet, SaveError> {
        world.entities.flush();
        let (mut told, mut ended) = (Vec::new(), Vec::new());
        let mut bare = core::mem::take(&mut self.bare);
        let numbers = world.told_of_by(self);
        for &number in &numbers {
            let mut news = Arc::<News>::default();
            if !world.pools.advance(number, &mut self.reader, &mut news, true) {
                world.pools.add_reader(number, &mut self.reader, false);
                world.pools.advance(number, &mut self.reader, &mut news, true);
            }
            let pool = world.pools.at(number);
            let Some((name, version)) = pool.saved_as() else { continue };
            let gone = news.removed.iter().copied().filter(|entity| !pool.contains(*entity));
            let (mut lost, dead): (Vec<_>, Vec<_>) =
                gone.partition(|entity| world.entities.is_alive(*entity));
            ended.extend(dead);
            in_order(&mut lost);
            let mut changed = members(pool, &news.changed);
            if !news.moved.is_empty() {
                changed.extend(members(pool, &news.moved));
                in_order(&mut changed);
            }
            bare.extend(&lost);
            if !lost.is_empty() || !changed.is_empty() {
                told.push(Told { name: name.to_string(), version, number, lost, changed });
            }
        }
        told.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(twice) = told.windows(2).find(|pair| pair[0].name == pair[1].name) {
            let what = "two components have this name".to_string();
            return Err(SaveError { component: twice[0].name.clone(), entity: None, what });
        }
        let (mut parts, mut named) = (Vec::new(), Vec::new());
        for part in &told {
            write_text(&part.name, &mut parts);
            write_number(part.version.into(), &mut parts);
            write_block(&mut parts, |bytes| part.write(&world.pools, bytes, &mut named))?;
        }
        let has_any = |entity: &Entity| numbers.iter().any(|it| world.pools.has(*it, *entity));
        named.retain(|entity| entity.index() < u32::MAX && !has_any(entity));
        bare.retain(|entity| !has_any(entity));
        bare.extend(&named);
        let is_dead = |entity: &mut Entity| !world.entities.is_alive(*entity);
        ended.extend(bare.extract_if(.., is_dead));
        named.retain(|entity| world.entities.is_alive(*entity));
        for entities in [&mut ended, &mut named, &mut bare] {
            in_order(entities);
        }
        self.bare = bare;
        let is_empty = ended.is_empty() && told.is_empty();
        let mut bytes = MAGIC.to_vec();
        write_handles(&ended, &mut bytes);
        write_number(told.len() as u64, &mut bytes);
        bytes.extend(parts);
        write_handles(&named, &mut bytes);
        Ok(ChangeSet { bytes, is_empty })
    }

    fn tells_of(&self, number: u32, pool: &dyn WorldPool) -> bool {
        let is_named = self.only.as_ref().is_none_or(|only| only.contains(&number));
        is_named && pool.saved_as().is_some() && pool.kind().is_tracked()
    }
}

impl fmt::Debug for ChangeSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeSets").finish_non_exhaustive()
    }
}

/// The changes of a component.
struct Told {
    name: String,
    version: u32,
    number: u32,
    lost: Vec<Entity>,
    changed: Vec<Entity>,
}

/// # Change sets: sending
impl World {
    /// A reader of what happens from now on to all components that are tracked and saved, also those that are first
    /// used later. O(pages of these). While it lives, their edits keep marks, as for [`changes`](Self::changes).
    ///
    /// See [`ChangeSet`] for an example.
    #[must_use]
    pub fn change_sets(&mut self) -> ChangeSets {
        let mut sets = ChangeSets::default();
        for number in self.told_of_by(&sets) {
            self.pools.add_reader(number, &mut sets.reader, true);
        }
        sets
    }

    /// The numbers of the components that this reader is told of.
    fn told_of_by(&self, sets: &ChangeSets) -> Vec<u32> {
        let all = self.pools.numbered().filter(|(number, pool)| sets.tells_of(*number, *pool));
        all.map(|(number, _)| number).collect()
    }
}

impl Told {
    /// Writes the part, and adds the entities that its values name.
    fn write(
        &self,
        pools: &Pools,
        bytes: &mut Vec<u8>,
        named: &mut Vec<Entity>,
    ) -> Result<(), SaveError> {
        let pool = pools.at(self.number);
        let wrong = |(entity, error): (Option<Entity>, ReadError)| SaveError {
            component: self.name.clone(),
            entity,
            what: error.into_text(),
        };
        write_handles(&self.lost, bytes);
        write_handles(&self.changed, bytes);
        let keys = pool.raw_keys();
        let mut positions = self.changed.iter().filter_map(|entity| keys.find(*entity));
        let start = bytes.len();
        pool.write(&mut positions, bytes)
            .map_err(|(at, error)| wrong((pool.keys().get(at).copied(), error)))?;
        if pool.kind().holds_entities() {
            self.name_entities(pool, &bytes[start..], named)
                .map_err(|error| wrong((None, error)))?;
        }
        if let Some(ends) = pools.relations.get(self.number) {
            let places = ends.places_of(&self.changed);
            write_number(places.len() as u64, bytes);
            for (at, before) in places {
                write_number(at as u64, bytes);
                write_number(before.map_or(0, |it| it.generation().get()).into(), bytes);
                before.inspect(|before| write_number(before.index().into(), bytes));
            }
        }
        Ok(())
    }

    /// Adds the entities that written values name. The values are read again, as those of the world cannot be walked
    /// without replacing their handles.
    fn name_entities(
        &self,
        pool: &dyn WorldPool,
        values: &[u8],
        named: &mut Vec<Entity>,
    ) -> Result<(), ReadError> {
        check(values, |reader| {
            let values = pool.read_loose(self.version, self.changed.len(), reader);
            let values = values.map_err(|(_, error)| error)?;
            pool.map_loose(values, &mut |_, entity| {
                named.push(entity);
                entity
            });
            Ok(())
        })
    }
}

/// The marked members of a pool, in the order of their indices.
fn members(pool: &dyn WorldPool, marked: &Marked) -> Vec<Entity> {
    let keys = pool.raw_keys();
    let indices = marked.indices().filter_map(|index| keys.at_index(index));
    indices.collect()
}

/// In the order of indices and generations, each once.
fn in_order(entities: &mut Vec<Entity>) {
    entities.sort_unstable_by_key(|entity| (entity.index(), entity.generation()));
    entities.dedup();
}

fn write_handles(entities: &[Entity], bytes: &mut Vec<u8>) {
    write_number(entities.len() as u64, bytes);
    let mut before = 0;
    for entity in entities {
        write_number((entity.index() - before).into(), bytes);
        write_number(entity.generation().get().into(), bytes);
        before = entity.index();
    }
}
