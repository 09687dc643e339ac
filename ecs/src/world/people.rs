//! Worlds in formats for people, by any crate of serde: JSON, RON and the like.
//!
//! ```text
//! { entities: ["0v2", "1v1"], retired: [3], free: ["2v7"],
//!   components: { health: { version: 1, values: [["0v2", 10]] },
//!                 ecs::ChildOf: { version: 1, values: [["1v1", "0v2"]], order: [["1v1"]] } },
//!   resources: { score: { version: 1, value: 3 } } }
//! ```

use crate::entities::Entities;
use crate::entity::Entity;
use crate::pool::{Loose, WorldPool};
use crate::resource::Resources;
use crate::resource::saved::{ResourceSaving, SavedResource};
use crate::storage::keys::Keys;
use crate::world::World;
use crate::world::kind::Value;
use crate::world::load::Loaded;
use crate::world::restore::relate;
use crate::world::save::{Part, Save};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeStruct};
use serde::{Deserializer, Serialize, Serializer};

const FIELDS: &[&str] = &["entities", "retired", "free", "components", "resources"];
const PART_FIELDS: &[&str] = &["version", "values", "order"];
const RESOURCE_FIELDS: &[&str] = &["version", "value"];

impl World {
    /// The world that a [`Save`] was written as, by any format of serde that names fields; with the pools and groups
    /// of this one, as [`read`](Self::read). Handles are text there, such as `12v3`, and a person may have edited all
    /// of it. There are no limits but those of the format; and pages are made anew: so the order in which one pool is
    /// walked is that which was saved, and a join may take another way.
    ///
    /// # Errors
    /// When the text is not that of a world.
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
    /// let values = r#""components":{"health":{"version":1,"values":[["0v1",3]]}}"#;
    /// assert!(text.contains(values));
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
        deserializer.deserialize_struct("World", FIELDS, Whole(self.empty_like()))
    }
}

/// For formats for people: see [`World::read_from`]. Components without a name are left out.
impl Serialize for Save<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut parts, _) = self.parts().map_err(S::Error::custom)?;
        let resources = self.resources().map_err(S::Error::custom)?;
        parts.retain(|part| part.all_positions().next().is_some());
        let (alive, free, retired) = self.handles();
        // Some formats say beforehand how many fields follow: not one that is skipped.
        let more = [!retired.is_empty(), !resources.is_empty()].into_iter().filter(|it| *it);
        let mut world = serializer.serialize_struct("World", 3 + more.count())?;
        world.serialize_field("entities", &alive)?;
        if retired.is_empty() {
            world.skip_field("retired")?;
        } else {
            world.serialize_field("retired", &retired)?;
        }
        world.serialize_field("free", &free)?;
        world.serialize_field("components", &Parts(&parts, self))?;
        if resources.is_empty() {
            world.skip_field("resources")?;
        } else {
            world.serialize_field("resources", &AllResources(&resources))?;
        }
        world.end()
    }
}

/// The resources, by name.
struct AllResources<'a>(&'a [SavedResource<'a>]);

impl Serialize for AllResources<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = self.0.iter().map(|it| (it.saving.name.to_string(), OneResource(it)));
        serializer.collect_map(named)
    }
}

struct OneResource<'a>(&'a SavedResource<'a>);

impl Serialize for OneResource<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_struct("Resource", RESOURCE_FIELDS.len())?;
        map.serialize_field("version", &self.0.saving.version())?;
        map.serialize_field("value", &Shown(|show| self.0.show(show)))?;
        map.end()
    }
}

/// The components, by name.
struct Parts<'a>(&'a [Part<'a>], &'a Save<'a>);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for part in self.0 {
            map.serialize_entry(&part.name.to_string(), &OnePart(part, self.1))?;
        }
        map.end()
    }
}

/// A component: its values, and of a relation who points to one entity, in order.
struct OnePart<'a>(&'a Part<'a>, &'a Save<'a>);

impl Serialize for OnePart<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(part, save) = *self;
        let keys = part.pool.keys();
        let value = |at| (keys[at], Value::at(part.pool, at));
        let values: Vec<_> = part.all_positions().map(value).collect();
        let order = save.lists(part).map(|lists| -> Vec<Vec<Entity>> {
            let positions: Vec<usize> = part.all_positions().collect();
            let entities = |list: Vec<usize>| list.into_iter().map(|at| keys[positions[at]]);
            lists.into_iter().map(|list| entities(list).collect()).collect()
        });
        let mut map = serializer.serialize_struct("Component", 2 + usize::from(order.is_some()))?;
        map.serialize_field("version", &part.version)?;
        map.serialize_field("values", &values)?;
        if let Some(order) = order {
            map.serialize_field("order", &order)?;
        }
        map.end()
    }
}

