//! Edits during loops: how to insert, remove, spawn and despawn what a loop found.
//!
//! ```
//! use ecs::{Component, Entity, World};
//!
//! #[derive(Component)]
//! struct Health(i32);
//! #[derive(Component)]
//! struct Poison(i32);
//! #[derive(Component)]
//! struct Corpse;
//!
//! let mut world = World::new();
//! world.spawn_batch((1..=6).map(|health| (Health(health), Poison(3))));
//!
//! // The loop reads, writes, and notes which entities are to be edited.
//! let mut dead: Vec<Entity> = Vec::new();
//! for (entity, health, poison) in world.view_mut::<(&mut Health, &Poison)>() {
//!     health.0 -= poison.0;
//!     if health.0 <= 0 {
//!         dead.push(entity);
//!     }
//! }
//!
//! // The view is gone, so the world can be edited.
//! world.remove_batch::<Poison>(&dead);
//! world.insert_batch(dead.iter().map(|&entity| (entity, Corpse))).unwrap();
//! assert_eq!(world.view::<Corpse>().count(), 3);
//!
//! // What only few have needs no list: a pool can be filtered.
//! world.pool_mut::<Poison>().retain(|_, poison| {
//!     poison.0 -= 1;
//!     poison.0 > 0
//! });
//! ```
//!
//! # Why a loop cannot edit
//!
//! A view borrows the world, and an edit needs the world for itself. The compiler refuses one inside the other,
//! so no loop ever sees a pool that moves under it:
//!
//! ```compile_fail,E0502
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Health(i32);
//! # let mut world = World::new();
//! for (entity, health) in world.view::<Health>() {
//!     if health.0 <= 0 {
//!         world.despawn(entity).unwrap(); // error[E0502]: cannot borrow `world` as mutable
//!     }
//! }
//! ```
//!
//! # Collect, then edit
//!
//! Handles are plain numbers that borrow nothing. So a loop can push them into a `Vec`, beside whatever the
//! edit will need, and the edits follow the loop. They are best made by the calls that take a list: these edit
//! a pool at a time, and are several times as fast as single calls.
//!
//! | call | takes | returns |
//! |---|---|---|
//! | [`World::despawn_batch`] | `&[Entity]` | how many were ended |
//! | [`World::remove_batch`] | `&[Entity]` | how many had the component |
//! | [`World::insert_batch`] | an iterator of `(Entity, bundle)` | an error, if some were dead |
//! | [`World::spawn_batch`] | an iterator of bundles | the new handles |
//!
//! A list may name dead entities, and one entity twice, as loops do that find it by several ways.
//! `despawn_batch` and `remove_batch` pass these over. `insert_batch` inserts the later bundle of an entity
//! that comes twice, and drops those of dead ones. A `Vec` that is cleared and kept for the next frame
//! allocates no more.
//!
//! Without a list, [`PoolMut::retain`] looks at each value of one component and removes those for which it is
//! told `false`, [`PoolMut::drain`] takes all, and [`PoolMut::clear`] drops all. The entities live on.
//!
//! # A handle before the entity is filled
//!
//! Sometimes a loop must know the handle of what it is going to spawn, to store it elsewhere.
//! [`World::reserve_entity`] hands one out through `&World`, from any thread. It counts as alive at once, and
//! is given its components later:
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct Gun { at: f32 }
//! # #[derive(Component)] struct Bullet { from: Entity, at: f32 }
//! # let mut world = World::new();
//! # world.spawn_batch([Gun { at: 1.0 }, Gun { at: 2.0 }]);
//! let mut fired = Vec::new();
//! for (gun, Gun { at }) in world.view::<Gun>() {
//!     fired.push((world.reserve_entity(), Bullet { from: gun, at: *at }));
//! }
//! let first: Entity = fired[0].0;
//! world.insert_batch(fired).unwrap();
//! assert!(world.has::<Bullet>(first));
//! ```
//!
//! This works beside [`World::view`]. A [`World::view_mut`] borrows the world exclusively, so reserve as many
//! as may be needed before it, or spawn after it. A reserved entity that is never filled stays alive and empty,
//! until it is despawned.
//!
//! # Writing other entities
//!
//! A loop that walks some entities and *writes components* of others needs no edit. [`World::split_mut`] gives
//! two views that live together: one is walked, the other one looks up.
//! [Queries](super::queries#several-views-at-once) tells how.
//!
//! # Edits of many kinds
//!
//! Where a loop finds edits of different kinds whose order matters, note them in one list. An `enum` of them is
//! the plain way. Closures need no `enum`:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Egg { days: u32 }
//! # #[derive(Component)] struct Bird;
//! # let mut world = World::new();
//! # let eggs = world.spawn_batch((0..4).map(|days| Egg { days }));
//! let mut later: Vec<Box<dyn FnOnce(&mut World)>> = Vec::new();
//! for (entity, egg) in world.view_mut::<&mut Egg>() {
//!     egg.days += 1;
//!     if egg.days == 3 {
//!         later.push(Box::new(move |world| {
//!             world.remove::<Egg>(entity);
//!             let _ = world.insert(entity, Bird); // it may have ended meanwhile
//!         }));
//!     }
//! }
//! for edit in later {
//!     edit(&mut world);
//! }
//! assert!(world.has::<Bird>(eggs[2]));
//! ```
//!
//! The library has no buffer of commands of its own yet. When it gets one, its edits need not have the order or
//! the cost of this list, so do not write code that counts on either.
//!
//! [`World::view`]: crate::World::view
//! [`World::view_mut`]: crate::World::view_mut
//! [`World::split_mut`]: crate::World::split_mut
//! [`World::reserve_entity`]: crate::World::reserve_entity
//! [`World::despawn_batch`]: crate::World::despawn_batch
//! [`World::remove_batch`]: crate::World::remove_batch
//! [`World::insert_batch`]: crate::World::insert_batch
//! [`World::spawn_batch`]: crate::World::spawn_batch
//! [`PoolMut::retain`]: crate::PoolMut::retain
//! [`PoolMut::drain`]: crate::PoolMut::drain
//! [`PoolMut::clear`]: crate::PoolMut::clear
