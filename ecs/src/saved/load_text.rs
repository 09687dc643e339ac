//! Loading from text formats, by any crate of serde: JSON, RON and the like.
//!
//! Reads the output of [saving](super::save_text) key by key. Each key stands once, in the order in which it is
//! written: so entities are complete before components, and components before their relations. Only names of components
//! and resources may stand in any order.

use crate::component::data::Late;
use crate::component::data::Loose;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING, Growth};
use crate::format::document::{StructKeys, read_parts};
use crate::format::header::Schema;
use crate::format::limited::read_within;
use crate::format::reader::{ReadError, wrong};
use crate::format::source::{Elements, Erased, Request, Source};
use crate::saved::build::{Building, Filled, FilledPart, entity_size};
use crate::saved::loaded::{Limits, LoadError, Loaded, Policy};
use crate::saved::read::add_key;
use crate::saved::resource::ResourceSaving;
use crate::storage::keys::Keys;
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

const WORLD: StructKeys = StructKeys {
    of: "World",
    expected: "a saved world: `entities`, `free` and `components`, in this order",
    names: &["entities", "retired", "free", "components", "resources"],
    optional: &["retired", "resources"],
};
const COMPONENT: StructKeys = StructKeys {
    of: "Component",
    expected: "a component: its `version`, and its `values`",
    names: &["version", "fingerprint", "fields", "requires", "values", "order"],
    optional: &["fingerprint", "fields", "requires", "order"],
};
const RESOURCE: StructKeys = StructKeys {
    of: "Resource",
    expected: "a resource: its `version`, and its `value`",
    names: &["version", "fingerprint", "value"],
    optional: &["fingerprint"],
};

/// # Loading from text formats
impl World {
    /// Reads a world from any format of serde that names fields, such as one that a [`Save`](crate::save::Save) was
    /// written in. Like [`read`](Self::read), it returns a world with the pools and groups of this one, and holds to
    /// the default [`Limits`]. For other limits, and for a world within a larger document, see [`WorldSeed`].
    ///
    /// Handles are text, such as `12v3`, and a person may have edited the whole file. Each key stands once, in the
    /// order in which it is written; only components and resources may stand in any order. Pages are rebuilt: each pool
    /// keeps its saved order, but a join may use another plan.
    ///
    /// # Errors
    /// Returns an error if the text is not a saved world, or takes more than the limits allow.
    ///
    /// ```
    /// use ecs::{Component, World};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    /// #[component(save = "health")]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// let hero = world.spawn(Health(3)).id();
    /// let text = serde_json::to_string(&world.save()).unwrap();
    /// assert!(text.contains(r#""values":[["0v1",3]]"#));
    ///
    /// let text = text.replace("3]", "7]");
    /// let mut from = serde_json::Deserializer::from_str(&text);
    /// let (world, _) = world.read_from(&mut from).unwrap();
    /// assert_eq!(world.get::<Health>(hero), Some(&Health(7)));
    /// ```
    pub fn read_from<'de, D: Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<(Self, Loaded), D::Error> {
        WorldSeed::new(self, &Limits::default()).deserialize(deserializer)
    }
}

