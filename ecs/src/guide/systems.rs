//! Systems: functions whose parameters are parts of the world, and lists of them that are run each frame.
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
//! # Parameters
//!
//! [`Param`] lists the parameters: views, resources by reference, values of the system's own, commands,
//! changes, and `&World`, through which nothing is written. Anything else needs a `&mut World`, as the only
//! parameter. Two parameters conflict if one writes a component or resource that the other accesses. Conflicts
//! do not compile, as in a [split](crate::World::split_mut), so a system needs no locks.
//!
//! Parameters that often occur together can be the fields of a struct. The struct is one parameter, and
//! accesses all that its fields access:
//!
//! ```
//! # use ecs::{Commands, Component, Local, Resource, View, Views, World};
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Velocity(f32);
//! # #[derive(Resource)] struct Step(f32);
//! #[derive(Views)]
//! struct Flight<'w> {
//!     movers: View<'w, (&'w mut Position, &'w Velocity)>,
//!     step: &'w Step,
//!     landed: Local<'w, u32>,
//!     commands: &'w mut Commands,
//! }
//!
//! impl Flight<'_> {
//!     fn fly(&mut self) {
//!         for (entity, position, velocity) in &mut self.movers {
//!             position.0 += velocity.0 * self.step.0;
//!             if position.0 <= 0.0 {
//!                 *self.landed += 1;
//!                 self.commands.remove::<Velocity>(entity);
//!             }
//!         }
//!     }
//! }
//!
//! fn integrate(mut flight: Flight) -> u32 {
//!     flight.fly();
//!     *flight.landed
//! }
//!
//! # let mut world = World::new();
//! # world.insert_resource(Step(0.5));
//! world.spawn((Position(0.5), Velocity(-1.0)));
//! assert_eq!(world.run(integrate), 1);
//! ```
//!
//! A system is a plain function. It can be called with views that the caller made, and [`World::run`] runs it
//! once: in tests, or for a task that happens once.
//!
//! # Views in structs, and generic systems
//!
//! A struct of your own may hold a view. `#[derive(Views)]`, as above, makes it a parameter by itself. Without
//! the derive, the query needs a lifetime of its own, beside the view's, because a system is called with views
//! of any lifetime:
//!
//! ```
//! # use ecs::{Component, View, World};
//! # #[derive(Component)] struct Health(u32);
//! struct Ward<'w, 'q> {
//!     patients: View<'w, &'q Health>,
//! }
//!
//! impl Ward<'_, '_> {
//!     fn worst(&self) -> Option<u32> {
//!         self.patients.iter().map(|(_, health)| health.0).min()
//!     }
//! }
//!
//! fn triage(patients: View<&Health>) -> Option<u32> {
//!     Ward { patients }.worst()
//! }
//! # let mut world = World::new();
//! world.spawn_batch([Health(3), Health(7)]);
//! assert_eq!(world.run(triage), Some(3));
//! ```
//!
//! With one lifetime for both, the compiler advises `fn triage<'a>(patients: View<'a, &'a Health>)`, and then
//! reports that `FnOnce` is not general enough. A query that names components alone has no lifetime:
//! `View<'w, Health>`.
//!
//! A system may be generic over a trait of yours. For a [`Component`](trait@crate::Component), an item is a `&S` or a
//! `&mut S`. Components in columns are no `Component`, but an [`AnyComponent`](crate::AnyComponent), whose item is a
//! `Ref<'_, S>` or a `RefMut<'_, S>`:
//!
//! ```
//! # use ecs::{Component, Schedule, View, World};
//! trait Skill: Component {
//!     fn level(&self) -> u32;
//!     fn practise(&mut self);
//! }
//!
//! #[derive(Component)]
//! struct Archery(u32);
//! impl Skill for Archery {
//!     fn level(&self) -> u32 {
//!         self.0
//!     }
//!     fn practise(&mut self) {
//!         self.0 += 1;
//!     }
//! }
//!
//! fn train<S: Skill>(skills: View<&mut S>) {
//!     for (_, skill) in skills {
//!         if skill.level() < 10 {
//!             skill.practise();
//!         }
//!     }
//! }
//!
//! let mut world = World::new();
//! let archer = world.spawn(Archery(3)).id();
//! Schedule::new().add(train::<Archery>).run(&mut world)?;
//! assert_eq!(world.get::<Archery>(archer).unwrap().level(), 4);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! # The list is the order
//!
//! A [`Schedule`] runs its systems as if in the order in which they were added, always. Only commands come later:
//! the [next system does not see them](#when-commands-are-applied) without a `sync`. There is nothing to
//! declare, and nothing that differs from run to run. Conditions are systems that return a `bool` and only
//! read. Lists within lists have names, by which they are switched off, and may have a condition, which is
//! evaluated once for the whole list.
//!
//! [`schedule!`](crate::schedule) declares a list in the source:
//!
//! ```
//! use ecs::{Component, Resource, View, World, schedule};
//!
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Velocity(f32);
//! # #[derive(Component)] struct Health(u32);
//! # #[derive(Resource)] struct Paused(bool);
//! fn steer(velocities: View<&mut Velocity>) {
//!     velocities.for_each(|(_, velocity)| velocity.0 *= 0.9);
//! }
//! fn heal(healths: View<&mut Health>) {
//!     healths.for_each(|(_, health)| health.0 += 1);
//! }
//! fn integrate(movers: View<(&mut Position, &Velocity)>) {
//!     movers.for_each(|(_, position, velocity)| position.0 += velocity.0);
//! }
//! fn is_running(paused: &Paused) -> bool {
//!     !paused.0
//! }
//! fn show(world: &mut World) {
//!     println!("{world:?}");
//! }
//!
//! schedule! {
//!     struct Physics { integrate }
//! }
//! schedule! {
//!     pub struct Frame {
//!         together(steer, heal if is_running),
//!         physics: Physics if is_running,
//!         show,
//!     }
//! }
//!
//! let mut world = World::new();
//! world.insert_resource(Paused(false));
//! let mut frame = Frame::new();
//! frame.run(&mut world)?;
//! frame.switch("physics", false);
//! frame.run(&mut world)?;
//! assert!(Frame::PLAN.waits().eq([
//!     ("steer", "integrate"),
//!     ("is_running", "integrate"),
//!     ("heal", "show"),
//!     ("integrate", "show"),
//! ]));
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! # When commands are applied
//!
//! Recorded [`Commands`] are applied at the end of the run, at the end of a list within, and at each
//! [`sync`](crate::Schedule::sync). They are also applied before a system that takes the whole world, as
//! `&mut World` or `&World`. Such a system sees the effects of all systems before it in the list. A view
//! does not wait for commands: put a `sync` before a system whose views need their effects.
//!
//! A system that spawns takes [`SpawnCommands`](crate::SpawnCommands) in place of `&mut Commands`. They return
//! the handle of each new entity at once, and `spawn_with` records an entity and others that point to it in one
//! expression:
//!
//! ```
//! # use ecs::{ChildOf, Component, Schedule, SpawnCommands, View, World};
//! # #[derive(Component)] struct Port { ships: u32 }
//! # #[derive(Component)] struct Ship;
//! # #[derive(Component)] struct Gun(u32);
//! fn launch(ports: View<&mut Port>, mut commands: SpawnCommands) {
//!     for (_, port) in ports {
//!         if port.ships > 0 {
//!             port.ships -= 1;
//!             commands.spawn_with(Ship, |ship| [1, 2].map(|gun| (Gun(gun), ChildOf(ship))));
//!         }
//!     }
//! }
//! # let mut world = World::new();
//! world.spawn(Port { ships: 1 });
//! Schedule::new().add(launch).run(&mut world)?;
//! assert_eq!((world.view::<Ship>().count(), world.view::<(Gun, ChildOf)>().count()), (1, 2));
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! Systems that spawn run in the order of the list, and so do systems with an
//! [`EntityAllocator`](crate::EntityAllocator), which reserves entities without commands. So each run returns
//! equal handles on any number of threads. Systems with a `&mut Commands` may overlap. In a schedule, the
//! allocator of a view and a `&World` reserve no entities.
//!
//! A system of the list that does not see such commands is found in builds with debug assertions: a
//! [warning](crate::Schedule::set_warns) names it, the component, and the system that recorded them.
//! [`SchedulePlan::applies`](crate::SchedulePlan::applies), and the pictures of a schedule, show where commands are applied.
//!
//! By default, commands that cannot be applied, such as the second despawn of one entity, are dropped silently.
//! In a [strict](crate::Schedule::set_strict) schedule each is an error of the system that recorded it, beside
//! the errors that systems return:
//!
//! ```
//! # use ecs::{Commands, CommandsError, Component, Schedule, View, World};
//! # #[derive(Component)] struct Health(u32);
//! # #[derive(Component)] struct Poison;
//! fn starve(all: View<&Health>, commands: &mut Commands) {
//!     all.iter().filter(|(_, health)| health.0 == 0).for_each(|(entity, _)| commands.despawn(entity));
//! }
//! fn weaken(all: View<(&Health, &Poison)>, commands: &mut Commands) {
//!     for (entity, health, _) in all {
//!         commands.insert(entity, Health(health.0 / 2));
//!     }
//! }
//!
//! let mut frame = Schedule::new().add(starve).add(weaken);
//! frame.set_strict(true);
//! let mut world = World::new();
//! world.spawn((Health(0), Poison));
//! let error = frame.run(&mut world).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "system `weaken` failed: not all commands were applied: 1 found no living entity",
//! );
//! for (system, error) in error.errors() {
//!     if let Some(commands) = error.downcast_ref::<CommandsError>() {
//!         assert_eq!((system, commands.applied().missing), ("weaken", 1));
//!     }
//! }
//! ```
//!
//! When a system panics, the recorded commands wait for the next run of the schedule, which begins with them.
//! Commands belong to the world in which they were recorded. They are dropped if the next run is in another
//! world, or if a command replaces its world; a strict schedule returns their number as an error.
//!
//! # Overlapping systems
//!
//! One rule: **systems that conflict run in the order listed; all others may overlap.** Two systems conflict if
//! one accesses a component or resource that the other writes. Two columns of a component do not conflict, nor
//! do two views if one requires a component that the other excludes. A system that takes `&World` conflicts
//! with all that write, one that takes `&mut World` with all, and so does `sync`. If commands are applied
//! before a system, all systems before it in the list have ended, and none behind it has begun.
//!
//! With the feature `parallel`, the threads of rayon's pool share systems that may overlap. The result does not
//! depend on the threads: it is the result of the list from top to bottom, under each
//! [`Sharing`](crate::Sharing), with equal handles and equal free indices. To wake a thread takes some tens of
//! microseconds, so a schedule measures now and then whether sharing is faster, and stops it if not.
//!
//! A value that must be used on one thread, such as a window, keeps its system on the thread that runs the
//! schedule: see [below](#systems-that-stay-on-one-thread).
//!
//! `together(a, b)`, or [`Schedule::together`](crate::Schedule::together) with a tuple, does not change this
//! rule. It states that you count on the two to overlap: if a later change makes them conflict, that is a
//! compile error there, which names both systems and the component.
//!
//! [`SchedulePlan::mermaid`](crate::SchedulePlan::mermaid) draws which system waits for which, and why.
//! [`Schedule::timeline`](crate::Schedule::timeline) draws when each system ran, in a row a thread. The feature
//! `tracing` opens a span for each system.
//!
//! # Systems that stay on one thread
//!
//! Most libraries for windows, sound and graphics have values that are used on one thread only. Such a value is
//! a resource as a [`NonSend`](crate::NonSend), and a system borrows it by a parameter
//! [`NonSendRef`](crate::NonSendRef) or [`NonSendMut`](crate::NonSendMut). The system then stays on the thread that calls
//! [`Schedule::run`](crate::Schedule::run), while the others overlap with it:
//!
//! ```
//! use ecs::{CallingThread, Component, NonSend, NonSendMut, Schedule, View, World, schedule};
//! use std::cell::Cell;
//! use std::rc::Rc;
//!
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Health(u32);
//! /// A type of another library that is not `Send`.
//! #[derive(Default)]
//! struct Canvas {
//!     dots: Vec<Rc<Cell<f32>>>,
//! }
//!
//! fn draw(positions: View<&Position>, mut canvas: NonSendMut<Canvas>) {
//!     canvas.dots = positions.iter().map(|(_, at)| Rc::new(Cell::new(at.0))).collect();
//! }
//! fn poll(_: CallingThread) {
//!     // calls that the operating system allows on this thread only
//! }
//! fn heal(healths: View<&mut Health>) {
//!     healths.for_each(|(_, health)| health.0 += 1);
//! }
//!
//! schedule! {
//!     struct Frame { poll, together(draw, heal) }
//! }
//!
//! let mut world = World::new();
//! world.spawn((Position(0.5), Health(1)));
//! world.insert_resource(NonSend::new(Canvas::default()));
//!
//! let frames = Rc::new(Cell::new(0));
//! let count = Rc::clone(&frames);
//! let mut frame = Schedule::from(Frame::new()).add(NonSend::new(move || count.set(count.get() + 1)));
//! frame.run(&mut world)?;
//! assert_eq!(world.resource::<NonSend<Canvas>>().get().dots.len(), 1);
//! assert_eq!(frames.get(), 1);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! * [`CallingThread`](crate::CallingThread) is the parameter of a system that calls functions tied to the
//!   thread, but borrows no such value.
//! * A [`NonSend`](crate::NonSend) of a closure is a system, or a condition, that may capture values that are not
//!   `Send`.
//! * Values conflict like other resources. Two systems that stay run in the order of the list even without a
//!   conflict, so two of them in `together` are a compile error.
//! * A schedule stays `Send`. If it runs on another thread than the value's, the system that uses the value
//!   panics, and names the type of the value. A system with only a `CallingThread` runs on the thread of the
//!   schedule.
//! * Conditions, commands and systems that take `&mut World` always run on that thread, without any of this.
//!
//! # Fixed steps and states
//!
//! Systems that run in steps of one length are a schedule of their own. [`FixedStep`](crate::FixedStep) returns
//! how often to run it in a frame.
//!
//! States are a resource and conditions. A system that runs when a state begins compares it with the last one
//! that it saw:
//!
//! ```
//! # use ecs::{Local, Resource, World, schedule};
//! #[derive(Resource, Clone, Copy, PartialEq)]
//! enum Screen {
//!     Menu,
//!     Play,
//! }
//! #[derive(Resource)]
//! struct Level(u32);
//!
//! fn is_playing(screen: &Screen) -> bool {
//!     *screen == Screen::Play
//! }
//! fn is_in_menu(screen: &Screen) -> bool {
//!     *screen == Screen::Menu
//! }
//! fn begins_to_play(screen: &Screen, mut last: Local<Option<Screen>>) -> bool {
//!     last.replace(*screen) != Some(Screen::Play) && *screen == Screen::Play
//! }
//! fn set_up(level: &mut Level) {
//!     level.0 += 1;
//! }
//! fn start(screen: &mut Screen) {
//!     *screen = Screen::Play;
//! }
//! fn play() {}
//!
//! schedule! {
//!     struct Frame { start if is_in_menu, set_up if begins_to_play, play if is_playing }
//! }
//! # let mut world = World::new();
//! # world.insert_resource(Screen::Menu);
//! # world.insert_resource(Level(0));
//! let mut frame = Frame::new();
//! for _ in 0..3 {
//!     frame.run(&mut world)?;
//! }
//! assert_eq!(world.resource::<Level>().0, 1);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! An [app](crate::guide::apps#states) has states with lists that run when one begins and ends.
//!
//! # Going back
//!
//! [`Schedule::snapshot`](crate::Schedule::snapshot) copies a world, and all that the systems of the schedule keep from run
//! to run; [`restore`](crate::Schedule::restore) brings both back. [`Snapshot`](crate::Snapshot) lists the parts.
//! A [recorded run](super::testing#recorded-runs) is played again from any of its snapshots, and compared.
//!
//! [`Param`]: crate::Param
//! [`World::run`]: crate::World::run
//! [`Schedule`]: crate::Schedule
//! [`Commands`]: crate::Commands
