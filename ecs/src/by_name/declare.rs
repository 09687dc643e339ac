//! Declarations at start-up for components of other crates.

use crate::component::AnyComponent;
use crate::component::data::Loose;
use crate::component::data::{Copying, DebugStorage, Debugging};
#[cfg(feature = "serde")]
use crate::component::data::{OldSave, SaveStorage, Saved, Saving, SavingName};
use crate::component::handles;
use crate::component::slot;
#[cfg(feature = "serde")]
use crate::format::header::Schema;
#[cfg(feature = "serde")]
use crate::format::shape::fingerprint_of;
#[cfg(feature = "serde")]
use crate::pool::WorldPool;
use crate::pool::kind::{About, Declared, Kind, declared, loose_of};
use crate::storage::copies::CopyStorage;
use crate::world::World;
use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;
use core::marker::PhantomData;
#[cfg(feature = "serde")]
use serde::de::DeserializeOwned;

/// A declaration, made at start-up, of operations that a component of another crate allows, and its derive does not
/// declare.
///
/// Each method stands for a key of `#[component(..)]` and needs the same traits. It has the key's effects wherever the
/// type is not named: in copies, prefabs, files, deltas, change sets and values by name.
///
/// Declarations are of the process, like derives: [`World::declare`] makes one for all worlds, which may be on
/// other threads. Another process that loads a file makes them, too. Several worlds may make one declaration, as a
/// plugin does that is installed in each.
///
/// ```
/// # mod physics {
/// #     #[derive(ecs::Component, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
/// #     pub struct Velocity(pub f32, pub f32);
/// # }
/// use ecs::World;
/// use ecs::by_name::Declaration;
/// use physics::Velocity; // of another crate: `#[derive(Component, Clone, Debug, Serialize, Deserialize)]`
///
/// let mut world = World::new();
/// let kind = world.declare(Declaration::<Velocity>::new().clone().debug().save("velocity", 1));
/// assert!(kind.is_copied() && kind.is_shown() && kind.saved_as() == Some(("velocity", 1)));
///
/// let ball = world.spawn(Velocity(1.0, 2.0)).id();
/// let copy = world.try_clone().unwrap();
/// assert_eq!(copy.get::<Velocity>(ball), Some(&Velocity(1.0, 2.0)));
/// assert_eq!(format!("{:?}", world.kind_value(kind, ball).unwrap()), "Velocity(1.0, 2.0)");
/// assert_eq!(serde_json::to_string(&world.save()).unwrap().matches("velocity").count(), 1);
/// ```
#[must_use = "nothing is declared before `declare`"]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the attribute")]
pub struct Declaration<T: AnyComponent> {
    of: PhantomData<fn() -> T>,
    copying: Option<Copying>,
    skips_copies: bool,
    skips_saves: bool,
    ignores_entities: bool,
    debugging: Option<Debugging>,
    default: Option<fn(Kind) -> Box<Loose>>,
    is_tracked: bool,
    #[cfg(feature = "serde")]
    saving: Option<Saving>,
    #[cfg(feature = "serde")]
    saved_before: Vec<OldSave>,
}

impl<T: AnyComponent> Declaration<T> {
    /// Returns a declaration of nothing.
    pub const fn new() -> Self {
        Self {
            of: PhantomData,
            copying: None,
            skips_copies: false,
            skips_saves: false,
            ignores_entities: false,
            debugging: None,
            default: None,
            is_tracked: false,
            #[cfg(feature = "serde")]
            saving: None,
            #[cfg(feature = "serde")]
            saved_before: Vec::new(),
        }
    }

    /// Declares that values are copied by `Clone`, like `#[component(clone)]`.
    ///
    /// # Panics
    /// Panics if the derive declares it, or [`skip_copies`](Self::skip_copies) was called.
    #[track_caller]
    pub fn clone(mut self) -> Self
    where
        T::Storage: CopyStorage<T>,
    {
        refuse::<T>(T::COPYING.is_some(), "clone");
        self.copying = Some(Copying::by_clone::<T>());
        self.check_copies()
    }

