//! By name: components whose types a program does not name, as tools, consoles and scripts know them.
//!
//! ```
//! use ecs::{Component, World};
//! use ecs::by_name::KindQuery;
//!
//! #[derive(Component, Clone, Debug, Default)]
//! #[component(debug, default, clone)]
//! struct Health { points: u32 }
//! #[derive(Component, Debug)]
//! #[component(debug)]
//! struct Place(f32, f32);
//! #[derive(Component)]
//! struct Socket; // says nothing: it is known by its name, and can be removed
//!
//! let mut world = World::new();
//! let hero = world.spawn((Health { points: 3 }, Place(1.0, 2.0), Socket)).id();
//! let tree = world.spawn(Place(5.0, 5.0)).id();
//!
//! // What a tool shows of an entity.
//! let mut lines: Vec<String> = ecs::by_name::Value::all_of(&world, hero).map(|value| format!("{value:?}")).collect();
//! lines.sort();
//! assert_eq!(lines, ["Health { points: 3 }", "Place(1.0, 2.0)", "Socket { .. }"]);
//!
//! // What a console does.
//! let health = world.kind("Health").unwrap();
//! assert_eq!((health.size(), health.fields()), (4, &["points"][..]));
//! health.insert_default(&mut world, tree).unwrap();
//! health.copy(&mut world, hero, tree).unwrap();
//! world.kind("Socket").unwrap().remove(&mut world, hero).unwrap();
//! assert_eq!(world.get::<Health>(tree).unwrap().points, 3);
//!
//! // What a script asks for.
//! let query = KindQuery::new().read(world.kind("Place").unwrap()).write(health);
//! query.rows_mut(&mut world).unwrap().for_each(|mut row| {
//!     row.get_mut(health).unwrap().get_mut::<Health>().unwrap().points += 1;
//! });
//! assert_eq!(world.get::<Health>(hero).unwrap().points, 4);
//! ```
//!
//! # Kinds
//!
//! A [`Kind`] is a component type as a value. [`World::kind`] finds it among the pools that the world has: by the name
//! under which it is saved, by the full name of its type, or by the name as declared where only one has that. So each
//! instance of a generic component has a name of its own, as `app::Stock<u8>`. [`World::pools`] lists all, and
//! [`Kind::of`] gives that of a type. A world without a pool of a component does not know its name:
//! [`World::pool_mut`] makes one, and so does `World::register`.
//!
//! # What a component allows
//!
//! Each of these is a key of `#[component(..)]`, and what a component does not say costs nothing:
//!
//! | | |
//! |---|---|
//! | `debug` | its [values](crate::by_name::Value) are shown, by `Debug`; others show their name |
//! | `default` | [`Kind::insert_default`] |
//! | `clone` | [`Kind::copy`] |
//! | `save = "name"`, with the feature `serde` | values are written by any format, and read by `Kind::insert_from` |
//!
//! [`Kind::remove`] removes any, and [`Kind::take`] returns its value. All of them are the same edits as those by type: hooks and observers are told,
//! vetoes asked, requirements met, groups and relations kept.
//!
//! # Undo
//!
//! A value that [`Kind::take`] returns keeps the component until [`OwnedValue::insert`] puts it back, into any entity.
//! [`Despawned`] does the same with entities: their handles are dead, and come alive again:
//!
//! ```
//! use ecs::by_name::{Despawned, OwnedValue};
//! use ecs::{Component, Entity, World};
//!
//! #[derive(Component)]
//! struct Socket;
//!
//! enum Edit {
//!     Removed(Entity, OwnedValue),
//!     Despawned(Despawned),
//! }
//!
//! fn undo(world: &mut World, history: &mut Vec<Edit>) {
//!     match history.pop() {
//!         Some(Edit::Removed(entity, value)) => value.insert(world, entity).expect("it was there"),
//!         Some(Edit::Despawned(entities)) => entities.restore(world).expect("it is the same world"),
//!         None => {}
//!     }
//! }
//!
//! let mut world = World::new();
//! let lamp = world.spawn(Socket).id();
//! let socket = world.kind("Socket").unwrap().take(&mut world, lamp).unwrap();
//! let mut history = vec![Edit::Removed(lamp, socket)];
//! history.push(Edit::Despawned(Despawned::take(&mut world, lamp).unwrap()));
//!
//! undo(&mut world, &mut history);
//! assert!(world.is_alive(lamp) && !world.has::<Socket>(lamp));
//! undo(&mut world, &mut history);
//! assert!(world.has::<Socket>(lamp));
//! ```
//!
//! # Queries
//!
//! A [`KindQuery`] says which components its matches have and lack, and which are read and written.
//! [`KindQuery::rows`] finds the matches as a view does, by the same plans, and looks up the values that are asked for.
//! [`KindQuery::rows_mut`] lends one match at a time, to be written. What the compiler says of a typed query is said at run
//! time: to ask for a component twice, and write it, is an error, and so is a query that writes, of a world that is
//! only lent to be read.
//!
//! [`KindQuery::rows_from`] begins at any index, for lists that are shown in pages.
//!
//! # What editors need
//!
//! [`Values`] are made or read before anything changes, and inserted together: all or none.
//! [`Kind::target`] and [`Kind::related`] follow a relation, [`KindChanges`] lists what happened to a tracked component,
//! [`Kind::pool`] finds the pool, and `Kind::saved_name` returns the name that a file has. With the feature `serde`,
//! a `ResourceKind` does for resources what a [`Kind`] does for components. [`Schedule::steps`] lists systems with what
//! they read, write and wait for.
//!
//! The crate `ecs_remote` is made of these: it serves a world to an inspector in the browser.
//!
//! [`Values`]: crate::by_name::Values
//! [`KindChanges`]: crate::by_name::KindChanges
//! [`Kind::target`]: crate::by_name::Kind::target
//! [`Kind::related`]: crate::by_name::Kind::related
//! [`Kind::pool`]: crate::by_name::Kind::pool
//! [`KindQuery::rows_from`]: crate::by_name::KindQuery::rows_from
//! [`Schedule::steps`]: crate::Schedule::steps
//! [`Kind`]: crate::by_name::Kind
//! [`Kind::of`]: crate::by_name::Kind::of
//! [`KindQuery`]: crate::by_name::KindQuery
//! [`World::kind`]: crate::World::kind
//! [`World::pools`]: crate::World::pools
//! [`World::pool_mut`]: crate::World::pool_mut
//! [`Kind::insert_default`]: crate::by_name::Kind::insert_default
//! [`Kind::copy`]: crate::by_name::Kind::copy
//! [`Kind::remove`]: crate::by_name::Kind::remove
//! [`Kind::take`]: crate::by_name::Kind::take
//! [`OwnedValue::insert`]: crate::by_name::OwnedValue::insert
//! [`Despawned`]: crate::by_name::Despawned
//! [`KindQuery::rows`]: crate::by_name::KindQuery::rows
//! [`KindQuery::rows_mut`]: crate::by_name::KindQuery::rows_mut
