//! Edits during loops: how to insert, remove, spawn and despawn the entities that a loop finds.
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
//! // The loop reads, writes, and records edits for later.
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
//! // A condition on one component needs no commands: its pool can be filtered.
//! world.pool_mut::<Poison>().retain(|_, poison| poison.0 > 2);
//! assert_eq!(world.view::<Poison>().count(), 0);
//! ```
//!
//! # Why a loop cannot edit
//!
//! A view borrows the world, and an edit needs the world for itself. The compiler refuses one inside the other,
//! so a pool never changes under a loop:
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
//! [`Commands`] record the edits of the world, under their names there, and [`Commands::apply`] makes them:
//!
//! | call | effect when applied |
//! |---|---|
//! | `insert(entity, bundle)`, `remove::<T>(entity)`, `despawn(entity)` | the edit of the world that has this name |
//! | `spawn(&world, bundle)` | spawns the entity; its handle is returned at once |
//! | `patch::<T>(entity, \|value\| ..)` | changes a component, and notifies its observers |
//! | `send(event)`, `send_to(entity, event)` | sends an event to its [observers](super::lifecycle) |
//! | `queue(\|world\| ..)` | calls the closure |
//!
//! Commands run in the order in which they were recorded, and the world is as if they had run one by one.
//! Consecutive commands of one kind run as one batch, which is several times as fast; for observers such a run
//! is one operation. So record commands of one kind together where the order does not matter.
//!
//! A command whose entity is dead by then is passed over, as an entity often dies for two reasons in one frame.
//! `apply` goes on, and returns how many commands found no entity, and how many removals and despawns a veto
//! refused:
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
//! [`Applied::into_result`](crate::Applied::into_result) turns these numbers into an error, for programs in which each
//! command has to be applied. A [strict schedule](super::systems#when-commands-are-applied) does so
//! with the commands of its systems, and names the system.
//!
//! Commands are for one world. A buffer belongs to the world whose handles it spawned with, or that it was
//! applied to. Applied to another world, its commands are dropped and counted as `foreign`:
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
//! A bundle is inserted whole or not at all. A bullet that is to point to a tank by a
//! [relation](super::relations_and_events) is not spawned if the tank died in the same frame. Its handle is dead
//! afterwards, and `missing` counts it.
//!
//! Keep the buffer from frame to frame: it keeps its memory, so that it need not allocate again. It belongs to
//! you, not to the world. [Observers](super::lifecycle) whose edits must wait record them in a buffer that is a
//! [resource](super::resources). Take the buffer out to apply it:
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
//! A command can record further commands in such a buffer while its own buffer is applied. They run when that
//! other buffer is applied.
//!
//! # A handle before the entity is filled
//!
//! [`Commands::spawn`] reserves a handle by [`World::reserve_entity`], which works through `&World`, from any
//! thread. The handle counts as alive at once, so it can be stored elsewhere before it has components.
//! [`World::view_mut`] borrows the world exclusively; beside it, [`View::allocator`] reserves handles, as
//! above. A handle whose commands were dropped is alive and without components until it is despawned.
//!
//! A [system](super::systems#when-commands-are-applied) takes [`SpawnCommands`], whose `spawn` needs a bundle
//! only. [`Commands::spawn_with`] records an entity and others that point to it, like [`World::spawn_with`].
//!
//! # Lists
//!
//! For edits of one kind a list of handles serves as well, and the call returns more. These methods take a
//! list, and edit one pool after the other:
//!
//! | call | takes | returns |
//! |---|---|---|
//! | [`World::despawn_batch`] | `&[Entity]` | how many were despawned |
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
//! A list may hold dead entities, and one entity twice, because a loop may find it in several ways.
//! `despawn_batch` and `remove_batch` pass these over. `insert_batch` inserts the later bundle of an entity
//! that is named twice, and drops the bundles of dead entities.
//!
//! Without a list, [`PoolMut::retain`] removes the values of one component for which a closure returns `false`,
//! [`PoolMut::drain`] takes all values, and [`PoolMut::clear`] drops all. The entities stay alive.
//!
//! # Writing other entities
//!
//! A loop that walks some entities and *writes components* of others needs no edit. [`World::split_mut`]
//! returns two views that coexist: the loop walks one and looks up in the other.
//! [Queries](super::queries#several-views-at-once) has an example.
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
