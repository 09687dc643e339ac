//! Threads: what can be shared, and how to split a loop.
//!
//! ```
//! use ecs::{Commands, Component, World};
//! use std::thread;
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//! #[derive(Component)]
//! struct Spark;
//!
//! let mut world = World::new();
//! world.spawn_batch((0..10_000).map(|at| (Position(at as f32), Velocity(1.0))));
//!
//! // Reading: threads share the world, and each makes the views that it wants.
//! let (sum, far) = thread::scope(|scope| {
//!     let sum = scope.spawn(|| {
//!         world.view::<Velocity>().iter().map(|(_, velocity)| velocity.0).sum::<f32>()
//!     });
//!     let far = scope.spawn(|| {
//!         world.view::<Position>().iter().filter(|(_, position)| position.0 > 9_000.0).count()
//!     });
//!     (sum.join().unwrap(), far.join().unwrap())
//! });
//! assert_eq!((sum, far), (10_000.0, 999));
//!
//! // Editing: each thread records commands of its own. Handles are reserved through the shared borrow.
//! let mut buffers = [Commands::new(), Commands::new()];
//! thread::scope(|scope| {
//!     for commands in &mut buffers {
//!         scope.spawn(|| (0..10).for_each(|_| _ = commands.spawn(&world, Spark)));
//!     }
//! });
//! for commands in &mut buffers {
//!     commands.apply(&mut world);
//! }
//! assert_eq!(world.view::<Spark>().count(), 20);
//!
//! // Writing: the matches as slices, and a part of them for each thread.
//! let mut chunks = Vec::new();
//! let view = world.view_mut::<(&mut Position, &Velocity)>();
//! view.for_each_chunk(|(_, positions, velocities)| {
//!     chunks.extend(positions.chunks_mut(4_096).zip(velocities.chunks(4_096)));
//! });
//! let per_thread = chunks.len().div_ceil(2);
//! thread::scope(|scope| {
//!     for part in chunks.chunks_mut(per_thread) {
//!         scope.spawn(move || {
//!             for (positions, velocities) in part {
//!                 for (position, velocity) in positions.iter_mut().zip(velocities.iter()) {
//!                     position.0 += velocity.0;
//!                 }
//!             }
//!         });
//!     }
//! });
//! assert_eq!(world.view::<Position>().iter().filter(|(_, at)| at.0 > 9_000.0).count(), 1_000);
//! ```
//!
//! # What may cross threads
//!
//! [`World`], [`View`], [`PoolRef`] and handles are `Send` and `Sync`, because components must be. What may
//! happen at the same time is what the borrow checker allows: any number of threads read through `&World`, and
//! whoever writes has `&mut World`, or a view made from it. There are no locks, and no checks of borrows at run
//! time.
//!
//! Nothing is tied to the thread that made it. A world can be moved to another thread, and be dropped there.
//!
//! # Two systems at once
//!
//! Views of a [`World::split_mut`] are independent values, so each can go to a thread of its own. The compiler
//! has checked that neither touches what the other one writes:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Health(f32);
//! # #[derive(Component)] struct Fuel(f32);
//! # #[derive(Component)] struct Speed(f32);
//! # let mut world = World::new();
//! # world.spawn((Health(1.0), Fuel(9.0), Speed(2.0)));
//! let (healths, fuels) = world.split_mut::<(&mut Health, (&mut Fuel, &Speed))>();
//! std::thread::scope(|scope| {
//!     scope.spawn(|| healths.for_each(|(_, health)| health.0 += 0.1));
//!     scope.spawn(|| fuels.for_each(|(_, fuel, speed)| fuel.0 -= speed.0));
//! });
//! # assert_eq!(world.view::<Fuel>().single().unwrap().1.0, 7.0);
//! ```
//!
//! A [schedule](super::systems) does this by itself, with the feature `parallel`: it finds out which of its systems may
//! overlap, and shares them where that is faster.
//!
//! # Splitting one loop
//!
//! There is no parallel iterator yet. Until there is one, split what is a slice:
//!
//! * [`View::as_mut_slices`] gives all matches as one slice a term, if they are that: for a query of one
//!   component, and for one of which a [group](super::groups) owns all components.
//! * [`View::for_each_chunk`] gives slices for any query that requires a component. Pools that were filled in
//!   one order give one long chunk; scattered matches give many short ones, down to one entity. The slices live
//!   as long as the view's borrow of the world, so they can be collected first, as above.
//! * A list of items works for every query: `let mut items: Vec<_> = view.into_iter().collect();`, and then
//!   `items.chunks_mut(n)`. It costs a pass and the memory for the items.
//!
//! A crate for data parallelism takes any of these: the slices are ordinary ones. Give a thread some thousands
//! of entities or more, as starting one takes tens of microseconds.
//!
//! # Edits
//!
//! Threads cannot insert or remove at the same time: an edit needs `&mut World`. Let each thread record
//! [`Commands`](super::edits_during_loops), and apply the buffers one after the other when all have ended: in the
//! order of their parts of the work, and the edits are the same in each run. What threads are given by
//! [`World::reserve_entity`](crate::World::reserve_entity) depends on how they run, though. Where handles must be
//! the same each time, reserve before the threads start, or spawn when the buffers are applied, by a closure.
//!
//! [`World`]: crate::World
//! [`World::split_mut`]: crate::World::split_mut
//! [`View`]: crate::View
//! [`View::as_mut_slices`]: crate::View::as_mut_slices
//! [`View::for_each_chunk`]: crate::View::for_each_chunk
//! [`PoolRef`]: crate::PoolRef
