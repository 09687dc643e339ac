//! Edits during loops: how to insert, remove, spawn and despawn what a loop found.
//!
//! ```
//! use ecs::{Commands, Component, Entity, World};
//!
//! #[derive(Component)]
//! struct Health(i32);
//! #[derive(Component)]
//! struct Poison(i32);
//! #[derive(Component)]
//! struct Corpse { of: Entity }
//!
//! let mut world = World::new();
//! world.spawn_batch((1..=6).map(|health| (Health(health), Poison(3))));
//!
//! // The loop reads, writes, and records what is to be done later.
//! let mut commands = Commands::new();
//! let poisoned = world.view_mut::<(&mut Health, &mut Poison)>();
//! let handles = poisoned.allocator();
//! for (entity, health, poison) in poisoned {
//!     health.0 -= poison.0;
//!     poison.0 -= 1;
//!     if health.0 <= 0 {
//!         commands.despawn(entity);
//!         commands.spawn(handles, Corpse { of: entity });
//!     } else if poison.0 == 0 {
//!         commands.remove::<Poison>(entity);
//!     }
//! }
//!
//! // The view is gone, so the world can be edited.
//! commands.apply(&mut world);
//! assert_eq!((world.view::<Health>().count(), world.view::<Corpse>().count()), (3, 3));
//!
//! // What one pool alone can tell needs no commands: it can be filtered.
//! world.pool_mut::<Poison>().retain(|_, poison| poison.0 > 2);
//! assert_eq!(world.view::<Poison>().count(), 0);
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
//! # Commands
//!
//! [`Commands`] take the edits of the world, under the same names, and [`Commands::apply`] makes them:
//!
//! | call | does later |
//! |---|---|
//! | `insert(entity, bundle)`, `remove::<T>(entity)`, `despawn(entity)` | the same as of the world |
//! | `spawn(&world, bundle)` | the same; it returns the handle at once |
//! | `patch::<T>(entity, \|value\| ..)` | changes a component, and tells its observers |
//! | `send(event)`, `send_to(entity, event)` | tells an event to its [observers](super::lifecycle) |
//! | `queue(\|world\| ..)` | whatever you like |
//!
//! They run in the order in which they were recorded. The world is as if they had run one by one, though
//! neighbours of one kind are made together, as by a batch, which is several times as fast; for observers such a run
//! is one operation. So where the order does not matter, record what is alike together.
//!
//! A command whose entity is dead by then is passed over, as an entity often dies for two reasons in one frame.
//! `apply` goes on, and returns how many there were, and how many removals and despawns a veto refused:
//!
//! ```
//! # use ecs::{Commands, Component, World};
//! # #[derive(Component)] struct Health(i32);
//! # let mut world = World::new();
//! let entity = world.spawn(Health(3)).id();
//! let mut commands = Commands::new();
//! commands.despawn(entity);
//! commands.insert(entity, Health(4));
//! let applied = commands.apply(&mut world);
//! assert_eq!((applied.missing, applied.refused), (1, 0));
//! ```
//!
//! Where each command is to be applied, [`Applied::into_result`](crate::Applied::into_result) makes these numbers an
//! error; of commands in systems, a [strict schedule](super::systems#when-commands-are-applied) does so, and names the
//! system.
//!
//! Commands are for one world. A buffer belongs to the world whose handles it spawned with, or that it is applied to;
//! what it holds is never applied to another, but dropped and counted as `foreign`:
//!
//! ```
//! # use ecs::{Commands, Component, World};
//! # #[derive(Component)] struct Health(i32);
//! # let (mut world, mut other) = (World::new(), World::new());
//! # other.spawn(Health(1));
//! let mut commands = Commands::new();
//! commands.spawn(&world, Health(3));
//! assert_eq!(commands.apply(&mut other).foreign, 1);
//! assert_eq!(other.view::<Health>().single().unwrap().1.0, 1);
//! ```
//!
//! A bundle is inserted whole or not at all. A bullet that is to point to a tank by a [relation](super::relations_and_events)
//! is not spawned if the tank died in the same frame: its handle is dead afterwards, and `missing` counts it.
//!
//! Keep the buffer from frame to frame: it keeps its memory, so that it need not allocate again. It belongs to
//! you, not to the world. Where [observers](super::lifecycle) are to record what must wait until others are done, put a
//! buffer into a [resource](super::resources), and take it out to apply it:
//!
//! ```
//! # use ecs::{Commands, Component, Entity, Resource, World};
//! # #[derive(Component)] struct Domino { next: Option<Entity> }
//! #[derive(Resource, Default)]
//! struct Later(Commands);
//!
//! let mut world = World::new();
//! world.insert_resource(Later::default());
//! world.on_remove::<Domino>(|world, entity| {
//!     let next = world.get::<Domino>(entity).and_then(|domino| domino.next);
//!     next.into_iter().for_each(|next| world.resource_mut::<Later>().0.despawn(next));
//! });
//! # let last = world.spawn(Domino { next: None }).id();
//! # let first = world.spawn(Domino { next: Some(last) }).id();
//! world.despawn(first).unwrap();
//! assert_eq!(world.view::<Domino>().count(), 1); // the next one did not fall yet
//!
//! let mut falling = Commands::new();
//! while !world.resource::<Later>().0.is_empty() {
//!     std::mem::swap(&mut falling, &mut world.resource_mut::<Later>().0);
//!     falling.apply(&mut world); // may record others
//! }
//! assert_eq!(world.view::<Domino>().count(), 0);
//! ```
//!
//! A command that records others does so in such a buffer, as its own is being applied: these run when that buffer
//! is.
//!
//! # A handle before the entity is filled
//!
//! [`Commands::spawn`] reserves a handle by [`World::reserve_entity`], which works through `&World`, from any thread.
//! It counts as alive at once, so it can be stored elsewhere, and is given its components later. Beside a
//! [`World::view_mut`], which borrows the world exclusively, [`View::allocator`] hands out the same, as above. A handle
//! that is never filled, as its commands were dropped, is alive and empty until it is despawned.
//!
//! A [system](super::systems#when-commands-are-applied) takes [`SpawnCommands`], whose `spawn` needs a bundle only.
//! [`Commands::spawn_with`] records an entity and others that point to it, as [`World::spawn_with`] makes them.
//!
//! # Lists
//!
//! Where a loop finds edits of one kind only, a list of handles is as good, and tells more: these calls take a list,
//! and edit a pool at a time, as commands do.
//!
//! | call | takes | returns |
//! |---|---|---|
//! | [`World::despawn_batch`] | `&[Entity]` | how many were ended |
//! | [`World::remove_batch`] | `&[Entity]` | how many had the component |
//! | [`World::insert_batch`] | an iterator of `(Entity, bundle)` | an error, if some were dead |
//! | [`World::spawn_batch`] | an iterator of bundles | the new handles |
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct Health(i32);
//! # #[derive(Component)] struct Fading;
//! # let mut world = World::new();
//! # world.spawn_batch((0..5).map(Health));
//! let weak = world.view::<Health>().iter().filter(|(_, health)| health.0 < 2);
//! let weak: Vec<Entity> = weak.map(|(entity, _)| entity).collect();
//! world.insert_batch(weak.iter().map(|&entity| (entity, Fading))).unwrap();
//! assert_eq!(world.despawn_batch(&weak), 2);
//! ```
//!
//! A list may name dead entities, and one entity twice, as loops do that find it by several ways.
//! `despawn_batch` and `remove_batch` pass these over. `insert_batch` inserts the later bundle of an entity
//! that comes twice, and drops those of dead ones.
//!
//! Without a list, [`PoolMut::retain`] looks at each value of one component and removes those for which it is
//! told `false`, [`PoolMut::drain`] takes all, and [`PoolMut::clear`] drops all. The entities live on.
//!
//! # Writing other entities
//!
//! A loop that walks some entities and *writes components* of others needs no edit. [`World::split_mut`] gives
//! two views that live together: one is walked, the other one looks up.
//! [Queries](super::queries#several-views-at-once) tells how.
//!
//! [`Commands`]: crate::Commands
//! [`Commands::spawn_with`]: crate::Commands::spawn_with
//! [`SpawnCommands`]: crate::SpawnCommands
//! [`World::spawn_with`]: crate::World::spawn_with
//! [`Commands::apply`]: crate::Commands::apply
//! [`Commands::spawn`]: crate::Commands::spawn
//! [`View::allocator`]: crate::View::allocator
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
