//! Names of entities.

use crate::entity::Entity;
use crate::world::World;
use alloc::string::String;
use core::fmt;
use ecs_derive::Component;

/// A component: an entity's name, for people. Names need not be unique.
///
/// ```
/// # use ecs::{Name, World};
/// let mut world = World::new();
/// let alice = world.spawn_named("Alice").id();
/// assert_eq!(world.name(alice), Some("Alice"));
/// assert_eq!(world.get::<Name>(alice).map(Name::as_str), Some("Alice"));
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[ecs(unlisted)]
#[component(clone, debug, track)]
#[cfg_attr(feature = "serde", component(save = "ecs::Name"))]
pub struct Name(String);

/// Serializes the name as text.
#[cfg(feature = "serde")]
impl serde::Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Deserializes the name from text.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Name {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl Name {
    /// Returns a name.
    ///
    /// ```
    /// assert_eq!(ecs::Name::new("Bob").to_string(), "Bob");
    /// ```
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Returns the name as text.
    ///
    /// ```
    /// assert_eq!(ecs::Name::new("Bob").as_str().len(), 3);
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// ```
/// # use ecs::Name;
/// let name = Name::from("Bob");
/// assert_eq!(String::from(name), "Bob"); // without a copy
/// ```
impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// # Names
impl World {
    /// Returns an entity with this name, if there is one; of several, the first in the pool of names. Removals,
    /// sorts and groups change its order. O(names).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// assert_eq!(world.entity_named("Bob"), Some(bob));
    /// assert_eq!(world.entity_named("Eve"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn entity_named(&self, name: &str) -> Option<Entity> {
        let pool = self.pools.get::<Name>()?;
        pool.iter().find(|(_, value)| value.as_str() == name).map(|(entity, _)| entity)
    }

    /// Returns the name of `entity`, if it is alive and has one. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let nobody = world.spawn_empty().id();
    /// assert_eq!(world.name(nobody), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn name(&self, entity: Entity) -> Option<&str> {
        self.get::<Name>(entity).map(Name::as_str)
    }
}
