//! Saving a world as bytes.
//!
//! ```text
//! header    see `format/header`
//! entities  the generation alive at each index, or 0; the free handles in order
//! pools     by name, each a part: members, page forms, lists of relations, values
//! resources by name, each a part: value
//! groups    those that keep lists: names, members
//! ```
//!
//! Numbers have seven bits a byte. The members of a pool are written as steps from one index to the next, so members in
//! index order take a byte each. Their generations are in the list of entities.

use crate::component::data::SavingName;
use crate::entity::Entity;
use crate::format::header::{Content, Schema};
use crate::format::writer::write_number;
use crate::pool::WorldPool;
use crate::pool::list::ComponentList;
use crate::query::request::ReadOnlyQuery;
use crate::resource::{LeftOut, Resource};
use crate::saved::defined::written_fields;
use crate::saved::error::{ONE_NAME, SaveError};
use crate::saved::resource::SavedResource;
use crate::saved::unknown::{UnknownPart, UnknownParts};
use crate::saved::write::{
    WrittenBody, WrittenPart, listed, write_free, write_groups, write_parts,
};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io;

/// # Saving
impl World {
    /// Begins to save this world: all entities, and the components that say so by `#[component(save = "name")]`. See
    /// [`Save`].
    ///
    /// ```
    /// use ecs::{Component, World};
    /// use ecs::save::Limits;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    /// #[component(save = "health")]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// let hero = world.spawn(Health(3)).id();
    /// let mut bytes = Vec::new();
    /// world.save().to_bytes(&mut bytes).unwrap();
    ///
    /// let mut loaded = World::new();
    /// loaded.register::<Health>();
    /// loaded.load(&bytes, &Limits::default()).unwrap();
    /// assert_eq!(loaded.get::<Health>(hero), Some(&Health(3)));
    /// assert_eq!(loaded.spawn_empty().id(), world.spawn_empty().id());
    /// ```
    pub fn save(&self) -> Save<'_> {
        let left_out = LeftOut::default();
        Save { world: self, only: None, left_out, matching: None, has_definitions: false }
    }
}

/// A description of the parts of a world to save: from [`World::save`].
///
/// ```
/// # use ecs::{ChildOf, Component, Name, World};
/// # use ecs::save::Limits;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] #[component(save = "health")] struct Health(u32);
/// # #[derive(Component)] struct Socket;
/// let mut world = World::new();
/// let hero = world.spawn((Health(3), Name::new("hero"), Socket)).id();
/// world.spawn(Name::new("tree"));
/// let mut bytes = Vec::new();
/// // Only these components, of those that have them both.
/// let saved = world.save().only::<(Health, Name)>().matching::<(&Health, &Name)>();
/// assert!(saved.to_bytes(&mut bytes).unwrap().is_empty());
/// // Of all components, one is not saved: that is an error, unless it is left out on purpose.
/// assert!(world.save().to_bytes(&mut Vec::new()).is_err());
/// assert_eq!(world.save().leave_out::<Socket>().to_bytes(&mut Vec::new()).unwrap(), ["Socket"]);
///
/// let (level, _) = world.read(&bytes, &Limits::default()).unwrap();
/// assert_eq!((level.len(), level.name(hero)), (1, Some("hero")));
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is saved until it is asked for bytes"]
pub struct Save<'w> {
    pub(super) world: &'w World,
    pub(super) only: Option<Vec<u32>>,
    pub(super) left_out: LeftOut,
    pub(super) matching: Option<SparseSet<(), Entity>>,
    /// `true` if the fields of components are written beside their values.
    pub(super) has_definitions: bool,
}

/// A pool to save, and its members to save.
pub(super) struct SavedPart<'w> {
    pub(super) name: SavingName,
    pub(super) schema: Schema,
    number: u32,
    pub(super) pool: &'w dyn WorldPool,
    /// The positions of these members; `None` for all.
    positions: Option<Vec<usize>>,
}