    /// Declares that copies are without the component, like `#[component(clone = skip)]`.
    ///
    /// ```
    /// # mod physics { #[derive(ecs::Component)] pub struct Body(pub u32); }
    /// use ecs::World;
    /// use ecs::by_name::Declaration;
    /// use physics::Body; // of another crate: a number that a physics engine gave, which a copy must not have
    ///
    /// let mut world = World::new();
    /// world.declare(Declaration::<Body>::new().skip_copies());
    /// let ball = world.spawn(Body(7)).id();
    /// let copy = world.try_clone().unwrap();
    /// assert!(copy.is_alive(ball) && !copy.has::<Body>(ball));
    /// ```
    ///
    /// # Panics
    /// Panics if the derive declares how the component is copied, or [`clone`](Self::clone) was called.
    #[track_caller]
    pub fn skip_copies(mut self) -> Self {
        refuse::<T>(T::COPYING.is_some(), "clone");
        refuse::<T>(T::SKIPS_COPIES, "clone = skip");
        self.skips_copies = true;
        self.check_copies()
    }

    #[track_caller]
    fn check_copies(self) -> Self {
        assert!(
            !(self.skips_copies && self.copying.is_some()),
            "`{}` is declared to be copied and to be left out of copies: declare one of both",
            T::NAME
        );
        refuse::<T>(self.copying.is_some() && T::SKIPS_COPIES, "clone = skip");
        self
    }

    /// Declares that saved entities are without the component, like `#[component(save = skip)]`.
    ///
    /// ```
    /// # mod physics { #[derive(ecs::Component)] pub struct Body(pub u32); }
    /// use ecs::World;
    /// use ecs::by_name::Declaration;
    /// use physics::Body; // of another crate
    ///
    /// let mut world = World::new();
    /// world.declare(Declaration::<Body>::new().skip_saves());
    /// world.spawn(Body(7));
    /// assert_eq!(world.save().to_bytes(&mut Vec::new()).unwrap(), ["Body"]); // is left out
    /// ```
    ///
    /// # Panics
    /// Panics if the derive declares how the component is saved, or [`save`](Self::save) was called.
    #[cfg(feature = "serde")]
    #[track_caller]
    pub fn skip_saves(mut self) -> Self {
        refuse::<T>(T::SAVING.is_some(), "save");
        refuse::<T>(T::SKIPS_SAVES, "save = skip");
        self.skips_saves = true;
        self.check_saves()
    }

    #[cfg(feature = "serde")]
    #[track_caller]
    fn check_saves(self) -> Self {
        assert!(
            !(self.skips_saves && self.saving.is_some()),
            "`{}` is declared to be saved and to be left out of saves: declare one of both",
            T::NAME
        );
        self
    }

    /// Declares that handles of entities stay as they are where nothing replaces them, like
    /// `#[component(entities = ignore)]` on the fields that may hold them.
    ///
    /// ```
    /// # mod physics {
    /// #     #[derive(ecs::Component, Clone)]
    /// #     pub struct Joint(pub std::sync::Arc<dyn Fn() -> f32 + Send + Sync>);
    /// # }
    /// use ecs::World;
    /// use ecs::by_name::Declaration;
    /// use physics::Joint; // of another crate: a closure, which might capture a handle
    ///
    /// let (mut level, mut world) = (World::new(), World::new());
    /// level.spawn(Joint(std::sync::Arc::new(|| 0.5)));
    /// assert!(world.merge(&mut level).is_err());
    /// world.declare(Declaration::<Joint>::new().ignore_entities());
    /// assert!(world.merge(&mut level).is_ok());
    /// ```
    pub const fn ignore_entities(mut self) -> Self {
        self.ignores_entities = true;
        self
    }

    /// Declares that values are shown by `Debug`, like `#[component(debug)]`.
    ///
    /// # Panics
    /// Panics if the derive declares it.
    #[track_caller]
    pub fn debug(mut self) -> Self
    where
        T::Storage: DebugStorage<T>,
    {
        refuse::<T>(T::DEBUGGING.is_some(), "debug");
        self.debugging = Some(Debugging::by_debug::<T>());
        self
    }