/// A seed of serde that reads a saved world within limits: from [`WorldSeed::new`].
///
/// Memory is counted like in [`World::read`]. The text itself, the state of its deserializer and its error messages are
/// not counted. Nor are values that serde has buffered for `flatten`, `untagged` and `tag`.
///
/// Components and resources that the world has not registered are refused or [skipped](Limits::skip_unknown). Text
/// formats do not [keep](Limits::keep_unknown) them.
///
/// ```
/// use ecs::World;
/// use ecs::save::{Limits, Loaded, WorldSeed};
/// use serde::de::{DeserializeSeed, MapAccess, Visitor};
///
/// let mut world = World::new();
/// world.spawn_named("Bob");
/// let text = serde_json::to_string(&world.save()).unwrap();
/// let tight = Limits::default().memory(100);
/// let error = WorldSeed::new(&world, &tight).deserialize(&mut serde_json::Deserializer::from_str(&text)).unwrap_err();
/// assert!(error.to_string().starts_with("it takes more memory than the limit"));
///
/// // A world beside something else.
/// struct Game<'w>(&'w World);
/// impl<'de> Visitor<'de> for Game<'_> {
///     type Value = (String, World);
///     fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
///         f.write_str("a title and a world")
///     }
///     fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
///         let (_, title) = map.next_entry::<String, String>()?.expect("a title");
///         map.next_key::<String>()?;
///         let (world, _) = map.next_value_seed(WorldSeed::new(self.0, &Limits::default()))?;
///         Ok((title, world))
///     }
/// }
/// let text = format!(r#"{{"title":"Bob alone","world":{text}}}"#);
/// let mut from = serde_json::Deserializer::from_str(&text);
/// let (title, read) = serde::Deserializer::deserialize_map(&mut from, Game(&world)).unwrap();
/// assert!(title == "Bob alone" && read.entity_named("Bob").is_some());
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is read until it is given a deserializer"]
pub struct WorldSeed<'w> {
    world: &'w World,
    limits: Limits,
}

impl<'w> WorldSeed<'w> {
    /// Returns a seed that reads a world within these limits: alone like [`World::read_from`], or as a part of a
    /// document. The components and resources are the ones that `world` has registered.
    pub const fn new(world: &'w World, limits: &Limits) -> Self {
        Self { world, limits: *limits }
    }
}

impl<'de> DeserializeSeed<'de> for WorldSeed<'_> {
    type Value = (World, Loaded);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.read(&mut Erased::new(deserializer)).map_err(D::Error::custom)
    }
}

impl WorldSeed<'_> {
    #[inline]
    fn read(self, source: &mut dyn Source<'_>) -> Result<(World, Loaded)> {
        let Self { world, limits } = self;
        let (building, budget) = (Building::new(world, &limits), Budget::new(limits.memory));
        let keeps_unknown = limits.unknown == Policy::Keep;
        let mut reading = Reading { building, budget, keeps_unknown };
        reading.world(source)?;
        let Reading { building, mut budget, .. } = reading;
        building.finish(&[], None, 0, &mut budget).map_err(in_text)
    }
}

/// Returns an error of a text, without its place in bytes.
#[inline]
pub(super) fn in_text(LoadError { component, entity, what, .. }: LoadError) -> ReadError {
    match component {
        Some(name) => of(&name, entity, &ReadError::new(what)),
        None => ReadError::new(what),
    }
}

/// A world that is being read.
struct Reading {
    building: Building,
    budget: Budget,
    /// `true` if the limits keep unknown parts, which is an error in a text format.
    keeps_unknown: bool,
}

/// The members and values of a component that is being read.
struct LoadedValues {
    keys: Keys<Entity>,
    loose: Box<Loose>,
    /// Further components that old values became.
    late: Vec<Late>,
}

impl Reading {
    #[inline]
    fn world(&mut self, source: &mut dyn Source<'_>) -> Result {
        let (mut alive, mut retired) = (Vec::new(), Vec::new());
        WORLD.read(source, &mut |key, value| {
            match key {
                "entities" => alive = read_within(value, &mut self.budget)?,
                "retired" => retired = read_within(value, &mut self.budget)?,
                "free" => {
                    let free = read_within(value, &mut self.budget)?;
                    self.entities(&alive, &retired, free)?;
                }
                _ => self.parts(key == "resources", value)?,
            }
            Ok(())
        })
    }

    /// Returns `true` if values of this schema are read into the component or resource whose schema is `own`.
    #[inline]
    fn recognizes(&self, saved: Schema, own: Option<Schema>) -> Result<bool, ReadError> {
        let is_known = self.building.recognizes(saved, own)?;
        if !is_known && self.keeps_unknown {
            return wrong(
                "the world has no such component or resource, and cannot keep it from a format for people: skip it by \
                 `Limits::skip_unknown`, or save as bytes",
            );
        }
        Ok(is_known)
    }

