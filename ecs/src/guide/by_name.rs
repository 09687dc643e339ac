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
//! let mut lines: Vec<String> = world.kind_values(hero).map(|value| format!("{value:?}")).collect();
//! lines.sort();
//! assert_eq!(lines, ["Health { points: 3 }", "Place(1.0, 2.0)", "Socket { .. }"]);
//!
//! // A console edits components.
//! let health = world.kind("Health").unwrap();
//! assert_eq!(health.size(), 4);
//! world.insert_kind_default(health, tree).unwrap();
//! world.copy_kind(health, hero, tree).unwrap();
//! world.remove_kind(world.kind("Socket").unwrap(), hero).unwrap();
//! assert_eq!(world.get::<Health>(tree).unwrap().points, 3);
//!
//! // A script runs a query.
//! let query = KindQuery::new().read(world.kind("Place").unwrap()).write(health);
//! world.for_each_row(&query, |row| row.get_mut::<Health>().unwrap().points += 1).unwrap();
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
//! | `default` | [`World::insert_kind_default`] |
//! | `clone` | [`World::copy_kind`] |
//! | `save = "name"`, with the feature `serde` | values are written by any format, and read by `World::insert_kind` |
//!
//! A component of another crate that declares less than a tool needs is declared by the program, before its first use:
//! `world.declare(Declaration::<Velocity>::new().clone().debug())`. See [`Declaration`]. There are methods for the
//! keys above, and for `track`, whose changes are then found by comparing saved values.
//!
//! [`World::remove_kind`] removes any component, and [`World::take_kind`] returns its value. These methods make the edits
//! of the typed methods: they call hooks and observers, check vetoes, insert required components, and update
//! groups and relations.
//!
//! # Undo
//!
//! A value that [`World::take_kind`] returns keeps the component until [`World::insert_value`] puts it back, into any
//! entity. [`Despawned`] keeps entities in this way: their handles are dead, and `restore` makes them alive
//! again. They have their components and their place among the children of their parent, and others have their relations
//! to them again:
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
//!         Some(Edit::Removed(entity, value)) => world.insert_value(entity, value).expect("it was there"),
//!         Some(Edit::Despawned(entities)) => world.restore(entities).expect("it is the same world"),
//!         None => {}
//!     }
//! }
//!
//! let mut world = World::new();
//! let lamp = world.spawn(Socket).id();
//! let socket = world.take_kind(world.kind("Socket").unwrap(), lamp).unwrap();
//! let mut history = vec![Edit::Removed(lamp, socket)];
//! history.push(Edit::Despawned(world.take_entity(lamp).unwrap()));
//!
//! undo(&mut world, &mut history);
//! assert!(world.is_alive(lamp) && !world.has::<Socket>(lamp));
//! undo(&mut world, &mut history);
//! assert!(world.has::<Socket>(lamp));
//! ```
//!
//! If nothing else was edited, the world is equal to one that never lost the entities, to the last byte that it saves. Entries
//! that depend on each other are restored in reverse order; an entry that cannot be restored is returned, and the world is
//! unchanged: [`World::check_restore`] returns the reason. An entry that is dropped gives the indices of its entities back. See
//! [`Despawned`] for the parts that are exact after other edits.
//!
//! # Queries
//!
//! A [`KindQuery`] lists the components that its matches have and lack, and that are read and written.
//! [`World::kind_rows`] finds the matches by the plans of views, and looks up the requested values.
//! [`World::for_each_row`] lends one match at a time, to be written. Two mistakes that are compile
//! errors of a typed query are errors at run time here. One is a component that is named twice and written, the
//! other a query that writes through a shared borrow of the world.
//!
//! [`World::kind_rows_from`] begins at any index, for lists that are shown in pages.
//!
//! # Editors
//!
//! [`Values`] are made or read before anything changes, and inserted together: all or none. [`World::kind_target`]
//! and [`World::kind_related`] follow a relation, [`KindChanges`] lists the changes of a tracked component,
//! [`World::kind_entities`] the entities that have one, and [`Kind::shape`] its fields and variants. `Kind::saved_name`
//! returns the name in files. With the feature `serde`, a `ResourceKind` is the [`Kind`] of a resource.
//! [`Schedule::steps`] lists systems with the components that they read and write, and the systems that they wait for.
//!
//! The crate `ecs_remote` is made of these methods: it serves a world to an inspector in the browser.
//!
//! [`Values`]: crate::by_name::Values
//! [`KindChanges`]: crate::by_name::KindChanges
//! [`World::kind_target`]: crate::World::kind_target
//! [`World::kind_related`]: crate::World::kind_related
//! [`World::kind_entities`]: crate::World::kind_entities
//! [`Kind::shape`]: crate::by_name::Kind::shape
//! [`World::kind_rows_from`]: crate::World::kind_rows_from
//! [`Schedule::steps`]: crate::Schedule::steps
//! [`Declaration`]: crate::by_name::Declaration
//! [`Kind`]: crate::by_name::Kind
//! [`Kind::of`]: crate::by_name::Kind::of
//! [`KindQuery`]: crate::by_name::KindQuery
//! [`World::kind`]: crate::World::kind
//! [`World::kinds`]: crate::World::kinds
//! [`World::pool_mut`]: crate::World::pool_mut
//! [`World::insert_kind_default`]: crate::World::insert_kind_default
//! [`World::copy_kind`]: crate::World::copy_kind
//! [`World::remove_kind`]: crate::World::remove_kind
//! [`World::take_kind`]: crate::World::take_kind
//! [`World::insert_value`]: crate::World::insert_value
//! [`Despawned`]: crate::by_name::Despawned
//! [`World::check_restore`]: crate::World::check_restore
//! [`World::kind_rows`]: crate::World::kind_rows
//! [`World::for_each_row`]: crate::World::for_each_row
