//! Resources: values that a world has once, and queues of events.
//!
//! ```
//! use ecs::{Component, EventCursor, Events, Res, ResMut, Resource, World};
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//!
//! #[derive(Resource)]
//! struct Clock { step: f32 }
//! #[derive(Resource)]
//! struct Border(f32);
//! #[derive(Resource, Default)]
//! struct Score { seen: EventCursor, points: u32 }
//!
//! /// An event: something left the field.
//! struct Left { speed: f32 }
//!
//! /// Views and resources of one world, borrowed together.
//! fn fly(world: &mut World) {
//!     let (flying, clock, border, left) = world.split_mut::<(
//!         (&mut Position, &Velocity),
//!         Res<Clock>,
//!         Option<Res<Border>>, // the world may have none
//!         ResMut<Events<Left>>,
//!     )>();
//!     flying.for_each(|(_, position, velocity)| {
//!         let before = position.0;
//!         position.0 += velocity.0 * clock.step;
//!         if border.is_some_and(|border| before <= border.0 && position.0 > border.0) {
//!             left.send(Left { speed: velocity.0 });
//!         }
//!     });
//! }
//!
//! /// A reader of events, with its own position in the queue.
//! fn count(world: &mut World) {
//!     let (left, score) = world.split_mut::<(Res<Events<Left>>, ResMut<Score>)>();
//!     let unread = left.read(&mut score.seen);
//!     score.points += unread.map(|left| if left.speed > 5.0 { 10 } else { 1 }).sum::<u32>();
//! }
//!
//! let mut world = World::new();
//! world.insert_resource(Clock { step: 0.5 });
//! world.insert_resource(Border(10.0));
//! world.insert_resource(Score::default());
//! world.insert_resource(Events::<Left>::new());
//! world.spawn_batch((1..=8).map(|speed| (Position(0.0), Velocity(speed as f32))));
//! for _ in 0..5 {
//!     world.resource_mut::<Events<Left>>().update(); // once a frame
//!     fly(&mut world);
//!     count(&mut world);
//! }
//! assert_eq!(world.resource::<Score>().points, 1 + 3 * 10); // 5, and 6 to 8
//! ```
//!
//! # Resources
//!
//! A world has one value of each [`Resource`] type, or none. [`World::resource`] and [`World::resource_mut`]
//! panic with the name of a missing resource; [`World::get_resource`] and [`World::get_resource_mut`] return
//! `None`. A lookup takes a load and an index, however many resources there are.
//!
//! To borrow several at once, or one beside views, name them in a
//! [split](super::queries#several-views-at-once): as [`Res`] and [`ResMut`] in a tuple, as `&'w T` and
//! `&'w mut T` in a struct with `#[derive(Views)]`. To borrow one twice, and to change it, is a compile error.
//! To spawn or insert while a resource is changed, enter [`World::resource_scope`]: it takes the resource out
//! meanwhile, and puts it back, after a panic too.
//!
//! Resources are no components: no query finds them, they have no entity, and [`World::clear`] keeps them. A
//! value that lives as long as the program may as well stand beside the world in a struct of yours, and be
//! passed to the functions that need it. A resource pays where a function gets a `&mut World` only, like an
//! observer.
//!
//! To compute something only when a resource changed, remember its [`World::resource_version`], which grows
//! each time it is lent to be changed. A system, or its condition, uses [`HasChanged`] instead. Each lent
//! `&mut T` counts, written or not, like a `&mut T` of a component. A system that writes a resource only now
//! and then has a condition, or records a command that writes it.
//!
//! A resource is `Send + Sync`, like the world. A value that must stay on its thread, such as a window, goes
//! into a [`NonSend`]: a handle to a value in a table of the thread that made it. It is a resource by itself,
//! `NonSend<Window>`, or a field of one. [`get`](crate::NonSend::get) and [`get_mut`](crate::NonSend::get_mut)
//! borrow the value; on another thread they panic, and [`try_get`](crate::NonSend::try_get) returns an error.
//! The world may be dropped on any thread. Systems take a [`NonSendRef`](crate::NonSendRef) or a
//! [`NonSendMut`](crate::NonSendMut), and [stay on the thread](super::systems#systems-that-stay-on-one-thread)
//! that runs their schedule.
//!
//! # Queues of events
//!
//! [`Events`] is a queue for any number of readers, each with an [`EventCursor`] of its own. An event stays
//! until the second [`update`](crate::Events::update) after it was sent. So a system that reads once between
//! two updates misses none, whether it reads before or after the sender within a frame. For a reader that lags
//! behind, [`missed`](crate::iter::EventIter::missed) returns the number of events that it missed, once. A
//! reader that begins late gets this number at its first read, unless it begins with
//! [`Events::cursor`](crate::Events::cursor). A queue that is never updated keeps the last 65,536 events, or
//! the number given to [`Events::with_limit`](crate::Events::with_limit). [`drain`](crate::Events::drain) is
//! for a single handler of all events. There is no loop over the queue itself, which would handle an event again in
//! the next frame; [`iter_kept`](crate::Events::iter_kept) returns all events of the queue, read or not.
//!
//! A queue is for messages that may wait until a system reads them. Messages that must be handled at once are
//! for [observers](super::lifecycle), which are called with the world while the sender waits.
//!
//! [`Resource`]: crate::Resource
//! [`Res`]: crate::Res
//! [`ResMut`]: crate::ResMut
//! [`NonSend`]: crate::NonSend
//! [`Events`]: crate::Events
//! [`EventCursor`]: crate::EventCursor
//! [`World::resource`]: crate::World::resource
//! [`World::resource_mut`]: crate::World::resource_mut
//! [`World::get_resource`]: crate::World::get_resource
//! [`World::get_resource_mut`]: crate::World::get_resource_mut
//! [`World::resource_scope`]: crate::World::resource_scope
//! [`World::resource_version`]: crate::World::resource_version
//! [`HasChanged`]: crate::HasChanged
//! [`World::clear`]: crate::World::clear
