//! Systems: functions that are given what they ask for, and lists of them that are run each frame.
//!
//! ```
//! use ecs::{Commands, Component, Local, Resource, Schedule, View, World};
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//! #[derive(Resource)]
//! struct Step(f32);
//! #[derive(Resource, Default)]
//! struct Landed(Vec<String>);
//!
//! fn integrate(movers: View<(&mut Position, &Velocity)>, step: &Step) {
//!     for (_, position, velocity) in movers {
//!         position.0 += velocity.0 * step.0;
//!     }
//! }
//! fn land(movers: View<(&Position, &Velocity)>, commands: &mut Commands) {
//!     for (entity, position, _) in movers {
//!         if position.0 <= 0.0 {
//!             commands.remove::<Velocity>(entity);
//!         }
//!     }
//! }
//! fn report(still: View<&Position>, landed: &mut Landed, mut frame: Local<u32>) {
//!     *frame += 1;
//!     landed.0.push(format!("{}: {}", *frame, still.count()));
//! }
//!
//! let mut world = World::new();
//! world.insert_resource(Step(0.5));
//! world.insert_resource(Landed::default());
//! let lander = world.spawn((Position(1.0), Velocity(-1.0))).id();
//!
//! let mut frame = Schedule::new().add(integrate).add(land).sync().add(report);
//! for _ in 0..3 {
//!     frame.run(&mut world)?;
//! }
//! assert!(!world.has::<&Velocity>(lander));
//! assert_eq!(world.resource::<Landed>().0, ["1: 1", "2: 1", "3: 1"]);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! # What a system may ask for
//!
//! [`Param`] has the table: views, resources by reference, values of the system's own, commands, what changed. What
//! a system cannot be given it takes a `&mut World` for, alone. Two parameters of which one writes what the other
//! touches do not compile, as in a [split](crate::World::split_mut): so a system needs no locks.
//!
//! A system is a plain function. It can be called by hand with views of one's own making, and
//! [`World::run`] runs it once: in tests, or for what happens once.
//!
//! # The list is the order
//!
//! A [`Schedule`] runs its systems in the order in which they were added, always. There is nothing to declare, and
//! nothing that differs from run to run. What systems record as [`Commands`] is applied at the end,
//! and where the list says [`sync`](crate::Schedule::sync). Conditions are systems that return a `bool`;
//! lists within lists have names, by which they are switched off.
//!
//! Fixed steps of time are a loop around a schedule:
//!
//! ```
//! # use ecs::{Resource, Schedule, World};
//! # use std::time::Duration;
//! # #[derive(Resource)] struct Ticks(u32);
//! # let mut physics = Schedule::new().add(|ticks: &mut Ticks| ticks.0 += 1);
//! # let mut world = World::new();
//! # world.insert_resource(Ticks(0));
//! const STEP: Duration = Duration::from_millis(20);
//! let mut left = Duration::ZERO;
//! for elapsed in [16, 17, 40].map(Duration::from_millis) { // since the last frame
//!     left += elapsed;
//!     while left >= STEP {
//!         physics.run(&mut world)?;
//!         left -= STEP;
//!     }
//! }
//! assert_eq!(world.resource::<Ticks>().0, 3);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! States are a resource and conditions:
//!
//! ```
//! # use ecs::{Resource, Schedule, World};
//! #[derive(Resource, PartialEq)]
//! enum Screen {
//!     Menu,
//!     Play,
//! }
//! fn is_playing(screen: &Screen) -> bool {
//!     *screen == Screen::Play
//! }
//! fn is_in_menu(screen: &Screen) -> bool {
//!     *screen == Screen::Menu
//! }
//! fn start(screen: &mut Screen) {
//!     *screen = Screen::Play;
//! }
//! let mut frame = Schedule::new().add_if(is_playing, || {}).add_if(is_in_menu, start);
//! # let mut world = World::new();
//! # world.insert_resource(Screen::Menu);
//! frame.run(&mut world)?;
//! assert!(*world.resource::<Screen>() == Screen::Play);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! [`Param`]: crate::Param
//! [`World::run`]: crate::World::run
//! [`Schedule`]: crate::Schedule
//! [`Commands`]: crate::Commands
