//! Testing: functions as systems, and how to test them.
//!
//! ```
//! use ecs::{Component, Entity, View, World};
//!
//! #[derive(Component, Debug, PartialEq)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//!
//! /// A system that reads and writes values takes a view: its signature says what it touches.
//! fn advance(movers: View<'_, (&mut Position, &Velocity)>, seconds: f32) {
//!     for (_, position, velocity) in movers {
//!         position.0 += velocity.0 * seconds;
//!     }
//! }
//!
//! /// One that only looks takes a view, too, and returns what it found.
//! fn beyond(positions: View<'_, Position>, limit: f32) -> Vec<Entity> {
//!     positions.iter().filter(|(_, at)| at.0 > limit).map(|(entity, _)| entity).collect()
//! }
//!
//! /// One that edits takes the world.
//! fn despawn_beyond(world: &mut World, limit: f32) -> usize {
//!     let gone = beyond(world.view(), limit);
//!     world.despawn_batch(&gone)
//! }
//!
//! // The test makes just the world that it needs. The compiler infers the queries.
//! let mut world = World::new();
//! let slow = world.spawn((Position(0.0), Velocity(1.0))).id();
//! let fast = world.spawn((Position(0.0), Velocity(9.0))).id();
//! let still = world.spawn(Position(3.0)).id();
//!
//! advance(world.view_mut(), 2.0);
//! assert_eq!(world.get::<Position>(slow), Some(&Position(2.0)));
//! assert_eq!(world.get::<Position>(still), Some(&Position(3.0)));
//! assert_eq!(beyond(world.view(), 10.0), [fast]);
//! assert_eq!(despawn_beyond(&mut world, 10.0), 1);
//! assert!(!world.is_alive(fast));
//! ```
//!
//! # Systems are functions
//!
//! Nothing has to be implemented or registered. What a function takes decides what it can do:
//!
//! | parameter | what it can do |
//! |---|---|
//! | `&mut World` | everything, edits included |
//! | `&World` | make views that read, look up, reserve entities |
//! | `View<'_, (&mut A, &B)>` | read and write these components, of these entities |
//! | two views, or a struct of views | the same, of several queries at once |
//! | `Item<'_, (&mut A, &B)>` | work on one entity; for `for_each` |
//!
//! The narrower the parameter, the smaller the world that a test must make.
//!
//! # Several views
//!
//! A struct with `#[derive(Views)]` is the parameter of a system with several queries. It names the views, and
//! [`World::split_mut`] makes it:
//!
//! ```
//! use ecs::{Component, Entity, View, Views, World};
//!
//! #[derive(Component)]
//! struct Health(i32);
//! #[derive(Component)]
//! struct Bomb { target: Entity, damage: i32 }
//!
//! #[derive(Views)]
//! struct Explosions<'w> {
//!     bombs: View<'w, &'w Bomb>,
//!     healths: View<'w, &'w mut Health>,
//! }
//!
//! fn explode(mut views: Explosions<'_>) {
//!     for (_, bomb) in views.bombs {
//!         if let Some((_, health)) = views.healths.get_mut(bomb.target) {
//!             health.0 -= bomb.damage;
//!         }
//!     }
//! }
//!
//! let mut world = World::new();
//! let target = world.spawn(Health(5)).id();
//! world.spawn_batch([Bomb { target, damage: 1 }, Bomb { target, damage: 2 }]);
//! explode(world.split_mut::<Explosions>());
//! assert_eq!(world.get::<Health>(target).unwrap().0, 2);
//! ```
//!
//! Without the struct, the parameter is a tuple of views: `<(&Bomb, &mut Health) as ViewSet>::Views<'_>`, with
//! [`ViewSet`]; or each view is a parameter of its own.
//!
//! # Views with any filters
//!
//! `View<'_, Q>` is a view without filters of its own. One that was narrowed by `with` or `without` has them in
//! a second parameter, so a function for either is generic over a [`Filter`]:
//!
//! ```
//! # use ecs::{Component, Filter, View, World};
//! # #[derive(Component)] struct Health(i32);
//! # #[derive(Component)] struct Player;
//! fn total<F: Filter>(healths: &View<'_, Health, F>) -> i32 {
//!     healths.iter().map(|(_, health)| health.0).sum()
//! }
//!
//! let mut world = World::new();
//! world.spawn_batch([(Health(3), Player)]);
//! world.spawn(Health(4));
//! assert_eq!(total(&world.view()), 7);
//! assert_eq!(total(&world.view().with::<Player>()), 3);
//! ```
//!
//! # What to compare
//!
//! * Values of entities whose handles the test kept, by [`World::get`].
//! * Numbers: `count()`, the length of a batch, [`World::len`].
//! * Lists, once they are sorted. The order of a view is unspecified: a group, a removal or a version of the
//!   library may change it. It is the same for the same history of calls, so two runs of a program can be
//!   compared as they are.
//! * The names of what an entity has: `world.components(entity).map(|pool| pool.name())`.
//! * How a view finds its matches, where a test should notice that a [group](super::groups) is not used any
//!   more: `view.explain().kind`, a [`PlanKind`].
//!
//! # Mistakes that do not compile
//!
//! That a query writes what it reads is found when the call of `view_mut` is compiled in full, by `cargo build`
//! or `cargo test`. To see it in `cargo check`, and in an editor, write [`check_query!`](crate::check_query)
//! beside it, or use a derived query, which checks itself.
//!
//! [`World::get`]: crate::World::get
//! [`World::len`]: crate::World::len
//! [`World::split_mut`]: crate::World::split_mut
//! [`ViewSet`]: crate::ViewSet
//! [`Filter`]: crate::Filter
//! [`PlanKind`]: crate::PlanKind