    /// Notes the entities that are alive and the free ones, and the indices whose generations are used up.
    #[inline]
    fn entities(
        &mut self,
        alive: &[Entity],
        retired: &[u32],
        free: Vec<Entity>,
    ) -> Result<(), ReadError> {
        let indices = alive.iter().chain(&free).map(|entity| entity.index());
        let last = indices.chain(retired.iter().copied()).max();
        let (listed, count) =
            (alive.len() + free.len() + retired.len(), last.map_or(0, |last| last as usize + 1));
        if count > listed {
            return wrong(&format!(
                "indices are missing: {listed} are listed, up to {}; list each once, in `entities`, `free` or `retired`",
                count - 1,
            ));
        }
        self.budget.pay(count, entity_size(&self.building.world.pools) + size_of::<bool>())?;
        let (mut generations, mut is_retired) = (vec![0; count], vec![false; count]);
        for index in retired {
            if core::mem::replace(&mut is_retired[*index as usize], true) {
                return wrong(&format!("index {index} is retired twice"));
            }
        }
        for entity in alive.iter().chain(&free) {
            if is_retired[entity.index() as usize] {
                return wrong(&format!("{entity} is alive or free, and its index is retired"));
            }
        }
        for entity in alive {
            let before = &mut generations[entity.index() as usize];
            if core::mem::replace(before, entity.generation().get()) != 0 {
                return wrong(&format!("two entities have one index, {}", entity.index()));
            }
        }
        Entities::check_generations(&generations).map_err(ReadError::new)?;
        (self.building.generations, self.building.free) = (generations, free);
        Ok(())
    }

    /// Reads all components, or all resources, by their names.
    #[inline]
    fn parts(&mut self, are_resources: bool, source: &mut dyn Source<'_>) -> Result {
        let of_world = if are_resources { "resources" } else { "components" };
        let mut names = BTreeSet::new();
        read_parts(source, Request::Map, &format!("{of_world} by their names"), &mut |all| {
            while let Some(name) =
                all.read_next(|key| read_within::<String>(key, &mut self.budget))?
            {
                let mut entity = None;
                let read = self.part(are_resources, &name, &names, all, &mut entity);
                read.map_err(|error| of(&name, entity, &error))?;
                names.insert(name);
            }
            Ok(())
        })
    }

    /// Reads the component or the resource behind this name. If the value of an entity is wrong, stores the entity.
    #[inline]
    fn part(
        &mut self,
        is_resource: bool,
        name: &str,
        names: &BTreeSet<String>,
        all: &mut dyn Elements<'_>,
        entity: &mut Option<Entity>,
    ) -> Result {
        self.budget.pay(GROWING, size_of::<String>())?;
        if names.contains(name) {
            return wrong("it is there twice");
        }
        let world = &self.building.world;
        let (mut component, mut resource) = (None, None);
        if is_resource {
            resource = world.resources.saved_under(name)?;
        } else {
            component = world.saved_under(name)?;
        }
        let may_be_defined = self.keeps_unknown && !is_resource && component.is_none();
        if component.is_none() && resource.is_none() && !may_be_defined {
            self.recognizes(Schema { version: 0, fingerprint: 0 }, None)?;
        }
        let mut left_out = None;
        all.next_value(&mut |value| {
            left_out = match (component, &resource) {
                (Some(found), _) => self.component(found, name, value, entity)?,
                (None, Some(saving)) => self.resource(saving, value)?,
                (None, None) if may_be_defined => {
                    self.defined(name, value, entity)?;
                    None
                }
                (None, None) => ignore(value, &mut self.budget).map(|()| Some(0))?,
            };
            Ok(())
        })?;
        left_out.map_or(Ok(()), |version| {
            self.building.loaded.add_unknown(name, version, is_resource, &mut self.budget)
        })
    }

