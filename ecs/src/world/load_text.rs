//! Loading from text formats, by any crate of serde: JSON, RON and the like.
//!
//! Reads the output of [saving](super::save_text) key by key. Each key stands once, in the order in which it is
//! written: so entities are complete before components, and components before their relations. Only names of components
//! and resources may stand in any order.

use crate::component::data::{Late, SavedPool};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING, Growth};
use crate::format::header::Schema;
use crate::format::limited::Seed;
use crate::format::reader::{ReadError, wrong};
use crate::format::source::Erased;
use crate::pool::Loose;
use crate::resource::saved::ResourceSaving;
use crate::saved::loaded::{Limits, LoadError, Loaded, Policy};
use crate::saved::read::add_key;
use crate::storage::keys::Keys;
use crate::world::World;
use crate::world::build::{Building, Filled, entity_size};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The keys of a struct, in order.
struct Fields {
    names: &'static [&'static str],
    /// The keys that may be missing.
    optional: &'static [&'static str],
}

const FIELDS: Fields = Fields {
    names: &["entities", "retired", "free", "components", "resources"],
    optional: &["retired", "resources"],
};
const PART_FIELDS: Fields = Fields {
    names: &["version", "fingerprint", "requires", "values", "order"],
    optional: &["fingerprint", "requires", "order"],
};
const RESOURCE_FIELDS: Fields =
    Fields { names: &["version", "fingerprint", "value"], optional: &["fingerprint"] };

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
/// assert!(title == "Bob alone" && ecs::Name::find(&read, "Bob").is_some());
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is read until it is given a deserializer"]
pub struct WorldSeed<'w> {
    world: &'w World,
    limits: Limits,
}

impl<'w> WorldSeed<'w> {
    /// Returns a seed that reads a world within these limits: alone like [`World::read_from`], or as a part of a
    /// document. The components and resources are those that `world` has registered.
    pub const fn new(world: &'w World, limits: &Limits) -> Self {
        Self { world, limits: *limits }
    }
}

impl<'de> DeserializeSeed<'de> for WorldSeed<'_> {
    type Value = (World, Loaded);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let Self { world, limits } = self;
        let (building, budget) = (Building::new(world, &limits), Budget::new(limits.memory));
        let reading = Reading { building, budget, keeps_unknown: limits.unknown == Policy::Keep };
        deserializer.deserialize_struct("World", FIELDS.names, reading)
    }
}

/// A world that is being read.
struct Reading {
    building: Building,
    budget: Budget,
    /// `true` if the limits keep unknown parts, which is an error in a text format.
    keeps_unknown: bool,
}

impl<'de> Visitor<'de> for Reading {
    type Value = (World, Loaded);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a saved world: `entities`, `free` and `components`, in this order")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut keys, mut alive, mut retired) = (Keyed::new(FIELDS), Vec::new(), Vec::new());
        while let Some(key) = keys.next(&mut map)? {
            match key {
                "entities" => alive = map.next_value_seed(Seed::new(&mut self.budget))?,
                "retired" => retired = map.next_value_seed(Seed::new(&mut self.budget))?,
                "free" => {
                    let free = map.next_value_seed(Seed::new(&mut self.budget))?;
                    self.entities(&alive, &retired, free).map_err(A::Error::custom)?;
                }
                _ => {
                    let are_resources = key == "resources";
                    map.next_value_seed(Named { reading: &mut self, are_resources })?;
                }
            }
        }
        let Self { building, mut budget, .. } = self;
        building.finish(&[], 0, &mut budget).map_err(
            |LoadError { component, entity, what, .. }| match component {
                Some(name) => of(&name, entity, what),
                None => A::Error::custom(what),
            },
        )
    }
}

impl Reading {
    /// Returns `true` if values of this schema are read into the component or resource whose schema is `own`.
    fn recognizes(&self, saved: Schema, own: Option<Schema>) -> Result<bool, ReadError> {
        let is_known = self.building.recognizes(saved, own)?;
        if !is_known && self.keeps_unknown {
            return wrong(
                "it is not known, and cannot be kept when it is read from a format for people: skip it by \
                 `Limits::skip_unknown`, or save as bytes",
            );
        }
        Ok(is_known)
    }