/// The value that this shows.
struct Shown<F: Fn(Look<'_>)>(F);

/// What looks at a value.
type Look<'a> = &'a mut dyn FnMut(&dyn erased_serde::Serialize);

impl<F: Fn(Look<'_>)> Serialize for Shown<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (serializer, written) = (Cell::new(Some(serializer)), Cell::new(None));
        (self.0)(&mut |value| {
            written.set(serializer.take().map(|serializer| value.serialize(serializer)));
        });
        written.take().unwrap_or_else(|| Err(S::Error::custom("it is not saved")))
    }
}

/// A world that is being read.
struct Whole(World);

impl<'de> Visitor<'de> for Whole {
    type Value = (World, Loaded);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a saved world: `entities`, `free` and `components`, in this order")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Self(mut world) = self;
        let (mut alive, mut retired, mut are_read, mut loaded) = (None, Vec::new(), false, None);
        while let Some(field) = map.next_key::<String>()? {
            match &*field {
                "entities" => alive = Some(map.next_value::<Vec<Entity>>()?),
                "free" => {
                    let Some(alive) = &alive else { return Err(A::Error::custom(ORDER)) };
                    let read = entities(alive, map.next_value()?, &retired);
                    world.entities = read.map_err(A::Error::custom)?;
                    are_read = true;
                }
                "retired" if !are_read => retired = map.next_value()?,
                "components" if are_read => {
                    loaded = Some(map.next_value_seed(Components(&mut world))?);
                }
                "components" | "retired" => return Err(A::Error::custom(ORDER)),
                "resources" => {
                    let Some(loaded) = &mut loaded else { return Err(A::Error::custom(ORDER)) };
                    map.next_value_seed(ReadResources { world: &mut world, loaded })?;
                }
                _ => return Err(A::Error::unknown_field(&field, FIELDS)),
            }
        }
        let loaded = loaded.ok_or_else(|| A::Error::missing_field("components"))?;
        world.groups.restore(&mut world.pools, &[]);
        Ok((world, loaded))
    }
}

const ORDER: &str = "`entities` come first, then `free`, then `components`, then `resources`";

/// Those that are alive and those that are free, and indices whose generations are used up.
fn entities(
    alive: &[Entity],
    free: Vec<Entity>,
    retired: &[u32],
) -> Result<Entities, &'static str> {
    let all = alive.iter().chain(&free).map(|entity| entity.index()).chain(retired.iter().copied());
    let count = all.map(|index| index as usize + 1).max().unwrap_or(0);
    if count > 1_000 * (alive.len() + free.len() + retired.len()) {
        return Err("indices are missing: each is either alive or free, or is retired");
    }
    let (mut generations, mut is_retired) = (vec![0; count], vec![false; count]);
    for index in retired {
        is_retired[*index as usize] = true;
    }
    if alive.iter().chain(&free).any(|entity| is_retired[entity.index() as usize]) {
        return Err("an entity is alive or free whose index is retired");
    }
    for entity in alive {
        let before = &mut generations[entity.index() as usize];
        if core::mem::replace(before, entity.generation().get()) != 0 {
            return Err("two entities have one index");
        }
    }
    Entities::of_parts(&generations, free)
}

/// All components of a world that is being read.
struct Components<'w>(&'w mut World);

impl<'de> DeserializeSeed<'de> for Components<'_> {
    type Value = Loaded;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Loaded, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Components<'_> {
    type Value = Loaded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("components by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loaded, A::Error> {
        let mut loaded = Loaded::default();
        while let Some(name) = map.next_key::<String>()? {
            let number = self.0.saved_under(&name).map_err(A::Error::custom)?;
            if let Some(number) = number {
                map.next_value_seed(Pool { world: self.0, number, name: &name })?;
            } else {
                map.next_value::<IgnoredAny>()?;
                loaded.add_unknown(name, false);
            }
        }
        Ok(loaded)
    }
}

/// A component of a world that is being read.
struct Pool<'w> {
    world: &'w mut World,
    number: u32,
    name: &'w str,
}

impl<'de> DeserializeSeed<'de> for Pool<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("Component", PART_FIELDS, self)
    }
}