    /// Reads a component with this number and schema. Returns the saved version if it is left out.
    #[inline]
    fn component(
        &mut self,
        (number, own): (u32, Schema),
        name: &str,
        source: &mut dyn Source<'_>,
        entity: &mut Option<Entity>,
    ) -> Result<Option<u32>> {
        let loose = self.building.world.pools.at(number).as_saved().no_values();
        let mut values = LoadedValues { keys: Keys::new(), loose, late: Vec::new() };
        let (mut lists, mut required) = (Vec::<Vec<Entity>>::new(), Vec::<String>::new());
        let left_out =
            COMPONENT.read_versioned(self, own, source, &mut |it, version, key, from| {
                match key {
                    "fields" => ignore(from, &mut it.budget)?, // of programs that do not know it
                    "requires" => required = read_within(from, &mut it.budget)?,
                    "values" => it.values(number, version, from, &mut values, entity)?,
                    _ => lists = read_within(from, &mut it.budget)?,
                }
                Ok(())
            })?;
        if left_out.is_some() {
            return Ok(left_out);
        }
        let LoadedValues { keys, loose, late } = values;
        let lists = positions(&keys, lists, &mut self.budget)?;
        let late = keys.dense().iter().copied().zip(late).collect();
        self.building.world.pools.at_mut(number).fill(keys, loose, true)?;
        let name = name.to_owned();
        let pieces = vec![FilledPart { members: Vec::new(), lists, required, late }];
        self.building.parts.push(Filled { number, name, pieces, end: 0 });
        Ok(None)
    }

    /// Reads a component that the world has not registered, by the fields that are written with it.
    #[inline]
    fn defined(
        &mut self,
        name: &str,
        source: &mut dyn Source<'_>,
        entity: &mut Option<Entity>,
    ) -> Result {
        let (mut schema, mut number) = (Schema { version: 0, fingerprint: 0 }, None);
        let mut values: Option<LoadedValues> = None;
        let read = COMPONENT.read(source, &mut |key, from| {
            match key {
                "version" => schema.version = read_within(from, &mut self.budget)?,
                "fingerprint" => schema.fingerprint = read_within(from, &mut self.budget)?,
                "fields" => {
                    let fields: String = read_within(from, &mut self.budget)?;
                    number = self.building.define(name, schema, &fields, &mut self.budget)?;
                }
                "values" => {
                    let Some(number) = number else { return wrong("its fields are missing") };
                    let loose = self.building.world.pools.at(number).as_saved().no_values();
                    let read = LoadedValues { keys: Keys::new(), loose, late: Vec::new() };
                    let read = values.insert(read);
                    self.values(number, schema.version, from, read, entity)?;
                }
                _ => ignore(from, &mut self.budget)?,
            }
            Ok(())
        });
        let Some(number) = number else {
            return self.recognizes(schema, None).map(drop);
        };
        read?;
        let Some(LoadedValues { keys, loose, .. }) = values else { return Ok(()) };
        self.building.world.pools.at_mut(number).fill(keys, loose, true)?;
        let piece = FilledPart {
            members: Vec::new(),
            lists: Vec::new(),
            required: Vec::new(),
            late: Vec::new(),
        };
        let (name, pieces) = (name.to_owned(), vec![piece]);
        self.building.parts.push(Filled { number, name, pieces, end: 0 });
        Ok(())
    }

