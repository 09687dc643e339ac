//! Prefabs that are read from a file by their names.
//!
//! A prefab is read when all prefabs that it inherits were read. So a file is read once for each prefab in the longest chain
//! of prefabs that inherit from each other, whatever their order is.

use crate::component::id::ComponentId;
use crate::copy::prefab::Prefab;
use crate::format::budget::{Budget, GROWING};
use crate::format::document::read_parts;
use crate::format::limited::read_within;
use crate::format::reader::{ReadError, wrong};
use crate::format::source::{Erased, Request, Source};
use crate::resource::{Resource, ResourceSlot};
use crate::saved::load_entity::EntityReading;
use crate::saved::loaded::Limits;
use crate::text::{Nearest, nearest};
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Prefabs by name, read from files in any format of serde that describes itself, such as JSON or RON.
///
/// A file is a map of names. Each prefab has the parts of an entity, which the
/// [guide](crate::guide::saving#prefabs-in-files) lists. One that `inherits` has all that the other one has, and
/// overrides single components, or single fields of them.
///
/// It is a [`Resource`](crate::Resource) that stays where it is when a world is copied or saved.
///
/// ```
/// use ecs::save::Prefabs;
/// use ecs::{Component, SpawnCommands, World};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
/// #[component(save = "health", clone)]
/// struct Health { now: u32, most: u32 }
/// #[derive(Component, Serialize, Deserialize, Clone)]
/// #[component(save = "damage", clone)]
/// struct Damage(u32);
///
/// let text = r#"{
///     "captain": { "inherits": "orc", "components": { "health": { "most": 30 } } },
///     "orc": {
///         "components": { "health": { "now": 10, "most": 10 } },
///         "children": [{ "inherits": "club" }]
///     },
///     "club": { "components": { "damage": 3 } }
/// }"#;
/// let mut world = World::new();
/// world.register::<(Health, Damage)>();
/// let mut prefabs = Prefabs::new();
/// prefabs.read(&world, |seed| seed.read(&mut serde_json::Deserializer::from_str(text)))?;
///
/// let captain = world.spawn_prefab(prefabs.get("captain")?)?.id();
/// assert_eq!(world.get::<Health>(captain), Some(&Health { now: 10, most: 30 }));
/// let orcs = world.spawn_prefabs(prefabs.get("orc")?, 50)?;
/// assert_eq!((world.len(), world.children(orcs[49]).len()), (102, 1));
///
/// fn summon(prefabs: &Prefabs, mut commands: SpawnCommands) -> Result<(), ecs::save::PrefabError> {
///     commands.spawn_prefab(prefabs.get("orc")?);
///     Ok(())
/// }
/// world.insert_resource(prefabs);
/// world.run(summon)?;
/// assert_eq!(world.len(), 104);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Prefabs {
    all: BTreeMap<String, Prefab>,
}

impl Prefabs {
    /// Returns no prefabs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the prefabs of a file, and adds them; they may inherit prefabs of files that were read before. Components are
    /// found by their saved names among the pools of `world`: see [`World::register`]. `read` gives the seed to a
    /// deserializer of the whole file, once or more often: until each prefab that another one inherits was read.
    ///
    /// # Errors
    /// Returns an error, and adds no prefab, if the file is no map of prefabs, or two have one name. So it does if a prefab
    /// has an unknown component or field, or one without `#[component(clone)]`, or inherits an unknown prefab or itself.
    /// Errors name the prefab and the path within it; text formats add the line. The default [`Limits`]
    /// hold.
    ///
    /// See [`Prefabs`] for an example.
    pub fn read<E>(
        &mut self,
        world: &World,
        mut read: impl FnMut(PrefabSeed<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let before = self.all.keys().cloned().collect();
        let all = self.all.clone();
        let mut pass = PrefabPass { before, all, in_present_versions: false, are_left: true };
        while core::mem::take(&mut pass.are_left) {
            read(PrefabSeed { world, pass: &mut pass })?;
        }
        self.all = pass.all;
        Ok(())
    }

    /// Returns the prefab with this name. O(log prefabs).
    ///
    /// # Errors
    /// Returns an error if there is none.
    ///
    /// ```
    /// # use ecs::save::Prefabs;
    /// let error = Prefabs::new().get("orc").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no prefab `orc`");
    /// ```
    #[inline]
    pub fn get(&self, name: &str) -> Result<&Prefab, PrefabError> {
        self.all.get(name).ok_or_else(|| PrefabError {
            name: name.to_owned(),
            nearest: nearest(name, self.names()).map(ToOwned::to_owned),
        })
    }

    /// Returns the names of all prefabs, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(String::as_str)
    }
}

/// They belong to the running program, and stay.
#[diagnostic::do_not_recommend]
impl Resource for Prefabs {
    const NAME: &'static str = "Prefabs";
    const ID: ComponentId = ComponentId::of(Some("ecs"), None, "prefabs", "Prefabs", 0, 0);
    const SKIPS_COPIES: bool = true;
    const SKIPS_SAVES: bool = true;

    fn slot() -> Option<&'static ResourceSlot<Self>> {
        static SLOT: ResourceSlot<Prefabs> = ResourceSlot::new();
        Some(&SLOT)
    }
}

/// A seed of serde that reads the prefabs of a file: see [`Prefabs::read`].
#[must_use = "nothing is read until it is given a deserializer"]
pub struct PrefabSeed<'p> {
    world: &'p World,
    pass: &'p mut PrefabPass,
}

