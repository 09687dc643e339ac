//! Relations and events: parents and children, and messages.
//!
//! ```
//! use ecs::{ChildOf, Component, Entity, World};
//!
//! #[derive(Component)]
//! #[component(relation)]
//! struct AimsAt(Entity);
//!
//! let mut world = World::new();
//! let ship = world.spawn_empty().id();
//! let turret = world.spawn(ChildOf(ship)).id();
//! let gun = world.spawn(ChildOf(turret)).id();
//! let hold = world.spawn_empty().id();
//! world.attach(hold, ship).unwrap();
//! assert!(world.children(ship).eq([turret, hold]));
//! assert!(world.descendants_of::<ChildOf>(ship).eq([turret, gun, hold]));
//!
//! let buoy = world.spawn_empty().id();
//! world.insert(gun, AimsAt(buoy)).unwrap();
//! assert!(world.related::<AimsAt>(buoy).eq([gun]));
//! world.despawn(buoy).unwrap();
//! assert!(!world.has::<AimsAt>(gun)); // nobody aims at what is not there
//!
//! world.despawn(ship).unwrap(); // and all below it
//! assert!(world.is_empty());
//! ```
//!
//! # Relations
//!
//! A *relation* is a component that holds the [`Entity`] it points to, the *target*, and says so:
//! `#[component(relation)]`. The world keeps a list of those that point to each target, in step with the components,
//! whichever way these come and go. A derive tells what else is to be known ([`Relation`] has all of it):
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! /// Ends with its ship.
//! #[derive(Component)]
//! #[component(relation, at_end = despawn)]
//! struct PartOf(Entity);
//!
//! /// Is lost when the leader ends, and closes no circle.
//! #[derive(Component)]
//! #[component(relation, acyclic)]
//! struct Follows { leader: Entity, distance: f32 }
//!
//! /// Falls where the carrier ends. One of two handles is the target.
//! #[derive(Component)]
//! #[component(relation, at_end = Carried::fall)]
//! struct Carried {
//!     #[component(target)]
//!     by: Entity,
//!     owner: Entity,
//! }
//!
//! #[derive(Component, Clone, Copy, Debug, PartialEq)]
//! struct Place(i32);
//!
//! impl Carried {
//!     fn fall(world: &mut World, item: Entity, was: Self) {
//!         let place = *world.get::<Place>(was.by).expect("the carrier is still there");
//!         world.insert(item, place).unwrap();
//!     }
//! }
//!
//! let mut world = World::new();
//! let [a, b, item] = [1, 2, 0].map(|at| world.spawn(Place(at)).id());
//! world.insert(item, Carried { by: a, owner: b }).unwrap();
//! world.relate(a, Follows { leader: b, distance: 3.0 }).unwrap();
//! assert!(world.relate(b, Follows { leader: a, distance: 0.0 }).is_err());
//! world.despawn(a).unwrap();
//! assert_eq!(world.get::<Place>(item), Some(&Place(1)));
//! ```
//!
//! An entity points to one target by one relation. To point elsewhere, insert the relation again; it cannot be
//! written in place, because the list of its target would not know. To point to several, make an entity of each
//! link, with two relations; or hold a `Vec` of handles, see below.
//!
//! What points to an entity that is not alive is refused, and so is a circle where there may be none:
//! [`World::relate`] returns either, [`World::insert`] returns the first and panics at the second,
//! [`World::spawn`] panics, as it has no error to return.
//!
//! [`World::related`] walks those that point to a target, from either end, and knows how many they are. They
//! stand in the order in which they came; [`move_related`], [`swap_related`] and [`sort_related_by`] give them
//! another. Along an `acyclic` relation there are [`ancestors_of`], [`descendants_of`] and [`roots_of`]. For parents and
//! children there are also [`World::attach`], [`detach`], [`children`] and [`parent`].
//!
//! [`World::attach`]: crate::World::attach
//! [`detach`]: crate::World::detach
//! [`children`]: crate::World::children
//! [`parent`]: crate::World::parent
//!
//! # What ends with its target
//!
//! [`World::despawn`] of a target first asks the vetoes of all that would end with it, to any depth, and of the
//! relations that would be lost: one that refuses keeps them all. Then the relations that are lost are taken away,
//! and `at_end = path` is called for each. Then observers are told of all that end, as of one batch, parents
//! before children; one that takes a child from its parent before the child was told of saves it. A tree of a
//! million levels ends without recursion.
//!
//! # From parents to children
//!
//! [`Up`] reads a component of the entity that a match points to. What is passed down level by level is written in
//! the order of [`World::by_depth`], in which parents come before their children:
//!
//! ```
//! use ecs::{ChildOf, Component, Up, World};
//!
//! #[derive(Component)]
//! struct Local(f32);
//! #[derive(Component)]
//! struct Global(f32);
//!
//! let mut world = World::new();
//! let ship = world.spawn((Local(10.0), Global(0.0))).id();
//! let turret = world.spawn((Local(2.0), Global(0.0), ChildOf(ship))).id();
//! let gun = world.spawn((Local(0.5), Global(0.0), ChildOf(turret))).id();
//!
//! let order = world.by_depth::<ChildOf>();
//! let (mut locals, mut globals) =
//!     world.split_mut::<((&Local, Option<&ChildOf>), &mut Global)>();
//! locals.for_each_many(&order, |(entity, local, parent)| {
//!     let above = parent.and_then(|parent| globals.get_mut(parent.0)).map_or(0.0, |it| it.1.0);
//!     if let Some((_, global)) = globals.get_mut(entity) {
//!         global.0 = above + local.0;
//!     }
//! });
//! assert_eq!(world.get::<Global>(gun).unwrap().0, 12.5);
//!
//! let apart = world.view::<(&Global, Up<ChildOf, &Global>)>();
//! let (_, own, parents) = apart.get(turret).unwrap();
//! assert_eq!(own.0 - parents.unwrap().0, 2.0);
//! ```
//!
//! # Other handles in components
//!
//! A component that is no relation may hold an [`Entity`], too, an `Option` or a `Vec` of them. A handle may outlive
//! its entity. That is harmless, since it never comes to mean another one: ask [`World::is_alive`], or look up and
//! take `None` for an answer. Where lists should not collect the dead, filter them now and then:
//! `list.retain(|&entity| world.is_alive(entity))` needs the list out of the world meanwhile, by `std::mem::take`.
//!
//! To look from one entity at another within a loop, use two views: `view::<Target>()` and `view::<Position>()`
//! live together, because both only read. To write, split: see [queries](super::queries#several-views-at-once).
//!
//! # Events
//!
//! An event queue is a `Vec` beside the world. Systems get it as a parameter, push to it, or drain it:
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct Health(i32);
//! # #[derive(Component)] struct Falling { speed: i32 }
//! enum Event {
//!     Hurt { who: Entity, by: i32 },
//!     Died(Entity),
//! }
//!
//! fn land(world: &World, events: &mut Vec<Event>) {
//!     for (who, falling) in world.view::<Falling>() {
//!         events.push(Event::Hurt { who, by: falling.speed });
//!     }
//! }
//!
//! fn handle(world: &mut World, events: &mut Vec<Event>) {
//!     while let Some(event) = events.pop() {
//!         match event {
//!             Event::Hurt { who, by } => {
//!                 if let Some(health) = world.get_mut::<Health>(who) {
//!                     health.0 -= by;
//!                     if health.0 <= 0 {
//!                         events.push(Event::Died(who)); // handled by this loop, too
//!                     }
//!                 }
//!             }
//!             Event::Died(who) => _ = world.despawn(who), // twice does no harm
//!         }
//!     }
//! }
//!
//! let (mut world, mut events) = (World::new(), Vec::new());
//! world.spawn_batch([(Health(5), Falling { speed: 3 }), (Health(5), Falling { speed: 9 })]);
//! land(&world, &mut events);
//! handle(&mut world, &mut events);
//! assert_eq!(world.view::<Health>().single().unwrap().1.0, 2);
//! ```
//!
//! Where several systems read the same events, each at its own pace, use a [queue for
//! readers](super::resources#queues-of-events). A `VecDeque` keeps events in their order where handlers push new ones.
//! A queue for each type of event spares the `match`.
//!
//! Where handlers need not wait, the world can call them: see [lifecycle](super::lifecycle), also for what must
//! happen whenever a component is inserted or removed.
//!
//! # Changes
//!
//! What a component's values became is read by a reader of changes: see [changes](super::changes).
//!
//! [`ancestors_of`]: crate::World::ancestors_of
//! [`descendants_of`]: crate::World::descendants_of
//! [`Entity`]: crate::Entity
//! [`move_related`]: crate::World::move_related
//! [`Relation`]: trait@crate::Relation
//! [`roots_of`]: crate::World::roots_of
//! [`sort_related_by`]: crate::World::sort_related_by
//! [`swap_related`]: crate::World::swap_related
//! [`Up`]: crate::Up
//! [`World::by_depth`]: crate::World::by_depth
//! [`World::insert`]: crate::World::insert
//! [`World::relate`]: crate::World::relate
//! [`World::related`]: crate::World::related
//! [`World::spawn`]: crate::World::spawn
//! [`World::despawn`]: crate::World::despawn
//! [`World::is_alive`]: crate::World::is_alive