    /// Notes the entities that are alive and those that are free, and the indices whose generations are used up.
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
}

/// The keys of a struct, each of which comes once, in order.
struct Keyed {
    fields: Fields,
    /// The number of keys that were read or passed over.
    passed: usize,
    /// The last key that was read.
    last: &'static str,
}

impl Keyed {
    const fn new(fields: Fields) -> Self {
        Self { fields, passed: 0, last: "" }
    }

    /// Reads the next key.
    fn next<'de, A: MapAccess<'de>>(
        &mut self,
        map: &mut A,
    ) -> Result<Option<&'static str>, A::Error> {
        let next = map.next_key_seed(&mut *self)?;
        if next.is_none() {
            self.pass(self.fields.names.len()).map_err(A::Error::custom)?;
        }
        Ok(next)
    }

    /// Reads the version and the fingerprint, and returns them with the key behind them.
    fn schema<'de, A: MapAccess<'de>>(
        &mut self,
        map: &mut A,
    ) -> Result<(Schema, Option<&'static str>), A::Error> {
        let mut schema = Schema { version: 0, fingerprint: 0 };
        loop {
            match self.next(map)? {
                Some("version") => schema.version = map.next_value()?,
                Some("fingerprint") => schema.fingerprint = map.next_value()?,
                key => return Ok((schema, key)),
            }
        }
    }

    /// Passes over the keys before this one. Returns an error if one of them is required.
    fn pass(&mut self, to: usize) -> Result<(), ReadError> {
        let Fields { names, optional } = self.fields;
        let mut passed = names[self.passed.min(to)..to].iter();
        if let Some(missing) = passed.find(|name| !optional.contains(name)) {
            return wrong(&format!("`{missing}` is missing: {}", self.order()));
        }
        self.passed = to;
        Ok(())
    }

    fn find(&mut self, key: &str) -> Result<&'static str, ReadError> {
        let Some(at) = self.fields.names.iter().position(|name| *name == key) else {
            return Err(ReadError::custom(format_args!("unknown key `{key}`: {}", self.order())));
        };
        if key == self.last {
            return wrong(&format!("`{key}` is there twice"));
        }
        if at < self.passed {
            return wrong(&format!("`{key}` comes behind `{}`: {}", self.last, self.order()));
        }
        self.pass(at)?;
        (self.passed, self.last) = (at + 1, self.fields.names[at]);
        Ok(self.last)
    }

    /// Returns the list of keys, for errors.
    fn order(&self) -> String {
        let names = self.fields.names.join("`, `");
        format!("the keys are `{names}`, each once and in this order")
    }
}

impl<'de> DeserializeSeed<'de> for &mut Keyed {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'static str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for &mut Keyed {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.order())
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<&'static str, E> {
        self.find(key).map_err(E::custom)
    }
}

/// All components of a world that is being read, or all its resources, each once.
struct Named<'r> {
    reading: &'r mut Reading,
    are_resources: bool,
}

impl<'de> DeserializeSeed<'de> for Named<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Named<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = if self.are_resources { "resources" } else { "components" };
        write!(f, "{named} by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { reading, are_resources } = self;
        let mut names = BTreeSet::<String>::new();
        while let Some(name) = map.next_key_seed(Seed::new(&mut reading.budget))? {
            let name: String = name;
            let of_it = |error| of(&name, None, error);
            reading.budget.pay(GROWING, size_of::<String>()).map_err(of_it)?;
            if names.contains(&name) {
                return Err(of(&name, None, "it is there twice"));
            }
            let (component, resource) = if are_resources {
                (None, reading.building.world.resources.saved_under(&name).map_err(of_it)?)
            } else {
                (reading.building.world.saved_under(&name).map_err(of_it)?, None)
            };
            if let Some(number) = component {
                map.next_value_seed(Component { reading, number, name: &name })?;
            } else if let Some(saving) = resource {
                map.next_value_seed(Resource { reading, saving, name: &name, schema: None })?;
            } else {
                let schema = Schema { version: 0, fingerprint: 0 };
                reading.recognizes(schema, None).map_err(of_it)?;
                map.next_value_seed(ignored(&mut reading.budget))?;
                let Reading { building, budget, .. } = &mut *reading;
                building.loaded.add_unknown(&name, 0, are_resources, budget).map_err(of_it)?;
            }
            names.insert(name);
        }
        Ok(())
    }
}

