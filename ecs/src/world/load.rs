//! Loading: a world of bytes that anybody may have made.

use crate::component::data::SavingName;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::reader::{ReadError, Reader};
use crate::group::groups::ListedGroup;
use crate::pool::pools::Pools;
use crate::pool::relations::Relation;
use crate::storage::keys::Keys;
use crate::storage::page::Page;
use crate::storage::sparse_array::{PAGE_SHIFT, page_of};
use crate::world::World;
use crate::world::save::{HAS_LISTS, IS_EXACT, MAGIC};
use crate::world::saved_list::SavedList;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// What bytes may take that are loaded, whoever made them.
///
/// ```
/// # use ecs::{Limits, World};
/// let mut world = World::new();
/// world.spawn_named("Bob");
/// let mut bytes = Vec::new();
/// world.save().to_bytes(&mut bytes).unwrap();
/// let tight = Limits::default().memory(100);
/// let error = world.read(&bytes, &tight).unwrap_err();
/// assert!(error.to_string().ends_with("it takes more memory than the limit"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(super) memory: usize,
}

impl Limits {
    /// At most about so many bytes of memory; by default 2^30. It is looked at before anything is made. What values
    /// own on the heap counts as the elements and texts that are read for it.
    #[must_use]
    pub const fn memory(self, bytes: usize) -> Self {
        Self { memory: bytes }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30 }
    }
}

/// What came beside the world that was loaded.
///
/// ```
/// # use ecs::{Component, Limits, World};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] #[component(save = "mood")] struct Mood(u8);
/// let mut world = World::new();
/// world.spawn(Mood(3));
/// let mut bytes = Vec::new();
/// world.save().to_bytes(&mut bytes).unwrap();
/// let loaded = World::new().load(&bytes, &Limits::default()).unwrap(); // knows no moods
/// let unknown = &loaded.unknown()[0];
/// assert_eq!((unknown.name(), unknown.version(), unknown.len()), ("mood", 1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    unknown: Vec<Unknown>,
}

impl Loaded {
    /// The components that no pool of the world has the name of: they were left out.
    #[must_use]
    pub fn unknown(&self) -> &[Unknown] {
        &self.unknown
    }

    /// Adds one of which nothing is kept.
    pub(super) fn add_unknown(&mut self, name: String) {
        self.unknown.push(Unknown { name, version: 0, len: 0, bytes: Vec::new() });
    }
}

/// A saved component whose name the world that loads it does not know.
///
/// See [`Loaded`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    name: String,
    version: u32,
    len: usize,
    bytes: Vec<u8>,
}

impl Unknown {
    /// Its name in the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Its version there; 0 in a format for people, of which the values are not kept.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }
    /// How many entities have it.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is a count")]
    pub const fn len(&self) -> usize {
        self.len
    }
    /// All that the file has of it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Why bytes were not loaded: what is wrong with them, where, and of whom.
///
/// ```
/// # use ecs::{Limits, World};
/// let error = World::new().load(b"PNG", &Limits::default()).unwrap_err();
/// assert_eq!(error.to_string(), "cannot load a world, at byte 0: these are not the bytes of a saved world");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    pub(super) component: Option<String>,
    pub(super) entity: Option<Entity>,
    pub(super) at: usize,
    pub(super) what: String,
}

impl LoadError {
    /// The saved name of the component that is wrong, if it is one.
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }
    /// The entity whose component is wrong, if it is one.
    #[must_use]
    pub const fn entity(&self) -> Option<Entity> {
        self.entity
    }
    /// How many bytes there are before the place.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.component {
            Some(component) => write!(f, "cannot load `{component}`")?,
            None => f.write_str("cannot load a world")?,
        }
        if let Some(entity) = self.entity {
            write!(f, " of {entity}")?;
        }
        write!(f, ", at byte {}: {}", self.at, self.what)
    }
}

impl Error for LoadError {}

impl World {
    /// Makes the pools of some components, a tuple of which may have tuples in it. What is loaded is found among the
    /// pools that a world has: so name here all components that a file may have. O(components).
    ///
    /// It does not compile if one of them is not saved, or two have one name.
    ///
    /// ```
    /// # use ecs::{ChildOf, Component, Name, World};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] #[component(save = "health")] struct Health(u32);
    /// # #[derive(Component, Serialize, Deserialize)] #[component(save = "armour")] struct Armour(u32);
    /// let mut world = World::new();
    /// world.register::<(Name, ChildOf, (Health, Armour))>();
    /// assert_eq!(world.pools().count(), 4);
    /// ```
    pub fn register<L: SavedList>(&mut self) {
        const { L::NAMES.check() };
        L::create(&mut self.pools);
    }