impl SavedPart<'_> {
    /// Returns the positions of the members to save.
    pub(super) fn all_positions(&self) -> impl Iterator<Item = usize> {
        let chosen = self.positions.as_deref();
        let count = chosen.map_or(self.pool.len(), <[usize]>::len);
        (0..count).map(move |at| chosen.map_or(at, |chosen| chosen[at]))
    }
}

impl Save<'_> {
    /// Returns a hash of the names, versions and fields of all saved components and resources that are registered. It
    /// is equal in all processes that have registered equal ones: so two programs compare it before they exchange
    /// worlds. O(components).
    ///
    /// ```
    /// # use ecs::{ChildOf, Name, World};
    /// let (mut server, mut client) = (World::new(), World::new());
    /// server.register::<(Name, ChildOf)>();
    /// client.register::<ChildOf>();
    /// assert_ne!(server.save().schema_hash(), client.save().schema_hash());
    /// client.register::<Name>(); // in whichever order
    /// assert_eq!(server.save().schema_hash(), client.save().schema_hash());
    /// ```
    #[must_use]
    pub fn schema_hash(&self) -> u64 {
        let components = self.world.pools.numbered().filter_map(|(_, pool)| {
            let (name, Schema { version, fingerprint }) = pool.kind().saving()?;
            let written = if pool.as_saved().is_saved_as_bytes() { "bytes" } else { "serde" };
            Some(alloc::format!("component {name} {version} {fingerprint} {written}\n"))
        });
        let resources = self.world.resources.schemas();
        let resources = resources.map(|(name, Schema { version, fingerprint })| {
            alloc::format!("resource {name} {version} {fingerprint}\n")
        });
        let mut lines: Vec<String> = components.chain(resources).collect();
        lines.sort_unstable();
        // Fowler, Noll and Vo's hash of bytes, FNV-1a.
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        lines.concat().bytes().fold(0xcbf2_9ce4_8422_2325, mix)
    }

    /// Saves only these components. Entities are saved without the others, and resources not at all.
    ///
    /// ```
    /// # use ecs::{ChildOf, Name, World};
    /// # let world = World::new();
    /// world.save().only::<(Name, ChildOf)>().to_bytes(&mut Vec::new()).unwrap();
    /// ```
    pub fn only<L: ComponentList>(mut self) -> Self {
        L::add_numbers(self.only.get_or_insert_default());
        self
    }

    /// Leaves these components out. Entities are saved without them.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// struct Socket; // of the running program
    ///
    /// let mut world = World::new();
    /// world.spawn_named("Bob").insert(Socket);
    /// let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
    /// assert!(error.to_string().starts_with("cannot save `Socket`: entities have it, and it is not saved"));
    /// let left_out = world.save().leave_out::<Socket>().to_bytes(&mut Vec::new()).unwrap();
    /// assert_eq!(left_out, ["Socket"]);
    /// ```
    pub fn leave_out<L: ComponentList>(mut self) -> Self {
        L::add_numbers(&mut self.left_out.components);
        self
    }

    /// Leaves this resource out.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// #[derive(Resource)]
    /// struct Window; // of the running program
    ///
    /// let mut world = World::new();
    /// world.insert_resource(Window);
    /// let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
    /// assert!(error.to_string().starts_with("cannot save `Window`: the world has this resource, and it is not saved"));
    /// let left_out = world.save().leave_out_resource::<Window>().to_bytes(&mut Vec::new()).unwrap();
    /// assert_eq!(left_out, ["Window"]);
    /// ```
    pub fn leave_out_resource<T: Resource>(mut self) -> Self {
        self.left_out.add_resource::<T>();
        self
    }

    /// Leaves out all that cannot be saved: components without `#[component(save = "name")]`, resources without
    /// `#[resource(save = "name")]`, and [kept](crate::save::Limits::keep_unknown) parts where they cannot be written.
    /// That is so in formats for people, and beside values of the same version with other fields.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Socket;
    /// # let mut world = World::new();
    /// # world.spawn(Socket);
    /// assert_eq!(world.save().leave_out_rest().to_bytes(&mut Vec::new()).unwrap(), ["Socket"]);
    /// ```
    pub const fn leave_out_rest(mut self) -> Self {
        self.left_out.rest = true;
        self
    }

    /// Writes the fields of components beside their values. A program that lacks a component, and
    /// [keeps](crate::save::Limits::keep_unknown) it, then reads it as a [defined](World::define) one, whose values it shows,
    /// edits and saves. Otherwise it keeps bytes that it cannot read.
    ///
    /// That is so for defined components, and for structs with names for their fields, of numbers, booleans, texts,
    /// `Option<Entity>` and lists of these. Other components are written like without this. Rules and indexes are not written,
    /// as files from strangers could refuse edits by them: see the
    /// [guide](crate::guide::by_name#rules-and-indexes-by-name).
    ///
    /// ```
    /// use ecs::by_name::FieldValue;
    /// use ecs::save::Limits;
    /// use ecs::{Component, World};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// #[component(save = "mood")]
    /// struct Mood { joy: u8 }
    ///
    /// let mut world = World::new();
    /// let hero = world.spawn(Mood { joy: 3 }).id();
    /// let bytes = world.save().with_definitions().to_vec().unwrap();
    ///
    /// let mut editor = World::new(); // without `register::<Mood>()`
    /// editor.load(&bytes, &Limits::default().keep_unknown()).unwrap();
    /// let mood = editor.kind("mood").unwrap();
    /// assert_eq!(editor.kind_value(mood, hero).unwrap().field("joy"), Some(FieldValue::U8(3)));
    /// editor.set_field(mood, hero, "joy", 4_u8).unwrap();
    ///
    /// world.load(&editor.save().to_vec().unwrap(), &Limits::default()).unwrap();
    /// assert_eq!(world.get::<Mood>(hero).unwrap().joy, 4);
    /// ```
    pub const fn with_definitions(mut self) -> Self {
        self.has_definitions = true;
        self
    }

    /// Returns the fields of a component as they are written, if they are to be, and can be.
    pub(super) fn fields_of(&self, part: &SavedPart<'_>) -> Option<String> {
        if self.has_definitions { written_fields(part.pool.kind()) } else { None }
    }

    /// Saves only the entities that match this query now. Where the bytes are loaded, handles of the others are dead;
    /// so relations that point to one of them are left out.
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # let world = World::new();
    /// world.save().matching::<&Name>().to_bytes(&mut Vec::new()).unwrap();
    /// ```
    pub fn matching<Q: ReadOnlyQuery>(mut self) -> Self {
        let view = self.world.view::<Q>();
        let before = self.matching.take();
        let was_asked = |entity| before.as_ref().is_none_or(|before| before.contains(entity));
        let all = self.world.entities().filter(|it| view.matches(*it) && was_asked(*it));
        let matching = all.map(|entity| (entity, ())).collect();
        self.matching = Some(matching);
        self
    }

    /// Appends the saved world to `bytes`, to be read by [`World::load`] or [`World::read`]; equal worlds give equal
    /// bytes. Returns the names of [left out](Self::leave_out) components that entities have, and of left out resources,
    /// in alphabetical order. A resource that says `#[resource(save = skip)]` is not named. O(indices and components).
    ///
    /// Values are written in the format of postcard, one by one, whatever their layout.
    ///
    /// # Errors
    /// Returns an error, and restores `bytes`, if entities have a component, or the world has a resource, that is neither
    /// saved nor left out, or two components have one name. So it does if a value cannot be written, has handles of
    /// entities that nothing replaces, or is nested deeper than 128 levels. The [guide](crate::guide::saving) lists other
    /// reasons why a value could not be read again.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let mut bytes = Vec::new();
    /// assert!(world.save().to_bytes(&mut bytes).unwrap().is_empty());
    /// assert!(bytes.len() < 50);
    /// ```
    pub fn to_bytes(&self, bytes: &mut Vec<u8>) -> Result<Vec<&'static str>, SaveError> {
        let start = bytes.len();
        let left_out = self.write(bytes);
        if left_out.is_err() {
            bytes.truncate(start);
        }
        left_out
    }

    /// Returns the saved world as bytes, like [`to_bytes`](Self::to_bytes) appends it, without the names of left out parts.
    ///
    /// # Errors
    /// Returns the errors of [`to_bytes`](Self::to_bytes).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::Limits;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let bytes = world.save().to_vec()?;
    /// let (copy, _) = world.read(&bytes, &Limits::default())?;
    /// assert_eq!(copy.name(bob), Some("Bob"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        self.to_bytes(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the saved world to a file or another writer, and returns the names of left out parts like
    /// [`to_bytes`](Self::to_bytes). The bytes are complete before the first one is written.
    ///
    /// # Errors
    /// Returns the error of the writer. One of [`to_bytes`](Self::to_bytes) is wrapped, with the kind
    /// [`InvalidData`](std::io::ErrorKind::InvalidData): nothing was written then.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::{Limits, SaveError};
    /// # let file = std::env::temp_dir().join(format!("ecs-to-writer-{}", std::process::id()));
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// world.save().to_writer(std::fs::File::create(&file)?)?;
    /// let (copy, _) = world.read(&std::fs::read(&file)?, &Limits::default())?;
    /// assert_eq!(copy.name(bob), Some("Bob"));
    /// # std::fs::remove_file(file)?;
    ///
    /// # #[derive(ecs::Component)] struct Socket;
    /// world.spawn(Socket);
    /// let error = world.save().to_writer(std::io::sink()).unwrap_err();
    /// assert!(error.get_ref().unwrap().is::<SaveError>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn to_writer(&self, mut writer: impl io::Write) -> io::Result<Vec<&'static str>> {
        let mut bytes = Vec::new();
        let saved = self.to_bytes(&mut bytes);
        let left_out = saved.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        writer.write_all(&bytes)?;
        writer.flush()?;
        Ok(left_out)
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Result<Vec<&'static str>, SaveError> {
        let (saved, mut left_out) = self.parts()?;
        let (saved_resources, more) = self.resources()?;
        left_out.extend(more);
        left_out.sort_unstable();
        let components = saved.iter().map(|part| WrittenPart {
            name: part.name.to_string(),
            schema: part.schema,
            write: Box::new(|bytes| self.write_part(part, bytes)),
        });
        let resources = saved_resources.iter().map(|resource| WrittenPart {
            name: resource.saving.name.to_string(),
            schema: resource.saving.schema(),
            write: Box::new(|bytes| {
                let written = resource.write(bytes);
                written.map_err(|error| SaveError::new(&resource.saving.name, None, &error))
            }),
        });
        let none = UnknownParts::default();
        let kept = self.unknown(true)?.unwrap_or(&none);
        let components = self.with_kept(components, &kept.components)?;
        let resources = self.with_kept(resources, &kept.resources)?;
        Content::World.write_header(bytes);
        self.write_entities(bytes);
        write_parts(&components, bytes)?;
        write_parts(&resources, bytes)?;
        self.write_groups(&saved, &components, bytes);
        if self.only.is_none() && self.matching.is_none() {
            let World { order, pools, entities, .. } = self.world;
            order.write(pools, entities, &numbers(&saved, &components), bytes);
        } else {
            bytes.push(0); // the parts of a world have no order
        }
        Ok(left_out)
    }

    /// Returns these parts and kept ones, in the order of their names. If several have one name, the kept ones come
    /// first: the values of this program count.
    ///
    /// # Errors
    /// Returns an error if a kept part has other fields than a part of its name and version, and is not left out: no
    /// program could load both.
    fn with_kept<'a>(
        &'a self,
        known: impl Iterator<Item = WrittenPart<'a>>,
        kept: &'a [UnknownPart],
    ) -> Result<Vec<WrittenPart<'a>>, SaveError> {
        let known: Vec<WrittenPart<'_>> = known.collect();
        let mut all = Vec::with_capacity(known.len() + kept.len());
        for kept in kept.iter().filter(|kept| kept.is_had(self.world)) {
            let differs =
                |part: &WrittenPart<'_>| part.name == kept.name && kept.schema.differs(part.schema);
            if !known.iter().any(differs) {
                all.push(kept.to_write(self.world));
            } else if !self.left_out.rest {
                let what = alloc::format!(
                    "the world keeps values of its version {version} with other fields, from a time when the program had \
                     not registered it: give the present fields another version, by `version = {next}`, or leave out the \
                     kept values by `Save::leave_out_rest`",
                    version = kept.schema.version,
                    next = kept.schema.version.saturating_add(1),
                );
                return Err(SaveError::new(&kept.name, None, &what));
            }
        }
        all.extend(known);
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// Returns the kept unknown parts, if they are written: only if all entities are saved as bytes.
    ///
    /// # Errors
    /// Returns an error if there are unknown parts that are neither written nor left out.
    pub(super) fn unknown(&self, as_bytes: bool) -> Result<Option<&UnknownParts>, SaveError> {
        let kept = self.world.unknown.as_deref().filter(|_| self.only.is_none());
        if as_bytes && self.matching.is_none() {
            return Ok(kept);
        }
        let Some(kept) = kept.filter(|_| !self.left_out.rest) else { return Ok(None) };
        let components = kept.components.iter().filter(|it| it.is_had(self.world));
        let mut names =
            components.map(|it| &it.name).chain(kept.resources.iter().map(|it| &it.name));
        names.next().map_or(Ok(None), |name| {
            let what = "the world loaded it as unknown, so only a save of all entities as bytes has it: leave it \
                        out by `Save::leave_out_rest`";
            Err(SaveError::new(&name, None, what))
        })
    }

    /// Returns the resources to save, in the order of their names, and the names of the ones that are left
    /// out.
    ///
    /// # Errors
    /// Returns an error if a resource cannot be saved and is not left out, or two have one name.
    pub(super) fn resources(
        &self,
    ) -> Result<(Vec<SavedResource<'_>>, Vec<&'static str>), SaveError> {
        if self.only.is_some() {
            return Ok((Vec::new(), Vec::new()));
        }
        saved_resources(self.world, &self.left_out)
    }

    /// Returns the pools to be saved, in the order of their names, and the names of the ones that are left
    /// out.
    ///
    /// # Errors
    /// Returns an error if a pool cannot be saved and is not left out, or two pools have one name.
    pub(super) fn parts(&self) -> Result<(Vec<SavedPart<'_>>, Vec<&'static str>), SaveError> {
        let (mut parts, mut left_out, mut unsaved) = (Vec::new(), Vec::new(), Vec::new());
        for (number, pool) in self.world.pools.numbered() {
            if self.only.as_ref().is_some_and(|only| !only.contains(&number)) {
                continue;
            }
            let positions = self.positions(number, pool);
            let is_empty = positions.as_ref().map_or(pool.is_empty(), Vec::is_empty);
            // A pool without members is left out, except in two cases. It had some, and so may be walked in another way
            // than a new one; or the list of a group is saved with its name.
            let is_untouched =
                || pool.raw_keys().page_count() == 0 && !self.is_excluded_by_list(number);
            let is_new = is_empty && (positions.is_some() || is_untouched());
            if self.left_out.components.contains(&number) || pool.kind().skips_saves() {
                left_out.extend((!is_empty).then(|| pool.name()));
                continue;
            }
            match pool.kind().saving() {
                Some(_) if is_new => {}
                Some((name, schema)) => {
                    parts.push(SavedPart { name, schema, number, pool, positions });
                }
                None if !is_empty => unsaved.push(pool.name()),
                None => {}
            }
        }
        unsaved.sort_unstable();
        if let Some(name) = unsaved.first().filter(|_| !self.left_out.rest) {
            return Err(unsaved_error(name, &unsaved[1..]));
        }
        left_out.extend(unsaved);
        parts.sort_by_key(|part| part.name);
        left_out.sort_unstable();
        SaveError::refuse_twice(&parts, |part| part.name, ONE_NAME)?;
        Ok((parts, left_out))
    }

    /// Returns `true` if a group excludes the component with this number, and has a list, which is saved with its terms.
    fn is_excluded_by_list(&self, number: u32) -> bool {
        let mut lists = self.world.groups.lists();
        lists.any(|(_, excluded, members)| !members.is_empty() && excluded.contains(&number))
    }

    /// Returns the positions of a pool's members to save, or `None` for all.
    fn positions(&self, number: u32, pool: &dyn WorldPool) -> Option<Vec<usize>> {
        let matching = self.matching.as_ref()?;
        let relation = self.world.pools.relations.get(number);
        let is_saved = |entity: Entity| {
            let target = relation.and_then(|relation| relation.target(entity));
            matching.contains(entity) && target.is_none_or(|target| matching.contains(target))
        };
        let members = pool.keys().iter().enumerate();
        Some(members.filter(|(_, entity)| is_saved(**entity)).map(|(at, _)| at).collect())
    }

    /// Returns the generation of each index that is alive in the file, or 0; and the free handles in order.
    fn generations(&self) -> (Vec<u32>, Vec<Entity>) {
        let entities = &self.world.entities;
        let mut generations = Vec::with_capacity(entities.flushed_count());
        let mut free = Vec::new();
        for (index, generation) in (0..).zip(entities.flushed_generations()) {
            let entity = Entity::from_bits(u64::from(generation) << 32 | index);
            let left_out =
                entity.filter(|it| self.matching.as_ref().is_some_and(|all| !all.contains(*it)));
            generations.push(if left_out.is_some() { 0 } else { generation });
            // An entity that is left out is dead after loading, and its index is reused last.
            let next =
                left_out.and_then(|_| Entity::from_bits((u64::from(generation) + 1) << 32 | index));
            free.extend(next);
        }
        free.extend(entities.flushed_free());
        (generations, free)
    }

    /// Returns the living handles of the file, the free handles, and the indices whose generations are used up.
    pub(super) fn handles(&self) -> (Vec<Entity>, Vec<Entity>, Vec<u32>) {
        let (generations, free) = self.generations();
        let handle = |(index, generation): (u64, u32)| {
            Entity::from_bits(u64::from(generation) << 32 | index)
        };
        let mut is_used = alloc::vec![false; generations.len()];
        for entity in &free {
            is_used[entity.index() as usize] = true;
        }
        let dead = (0..).zip(&generations).zip(is_used);
        let retired = dead.filter(|((_, generation), is_free)| **generation == 0 && !is_free);
        let retired = retired.map(|((index, _), _)| index).collect();
        ((0..).zip(generations).filter_map(handle).collect(), free, retired)
    }

    pub(super) fn write_entities(&self, bytes: &mut Vec<u8>) {
        let (generations, free) = self.generations();
        write_number(generations.len() as u64, bytes);
        write_generations(&generations, bytes);
        write_free(&free, bytes);
    }

    /// Returns, for each target of a relation, the positions of its sources among the saved members.
    pub(super) fn lists(&self, part: &SavedPart<'_>) -> Option<Vec<Vec<usize>>> {
        let relation = self.world.pools.relations.get(part.number)?;
        let keys = part.pool.raw_keys();
        let saved_at = |entity| {
            let at = keys.find(entity)?;
            match &part.positions {
                None => Some(at),
                Some(positions) => positions.binary_search(&at).ok(),
            }
        };
        let lists = relation.targets().iter().map(|target| -> Vec<usize> {
            relation.sources(*target).filter_map(saved_at).collect()
        });
        Some(lists.filter(|list| !list.is_empty()).collect())
    }

    fn write_part(&self, part: &SavedPart<'_>, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
        let SavedPart { name, pool, positions, .. } = part;
        let (lists, positions) = (self.lists(part), positions.as_deref());
        WrittenBody {
            name: *name,
            pool: *pool,
            before: None,
            count: positions.map_or(pool.len(), <[usize]>::len),
            members: positions,
            values: positions,
            fields: self.fields_of(part),
            has_pages: positions.is_none(),
            lists: lists.as_deref(),
        }
        .write(bytes)
    }

    /// Writes the order of the groups that keep lists of saved components, which are named by their places.
    fn write_groups(
        &self,
        saved: &[SavedPart<'_>],
        parts: &[WrittenPart<'_>],
        bytes: &mut Vec<u8>,
    ) {
        let numbers = numbers(saved, parts);
        let lists = listed(&self.world.groups, |number| {
            numbers.iter().position(|part| *part == Some(number))
        });
        let lists = if self.matching.is_none() { &lists[..] } else { &[] };
        write_groups(lists, bytes, |place, bytes| write_number(*place as u64, bytes));
    }
}

/// Returns the numbers of the components whose parts these are, except for kept parts.
fn numbers(saved: &[SavedPart<'_>], parts: &[WrittenPart<'_>]) -> Vec<Option<u32>> {
    let mut numbers = alloc::vec![None; parts.len()];
    for part in saved {
        let at = parts.iter().rposition(|other| part.name.is(&other.name)); // behind kept parts of its name
        numbers[at.expect("it is written")] = Some(part.number);
    }
    numbers
}

/// Returns the resources of a world that are saved, in the order of their names, and the names of the ones that are
/// left out.
///
/// # Errors
/// Returns an error if a resource is neither saved nor left out, or is lent, or two have one name.
pub(super) fn saved_resources<'w>(
    world: &'w World,
    left_out: &LeftOut,
) -> Result<(Vec<SavedResource<'w>>, Vec<&'static str>), SaveError> {
    let [left_out_names, missing] = world.resources.unsaved(left_out);
    if let [first, others @ ..] = &missing[..] {
        let what = alloc::format!(
            "the world has this resource, and it is not saved{}: add `#[resource(save = \"name\")]`, let it stay by \
             `#[resource(save = skip)]`, or leave it out by `leave_out_resource` or `leave_out_rest`",
            nor(others)
        );
        return Err(SaveError::new(*first, None, &what));
    }
    let saved = world.resources.to_save(left_out);
    let saved = saved.map_err(|(name, what)| SaveError::new(&name, None, what))?;
    Ok((saved, left_out_names))
}

/// Returns the error for unsaved components that entities have.
pub(super) fn unsaved_error(name: &str, others: &[&str]) -> SaveError {
    let what = alloc::format!(
        "entities have it, and it is not saved{}: add `#[component(save = \"name\")]` or `#[component(save = skip)]`, \
         declare it by `by_name::Declaration`, or leave it out by `leave_out` or `leave_out_rest`",
        nor(others)
    );
    SaveError::new(name, None, &what)
}

/// Returns the end of a sentence about something that is not saved, which names others.
fn nor(others: &[&str]) -> String {
    match others {
        [] => String::new(),
        _ => alloc::format!(", nor is `{}`", others.join("`, nor `")),
    }
}

/// Appends the generations; most are small.
#[expect(clippy::cast_possible_truncation, reason = "they are below 128")]
fn write_generations(generations: &[u32], bytes: &mut Vec<u8>) {
    for some in generations.chunks(64) {
        if some.iter().fold(0, |all, generation| all | generation) < 0x80 {
            bytes.extend(some.iter().map(|generation| *generation as u8));
        } else {
            for generation in some {
                write_number((*generation).into(), bytes);
            }
        }
    }
}
