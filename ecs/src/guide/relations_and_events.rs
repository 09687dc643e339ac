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
//! assert!(!world.has::<AimsAt>(gun)); // a relation to a despawned entity is removed
//!
//! world.despawn(ship).unwrap(); // and all its descendants
//! assert!(world.is_empty());
//! ```
//!
//! # Relations
//!
//! A *relation* is a component that holds the [`Entity`] it points to, the *target*, and has the attribute
//! `#[component(relation)]`. The world keeps a list of the sources of each target, in step with the components,
//! however these are inserted and removed. Further attributes choose how a relation behaves ([`Relation`] lists
//! them):
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! /// Is despawned with its ship.
//! #[derive(Component)]
//! #[component(relation, at_end = despawn)]
//! struct PartOf(Entity);
//!
//! /// Is removed when the leader is despawned, and forms no cycle.
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
//! An entity points to one target by one relation. To change the target, insert the relation again; it cannot
//! be written in place, because the list of its target would not follow. To point to several, spawn an entity
//! for each link, with two relations, or hold a `Vec` of handles, see below.
//!
//! A relation to a dead entity is refused, and so is a cycle of an `acyclic` relation. [`World::relate`]
//! returns an error in both cases. [`World::insert`] returns an error in the first case and panics in the
//! second. [`World::spawn`] panics, as it has no error to return.
//!
//! [`World::related`] iterates over the sources of a target, from either end, and has their number. They stand
//! in the order of insertion; [`move_related`], [`swap_related`] and [`sort_related_by`] change it. Along an
//! `acyclic` relation there are [`ancestors_of`], [`descendants_of`] and [`roots_of`]. For parents and children
//! there are also [`World::attach`], [`detach`], [`children`] and [`parent`].
//!
//! [`World::attach`]: crate::World::attach
//! [`detach`]: crate::World::detach
//! [`children`]: crate::World::children
//! [`parent`]: crate::World::parent
//!
//! # Despawning a target
//!
//! [`World::despawn`] of a target first checks the vetoes of all dependent entities, to any depth, and of the
//! relations that would be removed: one refusal keeps them all. Then these relations are removed, and
//! `at_end = path` is called for each. Then observers are notified of all despawned entities as of one batch,
//! parents before children. An observer saves a child that was not notified yet by taking it from its parent. A
//! tree of a million levels is despawned without recursion.
//!
//! # From parents to children
//!
//! [`Up`] reads a component of the entity that a match points to. Values that are passed down level by level
//! are written in the order of [`World::by_depth`], in which parents come before their children:
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
//! # From a target to its sources
//!
//! [`Sources`] is the other direction: it yields the entities that point to a match, in the order of
//! [`World::related`], and the items of a query on them. Matches are the targets; `Option<Sources<..>>` matches
//! any entity:
//!
//! ```
//! use ecs::{ChildOf, Component, Name, Query, Sources, Without, World};
//!
//! #[derive(Component)]
//! struct Cost(u32);
//! #[derive(Component)]
//! struct Total(u32);
//!
//! #[derive(Query)]
//! struct Assembly<'w> {
//!     total: &'w mut Total,
//!     parts: Sources<'w, ChildOf, (&'w Cost, Option<&'w Name>)>,
//! }
//!
//! let mut world = World::new();
//! let car = world.spawn(Total(0)).id();
//! let wheels: Vec<_> = (0..4).map(|_| world.spawn((Cost(20), ChildOf(car))).id()).collect();
//! world.spawn((Cost(300), Name::new("engine"), ChildOf(car)));
//!
//! for assembly in world.view_mut::<Assembly>() {
//!     assembly.total.0 = assembly.parts.map(|(_, cost, _)| cost.0).sum();
//! }
//! assert_eq!(world.get::<Total>(car).unwrap().0, 380);
//!
//! // A term of a tuple yields such an iterator, too; without a query it yields handles.
//! let (_, parts) = world.view::<Sources<ChildOf>>().single().unwrap();
//! assert_eq!(parts.len(), 5);
//!
//! // Filters separate targets from leaves.
//! let leaves = world.view::<&Cost>().without::<Sources<ChildOf>>();
//! assert_eq!(leaves.count(), 5);
//! assert!(world.has::<(&Cost, Without<Sources<ChildOf>>)>(wheels[0]));
//! ```
//!
//! A match costs one lookup, and each source as much as a lookup in a view. The query of the sources may be any
//! that reads, with another `Sources` in it: `Sources<ChildOf, Sources<ChildOf>>` are the grandchildren.
//! Neither another term of the view nor a view of the same split may write a component that is read of sources.
//! Each match could be the source of another. To write sources, pass their handles to a second view of a split:
//!
//! ```
//! # use ecs::{ChildOf, Component, Sources, World};
//! # #[derive(Component)] struct Heat(u32);
//! # #[derive(Component)] struct Fuel(u32);
//! # let mut world = World::new();
//! # let stove = world.spawn(Heat(7)).id();
//! # let pot = world.spawn((Fuel(0), ChildOf(stove))).id();
//! let (stoves, mut fuels) = world.split_mut::<((&Heat, Sources<ChildOf>), &mut Fuel)>();
//! for (_, heat, pots) in stoves {
//!     fuels.for_each_many(pots, |(_, fuel)| fuel.0 += heat.0);
//! }
//! assert_eq!(world.get::<Fuel>(pot).unwrap().0, 7);
//! ```
//!
//! # Other handles in components
//!
//! A component that is no relation may hold an [`Entity`], too, an `Option` or a `Vec` of them. A handle may
//! outlive its entity. That is harmless, since it never refers to another entity: check [`World::is_alive`], or
//! look up and handle `None`. Where lists should not collect dead handles, filter them now and then:
//! `list.retain(|&entity| world.is_alive(entity))` needs the list out of the world meanwhile, by
//! `std::mem::take`.
//!
//! To look from one entity at another within a loop, use two views: `view::<Target>()` and `view::<Position>()`
//! coexist, because both only read. To write, split: see [queries](super::queries#several-views-at-once).
//!
//! # Events
//!
//! [`Events`] is a queue in a [resource](super::resources#queues-of-events). Systems borrow it by a parameter,
//! send to it, and read it, each with a cursor of its own:
//!
//! ```
//! # use ecs::{Component, Entity, EventCursor, Events, Local, Schedule, View, World};
//! # #[derive(Component)] struct Health(i32);
//! # #[derive(Component)] struct Falling { speed: i32 }
//! struct Hurt {
//!     entity: Entity,
//!     by: i32,
//! }
//!
//! fn land(falling: View<&Falling>, hurt: &mut Events<Hurt>) {
//!     hurt.update(); // once a frame: drops events that were sent two updates ago
//!     hurt.extend(falling.iter().map(|(entity, falling)| Hurt { entity, by: falling.speed }));
//! }
//! fn wound(mut healths: View<&mut Health>, hurt: &Events<Hurt>, mut seen: Local<EventCursor>) {
//!     for Hurt { entity, by } in hurt.read(&mut seen) {
//!         if let Some((_, health)) = healths.get_mut(*entity) {
//!             health.0 -= by;
//!         }
//!     }
//! }
//!
//! let mut world = World::new();
//! world.insert_resource(Events::<Hurt>::new());
//! world.spawn((Health(5), Falling { speed: 3 }));
//! Schedule::new().add(land).add(wound).run(&mut world)?;
//! assert_eq!(world.view::<Health>().single().unwrap().1.0, 2);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! Outside of systems, [`Events::drain`](crate::Events::drain) takes all events for a single handler.
//!
//! If events need not wait, the world can call handlers at once: see [lifecycle](super::lifecycle). That
//! chapter also covers functions that are called whenever a component is inserted or removed.
//!
//! # Changes
//!
//! A reader of changes lists the components that changed: see [changes](super::changes).
//!
//! [`ancestors_of`]: crate::World::ancestors_of
//! [`descendants_of`]: crate::World::descendants_of
//! [`Entity`]: crate::Entity
//! [`move_related`]: crate::World::move_related
//! [`Events`]: crate::Events
//! [`Relation`]: trait@crate::Relation
//! [`roots_of`]: crate::World::roots_of
//! [`sort_related_by`]: crate::World::sort_related_by
//! [`swap_related`]: crate::World::swap_related
//! [`Sources`]: crate::Sources
//! [`Up`]: crate::Up
//! [`World::by_depth`]: crate::World::by_depth
//! [`World::insert`]: crate::World::insert
//! [`World::relate`]: crate::World::relate
//! [`World::related`]: crate::World::related
//! [`World::spawn`]: crate::World::spawn
//! [`World::despawn`]: crate::World::despawn
//! [`World::is_alive`]: crate::World::is_alive
