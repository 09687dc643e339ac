//! Saving: writing a world to a file, and reading it under the same handles.
//!
//! ```
//! use ecs::{Component, Entity, Ref, World};
//! use serde::de::DeserializeOwned;
//! use serde::{Deserialize, Serialize};
//! use std::error::Error;
//!
//! #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
//! struct Health(u32);
//! #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
//! struct Owner(#[serde(with = "handle")] Entity);
//!
//! /// A handle is written as text, such as `12v3`.
//! mod handle {
//!     use ecs::Entity;
//!     use serde::{Deserialize, Deserializer, Serializer, de::Error};
//!
//!     pub fn serialize<S: Serializer>(entity: &Entity, to: S) -> Result<S::Ok, S::Error> {
//!         to.collect_str(entity)
//!     }
//!     pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Entity, D::Error> {
//!         String::deserialize(from)?.parse().map_err(D::Error::custom)
//!     }
//! }
//!
//! /// One file a component: lines of an entity and its value.
//! fn save<T: Component>(world: &World) -> Result<String, Box<dyn Error>>
//! where
//!     for<'a> Ref<'a, T>: Serialize,
//! {
//!     let mut file = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
//!     for (entity, value) in world.pool::<T>() {
//!         file.serialize((entity.to_string(), value))?;
//!     }
//!     Ok(String::from_utf8(file.into_inner()?)?)
//! }
//!
//! fn load<T: Component + DeserializeOwned>(
//!     world: &mut World,
//!     text: &str,
//! ) -> Result<(), Box<dyn Error>> {
//!     let mut file = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
//!     for line in file.deserialize() {
//!         let (entity, value): (String, T) = line?;
//!         world.insert(entity.parse()?, value)?;
//!     }
//!     Ok(())
//! }
//!
//! let mut world = World::new();
//! let old = world.spawn(Health(1)).id();
//! world.despawn(old)?;
//! let hero = world.spawn(Health(10)).id();
//! let sword = world.spawn(Owner(hero)).id();
//!
//! // The entities first, as some may have no component at all; then a file a component.
//! let entities: Vec<String> = world.entities().map(|entity| entity.to_string()).collect();
//! let (healths, owners) = (save::<Health>(&world)?, save::<Owner>(&world)?);
//! assert_eq!((entities.join(" "), &*healths, &*owners), ("0v2 1v1".into(), "0v2,10\n", "1v1,0v2\n"));
//!
//! // A new world gets the same handles, so those in components are right as they are.
//! let mut loaded = World::new();
//! for entity in &entities {
//!     loaded.spawn_at(entity.parse()?)?;
//! }
//! load::<Health>(&mut loaded, &healths)?;
//! load::<Owner>(&mut loaded, &owners)?;
//! assert_eq!(loaded.get::<Owner>(sword), Some(&Owner(hero)));
//! assert_eq!(loaded.get::<Health>(hero), Some(&Health(10)));
//! assert!(!loaded.is_alive(old));
//! # Ok::<(), Box<dyn Error>>(())
//! ```
//!
//! # What a save consists of
//!
//! The library has no format of its own, and does not depend on serde. Components are your types: derive what
//! your format needs on them. As the world does not know these traits, a program names its types once, in a
//! function that calls `save` or `load` for each. [`World::pools`] lists the pools that there are by name, so a
//! test can find one that was forgotten.
//!
//! # Handles
//!
//! An [`Entity`] prints as `12v3`, index and generation, and is parsed from that. As a number it is
//! [`Entity::to_bits`] and [`Entity::from_bits`], 64 bits that are never zero. Any text or number from a file
//! is safe to parse: a handle that no world gave out is dead.
//!
//! # The same handles
//!
//! [`World::spawn_at`] makes an entity with a chosen handle, in any order. It is an error if the index is in
//! use, or if this handle or a later one of its index was despawned. So load into a new world: in one that was
//! filled and cleared, the handles that it gave out are dead.
//!
//! A save does not know the dead. The world that is loaded from it may give out a handle that was dead when it
//! was saved. So clear handles of the dead out of components before saving; [`World::is_alive`] tells which
//! these are.
//!
//! Room is made up to the greatest index, 24 bytes for each that is not used.
//!
//! # Other handles
//!
//! To load into a world that has entities, as with a prefab or the save of one level, let the entities get new
//! handles, and translate those in components:
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # use std::collections::HashMap;
//! # #[derive(Component, Debug, PartialEq)] struct Owner(Entity);
//! # let mut world = World::new();
//! # world.spawn_batch((0..5).map(|_| ecs::Name::new("was there")));
//! # let [hero, sword]: [Entity; 2] = ["0v2".parse().unwrap(), "1v1".parse().unwrap()];
//! # let (saved, owners) = ([hero, sword], [(sword, Owner(hero))]);
//! let new: HashMap<Entity, Entity> =
//!     saved.into_iter().map(|old| (old, world.spawn_empty().id())).collect();
//! for (entity, Owner(owner)) in owners {
//!     if let Some(&owner) = new.get(&owner) {
//!         world.insert(new[&entity], Owner(owner)).unwrap();
//!     }
//! }
//! assert_eq!(world.get::<Owner>(new[&sword]), Some(&Owner(new[&hero])));
//! ```
//!
//! # What else is not in a save
//!
//! * The order of views. Sort the pool, by [`PoolMut::sort_by_entity`] say, if a run must go on exactly as it
//!   was; do it in the world that is saved, too.
//! * [Groups](super::groups): declare them in the new world, best before it is filled.
//! * [`Name`]s: save them as text, by [`Name::as_str`].
//! * Components in [columns](super::columns): `to_owned` gives the component, to be written as any other.
//!
//! [`Entity`]: crate::Entity
//! [`Entity::to_bits`]: crate::Entity::to_bits
//! [`Entity::from_bits`]: crate::Entity::from_bits
//! [`World::spawn_at`]: crate::World::spawn_at
//! [`World::is_alive`]: crate::World::is_alive
//! [`World::pools`]: crate::World::pools
//! [`PoolMut::sort_by_entity`]: crate::PoolMut::sort_by_entity
//! [`Name`]: crate::Name
//! [`Name::as_str`]: crate::Name::as_str
