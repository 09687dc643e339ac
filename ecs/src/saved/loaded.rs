//! The outcome of reading saved bytes or texts: limits, unknown parts, and errors.

use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::reader::ReadError;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// The limits for loading untrusted bytes.
///
/// Two limits are fixed. Values nest at most 128 deep. Elements of lists that take no bytes, such as in a `Vec<()>`, are at most
/// 2^20 in a file. One more is allowed for each other element, and four for each value of a component.
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
    pub(crate) memory: usize,
    pub(crate) unknown: Policy,
}

/// The treatment of components and resources that a world has not registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Refuse,
    Skip,
    Keep,
}

impl Limits {
    /// Limits memory to this many bytes, by default 2^30. All allocations of the reading are counted before they are
    /// made; for the memory that values own, these are the elements, texts and boxes that are read. Lists count with
    /// the capacity to which they grow, so a file may be refused that takes a third of the limit.
    ///
    /// Not counted are boxes of up to eight bytes, further allocations of your own `Deserialize` or `From`, and pools
    /// of the world that grow.
    #[must_use]
    pub const fn memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Leaves out components and resources that the world has not registered, and values of later versions than the
    /// program has. [`Loaded::unknown`] lists them. Without this, or [`keep_unknown`](Self::keep_unknown), they are
    /// errors, so that nothing is lost unnoticed.
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

    /// Keeps components and resources that the world has not registered, and later versions. Each
    /// [save](crate::World::save) of the whole world writes them back unchanged. So a program that lacks some
    /// components edits files that have them. Values of entities that die are kept, too, and left out by a program that
    /// has registered the component.
    ///
    /// A program may insert values of its own of a component or resource that it keeps in another version, or that it
    /// registered after loading. A save has both, each with its version, and a program that knows them loads both: where
    /// an entity is in both, the value of the program that saved counts. If that is removed, the kept value is there again.
    ///
    /// Kept parts cannot be separated. So a save of some entities, or in a format for people, is an error unless it
    /// [leaves them out](crate::save::Save::leave_out_rest). A world that is [merged](crate::World::merge) loses its
    /// kept parts, as their handles would mean other entities.
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
    /// let mut editor = World::new(); // without `register::<Mood>()`
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

/// The unknown parts of a file: the ones that the loaded world has not registered.
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
/// let loaded = World::new().load(&bytes, &Limits::default().skip_unknown()).unwrap(); // without `register::<Mood>()`
/// let unknown = &loaded.unknown()[0];
/// assert_eq!((unknown.name(), unknown.version(), unknown.len()), ("mood", 1, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    pub(crate) unknown: Vec<Unknown>,
    pub(crate) other_resources: Vec<&'static str>,
}

impl Loaded {
    /// Returns the unknown components, by name or by a later version, and then such resources. They were left out, or
    /// are kept.
    #[must_use]
    pub fn unknown(&self) -> &[Unknown] {
        &self.unknown
    }

    /// Returns the names of the resources of the loading world that the file does not have: they stayed as they were.
    /// Resources that say `#[resource(save = skip)]` are not listed. Empty for a world that is read.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # use ecs::save::Limits;
    /// # #[derive(Resource)] struct Window;
    /// let mut bytes = Vec::new();
    /// World::new().save().to_bytes(&mut bytes).unwrap();
    /// let mut world = World::new();
    /// world.insert_resource(Window);
    /// assert_eq!(world.load(&bytes, &Limits::default()).unwrap().other_resources(), ["Window"]);
    /// ```
    #[must_use]
    pub fn other_resources(&self) -> &[&'static str] {
        &self.other_resources
    }

    /// Adds a part that is left out, and pays for it.
    pub(crate) fn add_unknown(
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

/// A saved component or resource that the loading world has not registered.
///
/// See [`Loaded`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    pub(crate) name: String,
    pub(crate) version: u32,
    /// The number of members; `None` for a resource.
    pub(crate) len: Option<usize>,
    pub(crate) bytes: Vec<u8>,
}

impl Unknown {
    /// Returns the name in the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Returns the version in the file; 0 for an unknown name in a format for people, where the content is not read.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }
    /// Returns the number of entities that have the component; 0 for a resource.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is a count")]
    pub fn len(&self) -> usize {
        self.len.unwrap_or(0)
    }
    /// Returns `true` if the part is a resource.
    #[must_use]
    pub const fn is_resource(&self) -> bool {
        self.len.is_none()
    }
    /// Returns all bytes of the part in the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The error of bytes that could not be loaded: the reason, the byte, the component and the entity.
///
/// ```
/// # use ecs::World;
/// # use ecs::save::Limits;
/// let error = World::new().load(b"PNG", &Limits::default()).unwrap_err();
/// assert_eq!(error.to_string(), "cannot load a world, at byte 0: these are not the bytes of a saved world");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    pub(crate) component: Option<String>,
    pub(crate) entity: Option<Entity>,
    pub(crate) at: usize,
    pub(crate) what: String,
}

impl LoadError {
    /// Returns the saved name of the component or resource that the error is about, if any.
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }
    /// Returns the entity whose component the error is about, if any.
    #[must_use]
    pub const fn entity(&self) -> Option<Entity> {
        self.entity
    }
    /// Returns the position of the error, in bytes.
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
