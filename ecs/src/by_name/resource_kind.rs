//! Resources whose types are not named.

use crate::by_name::kind::serialize_shown;
use crate::format::budget::Budget;
use crate::format::source::Erased;
use crate::saved::loaded::Limits;
use crate::saved::resource::{ResourceSaving, SavedResource};
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use serde::{Deserializer, Serialize, Serializer};

/// A resource type as a value: its name, and its capabilities. It has no value: that is in a world.
///
/// ```
/// use ecs::by_name::ResourceKind;
/// use ecs::{Resource, World};
///
/// #[derive(Resource, serde::Serialize, serde::Deserialize)]
/// #[resource(save = "score")]
/// struct Score(u32);
///
/// let mut world = World::new();
/// world.insert_resource(Score(3));
/// let score = world.resource_kind("score")?;
/// assert!(score.type_name().ends_with("::Score") && world.has_resource_kind(score));
/// let value = world.resource_kind_value(score).unwrap();
/// assert_eq!(serde_json::to_string(&value).unwrap(), "3");
///
/// world.insert_resource_kind(score, serde_json::json!(4))?;
/// assert_eq!(world.resource::<Score>().0, 4);
/// assert_eq!(world.remove_resource_kind(score), Ok(true));
/// assert_eq!(world.resource_kinds(), [score]); // the world can be given one again
/// # Ok::<(), ecs::by_name::ResourceKindError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ResourceKind {
    number: u32,
    type_name: &'static str,
    saving: Option<ResourceSaving>,
}

impl ResourceKind {
    /// Returns the full name of the type.
    #[must_use]
    pub const fn type_name(self) -> &'static str {
        self.type_name
    }

    /// Returns the name of the type as declared, with its parameters.
    #[must_use]
    #[inline]
    pub fn name(self) -> &'static str {
        let base = self.type_name.find('<').unwrap_or(self.type_name.len());
        let start = self.type_name[..base].rfind("::").map_or(0, |at| at + 2);
        &self.type_name[start..]
    }

    /// Returns the name under which it is saved, if it is: `#[resource(save = "name")]`.
    #[must_use]
    #[inline]
    pub fn saved_name(self) -> Option<String> {
        self.saving.map(|saving| saving.name.to_string())
    }

    #[inline]
    fn check(self, world: &World) -> Result<(), ResourceKindError> {
        if world.resources.is_lent(self.number) {
            return Err(ResourceKindError::Lent(self.type_name));
        }
        Ok(())
    }
}

impl PartialEq for ResourceKind {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl Eq for ResourceKind {}

impl fmt::Debug for ResourceKind {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResourceKind({})", self.type_name)
    }
}

/// A resource whose type is not named, from [`World::resource_kind_value`]: it is written as the resource is saved.
pub struct ResourceValue<'w>(SavedResource<'w>);

impl Serialize for ResourceValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_shown(serializer, |look| self.0.show(look))
    }
}

impl fmt::Debug for ResourceValue<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResourceValue({:?})", self.0.saving)
    }
}

/// The error of an operation on a resource by its name or its [`ResourceKind`]. Types are named in full.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceKindError {
    /// The world lists no resource of this name.
    Unknown(String),
    /// Several resources have this name, as these two.
    Ambiguous(String, &'static str, &'static str),
    /// This resource does not say `#[resource(save = "name")]`, so no value of it is read.
    NotSaved(&'static str),
    /// This resource is lent by [`World::resource_scope`].
    Lent(&'static str),
    /// No value of this resource was read, for this reason.
    NotRead(&'static str, String),
}

impl fmt::Display for ResourceKindError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(
                f,
                "the world lists no resource `{name}`: insert it, or register it if it is saved"
            ),
            Self::Ambiguous(name, a, b) => {
                write!(f, "several resources are called `{name}`; name one in full: `{a}` `{b}`")
            }
            Self::NotSaved(name) => write!(
                f,
                "`{name}` is not saved, so no value of it is read: add `#[resource(save = \"name\")]` to it"
            ),
            Self::Lent(name) => {
                write!(f, "`{name}` is lent by `World::resource_scope`: edit it after that")
            }
            Self::NotRead(name, what) => write!(f, "no `{name}` was read: {what}"),
        }
    }
}

impl Error for ResourceKindError {}

/// # Resources by name
impl World {
    /// Returns the resources that a world has. Includes saved resources that it had before, or
    /// [registered](World::register). O(resources²).
    #[must_use]
    #[inline]
    pub fn resource_kinds(&self) -> Vec<ResourceKind> {
        let list = self.resources.list().into_iter();
        list.map(|it| ResourceKind {
            number: it.number,
            type_name: it.type_name,
            saving: it.saving,
        })
        .collect()
    }

    /// Returns the resource of this name: the one under which it is saved, the full name of its type, or the name as
    /// declared, if only one has that. O(resources²).
    ///
    /// # Errors
    /// Returns an error if the world lists no such resource, or several.
    #[inline]
    pub fn resource_kind(&self, name: &str) -> Result<ResourceKind, ResourceKindError> {
        let all = self.resource_kinds();
        let called = |kind: &&ResourceKind| {
            kind.type_name == name || kind.saving.is_some_and(|it| it.name.is(name))
        };
        if let Some(kind) = all.iter().find(called) {
            return Ok(*kind);
        }
        let mut declared = all.into_iter().filter(|kind| kind.name() == name);
        match (declared.next(), declared.next()) {
            (Some(kind), None) => Ok(kind),
            (None, _) => Err(ResourceKindError::Unknown(name.to_owned())),
            (Some(a), Some(b)) => {
                Err(ResourceKindError::Ambiguous(name.to_owned(), a.type_name, b.type_name))
            }
        }
    }

    /// Returns `true` if the world has such a resource. O(1).
    #[must_use]
    pub fn has_resource_kind(&self, kind: ResourceKind) -> bool {
        self.resources.is_here(kind.number)
    }

    /// Returns the world's resource of this kind, if there is one and it is saved. O(1).
    #[must_use]
    #[inline]
    pub fn resource_kind_value(&self, kind: ResourceKind) -> Option<ResourceValue<'_>> {
        self.resources.saved_by(kind.saving?).ok()?.map(ResourceValue)
    }

    /// Reads a resource from any format of serde, in its present version, and inserts it into the world. The default
    /// [`Limits`](crate::save::Limits) hold.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the resource is not saved, is lent by [`World::resource_scope`], or no
    /// such value can be read.
    pub fn insert_resource_kind<'de, D: Deserializer<'de>>(
        &mut self,
        kind: ResourceKind,
        deserializer: D,
    ) -> Result<(), ResourceKindError> {
        let saving = kind.saving.ok_or(ResourceKindError::NotSaved(kind.type_name))?;
        kind.check(self)?;
        let mut from = Erased::new(deserializer);
        let mut budget = Budget::new(Limits::default().memory);
        let read = saving.parse_latest(&mut from, &mut budget);
        let value =
            read.map_err(|error| ResourceKindError::NotRead(kind.type_name, error.to_string()))?;
        drop(self.resources.exchange_one(kind.number, Some(value)));
        Ok(())
    }

    /// Removes the world's resource of this kind and drops it. Returns `true` if there was one. O(1).
    ///
    /// # Errors
    /// Returns an error if it is lent by [`World::resource_scope`].
    #[inline]
    pub fn remove_resource_kind(&mut self, kind: ResourceKind) -> Result<bool, ResourceKindError> {
        kind.check(self)?;
        Ok(self.has_resource_kind(kind) && self.resources.exchange_one(kind.number, None).is_some())
    }
}