    /// Declares that tools insert the `Default` of the component, like `#[component(default)]`.
    ///
    /// # Panics
    /// Panics if the derive declares it.
    #[track_caller]
    pub fn default(mut self) -> Self
    where
        T: Default,
    {
        refuse::<T>(T::DEFAULT.is_some(), "default");
        self.default = Some(|_| loose_of(T::default()));
        self
    }

    /// Declares that values are saved under this name, in this version, like
    /// `#[component(save = "name", version = 1)]`. Instances of a generic type need names that differ.
    ///
    /// The [fingerprint](crate::guide::saving) hashes the requests of the type when it is deserialized. These are the
    /// names and types of its fields, and of the first variant of an enum within it, and the names of all variants.
    /// An empty value is deserialized for that, and dropped.
    ///
    /// ```
    /// # mod physics {
    /// #     #[derive(ecs::Component, serde::Serialize, serde::Deserialize)]
    /// #     pub struct Mass(pub f32);
    /// # }
    /// use ecs::World;
    /// use ecs::by_name::Declaration;
    /// use ecs::save::Limits;
    /// use physics::Mass; // of another crate: `#[derive(Component, Serialize, Deserialize)]`
    ///
    /// let mut world = World::new();
    /// world.declare(Declaration::<Mass>::new().save("mass", 1));
    /// let stone = world.spawn(Mass(2.5)).id();
    /// let mut bytes = Vec::new();
    /// world.save().to_bytes(&mut bytes).unwrap();
    /// let (world, _) = world.read(&bytes, &Limits::default()).unwrap();
    /// assert_eq!(world.get::<Mass>(stone).unwrap().0, 2.5);
    /// ```
    ///
    /// # Panics
    /// Panics if the derive declares it, the name is empty, or the version is 0.
    #[cfg(feature = "serde")]
    #[track_caller]
    pub fn save(mut self, name: &'static str, version: u32) -> Self
    where
        T: Saved,
        T::Storage: SaveStorage<T>,
    {
        refuse::<T>(T::SAVING.is_some(), "save");
        assert!(!name.is_empty(), "`{}` needs a name to be saved under, and it is empty", T::NAME);
        assert!(version > 0, "version 0 of `{}` does not exist: versions begin with 1", T::NAME);
        refuse::<T>(T::SKIPS_SAVES, "save = skip");
        let schema = Schema { version, fingerprint: fingerprint_of::<T>() };
        self.saving = Some(Saving::written::<T>(SavingName { base: name, instance: "" }, schema));
        self.check_saves()
    }

    /// Declares that values are saved like by [`save`](Self::save), as the bytes that they have in memory, like
    /// `#[component(save = "name", version = 1, bytes)]`.
    ///
    /// # Panics
    /// Panics where [`save`](Self::save) does.
    #[cfg(feature = "bytes")]
    #[track_caller]
    pub fn save_bytes(self, name: &'static str, version: u32) -> Self
    where
        T: Saved + crate::component::data::Plain,
        T::Storage: crate::component::data::BytesStorage<T>,
    {
        let mut declaration = self.save(name, version);
        declaration.saving = declaration.saving.map(Saving::with_bytes::<T>);
        declaration
    }

    /// Declares the type that values of an earlier version had, like `#[component(save = "name", from(1 = Old))]`.
    ///
    /// # Panics
    /// Panics if the component is not declared to be saved in a later version before, or the version is named twice.
    #[cfg(feature = "serde")]
    #[track_caller]
    pub fn from_version<Old: DeserializeOwned>(mut self, version: u32) -> Self
    where
        T: From<Old>,
    {
        let own = self.saving.as_ref().map_or(0, |saving| saving.schema.version);
        assert!(
            version < own,
            "version {version} of `{}` is not before its own, which is {own}: name earlier ones, after `save`",
            T::NAME
        );
        let is_named = self.saved_before.iter().any(|old| old.version == version);
        assert!(!is_named, "version {version} of `{}` is named twice: name it once", T::NAME);
        self.saved_before.push(OldSave::by_serde::<T, Old>(version));
        self
    }

    /// Declares that changes are tracked, like `#[component(track)]`, for readers that do not name the type:
    /// [`ChangeSets`](crate::save::ChangeSets) and [`KindChanges`](crate::by_name::KindChanges). Code that names it,
    /// like [`World::changes`] and [`Mut`](crate::Mut), needs the derive.
    ///
    /// Insertions and removals are marked like by the derive. A value counts as changed if it is saved as other bytes than
    /// when changes were read last: so one that was lent, and is as before, is not. Nothing is marked when values are
    /// written; instead, each reading writes and compares all values of the component, and keeps their bytes for the
    /// next one. O(values) for each [`drain`](crate::save::ChangeSets::drain) and
    /// [`World::advance_kind`].
    ///
    /// ```
    /// # mod physics {
    /// #     #[derive(ecs::Component, serde::Serialize, serde::Deserialize)]
    /// #     pub struct Heat(pub f32);
    /// # }
    /// use ecs::World;
    /// use ecs::by_name::Declaration;
    /// use physics::Heat; // of another crate: `#[derive(Component, Serialize, Deserialize)]`
    ///
    /// let mut world = World::new();
    /// world.declare(Declaration::<Heat>::new().save("heat", 1).track());
    /// let mut sent = world.change_sets();
    /// let [stone, _] = [20.0, 30.0].map(|heat| world.spawn(Heat(heat)).id());
    /// assert!(!sent.drain(&mut world).unwrap().is_empty());
    ///
    /// world.get_mut::<Heat>(stone).unwrap().0 = 25.0;
    /// assert!(!sent.drain(&mut world).unwrap().is_empty());
    /// assert!(sent.drain(&mut world).unwrap().is_empty());
    /// ```
    ///
    /// # Panics
    /// Panics if the derive declares it. [`World::declare`] panics if the component is not saved.
    #[cfg(feature = "serde")]
    #[track_caller]
    pub fn track(mut self) -> Self {
        refuse::<T>(T::TRACKED, "track");
        self.is_tracked = true;
        self
    }

    /// Makes the declaration, and a pool in this world.
    #[track_caller]
    fn declare_in(self, world: &mut World) -> Kind {
        #[cfg(feature = "serde")]
        {
            self.check_name(world);
            assert!(
                !self.is_tracked || T::SAVING.is_some() || self.saving.is_some(),
                "`{}` is declared to be tracked, which compares its saved bytes, and it is not saved: declare `save`",
                T::NAME
            );
        }
        if self.leaves() && !self.ignores_entities {
            handles::check_all(T::HANDLE_FIELDS, T::NAME, "`ignore_entities`");
        }
        let keys = self.keys();
        let id = TypeId::of::<T>();
        let declared = declared(id).or_else(|| {
            assert!(
                world.pools.get::<T>().is_none(),
                "`{}` is in use in this world: declare it before its first use there",
                T::NAME
            );
            slot::declare(id, Box::new(self.declared(keys.clone())));
            declared(id) // of another thread, perhaps
        });
        if let Some(declared) = declared {
            check_equal(T::NAME, declared, &keys);
        }
        world.create_pool::<T>();
        Kind::of::<T>()
    }

    /// Returns `true` if values may be copied into another world, or saved.
    fn leaves(&self) -> bool {
        #[cfg(feature = "serde")]
        if self.saving.is_some() {
            return true;
        }
        self.copying.is_some()
    }

    #[cfg(feature = "serde")]
    fn saved_as(&self) -> Option<(SavingName, Schema)> {
        self.saving.as_ref().map(|saving| (saving.name, saving.schema))
    }

    /// Refuses a name that another component of the world has.
    #[cfg(feature = "serde")]
    #[track_caller]
    fn check_name(&self, world: &World) {
        if let Some((name, _)) = self.saved_as() {
            let has_it = |pool: &&dyn WorldPool| {
                let kind = pool.kind();
                kind.saving().is_some_and(|(it, _)| it == name) && kind.id() != T::ID
            };
            if let Some(other) = world.pools.iter().find(has_it) {
                panic!(
                    "`{}` and `{}` are both saved as \"{name}\": give each a name of its own",
                    other.name(),
                    T::NAME
                );
            }
        }
    }

    /// Returns the declaration as keys of the attribute.
    fn keys(&self) -> String {
        let declared = [
            (self.copying.is_some(), "clone"),
            (self.skips_copies, "clone = skip"),
            (self.skips_saves, "save = skip"),
            (self.ignores_entities, "entities = ignore"),
            (self.debugging.is_some(), "debug"),
            (self.default.is_some(), "default"),
            (self.is_tracked, "track"),
        ];
        let declared = declared.into_iter().filter(|(is_declared, _)| *is_declared);
        let keys = declared.map(|(_, key)| String::from(key));
        #[cfg(feature = "serde")]
        let keys = keys.chain(self.saved_keys());
        keys.collect::<Vec<_>>().join(", ")
    }

    #[cfg(feature = "serde")]
    fn saved_keys(&self) -> Vec<String> {
        let Some(saving) = &self.saving else { return Vec::new() };
        let Schema { version, .. } = saving.schema;
        let mut keys = Vec::from([format!("save = \"{}\", version = {version}", saving.name)]);
        keys.extend(saving.bytes.is_some().then(|| "bytes".into()));
        keys.extend(self.saved_before.iter().map(|old| format!("from({} = ..)", old.version)));
        keys
    }

    fn declared(self, keys: String) -> Declared {
        let mut about = *About::of::<T>();
        let operations = &mut about.operations;
        operations.default = operations.default.or(self.default);
        operations.look_at = operations.look_at.or(self.debugging.map(|debugging| debugging.0));
        operations.copied = operations.copied.or(self.copying);
        #[cfg(feature = "serde")]
        if let Some(saving) = self.saving {
            let before = self.saved_before.leak(); // declarations last
            operations.saved = Some(Box::leak(Box::new(Saving { before, ..saving })));
            about.saved_as = Some((saving.name, saving.schema));
        }
        about.skips_copies |= self.skips_copies;
        about.skips_saves |= self.skips_saves;
        about.ignores_entities = self.ignores_entities;
        about.is_tracked |= self.is_tracked;
        #[cfg(feature = "serde")]
        {
            about.is_compared = self.is_tracked;
        }
        Declared { keys, about }
    }
}

impl<T: AnyComponent> Default for Declaration<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: AnyComponent> fmt::Debug for Declaration<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Declaration<{}>({})", T::NAME, self.keys())
    }
}

/// Refuses keys that the derive declares.
#[track_caller]
fn refuse<T: AnyComponent>(is_derived: bool, key: &str) {
    assert!(!is_derived, "`{}` declares `{key}` by its derive: leave it out here", T::NAME);
}

/// Refuses to declare other keys than before.
#[track_caller]
#[inline]
fn check_equal(name: &str, declared: &Declared, keys: &str) {
    assert!(
        declared.keys == keys,
        "`{name}` was declared as `{}` before, and is as `{keys}` here: make one declaration of it",
        declared.keys
    );
}

/// # Declarations
impl World {
    /// Makes a declaration, for the process, and a pool of the component in this world, in which it is found by its
    /// names. Returns its kind. A declaration that was made before may be made again.
    ///
    /// # Panics
    /// Panics in these cases:
    ///
    /// * a different declaration was made for the component before, or this world has a pool of it already;
    /// * another component of this world has the name under which it is saved;
    /// * it is declared to be tracked, and is not saved;
    /// * it is declared to be copied or saved, and one of its fields may hold handles that nothing replaces.
    #[track_caller]
    pub fn declare<T: AnyComponent>(&mut self, declaration: Declaration<T>) -> Kind {
        declaration.declare_in(self)
    }
}
