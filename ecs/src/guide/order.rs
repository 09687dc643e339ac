//! The order of views, when it changes, and why loops are fast without groups.
//!
//! ```
//! use ecs::{Component, PlanKind, World};
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Speed(f32);
//!
//! let mut world = World::new();
//! for at in 0..3_000 {
//!     let mut entity = world.spawn(Position(0.0));
//!     if at % 3 == 0 {
//!         entity.insert(Speed(1.0));
//!     }
//! }
//! for _frame in 0..600 {
//!     for (_, position, speed) in world.view_mut::<(&mut Position, &Speed)>() {
//!         position.0 += speed.0;
//!     }
//! }
//! // By now the loop walks along two slices: the world has moved the entities with both components together.
//! assert_eq!(world.view::<(&Position, &Speed)>().explain().kind, PlanKind::Runs);
//! ```
//!
//! # When the order changes
//!
//! A view of one component has the order of its pool; other views have no order that a program can rely on, except for
//! [`View::in_order_of`](crate::View::in_order_of). An edit changes the order of a pool: a new component comes last, and
//! the last one takes the place of one that is removed. A world also moves components to keep them in order. It does so
//! when a loop that may write begins, and when systems are about to run, but never during a loop or within an edit. A
//! pool that the program sorted keeps its order, and so does one of a declared group. Equal histories give equal orders,
//! on any machine and any number of threads: edits and loops are a history.
//!
//! # What is kept in order
//!
//! Entities with the same components lie together, in the same order in each of their pools. So a loop over several
//! components finds its matches as a few long runs. Loops over scattered matches count their losses. Ordering begins when
//! these are as much as it takes, and more than repairs would have taken meanwhile: the world moves all entities of
//! these pools at once. For 200,000 entities this takes about 20 ms; [`World::order_pools`](crate::World::order_pools)
//! chooses the moment. From then on the world repairs, before loops, the changes of edits. If the components of a pool come
//! and go so often that repairs take longer than loops gain, the pool leaves. So ordering takes at most about as long as
//! all loops.
//!
//! * [`World::order_pools`](crate::World::order_pools) orders all pools at once: after loading a level, for example.
//! * [`World::set_ordering`](crate::World::set_ordering) turns ordering off.
//! * [`PoolMut::set_ordering`](crate::PoolMut::set_ordering) leaves one pool out, or has a sorted pool ordered again.
//!
//! A [saved](super::saving) world stores its order and its counts, so that a world which is loaded from bytes goes on
//! exactly like the original. A copy does, too. Texts and deltas store the order only: from there, loops count anew.
