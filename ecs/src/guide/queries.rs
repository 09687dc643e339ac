//! Queries: the terms of a query, and the items that it yields.
//!
//! ```
//! use ecs::{Component, Entity, Has, Query, Without, World};
//!
//! #[derive(Component, Debug, PartialEq)]
//! struct Health(u32);
//! #[derive(Component)]
//! struct Armour(u32);
//! #[derive(Component)]
//! struct Player;
//! #[derive(Component)]
//! struct Ghost;
//!
//! // A query with names: the fields are filled for each match.
//! #[derive(Query)]
//! #[query(without(Ghost))]
//! struct Fighter<'w> {
//!     entity: Entity,
//!     health: &'w mut Health,
//!     armour: Option<&'w Armour>,
//!     player: Has<Player>,
//! }
//!
//! let mut world = World::new();
//! let hero = world.spawn((Health(10), Armour(2), Player)).id();
//! let rat = world.spawn(Health(3)).id();
//! let ghost = world.spawn((Health(1), Ghost)).id();
//!
//! for fighter in world.view_mut::<Fighter>() {
//!     let armour = fighter.armour.map_or(0, |armour| armour.0);
//!     let damage = if fighter.player.get() { 4 } else { 1 };
//!     fighter.health.0 -= damage - damage.min(armour);
//!     assert_ne!(fighter.entity, ghost);
//! }
//!
//! // A tuple of terms that only read. The entity is always the first item.
//! let mut seen = Vec::new();
//! for (entity, health, armed) in world.view::<(Health, Has<Armour>, Without<Ghost>)>() {
//!     seen.push((entity, health.0, armed));
//! }
//! seen.sort(); // the order of a view is unspecified
//! assert_eq!(seen, [(hero, 8, true), (rat, 2, false)]);
//!
//! // One entity, by its handle.
//! let view = world.view::<Health>().with::<Player>();
//! assert_eq!(view.get(hero), Some((hero, &Health(8))));
//! assert_eq!(view.get(rat), None);
//! ```
//!
//! # Terms
//!
//! A query is one term, a tuple of up to twelve, or a struct with `#[derive(Query)]`. An item begins with the
//! [`Entity`]; a derived query yields its struct.
//!
//! | term | matches entities that | yields |
//! |---|---|---|
//! | `A` or `&A` | have an `A` | `&A` |
//! | `&mut A` | have an `A` | `&mut A`; needs [`World::view_mut`] |
//! | `Option<&A>`, `Option<&mut A>` | any | `Some` where there is one |
//! | `Option<(&A, &mut B)>` | any | `Some` where there are both |
//! | [`Has<A>`](crate::Has) | any | a `bool`: `true` if the entity has an `A` |
//! | [`With<A>`](crate::With), `With<(A, B)>` | have all of these | nothing |
//! | [`Without<A>`](crate::Without), `Without<(A, B)>` | have none of these | nothing |
//! | [`WithAny<(A, B)>`](crate::WithAny) | have at least one of these | nothing |
//! | `&a::x`, `&mut a::x` | have an `A`, which is in [columns](super::columns) | a reference to its field |
//! | [`Up<R, &A>`](crate::Up) | point to an entity by the relation `R` | the `A` of that entity, as an `Option` |
//! | [`Sources<R>`](crate::Sources), `Sources<R, Q>` | are pointed to by `R` | an iterator over the entities that point to it, and the items of `Q` for them |
//! | `PhantomData<T>` | any | itself: for structs with a parameter that no other field names |
//! | `()` | any | nothing; alone, the entity |
//! | `Entity` | any | the entity, which other queries always yield |
//! | [`EntityOf<A>`](crate::EntityOf) | have an `A` | the entity, as a handle that states the component |
//! | a tuple of terms | match all of them | a tuple; so more than twelve terms are nested |
//! | a struct with `#[derive(Query)]` | match all its fields | the struct |
//!
//! Write filters (`With`, `Without`, `WithAny`) at the end of a tuple: in front of other terms they yield
//! themselves. They also exist as methods of a view, `with`, `without` and `with_any`. Use them in a tuple
//! where only the query can be named, as in [`World::has`], [`World::split_mut`] and signatures of functions.
//! Write `With<A>` rather than `&A` where the value is not read: a filter borrows nothing, so another view may
//! write the `A`.
//!
//! # Derived queries
//!
//! A field is any of these terms, with the lifetime `'w` in its references; a bare `A` is no field. A field
//! keeps the type that is written, so `get()` of a [`Has`](crate::Has) returns its `bool`.
//! `#[query(with(A, B), without(C))]` on the struct filters. Derived queries nest, and an `Option` of one
//! requires several components together: all or none:
//!
//! ```
//! # use ecs::{Component, Query, World};
//! # #[derive(Component)] struct Name(&'static str);
//! # #[derive(Component)] struct Bow { arrows: u32 }
//! # #[derive(Component)] struct Aim(f32);
//! #[derive(Query)]
//! struct Archer<'w> { bow: &'w mut Bow, aim: &'w Aim }
//!
//! #[derive(Query)]
//! struct Soldier<'w> { name: &'w Name, archer: Option<Archer<'w>> }
//!
//! let mut world = World::new();
//! world.spawn((Name("Ann"), Bow { arrows: 3 }, Aim(0.5)));
//! world.spawn((Name("Bob"), Bow { arrows: 9 })); // has a bow but no aim
//! for soldier in world.view_mut::<Soldier>() {
//!     if let Some(archer) = soldier.archer {
//!         assert_eq!((soldier.name.0, archer.aim.0), ("Ann", 0.5));
//!         archer.bow.arrows -= 1;
//!     }
//! }
//! ```
//!
//! # One of several
//!
//! An enum is a query for entities that are one of several things. An entity yields the first variant that it matches, and
//! matches the query if there is one:
//!
//! ```
//! # use ecs::{Component, Query, World};
//! # #[derive(Component)] struct Circle { radius: f32 }
//! # #[derive(Component)] struct Width(f32);
//! # #[derive(Component)] struct Height(f32);
//! #[derive(Query)]
//! enum Shape<'w> {
//!     Round(&'w Circle),
//!     Flat { width: &'w Width, height: &'w Height },
//! }
//!
//! # let mut world = World::new();
//! world.spawn(Circle { radius: 2.0 });
//! world.spawn((Width(3.0), Height(4.0)));
//! world.spawn(Width(5.0)); // no shape
//! let areas = world.view::<Shape>().into_iter().map(|shape| match shape {
//!     Shape::Round(circle) => 3.0 * circle.radius * circle.radius,
//!     Shape::Flat { width, height } => width.0 * height.0,
//! });
//! assert_eq!(areas.sum::<f32>(), 24.0);
//! ```
//!
//! An enum is also a field of another query and a term of a tuple, as in `View<(&Position, Shape)>`. Common components
//! stand beside the enum: a component that one variant writes is in no other one. A last variant without fields, such as
//! `Other`, matches every entity.
//!
//! # Other methods of views
//!
//! * [`View::get`], [`View::get_mut`] and [`View::matches`] take a handle. A dead one matches nothing.
//! * [`View::iter_many`] takes a list of handles, and so does [`View::for_each_many`], which is faster where
//!   the world is large. [`View::get_disjoint_mut`] lends several items at once, to be changed.
//! * [`View::get_many`] returns the items of several handles, to be read, and [`View::get_disjoint_vec_mut`]
//!   the items of a slice of handles, to be changed.
//! * [`View::single`] returns the only match, or an error. `count` and `is_empty` read no values.
//! * [`View::sorted_by_key`] and `sorted_by` sort the items for one walk. To keep an order from walk to walk, see
//!   [below](#in-an-order).
//! * [`View::iter_combinations`] yields all pairs, or choices of more, to be read; [`View::for_each_pair`]
//!   lends each pair to be changed.
//! * [`View::for_each_chunk`] lends slices, [`View::as_slices`] one slice a term if the matches are one run.
//! * [`View::explain`] returns how the matches are found.
//!
//! # In an order
//!
//! The order of a view is unspecified, but equal histories of calls give equal orders. A view of one component walks its
//! pool. One of several terms walks the smallest pool, a group, or the indices, whichever takes least time. So it may walk
//! in another order when one more entity has a component.
//!
//! [`View::in_order_of`] names the pool whose order counts, and [`PoolMut::sort_by_key`] sorts it:
//!
//! ```
//! # use ecs::{Component, World};
//! #[derive(Component)]
//! struct Depth(u32);
//! #[derive(Component)]
//! struct Sprite(char);
//! #[derive(Component)]
//! struct Tint(u8);
//!
//! # let mut world = World::new();
//! world.spawn_batch([(Depth(3), Sprite('c')), (Depth(1), Sprite('a'))]);
//! let tinted = world.spawn((Depth(2), Sprite('b'), Tint(9))).id();
//! let hidden = world.spawn(Depth(0)).id(); // it has no sprite
//!
//! let drawn = |world: &mut World| -> String {
//!     world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
//!     let sprites = world.view::<(&Sprite, Option<&Tint>)>().in_order_of::<Depth>();
//!     sprites.iter().map(|(_, sprite, _)| sprite.0).collect()
//! };
//! assert_eq!(drawn(&mut world), "abc");
//! // An insertion appends to the pool, a removal moves the last member into the gap.
//! world.get_mut::<Depth>(tinted).unwrap().0 = 4;
//! world.insert(hidden, Sprite('x')).unwrap();
//! assert_eq!(drawn(&mut world), "xacb");
//! ```
//!
//! Each entity of the pool is looked up in the other pools of the view, and may have more or fewer components than the
//! others. Loops, iterators, slices and parts keep the order, and so does a fold; only the threads of `par_for_each` do not.
//! The pool keeps its order until it is edited, so sort it before the walk: a pool that is almost in order is sorted in about
//! one pass. A declared group that owns the pool orders its members, and is sorted by [`GroupMut::sort_by`].
//!
//! [`View::in_order_of`]: crate::View::in_order_of
//! [`GroupMut::sort_by`]: crate::GroupMut::sort_by
//!
//! # Several views at once
//!
//! One query cannot write a component that it also reads, and while a `view_mut` lives there is no other view.
//! [`World::split_mut`] returns several views that coexist. Two views may coexist unless one writes a component
//! that the other accesses; they also may if one requires a component that the other excludes. The compiler
//! checks this, and names the component if two views conflict:
//!
//! ```
//! # use ecs::{Component, Entity, World};
//! # #[derive(Component)] struct Health(u32);
//! # #[derive(Component)] struct Target(Entity);
//! # let mut world = World::new();
//! let goblin = world.spawn(Health(5)).id();
//! world.spawn_batch((0..3).map(|_| Target(goblin)));
//! let (targets, mut healths) = world.split_mut::<(&Target, &mut Health)>();
//! for (_, target) in targets {
//!     if let Some((_, health)) = healths.get_mut(target.0) {
//!         health.0 -= 1;
//!     }
//! }
//! assert_eq!(world.get::<Health>(goblin).unwrap().0, 2);
//! ```
//!
//! A struct with `#[derive(Views)]` gives such views names: see [`ViewSet`].
//!
//! [`Entity`]: crate::Entity
//! [`ViewSet`]: crate::ViewSet
//! [`World::has`]: crate::World::has
//! [`World::view_mut`]: crate::World::view_mut
//! [`World::split_mut`]: crate::World::split_mut
//! [`View::get`]: crate::View::get
//! [`View::get_mut`]: crate::View::get_mut
//! [`View::matches`]: crate::View::matches
//! [`View::for_each_many`]: crate::View::for_each_many
//! [`View::get_disjoint_mut`]: crate::View::get_disjoint_mut
//! [`View::single`]: crate::View::single
//! [`View::iter_many`]: crate::View::iter_many
//! [`View::get_many`]: crate::View::get_many
//! [`View::get_disjoint_vec_mut`]: crate::View::get_disjoint_vec_mut
//! [`View::for_each_pair`]: crate::View::for_each_pair
//! [`View::iter_combinations`]: crate::View::iter_combinations
//! [`View::sorted_by_key`]: crate::View::sorted_by_key
//! [`View::for_each_chunk`]: crate::View::for_each_chunk
//! [`View::as_slices`]: crate::View::as_slices
//! [`View::explain`]: crate::View::explain
//! [`PoolMut::sort_by_key`]: crate::PoolMut::sort_by_key
