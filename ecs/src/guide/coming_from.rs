//! Coming from another library: names in bevy_ecs, EnTT and hecs, and what they are called here.
//!
//! ```
//! use ecs::{Component, Entity, Group, Has, Without, World};
//!
//! #[derive(Component, Clone, Copy)] // hecs and EnTT: any type, without a derive
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//! #[derive(Component)]
//! struct Frozen;
//!
//! let mut world = World::new(); // EnTT: registry
//! let entity: Entity = world.spawn((Position(0.0), Velocity(1.0))).id(); // EnTT: create, emplace
//! world.spawn_batch((0..9).map(|at| Position(at as f32))); // EnTT: create, insert of ranges
//!
//! // bevy_ecs: a system with `Query<(&mut Position, &Velocity), Without<Frozen>>`.
//! // hecs: `world.query_mut::<(&mut Position, &Velocity)>().without::<&Frozen>()`.
//! // EnTT: `registry.view<Position, const Velocity>(entt::exclude<Frozen>)`.
//! for (_, position, velocity) in
//!     world.view_mut::<(&mut Position, &Velocity)>().without::<Frozen>()
//! {
//!     position.0 += velocity.0;
//! }
//!
//! assert!(world.has::<(Position, Without<Frozen>)>(entity)); // EnTT: all_of; hecs: satisfies
//! assert_eq!(world.view::<(Position, Has<Frozen>)>().count(), 10);
//! world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap(); // EnTT: group
//! assert_eq!(world.get::<Position>(entity).unwrap().0, 1.0); // EnTT: try_get
//! world.despawn(entity).unwrap(); // EnTT: destroy
//! ```
//!
//! To insert or remove a component costs the same however many others the entity has, as in EnTT; bevy_ecs and
//! hecs move the others along. Views borrow the world, so the compiler keeps
//! [edits out of loops](super::edits_during_loops).
//!
//! # From bevy_ecs
//!
//! | there | here |
//! |---|---|
//! | `App`, `Plugin`, `add_plugins` | `app::App`, `app::Plugin`, `App::install` |
//! | `.before(set)`, `configure_sets` | `App::order` |
//! | `AppExit` | `app::Exit` |
//! | `Query<&A, With<B>>` | `View<'_, (&A, With<B>)>`, or `world.view::<A>().with::<B>()` |
//! | `Query<(Entity, &A)>` | `View<'_, &A>`: the entity comes unasked |
//! | `Or<(With<A>, With<B>)>` | `WithAny<(A, B)>` |
//! | `#[derive(QueryData)]`, `QueryFilter` | `#[derive(Query)]`, with `#[query(with(..), without(..))]` |
//! | `get_many_mut`, `iter_many`, `iter_combinations` | `get_disjoint_mut`, `iter_many`, `iter_combinations` |
//! | several queries, `ParamSet` | [`World::split_mut`](crate::World::split_mut) |
//! | `EntityWorldMut::insert_if_new` | [`insert_if_absent`](crate::World::insert_if_absent) |
//! | `EntityWorldMut::take::<A>()` | [`World::remove::<A>`](crate::World::remove) |
//! | `World::try_despawn` | [`World::despawn`](crate::World::despawn) |
//! | `Commands`, `commands.entity(e).insert(..)` | [`Commands`](crate::Commands), `commands.insert(e, ..)` |
//! | `commands.spawn(bundle).id()` in a system | [`SpawnCommands`](crate::SpawnCommands), `commands.spawn(bundle)` |
//! | `commands.spawn(a).with_child(b)` | `commands.spawn_with(a, \|a\| [(b, ChildOf(a))])`, also of a [`World`](crate::World::spawn_with) |
//! | `Res<T>`, `ResMut<T>` in a system | `&T`, `&mut T` ([`Param`](crate::Param)); [`Res`, `ResMut`](super::resources) in a split |
//! | `NonSend`, `NonSendMut`, `NonSendMarker` | [`NonSendRef`](crate::NonSendRef), [`NonSendMut`](crate::NonSendMut) of a [`NonSend`](crate::NonSend) resource, [`CallingThread`](crate::CallingThread) |
//! | `EventReader`, `MessageReader` | `&Events<T>` with a `Local<EventCursor>` ([`Events`](crate::Events)) |
//! | systems, `Schedule`, `run_system_once` | [systems](super::systems): [`Schedule`](crate::Schedule), [`World::run`](crate::World::run) |
//! | observers, hooks, `trigger` | [`World::on_insert`](crate::World::on_insert) and others: [lifecycle](super::lifecycle) |
//! | observers of one entity, propagation, system parameters in observers | [recipes](super::lifecycle#recipes) |
//! | `Changed`, `Added` | [`View::among`](crate::View::among): see [changes](super::changes) |
//! | `Res::is_changed`, `resource_changed` | [`HasChanged`](crate::HasChanged), [`World::resource_version`](crate::World::resource_version) |
//! | `ChildOf`, `Children` | [`ChildOf`](crate::ChildOf), [`World::children`](crate::World::children), in queries [`Sources<ChildOf>`](crate::Sources) |
//! | `par_iter` | [`par_for_each`, `par_fold`](super::threads) |
//!
//! * `remove` returns the value here; there it drops it.
//! * A loop over `world.view_mut::<..>()` needs no `QueryState`: a view costs some nanoseconds to make.
//! * Each component has a pool of its own, as with `#[component(storage = "SparseSet")]`. To have joins laid
//!   out together, as tables are, declare a [group](super::groups).
//! * Conflicts within a query, and between the views of a split, are compile errors. There, they are panics
//!   when a system is initialised.
//!
//! # From EnTT
//!
//! | there | here |
//! |---|---|
//! | `registry.create()` | [`spawn_empty`](crate::World::spawn_empty) |
//! | `create(hint)` | [`spawn_at`](crate::World::spawn_at): an error if it is taken |
//! | `valid`, `destroy` | [`is_alive`](crate::World::is_alive), [`despawn`](crate::World::despawn) |
//! | `emplace`, `emplace_or_replace` | [`insert`](crate::World::insert), which replaces |
//! | `replace` | [`replace`](crate::World::replace), which inserts if there is none, and returns the old value |
//! | `get_or_emplace` | [`get_or_insert_with`](crate::World::get_or_insert_with) |
//! | `patch` | [`patch`](crate::World::patch), which tells observers as there |
//! | `erase`, `remove` | [`try_remove`](crate::World::try_remove), [`remove`](crate::World::remove) |
//! | `clear<A>()`, `clear()` | `pool_mut::<A>().clear()`, [`World::clear`](crate::World::clear) |
//! | `get<A>`, `try_get<A>` | [`get`](crate::World::get), an `Option` |
//! | `all_of<A, B>`, `any_of<A, B>` | `has::<(A, B)>`, `has::<WithAny<(A, B)>>` |
//! | `view<A, B>(entt::exclude<C>)`, `each` | `view::<(A, B)>().without::<C>()`, `for_each` |
//! | `group<A>(entt::get<B>, entt::exclude<C>)` | `Group::owning::<A>().with::<B>().without::<C>()` |
//! | `group<>(entt::get<A, B>)` | `Group::observing::<(A, B)>()` |
//! | `sort<A>(compare)` | `pool_mut::<A>().sort_by(..)` |
//! | `sort<To, From>()` | [`pool_mut::<To>().sort_like::<From>()`](crate::PoolMut::sort_like) |
//! | `sort_as(first, last)` of a storage, or of a group | [`PoolMut::sort_as`](crate::PoolMut::sort_as), [`GroupMut::sort_as`](crate::GroupMut::sort_as) |
//! | `storage<A>()`, `entt::handle` | [`pool`](crate::World::pool), [`EntityMut`](crate::EntityMut) |
//! | `entt::null` | `Option<Entity>`, of the same size |
//! | `ctx()` | [resources](super::resources): [`World::resource`](crate::World::resource) |
//! | `on_construct`, `on_update`, `on_destroy` | [`World::on_insert`](crate::World::on_insert), `on_update`, `on_remove`: [lifecycle](super::lifecycle) |
//! | `storage<entt::reactive>` | [`World::collector`](crate::World::collector) |
//! | `dispatcher`, `sigh` | [`World::on`](crate::World::on), [`World::send`](crate::World::send) |
//! | `meta` | [`Kind`](crate::by_name::Kind): [by name](super::by_name) |
//! | `snapshot`, `snapshot_loader` | `World::save`, `World::load`: [saving](super::saving) |
//! | `organizer` | [`schedule!`](crate::schedule): [systems](super::systems) |
//!
//! * A group is declared once, and is no object to iterate: views that ask for what it keeps use it. Declaring
//!   a second owner of a pool is an error value, not an assertion.
//! * Handles have 64 bits, of which 31 are the generation. Generations do not wrap around: an index whose
//!   generations are used up is retired.
//! * A loop cannot destroy the entity it is at: record it by [`Commands`](crate::Commands), or collect, and `despawn_batch`.
//! * A tag is yielded as `&Tag` where it is asked for by `&Tag`; ask by `With<Tag>`.
//! * Pools move the last value into a gap, always: there is no `in_place_delete`, and no stable pointers.
//!
//! # From hecs
//!
//! | there | here |
//! |---|---|
//! | `world.spawn((a, b))` | `world.spawn((a, b)).id()` |
//! | `query_mut::<(&mut A, &B)>()` | [`view_mut`](crate::World::view_mut) |
//! | `query::<(&A, &B)>()` | [`view`](crate::World::view), which only reads |
//! | `query::<..>().view()`, `World::view` | any view: it is addressable |
//! | `query_one::<&A>(entity)`, `query_one_mut` | `view::<A>().get(entity)`, `view_mut::<&mut A>().get_mut(entity)` |
//! | `get::<&A>(entity)`, a `Result` | `get::<A>(entity)`, an `Option` |
//! | `get::<&mut A>(entity)` | `get_mut::<A>(entity)`, through `&mut World` |
//! | `satisfies::<Q>`, `Satisfies<Q>` | [`has::<Q>`](crate::World::has), `Has<A>` |
//! | `Or<&A, &B>` | `(Option<&A>, Option<&B>, WithAny<(A, B)>)` |
//! | `insert`, `insert_one` | [`insert`](crate::World::insert) of a bundle or a component |
//! | `remove::<(A, B)>`, all or an error | [`take::<(A, B)>`](crate::World::take), all or `None` |
//! | `remove_one` | [`remove`](crate::World::remove) |
//! | `exchange` | `take`, then `insert` |
//! | `query_disjoint_mut`, `query_many_mut` | [`View::get_disjoint_mut`](crate::View::get_disjoint_mut) |
//! | `iter_batched` | [`View::for_each_chunk`](crate::View::for_each_chunk) |
//! | `PreparedQuery` | not needed |
//! | `EntityBuilder` | [`spawn_empty`](crate::World::spawn_empty), and `insert` on what it returns |
//! | `CommandBuffer`, `run_on` | [`Commands`](crate::Commands), `apply` |
//! | `ChangeTracker`, `serialize` | [changes](super::changes), [saving](super::saving) |
//!
//! * There are no borrows to be checked at run time. What writes takes `&mut World`, and several views that
//!   write come from one [`World::split_mut`](crate::World::split_mut), which the compiler checks.
//! * `spawn_at` does not despawn whom it finds: it is an error.
//! * Views yield the entity first, without being asked.