/// Returns the error of the component or resource with this name, or of its value of this entity.
fn of<E: Error>(name: &str, entity: Option<Entity>, error: impl fmt::Display) -> E {
    // `ReadError` cuts messages: formats quote unexpected values, which may be long.
    E::custom(match entity {
        Some(entity) => ReadError::custom(format_args!("`{name}` of {entity}: {error}")),
        None => ReadError::custom(format_args!("`{name}`: {error}")),
    })
}

/// Returns the seed of a value that is passed over.
fn ignored(budget: &mut Budget) -> Seed<'_, IgnoredAny> {
    Seed::new(budget)
}

/// A component of a world that is being read.
struct Component<'r> {
    reading: &'r mut Reading,
    number: u32,
    name: &'r str,
}

impl<'de> DeserializeSeed<'de> for Component<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("Component", PART_FIELDS.names, self)
    }
}

impl<'de> Visitor<'de> for Component<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a component: its `version`, and its `values`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { ref reading, number, name } = self;
        let own = reading.building.world.pools.at(number).kind().saving().map(|(_, own)| own);
        let mut keys = Keyed::new(PART_FIELDS);
        // Values may be passed over, so they are started when their version is read.
        let read = keys.schema(&mut map);
        let (schema, mut key) = read.map_err(|error| of(name, None, error))?;
        if reading.recognizes(schema, own).map_err(|error| of(name, None, error))? {
            return self.read(schema.version, (keys, key), map);
        }
        let Reading { building, budget, .. } = self.reading;
        while key.is_some() {
            map.next_value_seed(ignored(budget))?;
            key = keys.next(&mut map).map_err(|error| of(name, None, error))?;
        }
        let added = building.loaded.add_unknown(name, schema.version, false, budget);
        added.map_err(|error| of(name, None, error))
    }
}

impl Component<'_> {
    /// Reads the values and the rest of the component, from this key on.
    fn read<'de, A: MapAccess<'de>>(
        self,
        version: u32,
        (mut keys, mut key): (Keyed, Option<&'static str>),
        mut map: A,
    ) -> Result<(), A::Error> {
        let Self { reading: Reading { building, budget, .. }, number, name } = self;
        let in_it = |error: A::Error| -> A::Error { of(name, None, error) };
        let pool = building.world.pools.at(number).as_saved();
        let mut values = Values {
            building,
            pool,
            size: building.world.pools.at(number).kind().size(),
            name,
            growth: Growth::new(budget, 0),
            budget,
            version,
            keys: Keys::new(),
            loose: pool.no_values(),
            late: Vec::new(),
            is_named: false,
        };
        let (mut lists, mut required) = (Vec::<Vec<Entity>>::new(), Vec::<String>::new());
        while let Some(part) = key {
            let read = match part {
                "requires" => {
                    map.next_value_seed(Seed::new(values.budget)).map(|names| required = names)
                }
                "values" => map.next_value_seed(&mut values),
                _ => map.next_value_seed(Seed::new(values.budget)).map(|all| lists = all),
            };
            let is_named = part == "values" && values.is_named;
            read.map_err(|error| if is_named { error } else { in_it(error) })?;
            key = keys.next(&mut map).map_err(in_it)?;
        }
        let Values { keys, loose, late, .. } = values;
        let lists = positions(&keys, lists, budget).map_err(|error| of(name, None, error))?;
        let late = keys.dense().iter().copied().zip(late).collect();
        let filled =
            building.world.pools.at_mut(number).as_saved_mut().fill(keys, loose, Some(budget));
        filled.map_err(|error| of(name, None, error))?;
        let name = name.to_owned();
        building.parts.push(Filled { number, name, lists, required, late, end: 0 });
        Ok(())
    }
}