    /// Becomes the world that was saved: the same entities under the same handles, which go on as they would have;
    /// the same components, relations and groups, in the same order by whichever way they are walked. Components are
    /// found by their names among the pools of this world, see [`register`](Self::register); groups are those that
    /// are declared here. O(indices and components).
    ///
    /// Observers, collectors, readers of changes and resources stay. Nobody is called; readers of changes find that
    /// all components went, and came.
    ///
    /// # Errors
    /// When the bytes are not right, or take more than the limits allow; this world is unchanged then.
    ///
    /// # Panics
    /// When it is called by a hook or an observer.
    ///
    /// See [`save`](Self::save) for an example.
    pub fn load(&mut self, bytes: &[u8], limits: &Limits) -> Result<Loaded, LoadError> {
        self.refuse_while_telling("loaded");
        let (mut new, loaded) = self.read(bytes, limits)?;
        self.pools.track_all_ends();
        self.pools.exchange_members(&mut new.pools);
        core::mem::swap(&mut self.entities, &mut new.entities);
        core::mem::swap(&mut self.groups, &mut new.groups);
        self.pools.track_all_new();
        Ok(loaded) // what was there before is dropped last
    }

    /// The world that was saved, with the pools and groups of this one: as [`load`](Self::load), beside this world.
    /// [`absorb`](Self::absorb) brings it into a world that has entities already.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    ///
    /// ```
    /// # use ecs::{Limits, World};
    /// # let mut level = World::new();
    /// # level.spawn_named("Alice");
    /// # let mut bytes = Vec::new();
    /// # level.save().to_bytes(&mut bytes).unwrap();
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let (level, _) = world.read(&bytes, &Limits::default()).unwrap();
    /// world.absorb(level);
    /// assert!(world.find("Alice").is_some() && world.find("Bob").is_some());
    /// ```
    pub fn read(&self, bytes: &[u8], limits: &Limits) -> Result<(Self, Loaded), LoadError> {
        let mut new = self.empty_like();
        let mut loading =
            Loading { reader: Reader::new(bytes, limits.memory), component: None, entity: None };
        let loaded = loading.read(&mut new);
        match loaded {
            Ok(loaded) => Ok((new, loaded)),
            Err(error) => Err(LoadError {
                component: loading.component,
                entity: loading.entity,
                at: loading.reader.at(),
                what: error.0,
            }),
        }
    }
}

impl World {
    /// A world with the same pools and groups, without entities.
    pub(super) fn empty_like(&self) -> Self {
        let mut new = Self::new();
        for (number, pool) in self.pools.numbered() {
            new.pools.create_like(number, pool);
        }
        new.groups = self.groups.clone();
        new.groups.clear();
        new.pools.watch.set_grouped(*new.groups.watched());
        new
    }

    /// The number of the component that is saved under this name, if the world has its pool.
    pub(super) fn saved_under(&self, name: &str) -> Result<Option<u32>> {
        let is_it = |saved: Option<(SavingName, _)>| saved.is_some_and(|(it, _)| it.is(name));
        let mut known = self.pools.numbered().filter(|(_, pool)| is_it(pool.saved_as()));
        let number = known.next().map(|(number, _)| number);
        if known.next().is_some() {
            return wrong("two components of the world have this name");
        }
        Ok(number)
    }
}

/// The reading of a world, and where it is.
struct Loading<'b> {
    reader: Reader<'b>,
    component: Option<String>,
    entity: Option<Entity>,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

fn wrong<T>(what: &str) -> Result<T> {
    Err(ReadError(what.to_owned()))
}

