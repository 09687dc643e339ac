//! Loading: a world of bytes that anybody may have made.

use crate::component::data::SavingName;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::header::{Content, Schema, check_name};
use crate::format::reader::{ReadError, Reader, wrong};
use crate::pool::pools::Pools;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_SHIFT, WORDS};
use crate::storage::values::prefetch;
use crate::world::World;
use crate::world::kept::{Kept, KeptComponent, KeptResource};
use crate::world::replaced::Replaced;
use crate::world::restore::{add_key, leave_out_the_dead, pay_relation, read_groups, relate};
use crate::world::save::{HAS_DEAD, HAS_LISTS, IS_BYTES, IS_EXACT};
use crate::world::saved_list::SavedList;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// What bytes may take that are loaded, whoever made them.
///
/// ```
/// # use ecs::World;
/// # use ecs::save::Limits;
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
    pub(super) unknown: Policy,
}

/// What becomes of what a world does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    Refuse,
    Skip,
    Keep,
}

impl Limits {
    /// Limits memory to so many bytes, by default 2^30. All that reading allocates is counted, before it is allocated:
    /// what values own on the heap as the elements, texts and boxes that are read for it. Lists count with the room in
    /// which they grow, so a file may be refused that takes a third of the limit.
    ///
    /// Not counted are boxes of up to eight bytes, what a `Deserialize` or `From` of your own allocates beside what it
    /// reads, and pools of the world that grow.
    #[must_use]
    pub const fn memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Leaves out what the world does not know: components and resources under unknown names, and values of a later version
    /// than the program has. [`Loaded::unknown`] lists them. Without this, or [`keep_unknown`](Self::keep_unknown), they
    /// are errors, so that nothing is lost unnoticed.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::Limits;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let mut bytes = Vec::new();
    /// world.save().to_bytes(&mut bytes).unwrap();
    ///
    /// let mut nameless = World::new(); // without `register::<Name>()`
    /// let error = nameless.load(&bytes, &Limits::default()).unwrap_err();
    /// assert_eq!(error.component(), Some("ecs::Name"));
    /// let loaded = nameless.load(&bytes, &Limits::default().skip_unknown()).unwrap();
    /// assert_eq!(loaded.unknown()[0].name(), "ecs::Name");
    /// ```
    #[must_use]
    pub const fn skip_unknown(self) -> Self {
        Self { unknown: Policy::Skip, ..self }
    }

    /// Lets the world keep what it does not know, later versions included: each [save](crate::World::save) of all of it writes that back, as it
    /// was. So a program that lacks some components edits files that have them. What is kept of entities that die is
    /// left out by those who know it. What is kept cannot be taken apart, so a save of some entities, and one in a format for people,
    /// is an error unless it [leaves it out](crate::save::Save::leave_out_rest); and a world
    /// that is [absorbed](crate::World::absorb) loses it, as the handles within would mean others.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::save::Limits;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] #[component(save = "mood")] struct Mood(u8);
    /// let mut world = World::new();
    /// world.spawn(Mood(3));
    /// let mut bytes = Vec::new();
    /// world.save().to_bytes(&mut bytes).unwrap();
    ///
    /// let mut editor = World::new(); // knows no moods
    /// editor.load(&bytes, &Limits::default().keep_unknown()).unwrap();
    /// let mut same = Vec::new();
    /// editor.save().to_bytes(&mut same).unwrap();
    /// assert_eq!(same, bytes);
    /// ```
    #[must_use]
    pub const fn keep_unknown(self) -> Self {
        Self { unknown: Policy::Keep, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30, unknown: Policy::Refuse }
    }
}

/// What came beside the world that was loaded.
///
/// ```
/// # use ecs::{Component, World};
/// # use ecs::save::Limits;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] #[component(save = "mood")] struct Mood(u8);
/// let mut world = World::new();
/// world.spawn(Mood(3));
/// let mut bytes = Vec::new();
/// world.save().to_bytes(&mut bytes).unwrap();
/// let loaded = World::new().load(&bytes, &Limits::default().skip_unknown()).unwrap(); // knows no moods
/// let unknown = &loaded.unknown()[0];
/// assert_eq!((unknown.name(), unknown.version(), unknown.len()), ("mood", 1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    unknown: Vec<Unknown>,
}

