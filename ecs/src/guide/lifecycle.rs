//! Lifecycle: functions that are called when components are inserted, changed and removed, and events of your
//! own.
//!
//! ```
//! use ecs::{Component, Entity, World};
//!
//! #[derive(Component)]
//! struct Health(i32);
//! /// Hooks belong to the component: they keep an invariant in every world.
//! #[derive(Component)]
//! #[component(on_insert = Marker::show, on_remove = Marker::hide)]
//! struct Marker;
//! #[derive(Component, Default)]
//! struct Map { markers: Vec<Entity> }
//! #[derive(Component)]
//! struct Gold(u32);
//!
//! impl Marker {
//!     fn show(world: &mut World, entity: Entity) {
//!         world.view_mut::<&mut Map>().for_each(|(_, map)| map.markers.push(entity));
//!     }
//!     fn hide(world: &mut World, entity: Entity) {
//!         world.view_mut::<&mut Map>().for_each(|(_, map)| map.markers.retain(|&it| it != entity));
//!     }
//! }
//!
//! /// Any type can be an event.
//! struct Hit { damage: i32 }
//!
//! let mut world = World::new();
//! let map = world.spawn(Map::default()).id();
//!
//! // Observers belong to the world: a program adds them.
//! world.on_entity::<Hit>(|world, entity, hit| {
//!     world.patch::<Health>(entity, |health| health.0 -= hit.damage);
//! });
//! world.on_update::<Health>(|world, entity| {
//!     if world.get::<Health>(entity).is_some_and(|health| health.0 <= 0) {
//!         world.despawn(entity).unwrap();
//!     }
//! });
//! world.on_remove::<Health>(|world, _| _ = world.spawn(Gold(10)));
//!
//! let dragon = world.spawn((Health(5), Marker)).id();
//! assert_eq!(world.get::<Map>(map).unwrap().markers, [dragon]);
//! world.send_to(dragon, &Hit { damage: 9 }).unwrap();
//! assert!(!world.is_alive(dragon) && world.get::<Map>(map).unwrap().markers.is_empty());
//! assert_eq!(world.view::<Gold>().count(), 1);
//! ```
//!
//! # Hooks, observers, events, collectors
//!
//! * A **hook** is named by the component's derive, as a `fn(&mut World, Entity)`, and is called in every
//!   world. It is called before all observers of an insertion, and after all observers of a removal.
//! * An **observer** is a function or a closure that a world calls. [`on_insert`], [`on_update`] and
//!   [`on_remove`] call it for each entity, and [`on_batch`] once for all entities of an operation, with a
//!   slice. Each returns an [`ObserverId`], by which [`unobserve`] ends it. A closure that captures costs some
//!   nanoseconds more.
//! * An **event** is a value of any type. [`send`] passes it to all observers of its type that [`on`] added;
//!   [`send_to`](crate::World::send_to) passes it with one entity to the observers that [`on_entity`] added.
//!
//! Observers are [`Fn`]: an observer may be called again while it runs, so it cannot write to its captures. Let
//! it write to a [resource](super::resources), or capture an atomic or a lock.
//!
//! All of them are called at once, inside the operation, with the world, which they may edit. A **collector**
//! is not called, but lists entities until you [`drain`] it. Unobserved edits pay for one branch.
//!
//! # The order of notifications
//!
//! | operation | notifies | when | visible state |
//! |---|---|---|---|
//! | `insert`, `spawn` and others, of a component that was not there | the hook, then observers in their order: `on_insert` | when the whole bundle and its required components are inserted | all values; groups are right |
//! | these, of a component that was there; `replace`, `patch` | `on_update` | afterwards | the new value only |
//! | `get_mut`, `&mut T` in views and pools | none | | |
//! | `remove`, `take`, `retain` | the veto, then observers in reverse order, then the hook: `on_remove` | before the removal | the value |
//! | `despawn` | all vetoes, then `on_remove` of all components, which observers may take | before the first removal | the whole entity |
//! | `spawn_batch`, `insert_batch` | entity by entity, then observers of batches | when the whole batch is inserted | all |
//! | `remove_batch`, `despawn_batch`, and `clear` and `retain` of pools | all vetoes, then observers of batches, then entity by entity | before the first removal | all |
//! | consecutive [commands](super::edits_during_loops#commands) of one kind | as a batch | | |
//! | [`World::clear`](crate::World::clear), [`World::copy_from`](crate::World::copy_from), `World::load`, `World::apply_delta` | observers of the event [`Replaced`], once | at the end | the new content |
//! | dropping a world, sorting, declaring and dropping groups | none | | |
//!
//! Components of one entity are notified in the order of the bundle, required ones after them; the order within
//! a despawn is unspecified. Several components of one `remove` or `take` are removed one after the other.
//!
//! # Operations inside observers
//!
//! An observer may insert, remove and despawn, also the component and the entity that it is notified of. Two
//! rules keep the notifications in order:
//!
//! 1. **Finish first.** An edit of a component whose insertion or removal is being notified first notifies the
//!    remaining observers, and completes it. So an observer is notified of an insertion before it is notified
//!    of the removal, and never of a value that is not there.
//! 2. **Forget.** The rest of a bundle or batch is not yet notified. A later edit merges with it: an insertion that
//!    is replaced is notified once, with the newer value; one that is removed is not notified at all.
//!
//! ```
//! # use ecs::{Component, World};
//! #[derive(Component)]
//! struct Bomb;
//! #[derive(Component)]
//! struct Fuse(u32);
//!
//! let mut world = World::new();
//! world.on_insert::<Bomb>(|world, entity| world.despawn(entity).unwrap());
//! world.on_insert::<Fuse>(|_, _| unreachable!("it is removed before its notification"));
//! let bomb = world.spawn((Bomb, Fuse(3))).id();
//! assert!(!world.is_alive(bomb));
//! ```
//!
//! An observer can rescue a value from a despawn:
//!
//! ```
//! # use ecs::{Component, World};
//! #[derive(Component)]
//! struct Purse(u32);
//!
//! let mut world = World::new();
//! world.on_remove::<Purse>(|world, entity| {
//!     let purse = world.remove::<Purse>(entity).unwrap();
//!     world.spawn(purse); // now lies on the ground
//! });
//! let thief = world.spawn(Purse(30)).id();
//! world.despawn(thief).unwrap();
//! assert_eq!(world.view::<Purse>().single().unwrap().1.0, 30);
//! ```
//!
//! Consequences of these rules:
//!
//! * An observer of a removal or a despawn can take values: `remove`, `take`, `remove_batch` and the others
//!   return the component to it, and each removal is notified once. The despawn goes on without it. A `remove`
//!   whose component an observer took or replaced returns `None`; a component that an observer inserts instead
//!   stays.
//! * An entity that is being despawned is alive until all observers were notified. It can be read and changed;
//!   such changes are not notified any more. It cannot be given components: `insert` and the others return the
//!   error of a dead entity. A `despawn` inside completes the despawn at once.
//! * An entity may be dead when `spawn` or `insert` returns. An [`EntityMut`] that is still held panics if a
//!   component is inserted by it.
//! * An observer that is added inside an observer is notified of operations that begin later. An observer that
//!   is ended inside an observer is not called again, even if it is the next one or the one that runs.
//! * An observer of components that clears the world, loads it or copies into it causes a panic, because the
//!   current edit would go on in other content. An observer of an event may do so, outside of edits.
//! * An observer that replaces its world (`*world = World::new()`) causes a panic; both worlds can be used
//!   afterwards. Record that the world is to be replaced, and replace it after the edit. An observer of an
//!   [event](crate::World::on) may replace it.
//!
//! # State outside of the world
//!
//! An index, sprites, and the bodies of a physics engine follow components by hooks, observers or collectors.
//! Clearing, loading and rolling back replace the content at once: no entity died in the game, so `on_remove`
//! is not called. These operations send the event [`Replaced`], from which such state is rebuilt:
//!
//! ```
//! use ecs::{Component, Entity, Replaced, Resource, SparseSet, World};
//!
//! #[derive(Component, Clone)]
//! #[component(clone)]
//! struct Sprite(&'static str);
//!
//! /// The images on the screen, which no copy has.
//! #[derive(Resource, Default)]
//! #[resource(clone = skip)]
//! struct Screen(SparseSet<&'static str, Entity>);
//!
//! let mut world = World::new();
//! world.insert_resource(Screen::default());
//! world.on_insert::<Sprite>(|world, entity| {
//!     let image = world.get::<Sprite>(entity).unwrap().0;
//!     world.resource_mut::<Screen>().0.insert(entity, image);
//! });
//! world.on_remove::<Sprite>(|world, entity| _ = world.resource_mut::<Screen>().0.remove(entity));
//! world.on::<Replaced>(|world, _| {
//!     let all = world.view::<&Sprite>().iter().map(|(entity, sprite)| (entity, sprite.0)).collect();
//!     world.resource_mut::<Screen>().0 = all;
//! });
//!
//! let hero = world.spawn(Sprite("hero")).id();
//! let saved = world.try_clone().unwrap();
//! world.despawn(hero).unwrap();
//! world.spawn(Sprite("tomb"));
//! world.copy_from(&saved).unwrap();
//! let screen = &world.resource::<Screen>().0;
//! assert_eq!((screen.len(), screen.get(hero)), (1, Some(&"hero")));
//! ```
//!
//! The library rebuilds relations and groups itself. A world that replaces another one, by `*world = other`,
//! brings its own observers and sends nothing. To notify observers of each entity, pass all entities to
//! [`despawn_batch`](crate::World::despawn_batch).
//!
//! # Collectors
//!
//! Often it is enough to list later which entities an operation touched. A collector lists them until you
//! [`drain`] it:
//!
//! ```
//! # use ecs::{Component, Entity, EntityMap, Inserted, Removed, Updated, Without, World};
//! # #[derive(Component, Clone, Copy, PartialEq, Debug)] struct Position(f32);
//! # #[derive(Component)] struct Hidden;
//! let mut world = World::new();
//! let placed = world.collector::<(Inserted<Position>, Updated<Position>, Without<Hidden>)>();
//! let gone = world.collector::<Removed<Position>>();
//!
//! /// The state that a renderer keeps of each entity.
//! let mut sprites = EntityMap::<Position>::default();
//! let entity = world.spawn(Position(1.0)).id();
//! for frame in 0..3 {
//!     for entity in world.drain(gone) {
//!         sprites.remove(entity);
//!     }
//!     for entity in world.drain(placed) {
//!         if let Some(position) = world.get::<Position>(entity) {
//!             sprites.insert(entity, *position);
//!         }
//!     }
//!     assert_eq!(sprites.get(entity), world.get::<Position>(entity));
//!     match frame {
//!         0 => world.insert(entity, Position(2.0)).unwrap(),
//!         _ => _ = world.despawn(entity),
//!     }
//! }
//! assert!(sprites.is_empty());
//! ```
//!
//! The types given to [`collector`] choose its list: [`Inserted`], [`Updated`] and [`Removed`] components, at
//! least one; and filters, [`With`], [`Without`] and [`WithAny`]:
//!
//! * An entity is listed once, at the place of its first notification, whatever else happened to it.
//! * An inserted component may be removed again before the collector is drained: add `With<T>` where that
//!   matters.
//! * Filters are evaluated by `drain`; an entity that does not pass is not kept for the next time.
//! * A despawned entity is left out, unless it lost a component that is `Removed`. Then its handle is listed,
//!   and so are the handles of all later entities with its index. For filters, it has no components.
//!
//! When the content is [`Replaced`], all collectors forget their lists, before observers are notified: an
//! observer that rebuilds everything finds only later edits in the lists.
//!
//! A collector is an observer that writes a list: it is notified in its turn among the observers, by the two
//! rules above. It keeps its list until it is drained or ended by [`end`]: drain it each frame.
//!
//! # Recipes
//!
//! Some features of other libraries take a few lines here. An observer that needs the parameters of a
//! [system](super::systems) runs one:
//!
//! ```
//! # use ecs::{Commands, Component, View, World};
//! # #[derive(Component)] struct Health(i32);
//! # #[derive(Component)] struct Bomb(i32);
//! let mut world = World::new();
//! world.on_remove::<Bomb>(|world, bomb| {
//!     world.run(|bombs: View<&Bomb>, healths: View<&mut Health>, commands: &mut Commands| {
//!         let (_, Bomb(damage)) = bombs.get(bomb).unwrap();
//!         for (entity, health) in healths {
//!             health.0 -= damage;
//!             if health.0 <= 0 {
//!                 commands.despawn(entity);
//!             }
//!         }
//!     });
//! });
//! let [weak, strong] = [5, 50].map(|health| world.spawn(Health(health)).id());
//! let bomb = world.spawn(Bomb(10)).id();
//! world.despawn(bomb).unwrap();
//! assert!(!world.is_alive(weak) && world.is_alive(strong));
//! ```
//!
//! **The old value of an update** is in a component that observers keep. Changes through references are part of
//! the next update:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component, Clone, Copy, PartialEq, Debug)] struct Health(i32);
//! /// The health at the last notification.
//! #[derive(Component)]
//! struct Known(Health);
//! #[derive(Component, PartialEq, Debug)]
//! struct Lost(i32);
//!
//! # let mut world = World::new();
//! world.on_insert::<Health>(|world, entity| {
//!     let health = *world.get::<Health>(entity).unwrap();
//!     world.insert(entity, Known(health)).unwrap();
//! });
//! world.on_update::<Health>(|world, entity| {
//!     let health = *world.get::<Health>(entity).unwrap();
//!     let old = world.replace(entity, Known(health)).unwrap().unwrap().0;
//!     world.insert(entity, Lost(old.0 - health.0)).unwrap();
//! });
//! let entity = world.spawn(Health(9)).insert(Health(7)).id();
//! world.patch::<Health>(entity, |health| health.0 = 2);
//! assert_eq!(*world.get::<Lost>(entity).unwrap(), Lost(5));
//! ```
//!
//! **An observer of one entity** captures the entity, and compares:
//! `move |world, entity| if entity == hero { .. }`. Where many entities have observers of their own, those are
//! components. They end with their entity, and others pay for one lookup:
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct Health(u32);
//! # #[derive(Component)] struct Angry;
//! #[derive(Component, Clone, Copy)]
//! struct WhenHurt(fn(&mut World, Entity));
//!
//! # let mut world = World::new();
//! world.on_update::<Health>(|world, entity| {
//!     let observer = world.get::<WhenHurt>(entity).copied();
//!     observer.into_iter().for_each(|WhenHurt(call)| call(world, entity));
//! });
//! let rage = WhenHurt(|world, entity| world.insert(entity, Angry).unwrap());
//! let troll = world.spawn((Health(9), rage)).insert(Health(8)).id();
//! let sheep = world.spawn(Health(9)).insert(Health(8)).id();
//! assert!(world.has::<Angry>(troll) && !world.has::<Angry>(sheep));
//! ```
//!
//! **An event that goes up a relation until it is handled** is sent to one entity after the other. An observer
//! marks the event as handled by a [`Cell`](core::cell::Cell) in it:
//!
//! ```
//! # use core::cell::Cell;
//! # use ecs::{ChildOf, Component, World};
//! # #[derive(Component)] struct Window { clicks: u32 }
//! struct Click { handled: Cell<bool> }
//!
//! # let mut world = World::new();
//! world.on_entity::<Click>(|world, entity, click| {
//!     click.handled.set(world.patch::<Window>(entity, |window| window.clicks += 1));
//! });
//! let screen = world.spawn(Window { clicks: 0 }).id();
//! let window = world.spawn((Window { clicks: 0 }, ChildOf(screen))).id();
//! let button = world.spawn(ChildOf(window)).id();
//!
//! let (click, mut next) = (Click { handled: Cell::new(false) }, Some(button));
//! while let Some(entity) = next.filter(|_| !click.handled.get()) {
//!     next = world.parent(entity); // or `target_of::<R>`
//!     _ = world.send_to(entity, &click); // an observer may have despawned it
//! }
//! let clicks = |window| world.get::<Window>(window).unwrap().clicks;
//! assert_eq!((clicks(window), clicks(screen)), (1, 0));
//! ```
//!
//! **One notification when two components are both there**, in whichever order they are inserted, is the
//! insertion of a third one. To insert it again is an update, which does not call `on_insert`:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)] struct Body;
//! # #[derive(Component)] struct Shape;
//! # #[derive(ecs::Resource)] struct Pairs(i32);
//! #[derive(Component)]
//! struct Solid;
//!
//! # let mut world = World::new();
//! # world.insert_resource(Pairs(0));
//! let join = |world: &mut World, entity| {
//!     if world.has::<(Body, Shape)>(entity) {
//!         world.insert(entity, Solid).unwrap();
//!     }
//! };
//! let part = |world: &mut World, entity| _ = world.remove::<Solid>(entity);
//! _ = (world.on_insert::<Body>(join), world.on_remove::<Body>(part));
//! _ = (world.on_insert::<Shape>(join), world.on_remove::<Shape>(part));
//! world.on_insert::<Solid>(|world, _| world.resource_mut::<Pairs>().0 += 1);
//! world.on_remove::<Solid>(|world, _| world.resource_mut::<Pairs>().0 -= 1);
//!
//! let entity = world.spawn((Body, Shape)).insert(Body).id();
//! world.spawn(Shape).insert(Body);
//! assert_eq!(world.resource::<Pairs>().0, 2);
//! world.despawn(entity).unwrap();
//! assert_eq!(world.resource::<Pairs>().0, 1);
//! ```
//!
//! # Panics, and calls without end
//!
//! A panic of an observer ends the notification: observers and collectors after it are not notified. A removal
//! or a despawn is then not done, an insertion stays; the world is consistent, and can be used if the panic is
//! caught. When the iterator of a batch panics, the components that it yielded stay, and no observer is
//! notified of them.
//!
//! An observer that always repeats the operation that it observes would run forever. It panics at 256 nested
//! calls, or earlier when these take 1 MiB of the stack, so that it does not overflow. For long chains, such as
//! the end of a deep tree, collect the entities in a list and despawn them by
//! [`despawn_batch`](crate::World::despawn_batch) instead.
//!
//! # Hook, observer, collector, event, or a loop?
//!
//! Choose a hook for an invariant of the component: an index of names, a list of children. Choose observers to
//! react at once to a few entities; collectors to react later, such as to draw entities anew. Choose an event
//! for messages that are not about a component. For thousands of entities each frame choose a loop: it is a
//! hundred times cheaper than a call for each.
//!
//! [`on_insert`]: crate::World::on_insert
//! [`on_update`]: crate::World::on_update
//! [`on_remove`]: crate::World::on_remove
//! [`on_batch`]: crate::World::on_batch
//! [`on`]: crate::World::on
//! [`on_entity`]: crate::World::on_entity
//! [`send`]: crate::World::send
//! [`unobserve`]: crate::World::unobserve
//! [`collector`]: crate::World::collector
//! [`drain`]: crate::World::drain
//! [`end`]: crate::World::unobserve
//! [`Replaced`]: crate::Replaced
//! [`Inserted`]: crate::Inserted
//! [`Updated`]: crate::Updated
//! [`Removed`]: crate::Removed
//! [`With`]: crate::With
//! [`Without`]: crate::Without
//! [`WithAny`]: crate::WithAny
//! [`ObserverId`]: crate::ObserverId
//! [`EntityMut`]: crate::EntityMut
