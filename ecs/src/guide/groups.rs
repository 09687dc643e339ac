//! Groups: joins that the world keeps ready, and when they pay.
//!
//! # Whether to declare one
//!
//! A world orders its pools by itself: see [the chapter on order](crate::guide::order). A loop over several components is
//! fast then, without a group. Declare one in these cases:
//!
//! * Its matches must lie together from the first frame on, as a slice for each component.
//! * The speed of the loop must not depend on how often it ran before.
//! * Most members are edited each frame.
//!
//! A world that is only read gives no moment to order pools: [`World::order_pools`] orders them with one call.
//! [`View::explain`] names the group that would help a view, if one would.
//!
//! [`View::explain`]: crate::View::explain
//! [`World::order_pools`]: crate::World::order_pools
//!
//! # Declaring a group
//!
//! ```
//! use ecs::{Component, Group, World};
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//! #[derive(Component)]
//! struct Asleep;
//!
//! /// The moving entities. A declaration is a type, so it can be a constant.
//! const MOVING: Group<(Position, Velocity), (), Asleep> =
//!     Group::owning::<(Position, Velocity)>().without::<Asleep>();
//!
//! let mut world = World::new();
//! world.declare_group(MOVING).unwrap();
//!
//! let entities = world.spawn_batch((0..100).map(|at| (Position(at as f32), Velocity(1.0))));
//! world.spawn_batch((0..100).map(|at| Position(at as f32))); // have no velocity
//! world.insert(entities[0], Asleep).unwrap(); // leaves the group
//!
//! // The system does not name the group: a view of its components finds it.
//! for (_, position, velocity) in
//!     world.view_mut::<(&mut Position, &Velocity)>().without::<Asleep>()
//! {
//!     position.0 += velocity.0;
//! }
//!
//! // Counting takes no time, the matches are slices, and the view says why.
//! let view = world.view::<(Position, Velocity)>().without::<Asleep>();
//! assert_eq!(view.count(), 99);
//! let (handles, positions, velocities) = view.as_slices().unwrap();
//! assert_eq!((handles.len(), positions.len(), velocities.len()), (99, 99, 99));
//! assert_eq!(
//!     view.explain().to_string(),
//!     "walks the 99 members of the group owning (`Position`, `Velocity`) without (`Asleep`)"
//! );
//! ```
//!
//! # Matches in order
//!
//! Without a group, a view of several components finds its matches each time: it walks the smallest pool, or
//! the membership bits of all of them. A group remembers the entities that have some components and lack
//! others. Each edit updates it, and a view of its components needs no search.
//!
//! | declaration | order |
//! |---|---|
//! | `Group::owning::<(A, B)>()` | the pools of `A` and `B` begin with its members, in one order |
//! | `Group::owning::<A>().with::<B>()` | the pool of `A` begins with its members; `B` keeps its order |
//! | `Group::observing::<(A, B)>()` | a list of the entities that have both; all pools keep their order |
//! | any of these, and `.without::<C>()` | only entities that have no `C` |
//!
//! # When it pays
//!
//! Declare a group for a loop that runs often and takes too long, if [`View::explain`] reports that a group
//! would help. It does so where many candidates are tested for few matches:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Burning;
//! # #[derive(Component)] struct Wet;
//! # let mut world = World::new();
//! let entities = world.spawn_batch((0..20_000).map(|at| Position(at as f32)));
//! let burning = entities.iter().step_by(2);
//! world.insert_batch(burning.map(|&entity| (entity, Burning))).unwrap();
//! let wet = entities.iter().skip(1).step_by(2);
//! world.insert_batch(wet.map(|&entity| (entity, Wet))).unwrap();
//! let plan = world.view::<(Burning, Wet)>().explain();
//! assert_eq!(plan.helpful.as_deref(), Some("group observing (`Burning`, `Wet`)"));
//! ```
//!
//! A group does not pay
//!
//! * for a query of one component: its pool is a slice already;
//! * for components that are always inserted and removed together: their pools are found to be in one order,
//!   and are walked as slices without a group;
//! * where entities enter and leave more often than loops run. Each entry or exit costs one exchange in each
//!   pool that the group owns. Other edits cost a test of a bit. [Batches](super::edits_during_loops) make this
//!   cheaper.
//!
//! Start without groups, or let the world choose. Groups change the speed of a program and the order of its
//! views, but not their matches.
//!
//! # Owning or observing
//!
//! Owning makes a loop as fast as one over plain `Vec`s. But a pool has one order, so two groups can own one
//! pool only if they are *nested*: if one owns, requires and excludes no more than the other. Other
//! declarations return an error that names both groups. The second group can still require the component by
//! `with`:
//!
//! ```
//! # use ecs::{Component, Group, World};
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Velocity(f32);
//! # #[derive(Component)] struct Sprite(u32);
//! # let mut world = World::new();
//! world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
//! assert!(world.declare_group(Group::owning::<(Position, Sprite)>()).is_err());
//! world.declare_group(Group::owning::<Sprite>().with::<Position>()).unwrap();
//! world.declare_group(Group::owning::<(Position, Velocity)>().with::<Sprite>()).unwrap(); // nested
//! ```
//!
//! Let the group whose loop runs most often own the component.
//!
//! # Sorting
//!
//! A pool that a group owns is not sorted by itself; [`World::group_mut`] sorts the group, all its pools
//! together, for example to draw from back to front:
//!
//! ```
//! # use ecs::{Component, Group, World};
//! # #[derive(Component)] struct Depth(u32);
//! # #[derive(Component)] struct Sprite(char);
//! let drawn = Group::owning::<(Depth, Sprite)>();
//! let mut world = World::new();
//! world.declare_group(drawn).unwrap();
//! world.spawn_batch([(Depth(1), Sprite('b')), (Depth(9), Sprite('a'))]);
//! world.group_mut(drawn).unwrap().sort_by_key(|(depth, _)| std::cmp::Reverse(depth.0));
//! let picture: String =
//!     world.group(drawn).unwrap().iter().map(|(_, (_, sprite))| sprite.0).collect();
//! assert_eq!(picture, "ab");
//! ```
//!
//! [`GroupMut::sort_as`] moves some members to the front. The order lasts until an entity enters or leaves.
//! [`World::groups`] lists the groups, and [`World::drop_group`] drops one.
//!
//! [`GroupMut::sort_as`]: crate::GroupMut::sort_as
//! [`View::explain`]: crate::View::explain
//! [`World::group_mut`]: crate::World::group_mut
//! [`World::groups`]: crate::World::groups
//! [`World::drop_group`]: crate::World::drop_group