impl Loading<'_> {
    fn read(&mut self, world: &mut World) -> Result<Loaded> {
        let is_magic = self.reader.left() >= MAGIC.len() && self.reader.bytes(3)? == &MAGIC[..3];
        if !is_magic {
            return wrong("these are not the bytes of a saved world");
        }
        if self.reader.byte()? != MAGIC[3] {
            return wrong("it was saved by a later version of the library");
        }
        world.entities = self.entities()?;
        let mut loaded = Loaded::default();
        let mut numbers = Vec::new(); // of the components in the file, if they are known
        for _ in 0..self.reader.count()? {
            numbers.push(self.part(world, &mut loaded)?);
        }
        let lists = self.groups(&numbers, &world.entities)?;
        if self.reader.left() > 0 {
            return wrong("there are bytes behind the end");
        }
        world.groups.restore(&mut world.pools, &lists);
        Ok(loaded)
    }

    fn entities(&mut self) -> Result<Entities> {
        let count = self.reader.count()?;
        self.reader.pay(count, 20)?; // a record, and its generation
        let mut generations = Vec::with_capacity(count);
        for _ in 0..count {
            match u32::try_from(self.reader.number()?) {
                Ok(generation) => generations.push(generation),
                Err(_) => return wrong("a generation is greater than any"),
            }
        }
        let count = self.reader.count()?;
        self.reader.pay(count, size_of::<Entity>())?;
        let mut free = Vec::with_capacity(count);
        for _ in 0..count {
            let (index, generation) = (self.reader.number()?, self.reader.number()?);
            let is_index = index < generations.len() as u64 && u32::try_from(generation).is_ok();
            match Entity::from_bits(generation << 32 | index).filter(|_| is_index) {
                Some(entity) => free.push(entity),
                None => return wrong("a free handle is none"),
            }
        }
        Entities::of_parts(&generations, free).map_err(|what| ReadError(what.to_owned()))
    }

    /// A component: its number, if it is known.
    fn part(&mut self, world: &mut World, loaded: &mut Loaded) -> Result<Option<u32>> {
        let name = self.reader.text()?;
        self.reader.pay(name.len(), 1)?;
        self.component = Some(name.to_owned());
        let Ok(version) = u32::try_from(self.reader.number()?) else {
            return wrong("its version is greater than any");
        };
        let len = self.reader.block()?;
        let end = self.reader.at() + len;
        let number = world.saved_under(name)?;
        if let Some(number) = number {
            self.pool(world, number, version)?;
        } else {
            loaded.unknown.push(self.unknown(name, version, len)?);
        }
        if self.reader.at() != end {
            return wrong("it is shorter or longer than it is said to be");
        }
        self.component = None;
        Ok(number)
    }

    /// What the world does not know, of so many bytes.
    fn unknown(&mut self, name: &str, version: u32, len: usize) -> Result<Unknown> {
        self.reader.pay(len, 1)?;
        let start = self.reader.at();
        let count = if len > 0 { self.reader.count()? } else { 0 };
        let Some(rest) = (start + len).checked_sub(self.reader.at()) else {
            return wrong("it is longer than it is said to be");
        };
        self.reader.bytes(rest)?;
        let bytes = self.reader.since(start).to_vec();
        Ok(Unknown { name: name.to_owned(), version, len: count, bytes })
    }

    /// Fills the pool with this number.
    fn pool(&mut self, world: &mut World, number: u32, version: u32) -> Result<()> {
        if !world.pools.at(number).is_empty() {
            return wrong("it is there twice");
        }
        let World { pools, entities, .. } = world;
        let count = self.reader.count()?;
        let flags = self.reader.byte()?;
        if flags > IS_EXACT | HAS_LISTS || count > entities.len() {
            return wrong("more have it than there are entities");
        }
        self.reader.pay(count, size_of::<Entity>())?;
        let keys = self.keys(count, entities)?;
        let keys = if flags & IS_EXACT == 0 {
            self.in_any_form(&keys)?
        } else {
            let most_pages = (entities.index_count() >> PAGE_SHIFT) + 1;
            Keys::read(keys, most_pages, &mut self.reader)?
        };
        let lists = if flags & HAS_LISTS == 0 { Vec::new() } else { self.lists(&keys)? };
        for entity in keys.dense() {
            entities.add(*entity, number);
        }
        if let Err((entity, error)) = pools.at_mut(number).read(version, keys, &mut self.reader) {
            self.entity = entity;
            return Err(error);
        }
        if !lists.is_empty() {
            self.reader.pay(count, RELATED)?;
        }
        relate(pools, entities, number, &lists).map_err(|(entity, error)| {
            self.entity = entity;
            error
        })
    }

    /// The members of a pool, in order.
    fn keys(&mut self, count: usize, entities: &Entities) -> Result<Vec<Entity>> {
        let mut keys = Vec::with_capacity(count);
        let mut next = 0_i64;
        for _ in 0..count {
            let step = self.reader.number()?;
            let step = (step >> 1).cast_signed() ^ -(step & 1).cast_signed();
            let index = next.checked_add(step).and_then(|index| u32::try_from(index).ok());
            let Some(entity) = index.and_then(|index| entities.at(index)) else {
                return wrong("an index is nobody's");
            };
            keys.push(entity);
            next = i64::from(entity.index()) + 1;
        }
        Ok(keys)
    }

    /// The keys of these members, of which nothing more is known.
    fn in_any_form(&mut self, members: &[Entity]) -> Result<Keys<Entity>> {
        let mut keys = Keys::new();
        if let Some(last) = members.iter().map(|entity| entity.index()).max() {
            self.reader.pay(page_of(last) + 1, size_of::<usize>())?;
        }
        for &entity in members {
            if keys.page(page_of(entity.index())).is_empty() {
                self.reader.pay(1, Page::MOST_MEMORY)?;
            }
            if keys.push(entity).is_some() {
                return wrong("an entity is there twice");
            }
        }
        Ok(keys)
    }

    /// Those that point to one entity each, by their positions.
    fn lists(&mut self, keys: &Keys<Entity>) -> Result<Vec<Vec<Entity>>> {
        let count = self.reader.count()?;
        self.reader.pay(count, size_of::<Vec<Entity>>())?;
        let mut lists = Vec::with_capacity(count);
        for _ in 0..count {
            let count = self.reader.count()?;
            self.reader.pay(count, size_of::<Entity>())?;
            let mut list = Vec::with_capacity(count);
            for _ in 0..count {
                let at = usize::try_from(self.reader.number()?).ok();
                match at.and_then(|at| keys.dense().get(at)) {
                    Some(entity) => list.push(*entity),
                    None => return wrong("an entity is listed that has no such relation"),
                }
            }
            lists.push(list);
        }
        Ok(lists)
    }

    /// The groups that keep lists, of known components.
    fn groups(&mut self, numbers: &[Option<u32>], entities: &Entities) -> Result<Vec<ListedGroup>> {
        let mut groups = Vec::new();
        for _ in 0..self.reader.count()? {
            let mut are_known = true;
            let mut terms = [Vec::new(), Vec::new()];
            for term in &mut terms {
                for _ in 0..self.reader.count()? {
                    let place = usize::try_from(self.reader.number()?).ok();
                    match place.and_then(|place| numbers.get(place)) {
                        Some(Some(number)) => term.push(*number),
                        Some(None) => are_known = false,
                        None => return wrong("a group is of no component"),
                    }
                }
                term.sort_unstable();
            }
            let count = self.reader.count()?;
            self.reader.pay(count, size_of::<Entity>())?;
            let mut members = Vec::with_capacity(count);
            for _ in 0..count {
                let index = u32::try_from(self.reader.number()?).ok();
                match index.and_then(|index| entities.at(index)) {
                    Some(entity) => members.push(entity),
                    None => return wrong("a member of a group is nobody"),
                }
            }
            let [required, excluded] = terms;
            if are_known {
                groups.push(ListedGroup { required, excluded, members });
            }
        }
        Ok(groups)
    }
}