impl<'de> Visitor<'de> for Pool<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a component: its `version`, and its `values`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { world: World { pools, entities, .. }, number, name } = self;
        let of_it = |what: &dyn fmt::Display| A::Error::custom(format!("`{name}`: {what}"));
        let (mut version, mut lists) = (None, Vec::<Vec<Entity>>::new());
        let mut values =
            Values { pool: pools.at(number), version: 0, keys: Keys::new(), loose: None };
        while let Some(field) = map.next_key::<String>()? {
            match &*field {
                "version" => version = Some(map.next_value()?),
                "values" => {
                    let Some(version) = version else {
                        return Err(of_it(&"`version` comes first"));
                    };
                    values.version = version;
                    map.next_value_seed(&mut values)?;
                }
                "order" => lists = map.next_value()?,
                _ => return Err(A::Error::unknown_field(&field, PART_FIELDS)),
            }
        }
        let Values { keys, loose, .. } = values;
        let members = keys.dense();
        if let Some(dead) = members.iter().find(|entity| !entities.is_alive(**entity)) {
            return Err(of_it(&format!("{dead} is not among the entities")));
        }
        if !pools.at(number).is_empty() {
            return Err(of_it(&"it is there twice"));
        }
        if let Some(loose) = loose {
            let loose = pools.at(number).check_handles(loose).map_err(|error| of_it(&error))?;
            pools.at_mut(number).take_in(members, loose);
        }
        for entity in members {
            entities.add(*entity, number);
        }
        relate(pools, entities, number, &lists).map_err(|(entity, error)| {
            let what = error.into_text();
            of_it(&entity.map_or(what.clone(), |entity| format!("{entity}: {what}")))
        })
    }
}

/// The values of a component that is being read, each with its entity.
struct Values<'p> {
    pool: &'p dyn WorldPool,
    version: u32,
    keys: Keys<Entity>,
    loose: Option<Box<Loose>>,
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
struct Pair<'v, 'p>(&'v mut Values<'p>);

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
        let entity: Entity =
            pair.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        if self.0.keys.push(entity).is_some() {
            return Err(A::Error::custom(format!("{entity} is there twice")));
        }
        let value = pair.next_element_seed(One(self.0))?;
        value.ok_or_else(|| A::Error::custom("a value is missing"))
    }
}

/// A value, to be added to the others.
struct One<'v, 'p>(&'v mut Values<'p>);

impl<'de> DeserializeSeed<'de> for One<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Values { pool, version, loose, .. } = self.0;
        let mut from = <dyn erased_serde::Deserializer>::erase(deserializer);
        let values = loose.get_or_insert_with(|| pool.no_values());
        pool.parse(*version, &mut from, &mut **values).map_err(D::Error::custom)
    }
}

/// All resources of a world that is being read.
struct ReadResources<'w> {
    world: &'w mut World,
    loaded: &'w mut Loaded,
}

impl<'de> DeserializeSeed<'de> for ReadResources<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ReadResources<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("resources by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let resources = &mut self.world.resources;
        while let Some(name) = map.next_key::<String>()? {
            if let Some(saving) = resources.saved_under(&name).map_err(A::Error::custom)? {
                let name = &*name;
                map.next_value_seed(ReadResource { resources, saving, name, version: None })?;
            } else {
                map.next_value::<IgnoredAny>()?;
                self.loaded.add_unknown(name, true);
            }
        }
        Ok(())
    }
}

/// A resource of a world that is being read, or its value, once the version is known.
struct ReadResource<'w> {
    resources: &'w mut Resources,
    saving: ResourceSaving,
    name: &'w str,
    version: Option<u32>,
}

impl<'de> DeserializeSeed<'de> for ReadResource<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Some(version) = self.version else {
            return deserializer.deserialize_struct("Resource", RESOURCE_FIELDS, self);
        };
        let mut from = <dyn erased_serde::Deserializer>::erase(deserializer);
        let read = self.resources.parse(&self.saving, version, &mut from);
        read.map_err(|error| D::Error::custom(format!("`{}`: {error}", self.name)))
    }
}

impl<'de> Visitor<'de> for ReadResource<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a resource: its `version`, and its `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { resources, saving, name, mut version } = self;
        let mut is_read = false;
        while let Some(field) = map.next_key::<String>()? {
            match &*field {
                "version" => version = Some(map.next_value()?),
                "value" if version.is_some() => {
                    map.next_value_seed(ReadResource { resources, saving, name, version })?;
                    is_read = true;
                }
                "value" => {
                    return Err(A::Error::custom(format!("`{name}`: `version` comes first")));
                }
                _ => return Err(A::Error::unknown_field(&field, RESOURCE_FIELDS)),
            }
        }
        if is_read { Ok(()) } else { Err(A::Error::missing_field("value")) }
    }
}