impl PrefabSeed<'_> {
    /// Takes a value without a version for one of the present version, not of the first one. So files that are written by
    /// hand change together with the program.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::{Fields, Redefinition};
    /// use ecs::save::Prefabs;
    ///
    /// let mut world = World::new();
    /// let poison = world.define("Venom", Fields::new().f32("damage"))?;
    /// world.redefine(poison, &Redefinition::new().rename("damage", "harm"))?; // version 2
    ///
    /// let text = r#"{ "snake": { "components": { "Venom": { "harm": 2.5 } } } }"#;
    /// let mut prefabs = Prefabs::new();
    /// prefabs.read(&world, |seed| seed.in_present_versions().read(&mut serde_json::Deserializer::from_str(text)))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_present_versions(self) -> Self {
        self.pass.in_present_versions = true;
        self
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Returns the errors of [`Prefabs::read`].
    ///
    /// See [`Prefabs`] for an example.
    pub fn read<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let read = self.pass.read(self.world, &mut Erased::new(deserializer));
        read.map_err(D::Error::custom)
    }
}

/// Reads the file, like [`PrefabSeed::read`].
impl<'de> DeserializeSeed<'de> for PrefabSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.read(deserializer)
    }
}

impl fmt::Debug for PrefabSeed<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrefabSeed").finish_non_exhaustive()
    }
}

/// The readings of a file.
struct PrefabPass {
    /// The names of the prefabs of other files.
    before: BTreeSet<String>,
    /// The prefabs of other files, and the prefabs that were read.
    all: BTreeMap<String, Prefab>,
    /// `true` if a value without a version is of the present one.
    in_present_versions: bool,
    /// `true` if prefabs of the file are left to be read.
    are_left: bool,
}

impl PrefabPass {
    /// Reads the prefabs of the file that were not read before and whose inherited ones were.
    #[inline]
    fn read(&mut self, world: &World, source: &mut dyn Source<'_>) -> Result {
        let mut budget = Budget::new(Limits::default().memory);
        let (mut names, mut waiting) = (BTreeSet::new(), BTreeMap::new());
        let count = self.all.len();
        read_parts(source, Request::Map, "prefabs by their names", &mut |all| {
            while let Some(name) = all.read_next(|key| read_within::<String>(key, &mut budget))? {
                budget.pay(GROWING, 2 * size_of::<String>())?;
                let read = if self.before.contains(&name) {
                    wrong("a file that was read before has a prefab of this name")
                } else if !names.insert(name.clone()) {
                    wrong("it is there twice")
                } else {
                    let mut missing = None;
                    let read = all.next_value(&mut |value| {
                        missing = self.prefab(world, &name, value)?;
                        Ok(())
                    });
                    read.map(|()| missing)
                };
                if let Some(missing) = read.map_err(|error| of_prefab(&name, error))? {
                    waiting.insert(name, missing);
                }
            }
            Ok(())
        })?;
        self.are_left = !waiting.is_empty();
        if self.are_left && self.all.len() == count {
            return Err(not_inherited(&names, &waiting));
        }
        Ok(())
    }

    /// Reads a prefab, unless it was read before. Returns the name of one that it inherits and that was not read yet.
    #[inline]
    fn prefab(
        &mut self,
        world: &World,
        name: &str,
        value: &mut dyn Source<'_>,
    ) -> Result<Option<String>> {
        let mut reading = EntityReading::new(world, Some(&self.all));
        reading.in_present_versions = self.in_present_versions;
        if self.all.contains_key(name) {
            reading.skip(value)?;
            return Ok(None);
        }
        reading.entity(value, None)?;
        if let Some(missing) = reading.missing.take() {
            return Ok(Some(missing));
        }
        let (prefab, _) = reading.finish(None)?;
        let root = prefab.entities().next().expect("it has an entity");
        let prefab = Prefab::new(prefab, root).map_err(ReadError::custom)?;
        self.all.insert(name.to_owned(), prefab);
        Ok(None)
    }
}

/// Returns an error of the prefab with this name.
fn of_prefab(name: &str, error: impl fmt::Display) -> ReadError {
    ReadError::custom(format_args!("prefab `{name}`: {error}"))
}

/// Returns the error of the first prefab that inherits an unknown one, or itself. `waiting` has the prefab that each one
/// waits for.
#[inline]
fn not_inherited(names: &BTreeSet<String>, waiting: &BTreeMap<String, String>) -> ReadError {
    if let Some((name, missing)) = waiting.iter().find(|(_, missing)| !names.contains(*missing)) {
        let near = Nearest(nearest(missing, names.iter().map(String::as_str)));
        return of_prefab(name, format_args!("it inherits `{missing}`, which is no prefab{near}"));
    }
    // Each waits for another one that waits, so every walk ends in a circle.
    let mut circle = Vec::new();
    let mut next = waiting.keys().next();
    while let Some(name) = next.filter(|name| !circle.contains(name)) {
        circle.push(name);
        next = waiting.get(name);
    }
    let first = circle.iter().position(|name| Some(*name) == next).unwrap_or(0);
    let mut way: Vec<&str> = circle[first..].iter().map(|name| name.as_str()).collect();
    way.extend(next.map(String::as_str));
    of_prefab(way[0], format_args!("it inherits itself: `{}`", way.join("` inherits `")))
}

/// The error of a prefab that is not among the [`Prefabs`].
///
/// ```
/// # use ecs::World;
/// # use ecs::save::Prefabs;
/// let mut prefabs = Prefabs::new();
/// prefabs.read(&World::new(), |seed| seed.read(&mut serde_json::Deserializer::from_str(r#"{ "orc": {} }"#)))?;
/// let error = prefabs.get("ork").unwrap_err();
/// assert_eq!(error.to_string(), "there is no prefab `ork` (the nearest is `orc`)");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefabError {
    name: String,
    nearest: Option<String>,
}

impl fmt::Display for PrefabError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no prefab `{}`{}", self.name, Nearest(self.nearest.as_deref()))
    }
}

impl core::error::Error for PrefabError {}