    /// Reads pairs of an entity and its value. If a value is wrong, stores its entity.
    #[inline]
    fn values(
        &mut self,
        number: u32,
        version: u32,
        source: &mut dyn Source<'_>,
        values: &mut LoadedValues,
        wrong_one: &mut Option<Entity>,
    ) -> Result {
        let Self { building, budget, .. } = self;
        let pool = building.world.pools.at(number);
        let (saved, size) = (pool.as_saved(), pool.kind().size());
        let mut growth = Growth::new(budget, 0); // values grow like a list within a value
        let LoadedValues { keys, loose, late } = values;
        let read_pair = &mut |pair: &mut dyn Elements<'_>| {
            let entity = pair.read_next(|from| read_within::<Entity>(from, budget))?;
            let Some(entity) = entity else { return wrong("an entity is missing") };
            *wrong_one = Some(entity);
            if !building.is_alive(entity) {
                return wrong("it is not among the entities");
            }
            budget.pay(GROWING, size_of::<Entity>())?;
            keys.reserve(1);
            add_key(keys, entity, budget)?;
            growth.next(budget, usize::MAX, size)?;
            let read =
                pair.read_next(|from| saved.parse(version, from, budget, &mut **loose, late))?;
            if read.is_none() {
                return wrong("its value is missing");
            }
            *wrong_one = None;
            Ok(())
        };
        read_parts(source, Request::Seq, "pairs of an entity and its value", &mut |all| {
            let mut next = || {
                all.read_next(|pair| {
                    read_parts(pair, Request::Tuple(2), "an entity and its value", read_pair)
                })
            };
            while next()?.is_some() {}
            Ok(())
        })
    }

    /// Reads a resource. Returns the saved version if it is left out.
    #[inline]
    fn resource(
        &mut self,
        saving: &ResourceSaving,
        source: &mut dyn Source<'_>,
    ) -> Result<Option<u32>> {
        let own = saving.schema();
        RESOURCE.read_versioned(self, own, source, &mut |it, version, _, from| {
            it.building.world.resources.parse(saving, version, from, &mut it.budget)
        })
    }
}

impl StructKeys {
    /// Reads a component or a resource whose schema is `own`: its version, perhaps a fingerprint, and by `read` the
    /// value of each later key. Returns the version if the values are left out, because it is not recognized.
    #[inline]
    fn read_versioned<'de>(
        &self,
        reading: &mut Reading,
        own: Schema,
        source: &mut dyn Source<'de>,
        read: &mut dyn FnMut(&mut Reading, u32, &'static str, &mut dyn Source<'de>) -> Result,
    ) -> Result<Option<u32>> {
        let (mut schema, mut left_out) = (Schema { version: 0, fingerprint: 0 }, None);
        self.read(source, &mut |key, value| {
            match key {
                "version" => schema.version = read_within(value, &mut reading.budget)?,
                "fingerprint" => schema.fingerprint = read_within(value, &mut reading.budget)?,
                key if reading.recognizes(schema, Some(own))? => {
                    read(reading, schema.version, key, value)?;
                }
                _ => {
                    left_out = Some(schema.version);
                    ignore(value, &mut reading.budget)?;
                }
            }
            Ok(())
        })?;
        Ok(left_out)
    }
}

/// Passes over a value.
#[inline]
fn ignore(source: &mut dyn Source<'_>, budget: &mut Budget) -> Result {
    read_within::<IgnoredAny>(source, budget).map(drop)
}

/// Returns the error of the component or resource with this name, or of its value of this entity.
#[inline]
pub(super) fn of(name: &str, entity: Option<Entity>, error: &ReadError) -> ReadError {
    // `ReadError` cuts messages: formats quote unexpected values, which may be long.
    match entity {
        Some(entity) => ReadError::custom(format_args!("`{name}` of {entity}: {error}")),
        None => ReadError::custom(format_args!("`{name}`: {error}")),
    }
}

/// Returns the positions of these sources of each target.
#[inline]
fn positions(
    keys: &Keys<Entity>,
    lists: Vec<Vec<Entity>>,
    budget: &mut Budget,
) -> Result<Vec<Vec<usize>>, ReadError> {
    let mut position = |entity: Entity| {
        budget.pay(GROWING, size_of::<usize>())?;
        let what = "is listed in `order`, and has no such relation";
        keys.find(entity).ok_or_else(|| ReadError::custom(format_args!("{entity} {what}")))
    };
    lists.into_iter().map(|list| list.into_iter().map(&mut position).collect()).collect()
}
