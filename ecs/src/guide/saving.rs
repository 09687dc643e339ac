//! Saving and copying: a world as bytes and back, rolled back, or merged into another.
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
//! struct Owner(Entity);
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
//! // In another process: equal handles, and equal free handles.
//! let mut loaded = World::new();
//! loaded.register::<(Health, Owner, Name)>();
//! loaded.load(&bytes, &Limits::default()).unwrap();
//! assert_eq!(loaded.get::<Owner>(sword), Some(&Owner(hero)));
//! assert!(loaded.name(hero) == Some("hero") && !loaded.is_alive(old));
//! assert_eq!(loaded.spawn_empty().id(), world.spawn_empty().id());
//! # }
//! ```
//!
//! `Save::to_vec` returns the bytes alone, and `Save::to_writer` writes them to a file.
//!
//! # Attributes
//!
//! Components and resources are saved and copied only on request, by these attributes:
//!
//! * `#[component(clone)]`: its values may be copied, by `Clone`. With `clone = skip`, copies are without it. The
//!   attribute of a resource is `#[resource(clone)]`.
//! * `#[component(save = "target")]`: it is saved under this name, by serde. This needs the feature `serde` of
//!   the library. A name is for ever: the type may be renamed or moved, and old files are still read. With
//!   `save = skip`, files are without it.
//! * `version = 2, from(1 = TargetV1)`: a value of version 1 is read as a `TargetV1`, a type without further
//!   duties, and converted by `From`. A version that is not named is refused. `from(1 = Self)` means that serde
//!   reads the old values as they are. `from(1 = BodyV1 as (Self, Health, Armour))` makes several components of
//!   one old value, by `From<BodyV1>` for the tuple; an entity that has one of the others already keeps its
//!   own.
//! * `#[component(entities = ignore)]` on a field: handles of entities in it stay as they are. All others are
//!   replaced when the component comes into a world under other handles: [see below](#handles).
//! * `save = "stock", instance = T::NAME` of a generic type: `instance` distinguishes its instances.
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
//! # Handles
//!
//! Wherever a value comes into a world under other handles, by a prefab, a merge or a change set, the handles
//! in it are replaced. The derive finds them in fields of the type [`Entity`], and in options, tuples and
//! collections of it. A type of yours within a component says so by `#[derive(MapEntities)]`:
//!
//! ```
//! use ecs::{Component, Entity, MapEntities, World};
//!
//! #[derive(MapEntities, Clone)]
//! struct Link { to: Entity, weight: f32 }
//!
//! #[derive(Component, Clone)]
//! #[component(clone)]
//! struct Squad { leader: Option<Entity>, members: Vec<Link> }
//!
//! let mut prefab = World::new();
//! let leader = prefab.spawn_empty().id();
//! let members = vec![Link { to: leader, weight: 0.5 }];
//! let squad = prefab.spawn(Squad { leader: Some(leader), members }).id();
//!
//! let mut world = World::new();
//! let new = world.merge(&mut prefab).unwrap();
//! let (leader, squad) = (*new.get(leader).unwrap(), *new.get(squad).unwrap());
//! assert_eq!(world.get::<Squad>(squad).unwrap().members[0].to, leader);
//! ```
//!
//! Without that derive, `Squad` does not compile, as it is copied. A component that is neither copied nor saved
//! compiles, and [`World::merge`] returns an error that names the field. A handle that a lock or a wrong
//! `MapEntities` hides is found when serde writes it: the error names its place, such as `Squad.members[2].to`.
//! [`MapEntities`] lists the handles that the derives see.
//!
//! Exact copies replace nothing, because each handle is valid as it is: [`World::try_clone`],
//! [`World::copy_from`], files, texts and deltas.
//!
//! # Saving
//!
//! [`World::save`] takes all, or less: [`only`](crate::save::Save::only) some components, and
//! [`matching`](crate::save::Save::matching) some entities. A component of a saved entity or a resource that
//! has no attribute is an error, so that none is forgotten. `save = skip` leaves it out always,
//! [`leave_out`](crate::save::Save::leave_out) and
//! [`leave_out_resource`](crate::save::Save::leave_out_resource) once, and
//! [`leave_out_rest`](crate::save::Save::leave_out_rest) leaves out all such.
//!
//! The bytes are compact: numbers of seven bits a byte, values in the format of postcard. Equal worlds give equal
//! bytes, whichever component a process used first. A component's layout is not in them: one may be put in [columns](super::columns) later.
//!
//! The bytes have no names of fields. `skip_serializing_if`, `flatten`, `untagged` and `tag` of serde need
//! names to be read again. So a component that uses them is saved in a text format: any, such as JSON or RON,
//! writes a [`Save`](crate::save::Save), and [`World::read_from`] reads it. As bytes such a component is
//! refused when it is saved. Skipped fields and lists without a length are refused at once. Other uses are
//! found by reading back the first 32 values of a component, and resources of up to 64 kB. A rarer value, such
//! as one variant in a thousand with an untagged enum, is found only when it is loaded. So let a test save and
//! load all kinds of values.
//!
//! Text formats cannot express some values, and write them as nothing: numbers that are not finite, and `Some`
//! of a value that is itself nothing, such as `Some(None)`. Such values are errors when they are saved, which
//! name the component and the entity.
//!
//! A `HashMap` and a `HashSet` write their items in an order of their own: equal worlds that have them give
//! different bytes, and deltas that are not empty. Take a `BTreeMap`, or sort them by
//! `#[serde(serialize_with = "..")]`.
//!
//! Values are nested at most 128 levels deep, when they are saved and when they are loaded. A longer chain is
//! kept side by side in a list, where each names the next by its position. Options, lists, structs and variants
//! are levels.
//!
//! # Loading
//!
//! A world finds the components of a file by their names among its own pools: [`World::register`] makes missing
//! pools, and does not compile if two components have one name. [`World::load`] restores the saved world
//! exactly: living, dead and free handles, and the order of every walk. Groups are the ones that the loading
//! world declared; they find their members in the saved order. [`World::read`] returns the content as a world
//! of its own.
//!
//! Beside its version each component has a *fingerprint* in the file. It hashes the names, the types and the
//! order of its fields and variants, as the derive sees them, and their `#[serde(..)]` attributes. If a field
//! changes its type, or two fields change places, the component is refused, unless its version is raised. The
//! derive does not see inside the type of a field: if that changes, raise the version of each component that
//! has such a field.
//!
//! Loading also inserts required components: unsaved ones, and ones that were not required yet when the file
//! was saved. A component that was required then, and that an entity lost, stays away. Relations are not
//! inserted in this way.
//!
//! Untrusted bytes load safely: [`Limits`](crate::save::Limits) bounds the memory that they may take, which is
//! checked before anything is allocated. Invalid bytes return a [`LoadError`](crate::save::LoadError), which
//! names the component, the entity and the place; the world is then unchanged. A valid file may still hold
//! values that break assumptions of your program, such as an index into a list. Check them in a `Deserialize`
//! of your own or by `#[serde(try_from = "..")]`.
//!
//! Texts have limits as well. [`World::read_from`] uses the default limits, of a gibibyte; [`WorldSeed::new`]
//! takes others, as a seed of serde, which also reads a world that is a part of a larger document. Each key of
//! a text occurs once, in the order of writing, and each index once: as an entity, free, or retired.
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
//! assert!(read.entity_named("Bob").is_some());
//! # }
//! ```
//!
//! A name that is not registered is an error, and so is a version later than the program's. On request such
//! values are left out, by [`Limits::skip_unknown`](crate::save::Limits::skip_unknown), or kept and written
//! back when the world is saved, by [`Limits::keep_unknown`](crate::save::Limits::keep_unknown);
//! [`Loaded::unknown`](crate::save::Loaded::unknown) lists them. A program that keeps a later version of a component may
//! insert its own: the file has both then, and a program with the later version reads both.
//!
//! Hooks and observers of components are not called when a world is loaded. Observers of the event
//! [`Replaced`](crate::Replaced) are notified once, at the end, and rebuild [state outside of the
//! world](super::lifecycle#state-outside-of-the-world). For readers of [changes](super::changes) all components
//! were removed and inserted. Deltas and `copy_from` notify in this way, too.
//!
//! # Resources
//!
//! The attribute of a resource is `#[resource(save = "score")]`, with the keys `version`, `from` and `instance`
//! of components. The resource is then saved with all components, though not with
//! [`only`](crate::save::Save::only) some. A loaded resource replaces the world's own. Resources that a file
//! lacks stay as they are, so that files from before a resource was added are still read;
//! [`Loaded::other_resources`](crate::save::Loaded::other_resources) names them. A world finds resources that it
//! ever had, and registered ones (`Res<T>`), by their names.
//!
//! A resource that belongs to the running program, such as a window or an index of the world, stays where it is:
//! `#[resource(clone = skip, save = skip)]`. An observer of [`Replaced`](crate::Replaced) makes an index anew.
//! Among the library's own, [`Events`](crate::Events), [`NonSend`](crate::NonSend), [`Exit`](crate::app::Exit)
//! and [`Elapsed`](crate::app::Elapsed) stay. A resource with neither attribute is an error wherever it would be
//! forgotten: in copies, files, texts and deltas.
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
//! With the feature `bytes`, a component of numbers and arrays may be saved as its bytes in memory, in one copy
//! of the whole column: `#[component(save = "position", bytes)]`. It needs
//! [`bytemuck::Pod`](https://docs.rs/bytemuck/1/bytemuck/trait.Pod.html), by a derive of that crate, which
//! refuses padding and types with invalid bit patterns. It still derives the traits of serde, for text formats.
//!
//! The lowest byte of a number comes first. A big-endian machine saves such components by serde, and refuses
//! files that have bytes. Values that were saved by serde are still read after `bytes` was added. To remove
//! `bytes` again, or to change the fields, give the component another name.
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
//! # Merging worlds
//!
//! [`World::merge`] takes all entities of another world under new handles, and returns the new handle of each.
//! So a level is loaded into a world that has entities already: `read`, then `merge`. `clear` removes the old
//! level before, without calls of `on_remove`; merged entities are notified as insertions. [Handles](#handles)
//! become the new ones; dead ones become [`Entity::PLACEHOLDER`]. The other world is empty then, and keeps its
//! resources.
//!
//! # Deltas
//!
//! [`Delta::between`](crate::save::Delta::between) compares two worlds with their resources, and [`World::apply_delta`] turns a copy
//! of the first into exactly the second. [`Deltas`](crate::save::Deltas) leave out unsaved components and resources. So a server
//! sends the changes since a client's state, or a game keeps a history. It needs no tracking, and compares everything; if 1 in 100
//! values changed, it takes 1 in 100 of the bytes. Bytes are checked like saved worlds. A delta does not distinguish two bases with
//! equal handles and equally many components: number the deltas, or send a hash along.
//!
//! # Change sets
//!
//! A server with many clients sends changes instead. [`World::change_sets`] returns a reader of all components
//! that are tracked and saved. [`ChangeSets::drain`] returns the changes since its last call, and
//! [`World::apply_change_set`] applies them to another world. The cost depends on the changes, not on the
//! world. That world may have entities and components of its own, because a [`Follower`] maps the server's
//! entities to its own.
//!
//! Sets have numbers. A set that arrives late or twice changes nothing ([`Received::Late`]), and neither does a
//! set whose predecessor is missing ([`Received::Missing`]). Apply it again after the predecessor, or let the
//! server call [`ChangeSets::restart`]. The next set is *full* then: it has everything, and may be applied
//! after any other. Entities of the server, their components and resources that it does not mention are
//! removed; the client's own stay. The first set of a new reader, `ChangeSets::default()`, is full, too. So a
//! client joins by it, or connects again, after [`Follower::restart`], with the entities that it has. A client
//! that joins by a snapshot of the world continues with a reader from [`World::change_sets`].
//!
//! An entity of the client has exactly the sent components of the server's entity: a component that the server removed does not
//! return with a component that requires it. Required components that are not both tracked and saved, such as a picture, are
//! inserted when the component that requires them is new. The sources of a target, such as its children, have the server's order.
//! A handle in a component is the handle of the client's entity: an entity without sent components is spawned when a handle of it
//! is sent. A handle of a dead entity is dead on the client, too. An entity of the snapshot that has no component to be sent
//! stays on the client when the server despawns it. It ends if a value named it since, or when a full set arrives.
//!
//! A reader includes the resources that are added to it ([`ChangeSets::resource`]), with their handles.
//! [`ChangeSets::drain_visible`] sends only the entities that a client may see, by a function of yours.
//!
//! A client may write to the entities of the server in advance. Values, inserted and removed components, and
//! parents stay until a set changes them. A despawned entity stays so, and is
//! [skipped](crate::save::Follower::skipped) by sets that change it, until the server despawns it, too, or a
//! full set restores it. A full set undoes all.
//!
//! Names of components are sent once, and neither a component nor a value has a length: a set of many values is
//! hardly larger than the values and their handles.
//!
//! The crate `ecs_replication` beside this one has servers and clients that send change sets over any transport, with
//! acknowledgements and repetition, over UDP and over QUIC.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! # use ecs::{Component, World};
//! # use ecs::save::{Follower, Limits, Received};
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
//! assert_eq!(client.save().schema_hash(), server.save().schema_hash()); // both register equal components
//! client.spawn_named("camera");
//! let (mut level, _) = client.read(&snapshot, &limits).unwrap();
//! let mut follower = Follower::from(client.merge(&mut level).unwrap());
//!
//! server.get_mut::<Health>(hero).unwrap().0 = 2;
//! let set = sent.drain(&mut server).unwrap();
//! let applied = client.apply_change_set(set.as_bytes(), &mut follower, &limits).unwrap();
//! assert_eq!(applied, Received::Applied);
//! assert_eq!(client.get::<Health>(follower.get(hero).unwrap()), Some(&Health(2)));
//! # }
//! ```
//!
//! [`ChangeSets::drain_among`] sends the entities of a list, such as those near a client: its cost grows with
//! the list, not with the world. An entity that is new in the list is sent whole; an entity that left it is
//! despawned on the client. [`ChangeSet::of`](crate::save::ChangeSet::of) is the set that moves some entities
//! to another world, tracked or not, with their handles of entities that stay. The crate `ecs_shards` connects
//! the worlds of several threads, processes or machines by both.
//!
//! # Copies
//!
//! [`World::try_clone`] copies a world, and [`World::copy_from`] copies into a world that exists, and reuses its
//! memory: keep a copy, and roll back to it. Both refuse, and name, components and resources that may not be
//! copied. `clone = skip` leaves them out of copies; [`Copies`](crate::copies::Copies) lets the caller leave them
//! out, and returns their names. [`World::spawn_copies`] copies an entity, [`World::spawn_copies_with`] also its
//! sources, and [`World::spawn_copies_of`] a *prefab*: a small world, whose copies are independent afterwards.
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
//! The example `rollback` is a game of two players over a slow network. Each side predicts the other's input,
//! goes back up to 60 frames by a [`Snapshot`](crate::Snapshot) and plays them again.
//! `cargo run --profile example -p ecs_examples --bin rollback` compares both sides.
//!
//! # One entity
//!
//! [`Save::entity`](crate::save::Save::entity) writes one entity in any format of serde, and
//! [`with_sources`](crate::save::SaveEntity::with_sources) adds its children, their children, and so on.
//! [`World::spawn_from`] reads them into a world that has other entities, and returns the new ones. Handles among the
//! entities become handles of the new ones. A handle of another living entity is an error, unless
//! [`keep_outside`](crate::save::SaveEntity::keep_outside) keeps it.
//!
//! A person may write such a text, too. These are the parts of an entity; each may be left out, and stands in this order:
//!
//! | key | value |
//! |---|---|
//! | `entity` | its handle in the text; without it, handles are `0v1`, `1v1` and so on, in the order of the text |
//! | `outside`, `dead` | handles of other living entities, which stay, and of dead ones |
//! | `inherits` | the name of a prefab: [see below](#prefabs-in-files) |
//! | `versions` | the versions of components, by their names; otherwise 1 |
//! | `removes` | names of components that it lacks, although they are inherited or required |
//! | `components` | values, by their names in files |
//! | `children` | entities that become its children, up to 32 levels deep |
//! | `others` | further entities |
//!
//! Unknown components and fields are errors, which name the place in the text.
//!
//! # Prefabs in files
//!
//! [`Prefabs`](crate::save::Prefabs) are read from files in JSON, RON and the like, and found by their names. A [`Prefab`] is
//! spawned by [`World::spawn_prefab`], many times at once by [`World::spawn_prefabs`], and by commands. It may inherit from
//! another one, whatever their order is, and override single components or single fields of them:
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use ecs::save::Prefabs;
//! use ecs::{Component, World};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
//! #[component(save = "health", clone)]
//! struct Health { now: u32, most: u32 }
//!
//! let text = r#"{
//!     "captain": { "inherits": "orc", "components": { "health": { "most": 30 } } },
//!     "orc": { "components": { "health": { "now": 10, "most": 10 }, "ecs::Name": "orc" } }
//! }"#;
//! let mut world = World::new();
//! world.register::<(Health, ecs::Name)>();
//! let mut prefabs = Prefabs::new();
//! prefabs.read(&world, |seed| seed.read(&mut serde_json::Deserializer::from_str(text))).unwrap();
//!
//! let captain = world.spawn_prefab(prefabs.get("captain").unwrap()).unwrap().id();
//! assert_eq!(world.get::<Health>(captain), Some(&Health { now: 10, most: 30 }));
//! assert_eq!(world.name(captain), Some("orc"));
//! # }
//! ```
//!
//! Fields of structs within structs and options are overridden one by one, too; enums, lists and maps as a whole. Handles of
//! a prefab's text name its own entities, inherited ones first. Components need `clone` beside `save`. A prefab is
//! complete when it is read: a later change of one changes neither copies nor the prefabs that inherit from it.
//!
//! # Tables
//!
//! For data frames and databases, the crate `ecs_tables` beside this one makes tables of views and pools: a row
//! for each entity and a column for each field. The formats are Arrow, Parquet and CSV. The types of components
//! determine the columns, so that all tables of one program agree. Tables become entities again, and a column
//! that names rows of another table becomes a relation: the example `flights` there makes a world of five
//! public tables. The tracks of the aircraft that the example `airspace` replays become a table by
//! `cargo run --release -p ecs_tables --example tracks -- --parquet tracks.parquet`. It is an example of
//! `ecs_tables`, so that tests of the library need not build Arrow and Parquet.
//!
//! The crate `ecs_sql` (the folder `sql`) runs SQL over a saved world. A query reads the components that it
//! names, and skips the others.
//!
//! # Formats of your own
//!
//! With the feature, an [`Entity`] is text in text formats, `12v3`, and one number otherwise. Without it, an
//! entity prints as that text and is parsed from it, and [`Entity::to_bits`] and [`Entity::from_bits`] are the
//! number. So each pool can be written as you like, and [`World::spawn_at`] spawns an entity with a chosen
//! handle: first all entities, then their components.
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
//! [`MapEntities`]: crate::MapEntities
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
//! [`Received::Late`]: crate::save::Received::Late
//! [`Received::Missing`]: crate::save::Received::Missing
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
//! [`World::spawn_from`]: crate::World::spawn_from
//! [`World::spawn_prefab`]: crate::World::spawn_prefab
//! [`World::spawn_prefabs`]: crate::World::spawn_prefabs
//! [`Prefab`]: crate::Prefab
