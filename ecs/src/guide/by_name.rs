//! By name: components whose types a program does not name, for tools, consoles and scripts.
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
//! struct Socket; // without attributes: it has a name, and can be removed
//!
//! let mut world = World::new();
//! let hero = world.spawn((Health { points: 3 }, Place(1.0, 2.0), Socket)).id();
//! let tree = world.spawn(Place(5.0, 5.0)).id();
//!
//! // A tool shows the components of an entity.
//! let mut lines: Vec<String> = ecs::by_name::Value::all_of(&world, hero).map(|value| format!("{value:?}")).collect();
//! lines.sort();
//! assert_eq!(lines, ["Health { points: 3 }", "Place(1.0, 2.0)", "Socket { .. }"]);
//!
//! // A console edits components.
//! let health = world.kind("Health").unwrap();
//! assert_eq!(health.size(), 4);
//! health.insert_default(&mut world, tree).unwrap();
//! health.copy(&mut world, hero, tree).unwrap();
//! world.kind("Socket").unwrap().remove(&mut world, hero).unwrap();
//! assert_eq!(world.get::<Health>(tree).unwrap().points, 3);
//!
//! // A script runs a query.
//! let query = KindQuery::new().read(world.kind("Place").unwrap()).write(health);
//! query.for_each_mut(&mut world, |row| row.get_mut::<Health>().unwrap().points += 1).unwrap();
//! assert_eq!(world.get::<Health>(hero).unwrap().points, 4);
//! ```
//!
//! # Kinds
//!
//! A [`Kind`] is a component type as a value. [`World::kind`] finds it among the world's pools: by its saved
//! name, by the full name of its type, or by its declared name if only one type has it. So each instance of a
//! generic component has a name of its own, such as `app::Stock<u8>`. [`World::kinds`] lists all kinds, and
//! [`Kind::of`] returns the kind of a type. A world without a pool of a component does not find its name:
//! [`World::pool_mut`] makes a pool, and so does `World::register`.
//!
//! # Attributes
//!
//! Each of these is a key of `#[component(..)]`; without it, a component pays nothing for it:
//!
//! | | |
//! |---|---|
//! | `debug` | its [values](crate::by_name::Value) are shown by `Debug`; without it they show their name |
//! | `default` | [`Kind::insert_default`] |
//! | `clone` | [`Kind::copy`] |
//! | `save = "name"`, with the feature `serde` | values are written by any format, and read by `Kind::insert_from` |
//!
//! A component of another crate that declares less than a tool needs is declared by the program, before its first use:
//! `Declaration::<Velocity>::new().clone().debug().declare(&mut world)`. See [`Declaration`]. There are methods for the
//! keys above, and for `track`, whose changes are then found by comparing saved values.
//!
//! [`Kind::remove`] removes any component, and [`Kind::take`] returns its value. These methods make the edits
//! of the typed methods: they call hooks and observers, check vetoes, insert required components, and update
//! groups and relations.
//!
//! # Undo
//!
//! A value that [`Kind::take`] returns keeps the component until [`OwnedValue::insert`] puts it back, into any entity.
//! [`Despawned`] keeps entities in this way. Their handles are dead, and `restore` makes them alive again. They have
//! their components, their place among the children of their parent, and the relations that others lost to them:
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
//! If nothing else was edited, the world is equal to one that never lost the entities, to the last byte that it saves. Entries
//! that depend on each other are restored in reverse order; an entry that cannot be restored is returned, and the world is
//! unchanged: [`Despawned::check`] returns the reason. An entry that is dropped gives the indices of its entities back.
//! [`Despawned`] describes the state after other edits.
//!
//! # Queries
//!
//! A [`KindQuery`] lists the components that its matches have and lack, and that are read and written.
//! [`KindQuery::rows`] finds the matches by the plans of views, and looks up the requested values.
//! [`KindQuery::for_each_mut`] lends one match at a time, to be written. Two mistakes that are compile errors
//! of a typed query are errors at run time here. One is a component that is named twice and written, the other
//! a query that writes through a shared borrow of the world.
//!
//! [`KindQuery::rows_from`] begins at any index, for lists that are shown in pages.
//!
//! # Editors
//!
//! [`Values`] are made or read before anything changes, and inserted together: all or none. [`Kind::target`]
//! and [`Kind::related`] follow a relation, [`KindChanges`] lists the changes of a tracked component,
//! [`Kind::entities`] the entities that have one, and [`Kind::shape`] its fields and variants. `Kind::saved_name`
//! returns the name in files. With the feature `serde`, a `ResourceKind` is the [`Kind`] of a resource.
//! [`Schedule::steps`] lists systems with the components that they read and write, and the systems that they wait for.
//!
//! The crate `ecs_remote` is made of these methods: it serves a world to an inspector in the browser.
//!
//! [`Values`]: crate::by_name::Values
//! [`KindChanges`]: crate::by_name::KindChanges
//! [`Kind::target`]: crate::by_name::Kind::target
//! [`Kind::related`]: crate::by_name::Kind::related
//! [`Kind::entities`]: crate::by_name::Kind::entities
//! [`Kind::shape`]: crate::by_name::Kind::shape
//! [`KindQuery::rows_from`]: crate::by_name::KindQuery::rows_from
//! [`Schedule::steps`]: crate::Schedule::steps
//! [`Declaration`]: crate::by_name::Declaration
//! [`Kind`]: crate::by_name::Kind
//! [`Kind::of`]: crate::by_name::Kind::of
//! [`KindQuery`]: crate::by_name::KindQuery
//! [`World::kind`]: crate::World::kind
//! [`World::kinds`]: crate::World::kinds
//! [`World::pool_mut`]: crate::World::pool_mut
//! [`Kind::insert_default`]: crate::by_name::Kind::insert_default
//! [`Kind::copy`]: crate::by_name::Kind::copy
//! [`Kind::remove`]: crate::by_name::Kind::remove
//! [`Kind::take`]: crate::by_name::Kind::take
//! [`OwnedValue::insert`]: crate::by_name::OwnedValue::insert
//! [`Despawned`]: crate::by_name::Despawned
//! [`Despawned::check`]: crate::by_name::Despawned::check
//! [`KindQuery::rows`]: crate::by_name::KindQuery::rows
//! [`KindQuery::for_each_mut`]: crate::by_name::KindQuery::for_each_mut