impl Loaded {
    /// Returns the components that the world does not know, by their names or of a later version, then such resources: they
    /// were left out, or are kept.
    #[must_use]
    pub fn unknown(&self) -> &[Unknown] {
        &self.unknown
    }

    /// Adds one of which nothing is kept, and pays for it.
    pub(super) fn add_unknown(
        &mut self,
        name: &str,
        version: u32,
        is_resource: bool,
        budget: &mut Budget,
    ) -> Result<()> {
        budget.pay(GROWING, size_of::<Unknown>())?;
        budget.pay(name.len(), 1)?;
        let (name, len) = (name.to_owned(), if is_resource { None } else { Some(0) });
        self.unknown.push(Unknown { name, version, len, bytes: Vec::new() });
        Ok(())
    }
}

/// A saved component or resource whose name the world that loads it does not know.
///
/// See [`Loaded`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    name: String,
    version: u32,
    /// Of a component.
    len: Option<usize>,
    bytes: Vec<u8>,
}

impl Unknown {
    /// Its name in the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Returns its version there; 0 under an unknown name in a format for people, where nothing is looked at.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }
    /// How many entities have it; none of a resource.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is a count")]
    pub fn len(&self) -> usize {
        self.len.unwrap_or(0)
    }
    /// Whether it is a resource, not a component.
    #[must_use]
    pub const fn is_resource(&self) -> bool {
        self.len.is_none()
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
/// # use ecs::World;
/// # use ecs::save::Limits;
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
    /// The saved name of the component or resource that is wrong, if it is one.
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

/// # Loading
impl World {
    /// Makes the pools of some components, a tuple of which may have tuples in it. What is loaded is found among the
    /// pools that a world has: so name here all components that a file may have; and resources, which the world need
    /// not have yet, each as `Res<T>`. O(components).
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
        L::create(&mut self.pools, &mut self.resources);
    }

    /// Becomes the world that was saved: the same entities under the same handles, which go on as they would have;
    /// the same components, relations and groups, in the same order by whichever way they are walked. Components are
    /// found by their names among the pools of this world, see [`register`](Self::register); groups are those that
    /// are declared here. O(indices and components).
    ///
    /// Resources that were saved take the place of those here; others stay, and so does one that is lent by
    /// [`resource_scope`](Self::resource_scope). Observers, collectors and readers of changes stay. Hooks and observers of
    /// components are not called. Observers of [`Replaced`] are notified once, when all is loaded and what was there before
    /// is dropped; readers of changes find that all components were removed and inserted; collectors forget what they
    /// listed.
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
        self.resources.exchange(&mut new.resources);
        self.kept = new.kept.take();
        self.pools.track_all_new();
        drop(new); // what was there before: its values may give back what observers take again
        self.announce(Replaced::Loaded);
        Ok(loaded)
    }

