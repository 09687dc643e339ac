//! Saving and copying: a world as bytes and back, rolled back, or brought into another.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use ecs::{Component, Entity, Name, World};
//! use ecs::save::Limits;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
//! #[component(save = "health", clone)]
//! struct Health(u32);
//! #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
//! #[component(save = "owner", clone)]
//! struct Owner(#[component(entities)] Entity);
//!
//! let mut world = World::new();
//! let old = world.spawn(Health(1)).id();
//! world.despawn(old).unwrap();
//! let hero = world.spawn((Health(10), Name::new("hero"))).id();
//! let sword = world.spawn(Owner(hero)).id();
//!
//! let mut bytes = Vec::new();
//! let left_out = world.save().to_bytes(&mut bytes).unwrap();
//! assert!(left_out.is_empty()); // nothing was left out on purpose
//!
//! // In another process: the same handles, and the same that come next.
//! let mut loaded = World::new();
//! loaded.register::<(Health, Owner, Name)>();
//! loaded.load(&bytes, &Limits::default()).unwrap();
//! assert_eq!(loaded.get::<Owner>(sword), Some(&Owner(hero)));
//! assert!(loaded.name(hero) == Some("hero") && !loaded.is_alive(old));
//! assert_eq!(loaded.spawn_empty().id(), world.spawn_empty().id());
//! # }
//! ```
//!
//! # What a component says
//!
//! Nothing is saved or copied that does not say so:
//!
//! * `#[component(clone)]`: its values may be copied, by `Clone`. A resource says `#[resource(clone)]`.
//! * `#[component(save = "target")]`: it is saved under this name, by serde. This takes the feature `serde` of the
//!   library. A name is for ever: the type may be renamed or moved, files go on being read.
//! * `version = 2, from(1 = TargetV1)`: what version 1 saved is read as a `TargetV1`, a type without further duties,
//!   of which the component is made by `From`. A version that is not named is refused. `from(1 = Self)` says that serde reads
//!   the old values as they are. `from(1 = BodyV1 as (Self, Health, Armour))` makes several components of one old value, by
//!   `From<BodyV1>` for the tuple; an entity that has one of the others already keeps its own.
//! * `#[component(entities)]` on a field: there are handles of entities in it, be it an `Entity` or a collection of
//!   such. They are replaced where the component comes under other handles. A field that says `Entity` and nothing
//!   else does not compile; `#[component(entities = ignore)]` says that its handles stay as they are.
//! * A generic type says what tells its instances apart: `save = "stock", instance = T::NAME`.
//! * `save = "position", bytes`: values are saved as the bytes that they have in memory. See [below](#plain-data).
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! # use ecs::{Component, World};
//! # use ecs::save::Limits;
//! # use serde::{Deserialize, Serialize};
//! # let bytes = {
//! #     #[derive(Component, Serialize, Deserialize)]
//! #     #[component(save = "health")]
//! #     struct Health(u8);
//! #     let mut world = World::new();
//! #     world.spawn(Health(7));
//! #     let mut bytes = Vec::new();
//! #     world.save().to_bytes(&mut bytes).unwrap();
//! #     bytes
//! # };
//! #[derive(Deserialize)]
//! struct HealthV1(u8);
//! #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
//! #[component(save = "health", version = 2, from(1 = HealthV1))]
//! struct Health { now: u32, most: u32 }
//!
//! impl From<HealthV1> for Health {
//!     fn from(HealthV1(now): HealthV1) -> Self {
//!         Self { now: now.into(), most: 100 }
//!     }
//! }
//!
//! let mut world = World::new();
//! world.register::<Health>();
//! world.load(&bytes, &Limits::default()).unwrap(); // saved by version 1
//! assert_eq!(world.pool::<Health>().as_slice(), [Health { now: 7, most: 100 }]);
//! # }
//! ```
//!
//! # Saving
//!
//! [`World::save`] takes all, or less: [`only`](crate::save::Save::only) some components, and
//! [`matching`](crate::save::Save::matching) some entities. A component that entities have and that is not saved is an error,
//! so that none is forgotten: [`leave_out`](crate::save::Save::leave_out) names those that are not meant to be saved, and
//! [`leave_out_rest`](crate::save::Save::leave_out_rest) allows all of them.
//!
//! The bytes are compact: numbers of seven bits a byte, values in the format of postcard. Equal worlds give equal
//! bytes, whichever component a process used first. A component's layout is not in them: one may be put in [columns](super::columns) later.
//!
//! Fields have no names in them. So a component that uses `skip_serializing_if`, `flatten`, `untagged` or `tag` of serde,
//! which take names to be read again, is saved in a format for people: a [`Save`](crate::save::Save) is written by any, such as
//! JSON or RON, and [`World::read_from`] reads it. As bytes such a component is refused when it is saved: a field that is
//! skipped and a list without a length at once, and the rest as the first 32 values of a component (and a resource of up
//! to 64 kB) are read again. What only a later value does, such as one variant in a thousand that has an untagged enum in
//! it, is found when it is loaded: so have a test save and load all kinds of values.
//!
//! Such formats have no word for some values, and write them as nothing: numbers that are not finite, and `Some` of what is
//! nothing itself, such as `Some(None)`. Those are errors when they are saved, which name the component and the entity.
//!
//! A `HashMap` and a `HashSet` write what they hold in an order of their own: equal worlds that have them give different bytes,
//! and deltas that are not empty. Take a `BTreeMap`, or sort them by `#[serde(serialize_with = "..")]`.
//!
//! Values are nested at most 128 levels deep, when they are saved and when they are loaded: a longer chain is kept side by
//! side in a list, where each names the next by its position. Options, lists, structs and variants are levels.
//!
//! # Loading
//!
//! A world finds the components of a file by their names among its own pools: [`World::register`] makes those that
//! are not there yet, and does not compile if two have one name. [`World::load`] gives exactly the world that was
//! saved: the same handles, those that are dead and those that come next, and the same order, by whichever way it is
//! walked. Groups are those that the loading world declared; they find their members in the saved order.
//! [`World::read`] gives the same as a world of its own.
//!
//! Beside its version each component has a *fingerprint* in the file: of the names, the types and the order of its fields and
//! of its variants, as the derive sees them, and of what `#[serde(..)]` says there. So a field that changed its type, or two
//! that changed places, are not read as other values: the component is refused, unless its version is raised. The derive does not
//! see what is in the type of a field: where that changes, raise the version of each component that has such a field.
//!
//! What a component requires comes with it, too: components that are not saved, and those that it did not require yet when it
//! was saved. One that it required before, and that an entity lost, stays away. Relations are not made so.
//!
//! Bytes may come from anywhere: [`Limits`](crate::save::Limits) says how much memory they may take, which is looked at
//! before anything is made. What is wrong with them is a [`LoadError`](crate::save::LoadError), which names the component,
//! the entity and the place; the world is then as it was. A file may be valid and still not what you want: check
//! values that your program relies on, such as an index into a list of its own, in a `Deserialize` of your own or by
//! `#[serde(try_from = "..")]`.
//!
//! Texts have limits as well. [`World::read_from`] takes the default ones, of a gibibyte; [`WorldSeed::new`] takes others,
//! as a seed of serde, which also reads a world that is a part of a larger document. The keys of a text come once each and
//! in the order in which they are written, and each index once: as an entity, free, or retired.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use ecs::{Name, World};
//! use ecs::save::{Limits, WorldSeed};
//! use serde::de::DeserializeSeed;
//!
//! let mut world = World::new();
//! world.register::<Name>();
//! let text = r#"{"entities":["0v1"],"free":[],
//!     "components":{"ecs::Name":{"version":1,"values":[["0v1","Bob"]]}}}"#;
//! let limits = Limits::default().memory(1 << 20);
//! let mut from = serde_json::Deserializer::from_str(text);
//! let (read, _) = WorldSeed::new(&world, &limits).deserialize(&mut from).unwrap();
//! assert!(Name::find(&read, "Bob").is_some());
//! # }
//! ```
//!
//! A name that the world does not know is an error, and so are values of a version that is later than the program's. On
//! request they are left out, by [`Limits::skip_unknown`](crate::save::Limits::skip_unknown), or kept and written back when the
//! world is saved, by [`Limits::keep_unknown`](crate::save::Limits::keep_unknown); [`Loaded::unknown`](crate::save::Loaded::unknown)
//! lists them.
//!
//! Hooks and observers of components are not called when a world is loaded. Observers of the event
//! [`Replaced`](crate::Replaced) are notified once, when all is there, and rebuild
//! [what is kept outside of the world](super::lifecycle#state-outside-of-the-world). Readers of [changes](super::changes)
//! find that all components were removed and inserted. The same holds for deltas and for `copy_from`.
//!
//! # Resources
//!
//! A resource says `#[resource(save = "score")]`, with the same keys: `version`, `from`, `instance`. It is then saved with
//! all components, though not with [`only`](crate::save::Save::only) some. What a file has takes the place of what the world
//! has; resources that a file lacks stay as they are, so that files from before a resource was thought of go on being
//! read. A world knows by their names the resources that it ever had, and those that are registered, as `Res<T>`.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use ecs::{Name, Res, Resource, World};
//! use ecs::save::Limits;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
//! #[resource(save = "score")]
//! struct Score(u32);
//!
//! let mut world = World::new();
//! world.insert_resource(Score(3));
//! let mut bytes = Vec::new();
//! world.save().to_bytes(&mut bytes).unwrap();
//!
//! let mut loaded = World::new();
//! loaded.register::<(Name, Res<Score>)>();
//! loaded.load(&bytes, &Limits::default()).unwrap();
//! assert_eq!(loaded.resource::<Score>(), &Score(3));
//! # }
//! ```
//!
//! # Plain data
//!
//! With the feature `bytes`, a component of numbers and arrays may be saved as the bytes that it has in memory, in one
//! copy of the whole column: `#[component(save = "position", bytes)]`. It is
//! [`bytemuck::Pod`](https://docs.rs/bytemuck/1/bytemuck/trait.Pod.html), by a derive of that crate, which refuses padding
//! and what not all bytes are a value of. It still says how serde writes it, for formats for people.
//!
//! The lowest byte of a number comes first. A machine that has it otherwise saves such components by serde, and refuses
//! files that have bytes. What was saved by serde is read after `bytes` was added; to leave `bytes` out again, or to change
//! the fields, is to give the component another name.
//!
//! ```
//! # #[cfg(feature = "bytes")] {
//! use bytemuck::{Pod, Zeroable};
//! use ecs::{Component, World};
//! use ecs::save::Limits;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Clone, Copy, Pod, Zeroable, Serialize, Deserialize, Debug, PartialEq)]
//! #[component(save = "position", bytes)]
//! #[repr(C)]
//! struct Position { x: f32, y: f32 }
//!
//! let mut world = World::new();
//! let hero = world.spawn(Position { x: 0.5, y: 1.5 }).id();
//! let mut bytes = Vec::new();
//! world.save().to_bytes(&mut bytes).unwrap();
//! let (read, _) = world.read(&bytes, &Limits::default()).unwrap();
//! assert_eq!(read.get::<Position>(hero), world.get::<Position>(hero));
//! # }
//! ```
//!
//! # Bringing one world into another
//!
//! [`World::merge`] takes all entities of another world under new handles, and returns which became which. So a
//! level is loaded into a world that has entities already: `read`, then `merge`. `clear` takes the old
//! level away before, without calls of `on_remove`; merged entities are notified as insertions. Handles in relations and in
//! marked fields become the new ones; those of the dead become [`Entity::PLACEHOLDER`]. Whose handles are not marked is
//! found when it is loaded: as many must be replaced as serde has read.
//!
//! # Deltas
//!
//! [`Delta::between`](crate::save::Delta::between) compares two worlds, and [`World::apply_delta`] makes of a copy of the one exactly
//! the other: so a server sends what changed since what a client has, or a game keeps a history. It needs no tracking,
//! and compares all; 1 in 100 values changed takes 1 in 100 of the bytes. Bytes are checked as those of saved worlds are.
//! It does not tell one base from another where both have the same handles and as many components: number what you
//! send, or send a hash along.
//!
//! # Change sets
//!
//! A server with many clients sends what happened instead: [`World::change_sets`] begins a reader of all components
//! that are tracked and saved, [`ChangeSets::drain`] returns what happened since it was last called, and
//! [`World::apply_change_set`] does the same to another world. It costs what changed, not what there is; and that world may
//! have entities and components of its own, as a [`Follower`] knows which of them stands for which one of the server.
//!
//! Sets have numbers. One that comes late or twice changes nothing ([`Applied::Late`]), and neither does one before which
//! another is missing ([`Applied::Missing`]): apply it again when that came, or let the server call
//! [`ChangeSets::restart`]. The next set is *full* then: it has everything, and may be applied after any other. Entities of
//! the server, their components and resources that it does not mention go; what is the client's own stays. The first set
//! of a new reader, `ChangeSets::default()`, is full, too: so a client joins by it, or connects again, after
//! [`Follower::restart`], with the entities that it has. A client that joins by a snapshot of the world goes on with a
//! reader from [`World::change_sets`].
//!
//! Of the components that are sent, an entity of the client has those that the server's entity has: one that the server
//! took away does not return with a component that requires it. Required components that are not sent, such as a picture,
//! are inserted when the component that requires them is new. Those that point to an entity, such as its children, have
//! the server's order. A handle in a component is that of the client's entity from the beginning: an entity that has
//! nothing to be sent yet is spawned without components when a handle of it is sent. A handle of a dead entity is dead
//! on the client, too. An entity of the snapshot that has no component to be sent stays on the client when it ends, unless
//! a value named it since, or a full set comes.
//!
//! Resources take part where the reader says so ([`ChangeSets::resource`]). [`ChangeSets::drain_visible`] sends only the
//! entities that a client may see, by a function of yours.
//!
//! A client may write to the entities of the server in advance. A value, a component that was inserted or removed, and a
//! parent stay until a set says otherwise. An entity that was despawned stays so, and is [skipped](crate::save::Follower::skipped) by
//! sets that change it, until the server despawns it, too, or a full set brings it back whole. A full set undoes all.
//!
//! Names of components are sent once, and neither a component nor a value has a length: a set of many values takes
//! hardly more than these and their handles.
//!
//! The crate `ecs_replication` beside this one has servers and clients that send change sets over any transport, with
//! acknowledgements and repetition, over UDP and over QUIC.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! # use ecs::{Component, World};
//! # use ecs::save::{Applied, Follower, Limits};
//! # use serde::{Deserialize, Serialize};
//! #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
//! #[component(save = "health", track)]
//! struct Health(u32);
//!
//! let mut server = World::new();
//! let hero = server.spawn(Health(3)).id();
//! let (mut sent, mut snapshot) = (server.change_sets(), Vec::new());
//! server.save().to_bytes(&mut snapshot).unwrap();
//!
//! let (mut client, limits) = (World::new(), Limits::default());
//! client.register::<Health>();
//! assert_eq!(client.save().schema_hash(), server.save().schema_hash()); // both know the same components
//! client.spawn_named("camera");
//! let (level, _) = client.read(&snapshot, &limits).unwrap();
//! let mut follower = Follower::from(client.merge(level));
//!
//! server.get_mut::<Health>(hero).unwrap().0 = 2;
//! let set = sent.drain(&mut server).unwrap();
//! let applied = client.apply_change_set(set.as_bytes(), &mut follower, &limits).unwrap();
//! assert_eq!(applied, Applied::Done);
//! assert_eq!(client.get::<Health>(follower.get(hero).unwrap()), Some(&Health(2)));
//! # }
//! ```
//!
//! [`ChangeSets::drain_among`] sends the entities of a list, such as those near a client: its cost grows with the list,
//! not with the world. An entity that is new in the list is sent whole; one that left it ends on the client.
//! [`ChangeSet::of`](crate::save::ChangeSet::of) is the set that moves some entities to another world, tracked or not,
//! with the handles that they hold of entities that stay. The crate `ecs_shards` connects the worlds of several threads,
//! processes or machines by both.
//!
//! # Copies
//!
//! [`World::try_clone`] copies a world, and [`World::copy_from`] copies into the memory that one has: keep a copy,
//! and roll back to it. Both refuse, and name, components that may not be copied;
//! one that copies are to be without says so, by `#[component(clone = skip)]`, or is left out by the caller, by
//! [`Copies`](crate::copies::Copies), which return the names of all that is left out. [`World::spawn_copies`] copies an
//! entity, [`World::spawn_copies_with`] also those that point to it, and [`World::spawn_copies_of`] a *prefab*: a
//! small world, of which each copy is independent afterwards.
//!
//! ```
//! # use ecs::{ChildOf, World};
//! let mut orc = World::new();
//! let body = orc.spawn_named("orc").id();
//! orc.spawn(ChildOf(body)).insert(ecs::Name::new("club"));
//!
//! let mut world = World::new();
//! let made = world.spawn_copies_of(&orc, 50).unwrap();
//! let saved = world.try_clone().unwrap();
//! world.despawn(made[0]).unwrap(); // and the club with the orc
//! assert_eq!(world.len(), 98);
//! world.copy_from(&saved).unwrap();
//! assert_eq!((world.len(), world.children(made[0]).len()), (100, 1));
//! ```
//!
//! The example `rollback` is a game of two players over a slow network, who guess, roll back up to 60 frames and play them
//! again; `cargo run --profile example -p ecs_examples --bin rollback` compares what both saw.
//!
//! # Tables
//!
//! For data frames and databases, the crate `ecs_tables` beside this one makes tables of what views and pools yield, a row
//! an entity and a column a field: of Arrow, as Parquet, as CSV. Columns come from the types of components, so that all
//! tables of one program agree. Tables become entities again, and a column that names rows of another table becomes a
//! relation: the example `flights` there makes a world of five public tables. The tracks of the aircraft that the example
//! `airspace` replays become a table by
//! `cargo run --release -p ecs_tables --example tracks -- --parquet tracks.parquet`; not by
//! `airspace` itself, as whoever tests the library would build Arrow and Parquet for it.
//!
//! The crate `ecs_sql` (the folder `sql`) answers SQL over a saved world. A query reads the components that it names, and passes
//! over the others.
//!
//! # Formats of your own
//!
//! With the feature, an [`Entity`] is text for people, `12v3`, and one number otherwise; without it, it prints as that
//! text and is parsed from it, and [`Entity::to_bits`] and [`Entity::from_bits`] are the number. So each pool can be
//! written as you like, and [`World::spawn_at`] makes an entity with a chosen handle: first all entities, then their
//! components.
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct Health(u32);
//! # let mut world = World::new();
//! # let hero = world.spawn(Health(3)).id();
//! let lines: Vec<String> =
//!     world.pool::<Health>().iter().map(|(entity, health)| format!("{entity} {}", health.0)).collect();
//!
//! let mut read = World::new();
//! for line in lines {
//!     let (entity, health) = line.split_once(' ').unwrap();
//!     read.spawn_at(entity.parse().unwrap()).unwrap().insert(Health(health.parse().unwrap()));
//! }
//! assert_eq!(read.get::<Health>(hero).unwrap().0, 3);
//! ```
//!
//! [`Entity`]: crate::Entity
//! [`Entity::PLACEHOLDER`]: crate::Entity::PLACEHOLDER
//! [`Entity::to_bits`]: crate::Entity::to_bits
//! [`Entity::from_bits`]: crate::Entity::from_bits
//! [`World::save`]: crate::World::save
//! [`World::register`]: crate::World::register
//! [`World::load`]: crate::World::load
//! [`World::read`]: crate::World::read
//! [`World::read_from`]: crate::World::read_from
//! [`WorldSeed::new`]: crate::save::WorldSeed::new
//! [`World::apply_delta`]: crate::World::apply_delta
//! [`World::apply_change_set`]: crate::World::apply_change_set
//! [`Applied::Late`]: crate::save::Applied::Late
//! [`Applied::Missing`]: crate::save::Applied::Missing
//! [`ChangeSets::drain`]: crate::save::ChangeSets::drain
//! [`ChangeSets::drain_among`]: crate::save::ChangeSets::drain_among
//! [`ChangeSets::drain_visible`]: crate::save::ChangeSets::drain_visible
//! [`ChangeSets::resource`]: crate::save::ChangeSets::resource
//! [`ChangeSets::restart`]: crate::save::ChangeSets::restart
//! [`Follower`]: crate::save::Follower
//! [`Follower::restart`]: crate::save::Follower::restart
//! [`World::change_sets`]: crate::World::change_sets
//! [`World::merge`]: crate::World::merge
//! [`World::try_clone`]: crate::World::try_clone
//! [`World::copy_from`]: crate::World::copy_from
//! [`World::spawn_copies`]: crate::World::spawn_copies
//! [`World::spawn_copies_with`]: crate::World::spawn_copies_with
//! [`World::spawn_copies_of`]: crate::World::spawn_copies_of
//! [`World::spawn_at`]: crate::World::spawn_at
