//! Everyday tasks: fifteen short answers.
//!
//! Each answer is at most five lines. The entities and components that it needs exist already; the links lead
//! to the chapters that explain more.
//!
//! # Delete all with X
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct X;
//! # #[derive(Component)] struct Health(i32);
//! # let mut world = World::new();
//! # world.spawn_batch((0..3).map(|health| (X, Health(health))));
//! # world.spawn(Health(9));
//! let all: Vec<Entity> = world.pool::<X>().keys().to_vec();
//! world.despawn_batch(&all);
//! # assert_eq!((world.len(), world.view::<X>().count()), (1, 0));
//! ```
//!
//! To remove the component and keep the entities, write `world.pool_mut::<X>().clear()`
//! ([edits during loops](super::edits_during_loops#lists)).
//!
//! # The parent's transform
//!
//! ```
//! # use ecs::{ChildOf, Component, Up, View, World};
//! # #[derive(Component)] struct Transform(f32);
//! # #[derive(Component)] struct Offset(f32);
//! fn follow(children: View<(&Offset, Up<ChildOf, &Transform>)>) -> Vec<f32> {
//!     let place = |parent: Option<&Transform>| parent.map_or(0.0, |parent| parent.0);
//!     children.iter().map(|(_, offset, parent)| place(parent) + offset.0).collect()
//! }
//! # let mut world = World::new();
//! # let ship = world.spawn(Transform(10.0)).id();
//! # world.spawn((Offset(2.0), ChildOf(ship)));
//! # assert_eq!(world.run(follow), [12.0]);
//! ```
//!
//! Transforms of a tree are written in the order of [`World::by_depth`]
//! ([relations](super::relations_and_events#from-parents-to-children)).
//!
//! # Run every 100 ms
//!
//! ```
//! # use core::time::Duration;
//! # use ecs::Resource;
//! # use ecs::app::{App, UPDATE, every};
//! # #[derive(Resource)] struct Blinks(u32);
//! # fn blink(blinks: &mut Blinks) { blinks.0 += 1; }
//! # let mut app = App::new();
//! # app.world.insert_resource(Blinks(0));
//! app.add_systems(UPDATE, "lamp", |list| list.add_if(every(Duration::from_millis(100)), blink));
//! # for _ in 0..10 { app.frame(Duration::from_millis(33))?; }
//! # assert_eq!(app.world.resource::<Blinks>().0, 3);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! [`every`] is a condition that reads the resource [`Elapsed`]; without an [app](super::apps), insert that resource before
//! each run of the schedule.
//!
//! # Sort by y
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Position { y: f32 }
//! # let mut world = World::new();
//! # world.spawn_batch([2.0, 1.0].map(|y| Position { y }));
//! # let mut drawn = Vec::new();
//! for (_, position) in world.view::<&Position>().sorted_by(|a, b| a.1.y.total_cmp(&b.1.y)) {
//!     // draw it
//! #     drawn.push(position.y);
//! }
//! # assert_eq!(drawn, [1.0, 2.0]);
//! ```
//!
//! [`PoolMut::sort_by`](crate::PoolMut::sort_by) keeps the pool itself in order, which costs less if little
//! changes between two frames. [`View::in_order_of`](crate::View::in_order_of) walks a view of any terms in the order of that
//! pool.
//!
//! # The nearest
//!
//! ```
//! # use ecs::{Component, Entity, View, World};
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Enemy;
//! # use ecs::With;
//! fn nearest(enemies: &View<(&Position, With<Enemy>)>, to: f32) -> Option<Entity> {
//!     let away = |at: &Position| (at.0 - to).abs();
//!     enemies.iter().min_by(|a, b| away(a.1).total_cmp(&away(b.1))).map(|(entity, ..)| entity)
//! }
//! # let mut world = World::new();
//! # let at = world.spawn_batch([1.0, 4.0, 9.0].map(|at| (Position(at), Enemy)));
//! # assert_eq!(nearest(&world.view(), 5.0), Some(at[1]));
//! # assert_eq!(nearest(&World::new().view(), 5.0), None);
//! ```
//!
//! The search looks at every enemy. Where many entities look for their nearest, keep a grid in a resource.
//!
//! # React when health reaches 0
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Health(i32);
//! # let mut world = World::new();
//! # let orc = world.spawn(Health(3)).id();
//! world.on_update::<Health>(|world, entity| {
//!     if world.get::<Health>(entity).is_some_and(|health| health.0 <= 0) {
//!         world.despawn(entity).ok();
//!     }
//! });
//! # world.patch::<Health>(orc, |health| health.0 -= 1);
//! # assert!(world.is_alive(orc));
//! # world.patch::<Health>(orc, |health| health.0 -= 2);
//! # assert!(!world.is_alive(orc));
//! ```
//!
//! Observers are called for changes by [`World::patch`], `replace` and `insert`, and by the commands of these names.
//! Where systems change health through views, a system behind them looks at the
//! [changes](super::changes) ([lifecycle](super::lifecycle)).
//!
//! # Save the player with belongings
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! # use ecs::{ChildOf, Component, Entity, Name, World};
//! # use ecs::save::Limits;
//! # #[derive(Component, Clone)] struct Kept;
//! # let mut world = World::new();
//! # let player = world.spawn_named("player").id();
//! # let bag = world.spawn((Name::new("bag"), ChildOf(player))).id();
//! # world.spawn((Name::new("apple"), ChildOf(bag)));
//! # world.spawn_named("orc");
//! # let mut bytes = Vec::new();
//! let belongings = world.descendants_of::<ChildOf>(player);
//! let all: Vec<_> = core::iter::once(player).chain(belongings).map(|it| (it, Kept)).collect();
//! world.insert_batch(all).unwrap();
//! world.save().matching::<&Kept>().leave_out::<Kept>().to_bytes(&mut bytes).unwrap();
//! # world.register::<(Name, ChildOf)>();
//! # let (saved, _) = world.read(&bytes, &Limits::default()).unwrap();
//! # assert_eq!(saved.len(), 3);
//! # assert_eq!(saved.descendants_of::<ChildOf>(player).count(), 2);
//! # }
//! ```
//!
//! `Kept` is a component of yours that marks the entities to save. [`World::read`] and [`World::merge`] load
//! them into another world ([saving](super::saving#merging-worlds)).
//!
//! # Spawn children in one go
//!
//! ```
//! # use ecs::{ChildOf, Component, SpawnCommands, World};
//! # #[derive(Component)] struct Ship;
//! # #[derive(Component)] struct Gun(u32);
//! fn launch(mut commands: SpawnCommands) {
//!     commands.spawn_with(Ship, |ship| [1, 2].map(|gun| (Gun(gun), ChildOf(ship))));
//! }
//! # let mut world = World::new();
//! # world.run(launch);
//! # let ship = world.view::<&Ship>().single().unwrap().0;
//! # assert_eq!(world.children(ship).len(), 2);
//! ```
//!
//! [`World::spawn_with`] spawns them at once, without commands.
//!
//! # Two inventories
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Inventory(Vec<&'static str>);
//! # let mut world = World::new();
//! # let chest = world.spawn(Inventory(vec!["sword"])).id();
//! # let player = world.spawn(Inventory(vec![])).id();
//! let mut inventories = world.view_mut::<&mut Inventory>();
//! let both = inventories.get_disjoint_mut([chest, player]);
//! if let Ok([(_, from), (_, to)]) = both {
//!     to.0.append(&mut from.0);
//! }
//! # assert_eq!(world.get::<Inventory>(player).unwrap().0, ["sword"]);
//! ```
//!
//! The call returns an error if one of the two has no inventory, or both are one entity. One entity with two
//! inventories has two components: `struct Bag(Inventory)` and `struct Belt(Inventory)`.
//!
//! # Pairs
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Position(f32);
//! # let mut world = World::new();
//! # world.spawn_batch([1.0, 1.5, 4.0].map(Position));
//! # let mut hits = Vec::new();
//! for [(a, at), (b, other)] in world.view::<&Position>().iter_combinations() {
//!     if (at.0 - other.0).abs() < 1.0 {
//!         hits.push((a, b));
//!     }
//! }
//! # assert_eq!(hits.len(), 1);
//! ```
//!
//! Each pair comes once. The loop only reads; `get_disjoint_mut` writes the two of a pair, as above.
//!
//! # Despawn in a loop
//!
//! ```
//! # use ecs::{Commands, Component, View, World};
//! # #[derive(Component)] struct Health(i32);
//! fn bury(all: View<&Health>, commands: &mut Commands) {
//!     for (entity, _) in all.iter().filter(|(_, health)| health.0 <= 0) {
//!         commands.despawn(entity);
//!     }
//! }
//! # let mut world = World::new();
//! # world.spawn_batch([0, 1, 0].map(Health));
//! # world.run(bury);
//! # assert_eq!(world.len(), 1);
//! ```
//!
//! The commands are applied after the system ([edits during loops](super::edits_during_loops)).
//!
//! # Pause some systems
//!
//! ```
//! # use ecs::{Resource, Schedule, World};
//! # #[derive(Resource)] struct Ticks(u32);
//! # fn simulate(ticks: &mut Ticks) { ticks.0 += 1; }
//! # fn draw(_: &Ticks) {}
//! let mut frame = Schedule::new().add_all("game", Schedule::new().add(simulate)).add(draw);
//! frame.switch("game", false); // and `true` to go on
//! # let mut world = World::new();
//! # world.insert_resource(Ticks(0));
//! # frame.run(&mut world)?;
//! # assert!(frame.switch("game", true));
//! # frame.run(&mut world)?;
//! # assert_eq!(world.resource::<Ticks>().0, 1);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! A system pauses others by a resource: the others have a condition that reads it, as below.
//!
//! # Menu and game states
//!
//! ```
//! # use ecs::{Resource, Schedule, World};
//! # #[derive(Resource)] struct Ticks(u32);
//! # fn simulate(ticks: &mut Ticks) { ticks.0 += 1; }
//! # fn start(state: &mut State) { *state = State::Game; }
//! #[derive(Resource, PartialEq)]
//! enum State { Menu, Game }
//! let menu = |state: &State| *state == State::Menu;
//! let game = |state: &State| *state == State::Game;
//! let mut frame = Schedule::new().add_if(game, simulate).add_if(menu, start);
//! # let mut world = World::new();
//! # world.insert_resource(Ticks(0));
//! # world.insert_resource(State::Menu);
//! # for _ in 0..3 { frame.run(&mut world)?; }
//! # assert_eq!(world.resource::<Ticks>().0, 2);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! [Systems](super::systems#fixed-steps-and-states) shows systems that run when a state begins.
//!
//! # Test a system alone
//!
//! ```
//! # use ecs::{Component, View, World};
//! # #[derive(Component)] struct Health(i32);
//! # fn heal(all: View<&mut Health>) { all.for_each(|(_, health)| health.0 += 1); }
//! let mut world = World::new();
//! let orc = world.spawn(Health(3)).id();
//! world.run(heal);
//! assert_eq!(world.get::<Health>(orc).unwrap().0, 4);
//! ```
//!
//! [`World::run`] applies the commands as well, and returns the system's output ([testing](super::testing)).
//!
//! # Log what a schedule did
//!
//! ```
//! # #[cfg(feature = "std")] {
//! # use ecs::{Schedule, World};
//! # fn simulate() { std::thread::sleep(std::time::Duration::from_millis(1)); }
//! # let mut world = World::new();
//! # let mut frame = Schedule::new().add(simulate);
//! frame.set_timed(true);
//! frame.run(&mut world).unwrap();
//! for (system, took) in frame.times() {
//!     println!("{system}: {took:?}");
//! #     assert!(system == "simulate" && !took.is_zero());
//! }
//! # }
//! ```
//!
//! [`Schedule::timeline`] draws the times as a picture, and the feature `tracing` opens a span for each system.
//!
//! [`Elapsed`]: crate::app::Elapsed
//! [`every`]: crate::app::every
//! [`Schedule::timeline`]: crate::Schedule::timeline
//! [`World::merge`]: crate::World::merge
//! [`World::by_depth`]: crate::World::by_depth
//! [`World::patch`]: crate::World::patch
//! [`World::read`]: crate::World::read
//! [`World::run`]: crate::World::run
//! [`World::spawn_with`]: crate::World::spawn_with