/// So many bytes each entity takes about that points to another one: slots, lists, and their pages.
pub(super) const RELATED: usize = 160;

/// Restores who points to whom by the component with this number, if it is a relation, as these lists say, each of
/// one target.
pub(super) fn relate(
    pools: &mut Pools,
    entities: &mut Entities,
    number: u32,
    lists: &[Vec<Entity>],
) -> Result<(), (Option<Entity>, ReadError)> {
    let wrong = |entity, what: &str| Err((entity, ReadError(what.to_owned())));
    let Some((_, acyclic)) = pools.at(number).relation() else {
        return if lists.is_empty() { Ok(()) } else { wrong(None, "it is no relation") };
    };
    let count = pools.at(number).len();
    if lists.iter().map(Vec::len).sum::<usize>() != count {
        return wrong(None, "not all that have the relation are listed");
    }
    for list in lists {
        let mut common = None;
        for &source in list {
            let target = pools.at(number).target(source);
            match target.filter(|target| entities.is_alive(*target)) {
                Some(target) if common.is_none_or(|it| it == target) => {
                    common = Some(target);
                    pools.relations.link(entities, number, source, target);
                }
                Some(_) => {
                    let what = "it is listed with those that point to another entity";
                    return wrong(Some(source), what);
                }
                None => return wrong(Some(source), "it points to an entity that is dead"),
            }
        }
    }
    let relation = pools.relations.get(number);
    if relation.is_none_or(|relation| relation.len() != count) {
        return wrong(None, "an entity is listed twice");
    }
    if acyclic && relation.is_some_and(Relation::has_circle) {
        return wrong(None, "entities point to each other in a circle");
    }
    Ok(())
}
