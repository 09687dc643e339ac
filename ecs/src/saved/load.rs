//! Loading a world from untrusted bytes.

use crate::copy::replaced::Replaced;
use crate::format::header::Schema;
use crate::format::reader::{ReadError, wrong};
use crate::order::PoolOrder;
use crate::pool::WorldPool;
use crate::saved::list::SavedList;
use crate::saved::load_bytes;
use crate::saved::loaded::{Limits, LoadError, Loaded};
use crate::saved::resource::ResourceSaving;
use crate::world::World;
use alloc::string::ToString;

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// # Loading
impl World {
    /// Creates the pools of some components: one, or a tuple, which may have tuples in it. A file is loaded into the
    /// pools that the world has, so name here all components that it may have. Resources are named as `Res<T>`; the
    /// world need not have them yet. O(components).
    ///
    /// It does not compile if one of them is not saved, or two have one name.
    ///
    /// ```
    /// # use ecs::{ChildOf, Component, Name, World};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] #[component(save = "health")] struct Health(u32);
    /// # #[derive(Component, Serialize, Deserialize)] #[component(save = "armour")] struct Armour(u32);
    /// let mut world = World::new();
    /// world.register::<(Name, ChildOf, (Health, Armour))>();
    /// assert_eq!(world.kinds().count(), 4);
    /// ```
    pub fn register<L: SavedList>(&mut self) {
        const { L::NAMES.check() };
        L::create(&mut self.pools, &mut self.resources);
    }

    /// Replaces the content of this world by a saved world. Entity ids, free list, components, relations, groups and
    /// all iteration orders are restored. Components are found by their names among the pools of this world, see
    /// [`register`](Self::register); groups are the ones that this world has declared. O(indices and components).
    ///
    /// Saved resources replace the ones of this world. Others stay, and [`Loaded::other_resources`] names them, except
    /// the ones that say `#[resource(save = skip)]`. Observers, collectors and readers of changes stay. Hooks and
    /// observers of components are not called. Observers of [`Replaced`] are notified once, when all is loaded and the
    /// old content is dropped. Readers of changes find that all components were removed and inserted; collectors forget
    /// their lists.
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid, take more than the limits allow, or have a resource that
    /// [`resource_scope`](Self::resource_scope) lends; this world is unchanged then.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer.
    ///
    /// See [`save`](Self::save) for an example.
    pub fn load(&mut self, bytes: &[u8], limits: &Limits) -> Result<Loaded, LoadError> {
        self.refuse_while_notifying("loaded");
        let (mut new, mut loaded) = self.read(bytes, limits)?;
        if let Some(name) = self.resources.lent_in(&new.resources) {
            let what = "it is lent by `World::resource_scope`: load after that".into();
            let component = Some(name.to_string());
            return Err(LoadError { component, entity: None, at: bytes.len(), what });
        }
        loaded.other_resources = self.resources.missing_in(&new.resources);
        for &number in new.pools.made() {
            self.pools.create_like(number, new.pools.at(number)); // required components may be new
        }
        self.pools.track_all_ends();
        self.pools.exchange_members(&mut new.pools);
        core::mem::swap(&mut self.entities, &mut new.entities);
        core::mem::swap(&mut self.groups, &mut new.groups);
        core::mem::swap(&mut self.order, &mut new.order);
        self.resources.exchange(&mut new.resources);
        self.unknown = new.unknown.take();
        self.pools.track_all_new();
        drop(new); // the old content: its values may give back things that observers take again
        self.announce(Replaced::Loaded);
        Ok(loaded)
    }

    /// Returns a saved world, and leaves this one unchanged. The returned world has the pools and groups of this one,
    /// and the saved resources. [`merge`](Self::merge) adds its entities to a world that has entities already.
    ///
    /// # Errors
    /// Returns the errors of [`load`](Self::load).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::Limits;
    /// # let mut level = World::new();
    /// # level.spawn_named("Alice");
    /// # let mut bytes = Vec::new();
    /// # level.save().to_bytes(&mut bytes).unwrap();
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let (mut level, _) = world.read(&bytes, &Limits::default()).unwrap();
    /// world.merge(&mut level).unwrap();
    /// assert!(world.entity_named("Alice").is_some() && world.entity_named("Bob").is_some());
    /// ```
    pub fn read(&self, bytes: &[u8], limits: &Limits) -> Result<(Self, Loaded), LoadError> {
        load_bytes::read(self, bytes, limits)
    }
}

impl World {
    /// Returns a world with equal pools and groups, without entities.
    pub(super) fn empty_like(&self) -> Self {
        let mut new = Self::new();
        for &number in self.pools.made() {
            new.pools.create_like(number, self.pools.at(number));
        }
        new.groups = self.groups.clone();
        new.groups.clear();
        new.order = PoolOrder::empty_like(&self.order);
        new.pools.watch.set_grouped(*new.groups.watched());
        new.resources.register_all(&self.resources);
        new
    }

    /// Returns the number and the schema of the component that is saved under this name, if the world has its pool.
    pub(super) fn saved_under(&self, name: &str) -> Result<Option<(u32, Schema)>> {
        let saved = |(number, pool): (u32, &dyn WorldPool)| {
            let (it, schema) = pool.kind().saving()?;
            it.is(name).then_some((number, schema))
        };
        let mut known = self.pools.numbered().filter_map(saved);
        match (known.next(), known.next()) {
            (_, Some(_)) => wrong("two components of the world have this name"),
            (known, None) => Ok(known),
        }
    }

    /// Returns the number of the component with this saved name, or an error if its values cannot be read from this
    /// schema.
    pub(super) fn known_component(&self, name: &str, schema: Schema) -> Result<u32> {
        match self.saved_under(name)? {
            Some((number, own)) if schema.is_read_by(own)? => Ok(number),
            found => Err(schema.unknown(found.map(|(_, own)| own), "")),
        }
    }

    /// Returns the saving of the resource with this saved name, or an error if its values cannot be read from this
    /// schema.
    pub(super) fn known_resource(&self, name: &str, schema: Schema) -> Result<ResourceSaving> {
        match self.resources.saved_under(name)? {
            Some(saving) if schema.is_read_by(saving.schema())? => Ok(saving),
            saving => Err(schema.unknown(saving.map(|it| it.schema()), "")),
        }
    }
}