    /// The world that was saved, with the pools and groups of this one, and the resources that were saved: as
    /// [`load`](Self::load), beside this world.
    /// [`absorb`](Self::absorb) brings it into a world that has entities already.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::Limits;
    /// # let mut level = World::new();
    /// # level.spawn_named("Alice");
    /// # let mut bytes = Vec::new();
    /// # level.save().to_bytes(&mut bytes).unwrap();
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let (level, _) = world.read(&bytes, &Limits::default()).unwrap();
    /// world.absorb(level);
    /// assert!(ecs::Name::find(&world, "Alice").is_some() && ecs::Name::find(&world, "Bob").is_some());
    /// ```
    pub fn read(&self, bytes: &[u8], limits: &Limits) -> Result<(Self, Loaded), LoadError> {
        let mut new = self.empty_like();
        let reader = Reader::new(bytes, limits.memory);
        let kept = (limits.unknown == Policy::Keep).then(Kept::default);
        let (entity_size, generations) = (entity_size(&self.pools), Vec::new());
        let (place, component, entity) = (None, None, None);
        let (unknown, format) = (limits.unknown, 0);
        let mut loading = Loading {
            reader,
            format,
            entity_size,
            generations,
            unknown,
            kept,
            place,
            component,
            entity,
        };
        let loaded = loading.read(&mut new);
        new.kept = loading.kept.take().map(Arc::new);
        match loaded {
            Ok(loaded) => Ok((new, loaded)),
            Err(error) => Err(LoadError {
                component: loading.component,
                entity: loading.entity,
                at: loading.place.unwrap_or(loading.reader.at()),
                what: error.into_text(),
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
        new.resources.know_like(&self.resources);
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
    /// The version of the format.
    format: u8,
    /// What an entity takes at least.
    entity_size: usize,
    /// The one that is alive at each index, or 0.
    generations: Vec<u32>,
    /// Says whether what is not known is refused.
    unknown: Policy,
    /// What is not known, if it is kept.
    kept: Option<Kept>,
    /// Where what is wrong is, if not where the reader is.
    place: Option<usize>,
    component: Option<String>,
    entity: Option<Entity>,
}

/// A component that was read, of which it is not noted so far who has it.
struct Filled {
    number: u32,
    name: String,
    /// Of a relation: those that point to one entity each.
    lists: Vec<Vec<Entity>>,
    /// Where its part ends.
    end: usize,
}

/// How many bytes an index takes of a world with these pools, beside those of components.
pub(super) fn entity_size(pools: &Pools) -> usize {
    let numbers = pools.numbered().map(|(number, _)| number);
    let greatest = numbers.chain(pools.relations.mark()).max();
    size_of::<u32>() + Entities::record_size(greatest.unwrap_or(0))
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// The name of what was read last.
type Before<'b> = Option<&'b str>;

impl<'b> Loading<'b> {
    fn read(&mut self, world: &mut World) -> Result<Loaded> {
        self.format = self.reader.header(Content::World)?;
        let free = self.entities()?;
        let end = self.reader.at();
        let mut loaded = Loaded::default();
        let mut parts = Vec::new(); // in the file, those of components that are known
        let mut before = None;
        for _ in 0..self.reader.count()? {
            self.reader.pay(GROWING, size_of::<Option<Filled>>() + size_of::<Option<u32>>())?;
            parts.push(self.part(&mut before, world, &mut loaded)?);
        }
        world.entities = self.with_members(free, parts.iter().flatten(), &world.pools, end)?;
        for part in parts.iter().flatten() {
            self.relate(world, part)?;
        }
        let numbers: Vec<_> = parts.iter().map(|part| Some(part.as_ref()?.number)).collect();
        before = None;
        for _ in 0..self.reader.count()? {
            self.resource(&mut before, world, &mut loaded)?;
        }
        let (count, reader) = (self.reader.count()?, &mut self.reader);
        let lists = read_groups(reader, count, &world.entities, &world.groups, |reader| {
            let place = usize::try_from(reader.number()?).ok();
            match place.and_then(|place| numbers.get(place)) {
                Some(number) => Ok(*number),
                None => wrong("a group is of no component"),
            }
        })?;
        if self.reader.left() > 0 {
            return wrong("there are bytes behind the end");
        }
        pay_groups(world, &mut self.reader.budget)?;
        world.groups.restore(&mut world.pools, &lists);
        Ok(loaded)
    }

    /// The generations; and the handles that are free, as the file says.
    fn entities(&mut self) -> Result<Vec<Entity>> {
        let count = self.reader.count()?;
        self.reader.pay(count, self.entity_size)?;
        let generations = &mut self.generations;
        generations.reserve(count);
        self.reader.locally(|reader| {
            while generations.len() < count {
                let small = reader.small_numbers(count - generations.len());
                generations.extend(small.iter().map(|generation| u32::from(*generation)));
                if generations.len() < count {
                    match u32::try_from(reader.number()?) {
                        Ok(generation) => generations.push(generation),
                        Err(_) => return wrong("a generation is greater than any"),
                    }
                }
            }
            Ok(())
        })?;
        Entities::check_generations(generations).map_err(ReadError::new)?;
        let count = generations.len() as u64;
        self.reader.list(|reader| {
            let (index, generation) = (reader.number()?, reader.number()?);
            let is_index = index < count && u32::try_from(generation).is_ok();
            match Entity::from_bits(generation << 32 | index).filter(|_| is_index) {
                Some(entity) => Ok(entity),
                None => wrong("a free handle is none"),
            }
        })
    }

    /// The entities, of which those `end` there in the file, with these components. A record is made and told what its
    /// entity has while it is in the caches.
    fn with_members<'p>(
        &mut self,
        free: Vec<Entity>,
        parts: impl Iterator<Item = &'p Filled>,
        pools: &Pools,
        end: usize,
    ) -> Result<Entities> {
        let all: Vec<_> =
            parts.map(|part| (part.number, pools.at(part.number).raw_keys())).collect();
        let numbers = all.iter().map(|(number, _)| *number);
        let entities =
            Entities::with_members(&self.generations, free, numbers, |entities, page| {
                for (number, keys) in &all {
                    for (word, bits) in (page * WORDS..).zip(keys.page(page).words()) {
                        entities.add_word(word, *bits, *number);
                    }
                }
            });
        entities.map_err(|what| {
            self.place = Some(end);
            ReadError::new(what)
        })
    }

    /// Restores who points to whom.
    fn relate(&mut self, world: &mut World, part: &Filled) -> Result<()> {
        let Filled { number, name, lists, end } = part;
        let related = relate(&mut world.pools, &mut world.entities, *number, lists);
        related.map_err(|(entity, error)| {
            self.component = Some(name.clone());
            (self.entity, self.place) = (entity, Some(*end));
            error
        })
    }

    /// A component, if it is known.
    fn part(
        &mut self,
        before: &mut Before<'b>,
        world: &mut World,
        loaded: &mut Loaded,
    ) -> Result<Option<Filled>> {
        self.named(before, |loading, name, schema, len| {
            let number = world.saved_under(name)?;
            let own = number.and_then(|number| Some(world.pools.at(number).kind().saving()?.1));
            if recognizes(loading.unknown, schema, own)?
                && let Some(number) = number
            {
                let lists = loading.pool(&mut world.pools, number, schema.version)?;
                let (name, end) = (name.to_owned(), loading.reader.at());
                return Ok(Some(Filled { number, name, lists, end }));
            }
            loaded.unknown.push(loading.unknown(name, schema, len)?);
            Ok(None)
        })
    }

    fn resource(
        &mut self,
        before: &mut Before<'b>,
        world: &mut World,
        loaded: &mut Loaded,
    ) -> Result<()> {
        self.named(before, |loading, name, schema, len| {
            let saving = world.resources.saved_under(name)?;
            if recognizes(loading.unknown, schema, saving.map(|it| it.schema()))?
                && let Some(saving) = saving
            {
                return world.resources.read(&saving, schema.version, &mut loading.reader);
            }
            loading.reader.pay(2 * len, 1)?;
            loading.pay_unknown()?;
            let bytes = loading.reader.bytes(len)?.to_vec();
            if let Some(Kept { resources, .. }) = &mut loading.kept {
                resources.push(KeptResource {
                    name: name.to_owned(),
                    schema,
                    bytes: bytes.clone(),
                });
            }
            let (name, version) = (name.to_owned(), schema.version);
            loaded.unknown.push(Unknown { name, version, len: None, bytes });
            Ok(())
        })
    }

    /// Reads a part, whose name comes behind the one before: `read` is given the name, the schema and the length.
    fn named<R>(
        &mut self,
        before: &mut Before<'b>,
        read: impl FnOnce(&mut Self, &str, Schema, usize) -> Result<R>,
    ) -> Result<R> {
        let name = self.reader.text()?;
        self.reader.pay(name.len(), 4)?; // here, of what is read, is told, and is kept
        self.component = Some(name.to_owned());
        check_name(before.replace(name), name)?;
        let schema = self.reader.schema(self.format)?;
        let len = self.reader.block()?;
        let end = self.reader.at() + len;
        let read = read(self, name, schema, len)?;
        if self.reader.at() != end {
            return wrong("it is shorter or longer than it is said to be");
        }
        self.component = None;
        Ok(read)
    }

    /// Pays for what is told and kept of a component or resource that the world does not know, without its bytes.
    fn pay_unknown(&mut self) -> Result<()> {
        let kept = size_of::<KeptComponent>().max(size_of::<KeptResource>());
        self.reader.pay(GROWING, size_of::<Unknown>() + kept)
    }

    /// A component that the world does not know, of so many bytes.
    fn unknown(&mut self, name: &str, schema: Schema, len: usize) -> Result<Unknown> {
        self.reader.pay(2 * len, 1)?;
        self.pay_unknown()?;
        let (start, end) = (self.reader.at(), self.reader.at() + len);
        let to_end = |reader: &mut Reader| match end.checked_sub(reader.at()) {
            Some(left) => reader.bytes(left).map(<[u8]>::to_vec),
            None => wrong("it is longer than it is said to be"),
        };
        let count = if len == 0 {
            0
        } else if self.kept.is_some() {
            let (flags, members) = self.members()?;
            let (count, rest) = (members.len(), to_end(&mut self.reader)?);
            let name = name.to_owned();
            if let Some(Kept { components, .. }) = &mut self.kept {
                components.push(KeptComponent { name, schema, flags, members, rest });
            }
            count
        } else {
            let count = self.reader.count()?;
            to_end(&mut self.reader)?;
            count
        };
        let bytes = self.reader.since(start).to_vec();
        let (name, version) = (name.to_owned(), schema.version);
        Ok(Unknown { name, version, len: Some(count), bytes })
    }

    /// Fills the pool with this number. Of a relation: the lists of those that point to one entity.
    fn pool(&mut self, pools: &mut Pools, number: u32, version: u32) -> Result<Vec<Vec<Entity>>> {
        let (flags, members) = self.members()?;
        let keys = if flags & IS_EXACT == 0 {
            self.in_any_form(&members)?
        } else {
            let most_pages = (self.generations.len() >> PAGE_SHIFT) + 1;
            Keys::read(members, most_pages, &mut self.reader)?
        };
        let mut lists = if flags & HAS_LISTS == 0 { Vec::new() } else { self.lists(&keys)? };
        let (pool, as_bytes) = (pools.at_mut(number), flags & IS_BYTES != 0);
        if let Err((entity, error)) = pool.read(version, as_bytes, keys, &mut self.reader) {
            self.entity = entity;
            return Err(error);
        }
        if flags & HAS_DEAD != 0 {
            leave_out_the_dead(pool, &self.generations, &mut lists);
        }
        if !lists.is_empty() {
            let indices = self.generations.len();
            pay_relation(pool.len(), lists.len(), indices, &mut self.reader.budget)?;
        }
        Ok(lists)
    }

    /// How a pool is written, and its members in order: they are alive, unless it is said that some are dead.
    fn members(&mut self) -> Result<(u8, Vec<Entity>)> {
        let count = self.reader.count()?;
        let flags = self.reader.byte()?;
        if flags > IS_EXACT | HAS_LISTS | IS_BYTES | HAS_DEAD {
            return wrong("it is written in a way that is not known");
        }
        if count > self.generations.len() {
            return wrong("more have it than there are entities");
        }
        self.reader.pay(count, size_of::<Entity>())?;
        if flags & HAS_DEAD == 0 {
            return Ok((flags, self.keys(count)?));
        }
        self.reader.pay(count, size_of::<u64>())?;
        let (mut indices, mut next) = (Vec::with_capacity(count), 0);
        while indices.len() < count {
            let mut piece = [(0, 0)];
            pieces_of(&mut self.reader, &mut piece, &mut next, count - indices.len())?;
            let [(first, len)] = piece;
            indices.extend((first as u64..).take(len));
        }
        let mut members = Vec::with_capacity(count);
        for index in indices {
            let generation = self.reader.number()?;
            let is_index = index < self.generations.len() as u64;
            let is_right = is_index && u32::try_from(generation).is_ok();
            match Entity::from_bits(generation << 32 | index).filter(|_| is_right) {
                Some(entity) => members.push(entity),
                None => return wrong("a member was never an entity"),
            }
        }
        Ok((flags, members))
    }

    /// The members of a pool, in order.
    fn keys(&mut self, count: usize) -> Result<Vec<Entity>> {
        let Self { reader, generations, .. } = self;
        let mut keys = Vec::with_capacity(count);
        let mut next = 0;
        while keys.len() < count {
            let mut pieces = [(0, 0); 64];
            let missing = count - keys.len();
            let used = reader.locally(|it| pieces_of(it, &mut pieces, &mut next, missing))?;
            let pieces = &pieces[..used];
            // What is waited for in memory is waited for at the same time.
            for &(first, _) in pieces {
                prefetch(generations.as_ptr().wrapping_add(first));
            }
            for &(first, len) in pieces {
                let all = generations.get(first..).and_then(|rest| rest.get(..len));
                let (Some(all), Ok(first)) = (all, u32::try_from(first)) else {
                    return wrong("an index is nobody's");
                };
                if let [generation @ (1..)] = *all {
                    keys.push(Entity::joined(first, generation));
                    continue;
                }
                // All are looked at, and then made keys: without a branch, so by whole registers.
                if all.iter().fold(0, |dead, generation| dead | u8::from(*generation == 0)) != 0 {
                    return wrong("an index is nobody's");
                }
                let key = |(generation, index): (&u32, u32)| Entity::joined(index, *generation);
                keys.extend(all.iter().zip(first..).map(key));
            }
        }
        Ok(keys)
    }

    /// The keys of these members, of which nothing more is known.
    fn in_any_form(&mut self, members: &[Entity]) -> Result<Keys<Entity>> {
        let mut keys = Keys::new();
        self.reader.pay(members.len(), size_of::<Entity>())?;
        keys.reserve(members.len());
        for entity in members {
            add_key(&mut keys, *entity, &mut self.reader.budget)?;
        }
        Ok(keys)
    }

    /// Those that point to one entity each, by their positions.
    fn lists(&mut self, keys: &Keys<Entity>) -> Result<Vec<Vec<Entity>>> {
        self.reader.list(|reader| {
            reader.list(|reader| {
                let at = usize::try_from(reader.number()?).ok();
                match at.and_then(|at| keys.dense().get(at)) {
                    Some(entity) => Ok(*entity),
                    None => wrong("an entity is listed that has no such relation"),
                }
            })
        })
    }
}

/// Returns `true` if a world reads what was saved by a schema, where its own is this one, if it knows the name; `false` if
/// that is left out or kept.
///
/// # Errors
/// When it is not known, and that is refused.
pub(super) fn recognizes(unknown: Policy, saved: Schema, own: Option<Schema>) -> Result<bool> {
    let mend = "skip or keep it by `Limits::skip_unknown` or `Limits::keep_unknown`";
    match own {
        Some(own) if saved.is_read_by(own)? => Ok(true),
        _ if unknown != Policy::Refuse => Ok(false),
        None => wrong(&format!(
            "the world does not know it: make it known by `World::register`, or {mend}"
        )),
        Some(own) => wrong(&format!(
            "it is of version {}, and this program has version {}: {mend}",
            saved.version, own.version
        )),
    }
}

/// Pays for the groups of a world whose pools are filled.
pub(super) fn pay_groups(world: &World, budget: &mut Budget) -> Result<()> {
    let size_of_pool = |number| {
        let keys = world.pools.at(number).raw_keys();
        (keys.len(), keys.page_count())
    };
    budget.pay(world.groups.restoring_takes(size_of_pool), 1)
}

/// Reads as many pieces as there is room for, of neighbours each, of so many indices at most; `next` is the one behind
/// the last. How many pieces there are.
#[inline]
fn pieces_of(
    reader: &mut Reader,
    pieces: &mut [(usize, usize)],
    next: &mut i64,
    mut missing: usize,
) -> Result<usize> {
    for (at, piece) in pieces.iter_mut().enumerate() {
        if missing == 0 {
            return Ok(at);
        }
        // Neighbours are a step of zero apart.
        let mut len = reader.zeros(missing);
        if len == 0 {
            let step = reader.number()?;
            *next = next.saturating_add((step >> 1).cast_signed() ^ -(step & 1).cast_signed());
            len = 1;
        }
        let Ok(first) = usize::try_from(*next) else { return wrong("an index is nobody's") };
        *piece = (first, len);
        *next = next.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
        missing -= len;
    }
    Ok(pieces.len())
}
