//! Testing: how to test systems and other functions on worlds.
//!
//! ```
//! use ecs::{Commands, Component, Entity, Resource, View, World};
//!
//! #[derive(Component, Debug, PartialEq)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//! #[derive(Resource)]
//! struct Step(f32);
//!
//! /// A system: its parameters are the parts of the world that it uses.
//! fn advance(movers: View<(&mut Position, &Velocity)>, step: &Step) {
//!     for (_, position, velocity) in movers {
//!         position.0 += velocity.0 * step.0;
//!     }
//! }
//!
//! /// A function with other parameters is no system. It takes a view, and a system calls it.
//! fn beyond(positions: &View<&Position>, limit: f32) -> Vec<Entity> {
//!     positions.iter().filter(|(_, at)| at.0 > limit).map(|(entity, _)| entity).collect()
//! }
//!
//! /// A system that edits takes commands, or the whole world.
//! fn despawn_far(positions: View<&Position>, commands: &mut Commands) {
//!     for entity in beyond(&positions, 10.0) {
//!         commands.despawn(entity);
//!     }
//! }
//!
//! // The test makes a small world, and runs single systems in it.
//! let mut world = World::new();
//! world.insert_resource(Step(2.0));
//! let slow = world.spawn((Position(0.0), Velocity(1.0))).id();
//! let fast = world.spawn((Position(0.0), Velocity(9.0))).id();
//! let still = world.spawn(Position(3.0)).id();
//!
//! world.run(advance);
//! assert_eq!(world.get::<Position>(slow), Some(&Position(2.0)));
//! assert_eq!(world.get::<Position>(still), Some(&Position(3.0)));
//! assert_eq!(beyond(&world.view(), 10.0), [fast]);
//! world.run(despawn_far);
//! assert!(!world.is_alive(fast));
//! ```
//!
//! # Systems are functions
//!
//! Nothing has to be implemented or registered. A function that has only [parameters of systems](crate::Param)
//! is a system: [`World::run`](crate::World::run) runs it in a test, and a [schedule](super::systems) in the
//! program. The parameters decide its capabilities:
//!
//! | parameter | it can |
//! |---|---|
//! | `&mut World` | everything, edits included; the only parameter |
//! | `&World` | make views that read, look up |
//! | `View<'_, (&mut A, &B)>` | read and write these components, of these entities |
//! | two views, or a struct of views | use several queries at once |
//! | `&Step`, `&mut Step` | read or write a resource |
//!
//! The narrower the parameters, the smaller the world that a test must make. A function with other parameters,
//! such as a limit or an `Item<'_, (&mut A, &B)>`, can be called by a system or by the test itself.
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
//! # Comparing results
//!
//! * Values of entities whose handles the test kept, by [`World::get`].
//! * Numbers: `count()`, the length of a batch, [`World::len`].
//! * Lists, once they are sorted. The order of a view is unspecified, unless it is
//!   [chosen](crate::View::in_order_of): a group, a removal or a version of the library may change it. Equal histories of calls give equal orders, so two runs of a program can be
//!   compared as they are.
//! * The names of an entity's components: `world.components(entity).map(Kind::name)`.
//! * How a view finds its matches, where a test should notice that a [group](super::groups) is not used any
//!   more: `view.explain().kind`, a [`PlanKind`].
//!
//! # Recorded runs
//!
//! With the feature `serde`, a `replay::Recording` stores the input of each frame, hashes of the world after it, and a
//! snapshot every few frames. `replay` goes back to a snapshot, plays the frames again and compares each. So a test finds out
//! whether a program depends on anything but its inputs, such as a clock or the order of a hash map:
//!
//! ```
//! use core::time::Duration;
//! use ecs::app::{App, UPDATE};
//! use ecs::replay::Recording;
//! use ecs::{Component, View};
//! use serde::{Deserialize, Serialize};
//! use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//!
//! #[derive(Component, Clone, Serialize, Deserialize)]
//! #[component(clone, save = "height")]
//! struct Height(u32);
//!
//! static OUTSIDE: AtomicU32 = AtomicU32::new(0);
//! fn climb(all: View<&mut Height>) {
//!     all.for_each(|(_, height)| height.0 += OUTSIDE.fetch_add(1, Relaxed)); // goes on from the future
//! }
//! let mut app = App::new();
//! let climber = app.world.spawn(Height(0)).id();
//! app.add_systems(UPDATE, "climb", |list| list.add(climb));
//! let play = |app: &mut App, elapsed: &Duration| app.frame(*elapsed);
//!
//! let mut recording = Recording::new(&mut app, 60)?; // a snapshot now, and after each 60 frames
//! for _ in 0..3 {
//!     let elapsed = Duration::from_millis(16);
//!     play(&mut app, &elapsed)?;
//!     recording.record(&mut app, &elapsed)?;
//! }
//! let error = recording.replay(&mut app, 0, play).unwrap_err();
//! assert_eq!(error.to_string(), format!("frame 0 differs: `height` of {climber}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two machines that play one game by exchanging inputs record it, too. They exchange the `hash` of each frame. When two
//! hashes differ, one sends its recording by `write`, and the other reads it and finds the first difference by `compare`. The
//! program that reads has registered the components and resources of the recorded world, by
//! [`World::register`](crate::World::register); a name that it does not find is an error.
//! `forget_before` bounds the memory that a recording takes.
//!
//! # Mistakes that do not compile
//!
//! A query that writes a component that it also reads is found when the call of `view_mut` is compiled in full,
//! by `cargo build` or `cargo test`. To find it by `cargo check`, and in an editor, write
//! [`check_query!`](crate::check_query) beside it, or use a derived query, which checks itself.
//!
//! [`World::get`]: crate::World::get
//! [`World::len`]: crate::World::len
//! [`World::split_mut`]: crate::World::split_mut
//! [`ViewSet`]: crate::ViewSet
//! [`Filter`]: crate::Filter
//! [`PlanKind`]: crate::PlanKind
