//! The error of a component or resource that cannot be saved.

use crate::entity::Entity;
use alloc::string::{String, ToString};
use core::error::Error;
use core::fmt;

/// The error of a component or resource that could not be saved: its `Serialize` failed, or two have one name.
///
/// ```
/// # use ecs::{Component, World};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] #[component(save = "it")] struct A;
/// # #[derive(Component, Serialize, Deserialize)] #[component(save = "it")] struct B;
/// let mut world = World::new();
/// world.spawn((A, B));
/// let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "cannot save `it`: two components have this name");
/// assert_eq!((error.component(), error.entity()), ("it", None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveError {
    pub(crate) component: String,
    pub(crate) entity: Option<Entity>,
    pub(crate) what: String,
}

impl fmt::Display for SaveError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot save `{}`", self.component)?;
        if let Some(entity) = self.entity {
            write!(f, " of {entity}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl Error for SaveError {}

impl SaveError {
    /// Returns the name under which the component or resource is saved.
    #[must_use]
    pub fn component(&self) -> &str {
        &self.component
    }

    /// Returns the entity with the value that could not be written, if it is one of a component.
    #[must_use]
    pub const fn entity(&self) -> Option<Entity> {
        self.entity
    }

    /// Returns the error of a component or resource, or of its value of one entity.
    pub(crate) fn new(
        name: &(impl ToString + ?Sized),
        entity: Option<Entity>,
        error: &(impl ToString + ?Sized),
    ) -> Self {
        Self { component: name.to_string(), entity, what: error.to_string() }
    }

    /// Returns an error if two of these components, which are sorted by name, have one name.
    pub(crate) fn refuse_twice<T, N: Eq + ToString>(
        sorted: &[T],
        name: impl Fn(&T) -> N,
        what: &str,
    ) -> Result<(), Self> {
        match sorted.windows(2).find(|pair| name(&pair[0]) == name(&pair[1])) {
            None => Ok(()),
            Some(twice) => Err(Self::new(&name(&twice[0]), None, what)),
        }
    }
}

/// The error of two components under one name.
pub(crate) const ONE_NAME: &str = "two components have this name";