/// Returns the positions of these sources of each target.
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

/// The values of a component that is being read, each with its entity.
struct Values<'r> {
    building: &'r Building,
    pool: &'r dyn SavedPool,
    /// The size of a value.
    size: usize,
    name: &'r str,
    budget: &'r mut Budget,
    /// The memory of the values, which grow like a list within a value.
    growth: Growth,
    version: u32,
    keys: Keys<Entity>,
    loose: Box<Loose>,
    /// Further components that old values became.
    late: Vec<Late>,
    /// `true` if the pending error names the component and the entity already.
    is_named: bool,
}

impl Values<'_> {
    /// Adds a member, and pays for it and its value.
    fn add(&mut self, entity: Entity) -> Result<(), ReadError> {
        if !self.building.is_alive(entity) {
            return wrong("it is not among the entities");
        }
        self.budget.pay(GROWING, size_of::<Entity>())?;
        self.keys.reserve(1);
        add_key(&mut self.keys, entity, self.budget)?;
        self.growth.next(self.budget, usize::MAX, self.size)
    }
}

impl<'de> DeserializeSeed<'de> for &mut Values<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut Values<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pairs of an entity and its value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<(), A::Error> {
        while all.next_element_seed(Pair(self))?.is_some() {}
        Ok(())
    }
}

/// An entity, and its value, to be added to the others.
struct Pair<'v, 'r>(&'v mut Values<'r>);

impl<'de> DeserializeSeed<'de> for Pair<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for Pair<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an entity and its value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<(), A::Error> {
        let Self(values) = self;
        let entity = pair.next_element_seed(Seed::new(values.budget))?;
        let entity: Entity = entity.ok_or_else(|| A::Error::custom("an entity is missing"))?;
        let added = values.add(entity).map_err(A::Error::custom);
        let read = added.and_then(|()| pair.next_element_seed(One(values)));
        let read = read.and_then(|it| it.ok_or_else(|| A::Error::custom("its value is missing")));
        read.map_err(|error| {
            values.is_named = true;
            of(values.name, Some(entity), error)
        })
    }
}

/// The value of an entity, to be added to the others.
struct One<'v, 'r>(&'v mut Values<'r>);

impl<'de> DeserializeSeed<'de> for One<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self(Values { pool, budget, version, loose, late, .. }) = self;
        let mut from = Erased::new(deserializer);
        pool.parse(*version, &mut from, budget, &mut **loose, late).map_err(D::Error::custom)
    }
}

/// A resource of a world that is being read, or its value, once the version is known.
struct Resource<'r> {
    reading: &'r mut Reading,
    saving: ResourceSaving,
    name: &'r str,
    schema: Option<Schema>,
}

impl<'de> DeserializeSeed<'de> for Resource<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Some(schema) = self.schema else {
            return deserializer.deserialize_struct("Resource", RESOURCE_FIELDS.names, self);
        };
        let Self { reading, saving, name, .. } = self;
        let is_known = reading.recognizes(schema, Some(saving.schema()));
        let is_known = is_known.map_err(|error| of(name, None, error))?;
        let Reading { building: Building { world, loaded, .. }, budget, .. } = reading;
        if !is_known {
            ignored(budget).deserialize(deserializer)?;
            let added = loaded.add_unknown(name, schema.version, true, budget);
            return added.map_err(|error| of(name, None, error));
        }
        let mut from = Erased::new(deserializer);
        let read = world.resources.parse(&saving, schema.version, &mut from, budget);
        read.map_err(|error| of(name, None, error))
    }
}

impl<'de> Visitor<'de> for Resource<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a resource: its `version`, and its `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { reading, saving, name, .. } = self;
        let mut keys = Keyed::new(RESOURCE_FIELDS);
        let (schema, _) = keys.schema(&mut map).map_err(|error| of(name, None, error))?;
        map.next_value_seed(Resource { reading, saving, name, schema: Some(schema) })?;
        keys.next(&mut map).map_err(|error| of(name, None, error))?;
        Ok(())
    }
}
