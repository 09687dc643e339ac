//! Relations and events: parents and children, and messages, with what there is today.
//!
//! ```
//! use ecs::{Component, Entity, NoSuchEntityError, World};
//!
//! #[derive(Component)]
//! struct Parent(Entity);
//! #[derive(Component, Default)]
//! struct Children(Vec<Entity>);
//!
//! /// Puts `child` below `parent`, away from where it was.
//! fn attach(world: &mut World, child: Entity, parent: Entity) -> Result<(), NoSuchEntityError> {
//!     world.get_entity(parent)?;
//!     detach(world, child);
//!     world.insert(child, Parent(parent))?;
//!     world.get_or_insert_with(parent, Children::default)?.0.push(child);
//!     Ok(())
//! }
//!
//! /// Makes `child` a root.
//! fn detach(world: &mut World, child: Entity) {
//!     let Some(Parent(parent)) = world.remove::<Parent>(child) else { return };
//!     if let Some(children) = world.get_mut::<Children>(parent) {
//!         children.0.retain(|&other| other != child);
//!     }
//! }
//!
//! /// Ends `root` and all below it: the list grows while it is walked, so nothing recurses.
//! fn despawn_tree(world: &mut World, root: Entity) -> usize {
//!     detach(world, root);
//!     let mut tree = vec![root];
//!     let mut at = 0;
//!     while at < tree.len() {
//!         if let Some(children) = world.get::<Children>(tree[at]) {
//!             tree.extend(&children.0);
//!         }
//!         at += 1;
//!     }
//!     world.despawn_batch(&tree)
//! }
//!
//! let mut world = World::new();
//! let [ship, turret, gun, crate_] = std::array::from_fn(|_| world.spawn_empty().id());
//! attach(&mut world, turret, ship).unwrap();
//! attach(&mut world, gun, turret).unwrap();
//! attach(&mut world, crate_, ship).unwrap();
//! assert_eq!(world.get::<Children>(ship).unwrap().0, [turret, crate_]);
//! assert_eq!(despawn_tree(&mut world, turret), 2);
//! assert_eq!(world.get::<Children>(ship).unwrap().0, [crate_]);
//! ```
//!
//! # Handles in components
//!
//! The library has no relations yet. A component may hold an [`Entity`], an `Option` or a `Vec` of them;
//! `Parent` is one step up, `Children` the way down. Whoever keeps both must change both: do that in a few
//! functions such as these, and nowhere else. These do not look for cycles: where there could be one, walk up
//! from the parent before a child is attached.
//!
//! A handle may outlive its entity. That is harmless, since it never comes to mean another one: ask
//! [`World::is_alive`], or look up and take `None` for an answer. Where lists should not collect the dead,
//! filter them now and then: `children.0.retain(|&child| world.is_alive(child))` needs the list out of the
//! world meanwhile, by `std::mem::take`.
//!
//! Nothing keeps others from calling [`World::despawn`] on a parent. A [veto](crate::Component) can: with
//! `#[component(veto = ..)]` on `Children`, the end of an entity that has some is refused; `despawn_tree` must
//! empty the lists first, then.
//!
//! To look from one entity at another within a loop, use two views: `view::<Parent>()` and `view::<Position>()`
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
//! readers](super::resources#queues-of-events). A `VecDeque` keeps events in their order where handlers push new ones. A queue for each type of event spares
//! the `match`.
//!
//! Where handlers need not wait, the world can call them: see [lifecycle](super::lifecycle), also for what must
//! happen whenever a component is inserted or removed.
//!
//! # Changes
//!
//! What a component's values became is read by a reader of changes: see [changes](super::changes).
//!
//! [`Entity`]: crate::Entity
//! [`World::despawn`]: crate::World::despawn
//! [`World::is_alive`]: crate::World::is_alive
