//! First steps: a world, its entities, their components, and loops over them.
//!
//! ```
//! use ecs::{Component, World};
//!
//! #[derive(Component)]
//! struct Position { x: f32, y: f32 }
//! #[derive(Component)]
//! struct Velocity { x: f32, y: f32 }
//! #[derive(Component)]
//! struct Enemy;
//!
//! let mut world = World::new();
//!
//! // An entity is a handle; its components describe it.
//! let ship = world.spawn((Position { x: 0.0, y: 0.0 }, Velocity { x: 1.0, y: 0.5 })).id();
//! let rock = world.spawn(Position { x: 8.0, y: 0.0 }).id();
//! for row in 0..3 {
//!     let y = row as f32;
//!     world.spawn((Position { x: 5.0, y }, Velocity { x: -1.0, y: 0.0 }, Enemy));
//! }
//!
//! // All that have a position and a velocity move. The rock has no velocity, so it stays.
//! for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
//!     position.x += velocity.x;
//!     position.y += velocity.y;
//! }
//! assert_eq!(world.get::<Position>(ship).unwrap().x, 1.0);
//! assert_eq!(world.get::<Position>(rock).unwrap().x, 8.0);
//!
//! // Only enemies.
//! let mut rows = Vec::new();
//! for (entity, position) in world.view::<Position>().with::<Enemy>() {
//!     assert_ne!(entity, ship);
//!     rows.push(position.y);
//! }
//! assert_eq!(rows, [0.0, 1.0, 2.0]);
//!
//! // Components can be inserted and removed. The handle of a despawned entity is dead.
//! world.insert(rock, Velocity { x: 0.0, y: -1.0 }).unwrap();
//! assert!(world.has::<Velocity>(rock));
//! world.remove::<Velocity>(rock);
//! assert!(!world.has::<Velocity>(rock));
//! world.despawn(rock).unwrap();
//! assert!(!world.is_alive(rock) && world.get::<Position>(rock).is_none());
//! ```
//!
//! # The world
//!
//! A [`World`] holds everything: which entities are alive, and the components of each type in a *pool* of their
//! own. It is a plain value. A program can have several; it can move one to another thread, put it into a
//! struct, and drop it. Types need not be registered.
//!
//! # Components
//!
//! A component is a struct or an enum with `#[derive(Component)]`. An entity has at most one value of each
//! type. A struct without fields, like `Enemy`, is a *tag*: its pool holds no values, only a list of entities.
//! To use a type of another crate, wrap it in a struct of your own. Components are `Send`, `Sync` and
//! `'static`, so they hold no borrows and no `Rc`.
//!
//! # Entities
//!
//! An [`Entity`] is a number of 64 bits that can be copied, compared, hashed and stored, in other components
//! too. It borrows nothing. When its entity is despawned the handle is dead, and stays so: a later entity may
//! have the same [index](crate::Entity::index), but never the same handle. Dead handles are no mistake:
//! [`World::get`] returns `None`, and edits return an error.
//!
//! A function or a field that needs an entity with a given component takes an [`EntityOf`](crate::EntityOf). It is checked
//! once, when [`World::handle_of`](crate::World::handle_of) or a view makes it, and another kind in its place does not compile:
//!
//! ```
//! use ecs::{Component, EntityOf, World};
//!
//! #[derive(Component)]
//! struct Mass(f32);
//! #[derive(Component)]
//! struct Orbit { around: EntityOf<Mass> }
//!
//! fn pull(world: &World, orbit: &Orbit) -> f32 {
//!     world.get_of(orbit.around).map_or(0.0, |mass| mass.0) // 0 where the star ended
//! }
//!
//! let mut world = World::new();
//! let star = world.spawn(Mass(9.0)).id();
//! let around = world.handle_of(star).unwrap();
//! let planet = world.spawn(Orbit { around }).id();
//! assert_eq!(pull(&world, world.get::<Orbit>(planet).unwrap()), 9.0);
//! ```
//!
//! # Spawning
//!
//! [`World::spawn`] takes a component, a tuple of components, or a struct with `#[derive(Bundle)]`.
//! [`World::spawn_empty`] makes an entity without components, and [`World::spawn_named`] one with a [`Name`].
//! All three return an [`EntityMut`], which borrows the world and has methods for further edits. Its `id()`
//! ends the borrow and returns the handle:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component, Default)] struct Health(u32);
//! # #[derive(Component)] struct Speed(f32);
//! # let mut world = World::new();
//! let bob = world.spawn_named("Bob").insert(Speed(2.0)).add::<Health>().id();
//! assert!(world.has::<(Speed, Health)>(bob));
//! ```
//!
//! To make many entities, [`World::spawn_batch`] takes an iterator of bundles and returns the handles. It is
//! several times as fast as a loop of `spawn`.
//!
//! # One entity
//!
//! | to | call |
//! |---|---|
//! | read or write a component | [`World::get`], [`World::get_mut`] |
//! | insert, or replace | [`World::insert`]; [`World::replace`] returns the old value |
//! | write, or insert if there is none | [`World::get_or_insert_with`] |
//! | remove | [`World::remove`]: the component, if there is one; [`World::take`]: all of a list, or nothing |
//! | look up | [`World::has`], [`World::is_alive`], [`World::components`] |
//! | despawn | [`World::despawn`] |
//!
//! [`World::entity_mut`] returns the [`EntityMut`] of a living entity, for several edits in a row.
//!
//! # Loops
//!
//! [`World::view`] reads and needs `&World`. [`World::view_mut`] also writes and needs `&mut World`. Both take
//! a [query](super::queries), and yield tuples of the entity and the terms of the query. In a query `Position`
//! means `&Position`; `&mut` must be written out.
//!
//! A view is iterated by `for`, or by [`View::for_each`], which is faster where a loop writes many small
//! values. While a view lives, nothing can be spawned, inserted or removed: [the next
//! chapter](super::edits_during_loops) shows the ways to do it.
//!
//! # Errors
//!
//! Failures at run time are values: [`NoSuchEntityError`] if a handle is dead, [`DespawnError`] if a component
//! [refuses](crate::Component) its removal. They are ordinary errors, so `?` works. Mistakes that the compiler
//! can see do not compile: a query that reads a component that it writes, a bundle with one component twice, a
//! group that names one twice.
//!
//! # Spawning in a system
//!
//! A [system](super::systems) is a function whose parameters are parts of the world. Views borrow the world, so
//! a system spawns by [`SpawnCommands`](crate::SpawnCommands). These return the new handle at once, and are
//! applied after the run:
//!
//! ```
//! use ecs::{Component, Entity, SpawnCommands, View, World};
//!
//! #[derive(Component)]
//! struct Hen { eggs: u32 }
//! #[derive(Component)]
//! struct Chick { of: Entity }
//!
//! fn hatch(hens: View<&mut Hen>, mut commands: SpawnCommands) {
//!     for (entity, hen) in hens {
//!         for _ in 0..std::mem::take(&mut hen.eggs) {
//!             commands.spawn(Chick { of: entity });
//!         }
//!     }
//! }
//!
//! let mut world = World::new();
//! world.spawn(Hen { eggs: 3 });
//! world.run(hatch);
//! assert_eq!(world.view::<Chick>().count(), 3);
//! ```
//!
//! # The main loop
//!
//! The library does not own the main loop: call [`World::run`](crate::World::run) or a
//! [`Schedule`](crate::Schedule) from a loop of your own, or let an [`App`](super::apps) run it. A value that
//! exists once, such as a clock or a configuration, is a [resource](super::resources) of the world, or stands
//! beside the world in a struct of your own.
//!
//! # Another name of the crate
//!
//! Derives find this crate under the name that your `Cargo.toml` gives to it. If it is no dependency of yours, because an
//! engine re-exports it, import it in the root of your crate, where the derives look for `crate::ecs`:
//!
//! ```ignore
//! use engine::ecs;
//! ```
//!
//! An attribute on the type, `#[ecs(crate = engine::ecs)]`, sets another path.
//!
//! [`World`]: crate::World
//! [`World::spawn`]: crate::World::spawn
//! [`World::spawn_empty`]: crate::World::spawn_empty
//! [`World::spawn_named`]: crate::World::spawn_named
//! [`World::spawn_batch`]: crate::World::spawn_batch
//! [`World::get`]: crate::World::get
//! [`World::get_mut`]: crate::World::get_mut
//! [`World::insert`]: crate::World::insert
//! [`World::replace`]: crate::World::replace
//! [`World::get_or_insert_with`]: crate::World::get_or_insert_with
//! [`World::remove`]: crate::World::remove
//! [`World::take`]: crate::World::take
//! [`World::has`]: crate::World::has
//! [`World::is_alive`]: crate::World::is_alive
//! [`World::components`]: crate::World::components
//! [`World::despawn`]: crate::World::despawn
//! [`World::entity_mut`]: crate::World::entity_mut
//! [`World::view`]: crate::World::view
//! [`World::view_mut`]: crate::World::view_mut
//! [`View::for_each`]: crate::View::for_each
//! [`Entity`]: crate::Entity
//! [`EntityMut`]: crate::EntityMut
//! [`Name`]: crate::Name
//! [`NoSuchEntityError`]: crate::NoSuchEntityError
//! [`DespawnError`]: crate::DespawnError
