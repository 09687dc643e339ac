//! Threads: values that threads can share, and how to split a loop.
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
//! // Reading: threads share the world, and each makes its own views.
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
//! // Writing: a loop that threads share.
//! world.view_mut::<(&mut Position, &Velocity)>().par_for_each(|(_, position, velocity)| {
//!     position.0 += velocity.0;
//! });
//! assert_eq!(world.view::<Position>().iter().filter(|(_, at)| at.0 > 9_000.0).count(), 1_000);
//! ```
//!
//! # Sharing and sending
//!
//! [`World`], [`View`], [`PoolRef`] and handles are `Send` and `Sync`, because components must be. The borrow
//! checker decides which accesses may happen at the same time. Any number of threads read through `&World`, and
//! a thread that writes has `&mut World`, or a view made from it. There are no locks, and no checks of borrows
//! at run time.
//!
//! Nothing is tied to the thread that made it, except the value of a [`NonSend`]. This value stays in a table
//! of its thread, and the world has a handle to it. So a world can always be moved to another thread, and be
//! dropped there.
//!
//! # Two systems at once
//!
//! Views of a [`World::split_mut`] are independent values, so each can go to a thread of its own. The compiler
//! has checked that no view accesses a component that another one writes:
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
//! A [schedule](super::systems) does this by itself, with the feature `parallel`: it finds the systems that may
//! overlap, and shares them where that is faster. A system that uses a [`NonSend`] value, or has a parameter
//! [`CallingThread`], [stays](super::systems#systems-that-stay-on-one-thread) on the thread that runs the
//! schedule, while other threads run other systems.
//!
//! # One loop on several threads
//!
//! With the feature `parallel`, [`View::par_for_each`] and [`View::par_for_each_chunk`] share a loop with the
//! threads of rayon's pool, and [`View::par_fold`] folds its items. They take every view, and walk each match
//! of `for_each` once:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Mass(f32);
//! # let mut world = World::new();
//! # world.spawn_batch((0..1_000).map(|at| (Position(at as f32), Mass(1.0))));
//! let view = world.view::<(Position, Mass)>();
//! let (moment, mass) = view.par_fold(
//!     || (0.0, 0.0),
//!     |(moment, mass), (_, at, by)| (moment + at.0 * by.0, mass + by.0),
//!     |left, right| (left.0 + right.0, left.1 + right.1),
//! );
//! assert_eq!(moment / mass, 499.5);
//! ```
//!
//! * **Small loops stay on one thread.** The time of the first items is measured, and the others are shared if
//!   they seem to take more than 50 µs. A busy thread is not waited for: the caller runs the items that it does
//!   not take. So there is no size below which `par_for_each` is to be avoided, though a loop of a microsecond
//!   gains nothing.
//! * **The order of items differs** from run to run. The result of a fold does not: its parts, and the order in which
//!   they are combined, depend on the view alone. It is equal to the last bit on any number of threads, and
//!   without the feature, where all three loops run on the calling thread.
//! * **Requirements of the compiler:** several threads may call the closure at once, so its captures are
//!   `Sync`, and it assigns to nothing outside. Count by a fold, or by an atomic.
//! * **Which threads:** the threads of the pool that the call is made in ([`ThreadPool::install`]), or else of
//!   rayon's global pool. A loop can be shared inside another one.
//! * **A panic** ends the loops of all threads, and reaches the caller. The world is consistent.
//!
//! Threads of your own take the iterators of [`View::into_parts`], which divide the matches of any view.
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Position(f32);
//! # let mut world = World::new();
//! # world.spawn_batch((0..1_000).map(|at| Position(at as f32)));
//! std::thread::scope(|scope| {
//!     for half in world.view_mut::<&mut Position>().into_parts(2) {
//!         scope.spawn(|| half.for_each(|(_, position)| position.0 *= 2.0));
//!     }
//! });
//! assert_eq!(world.view::<Position>().iter().map(|(_, at)| at.0).sum::<f32>(), 999_000.0);
//! ```
//!
//! Slices can be split as well. [`View::as_mut_slices`] returns them for a query of one component or of a
//! [group](super::groups) that owns all its components. [`View::for_each_chunk`] lends slices that live as
//! long as the view's borrow of the world.
//!
//! # Edits
//!
//! Threads cannot insert or remove at the same time: an edit needs `&mut World`. Let each thread record
//! [`Commands`](super::edits_during_loops), and apply the buffers when all threads have ended. Apply them in
//! the order of the parts, and the edits are equal in each run. The handles that threads get from
//! [`World::reserve_entity`](crate::World::reserve_entity) depend on their timing, though. For equal handles,
//! reserve before the threads start, or spawn when the buffers are applied, by a closure.
//!
//! [`CallingThread`]: crate::CallingThread
//! [`NonSend`]: crate::NonSend
//! [`World`]: crate::World
//! [`World::split_mut`]: crate::World::split_mut
//! [`View`]: crate::View
//! [`View::as_mut_slices`]: crate::View::as_mut_slices
//! [`View::for_each_chunk`]: crate::View::for_each_chunk
//! [`View::into_parts`]: crate::View::into_parts
//! [`View::par_for_each`]: crate::View::par_for_each
//! [`View::par_for_each_chunk`]: crate::View::par_for_each_chunk
//! [`View::par_fold`]: crate::View::par_fold
//! [`ThreadPool::install`]: https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install
//! [`PoolRef`]: crate::PoolRef
