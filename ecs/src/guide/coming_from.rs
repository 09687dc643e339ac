//! Coming from another library: names in bevy_ecs, EnTT, hecs, shipyard, flecs and specs, and their
//! counterparts here.
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
//! The cost of inserting or removing a component does not depend on the other components of the entity, as in
//! EnTT, shipyard and specs. In bevy_ecs, hecs and flecs, such an edit moves all components of the entity.
//! Views borrow the world, so the compiler keeps [edits out of loops](super::edits_during_loops).
//!
//! # From bevy_ecs
//!
//! | there | here |
//! |---|---|
//! | `App`, `Plugin`, `add_plugins` | `app::App`, `app::Plugin`, `App::install` |
//! | `.before(set)`, `configure_sets` | `App::order` |
//! | `AppExit` | `app::Exit` |
//! | `Query<&A, With<B>>` | `View<'_, (&A, With<B>)>`, or `world.view::<A>().with::<B>()` |
//! | `Query<(Entity, &A)>` | `View<'_, &A>`: it always yields the entity first |
//! | `Or<(With<A>, With<B>)>` | `WithAny<(A, B)>` |
//! | `#[derive(QueryData)]`, `QueryFilter` | `#[derive(Query)]`, with `#[query(with(..), without(..))]` |
//! | `get_many_mut`, `iter_many`, `iter_combinations` | `get_disjoint_mut`, `iter_many`, `iter_combinations` |
//! | several queries, `ParamSet` | [`World::split_mut`](crate::World::split_mut) |
//! | `EntityWorldMut::insert_if_new` | [`insert_if_absent`](crate::World::insert_if_absent) |
//! | `EntityWorldMut::take::<A>()` | [`World::remove::<A>`](crate::World::remove) |
//! | `World::try_despawn` | [`World::despawn`](crate::World::despawn) |
//! | `Commands`, `commands.entity(e).insert(..)` | [`Commands`](crate::Commands), `commands.insert(e, ..)` |
//! | `commands.spawn(bundle).id()` in a system | [`SpawnCommands`](crate::SpawnCommands), `commands.spawn(bundle)` |
//! | `commands.spawn(a).with_child(b)` | `commands.spawn_with(a, \|a\| [(b, ChildOf(a))])`, also a method of [`World`](crate::World::spawn_with) |
//! | `Res<T>`, `ResMut<T>` in a system | `&T`, `&mut T` ([`Param`](crate::Param)); [`Res`, `ResMut`](super::resources) in a split |
//! | `NonSend`, `NonSendMut`, `NonSendMarker` | [`NonSendRef`](crate::NonSendRef), [`NonSendMut`](crate::NonSendMut) of a [`NonSend`](crate::NonSend) resource, [`CallingThread`](crate::CallingThread) |
//! | `EventReader`, `MessageReader` | `&Events<T>` with a `Local<EventCursor>`, `events.read(&mut seen)` ([`Events`](crate::Events)) |
//! | `Events::iter_current_update_events` | [`Events::iter_kept`](crate::Events::iter_kept), with the events of the last frame |
//! | systems, `Schedule`, `run_system_once` | [systems](super::systems): [`Schedule`](crate::Schedule), [`World::run`](crate::World::run) |
//! | observers, hooks, `trigger` | [`World::on_insert`](crate::World::on_insert) and others: [lifecycle](super::lifecycle) |
//! | observers of one entity, propagation, system parameters in observers | [recipes](super::lifecycle#recipes) |
//! | `Changed`, `Added` | [`View::among`](crate::View::among): see [changes](super::changes) |
//! | `Res::is_changed`, `resource_changed` | [`HasChanged`](crate::HasChanged), [`World::resource_version`](crate::World::resource_version) |
//! | `ChildOf`, `Children` | [`ChildOf`](crate::ChildOf), [`World::children`](crate::World::children), in queries [`Sources<ChildOf>`](crate::Sources) |
//! | `par_iter` | [`par_for_each`, `par_fold`](super::threads) |
//!
//! * `remove` returns the value here; there it drops it.
//! * A loop over `world.view_mut::<..>()` needs no `QueryState`: making a view takes some nanoseconds.
//! * Each component has a pool of its own, like `#[component(storage = "SparseSet")]` there. To lay joins out
//!   together, as tables do, declare a [group](super::groups).
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
//! | `patch` | [`patch`](crate::World::patch), which notifies observers, too |
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
//! * A group is declared once, and is no object to iterate: views of its components use it. To declare a second
//!   owner of a pool returns an error, in place of an assertion.
//! * Handles have 64 bits; 31 of them are the generation. Generations do not wrap around: an index whose
//!   generations are used up is retired.
//! * A loop cannot destroy its current entity: record the despawn by [`Commands`](crate::Commands), or collect
//!   handles for `despawn_batch`.
//! * `&Tag` yields a reference to a tag; `With<Tag>` yields nothing.
//! * Pools always move the last value into a gap: there is no `in_place_delete`, and no stable pointers.
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
//! | `EntityBuilder` | [`spawn_empty`](crate::World::spawn_empty), and `insert` on its result |
//! | `CommandBuffer`, `run_on` | [`Commands`](crate::Commands), `apply` |
//! | `ChangeTracker`, `serialize` | [changes](super::changes), [saving](super::saving) |
//!
//! * There are no borrows to be checked at run time. Methods that write take `&mut World`, and several views
//!   that write come from one [`World::split_mut`](crate::World::split_mut), which the compiler checks.
//! * `spawn_at` returns an error if the entity of this index is alive; it does not despawn it.
//! * Views always yield the entity first.
//!
//! # From shipyard
//!
//! | there | here |
//! |---|---|
//! | `world.add_entity((a, b))`, `bulk_add_entity` | [`spawn`](crate::World::spawn), [`spawn_batch`](crate::World::spawn_batch) |
//! | `add_component(entity, a)` | [`insert`](crate::World::insert) |
//! | `remove::<A>`, `delete_component::<A>` | [`remove`](crate::World::remove) |
//! | `delete_entity` | [`despawn`](crate::World::despawn) |
//! | `View<A>`, `ViewMut<A>`, `(&a, &mut b).iter()` | `View<(&A, &mut B)>`: one view for the whole join |
//! | `.iter().with_id()` | any view: it yields the entity first |
//! | `as_optional` | `Option<&A>` |
//! | `!&a` in a tuple | [`Without<A>`](crate::Without) |
//! | `EntitiesViewMut`, `AllStoragesViewMut` | [`SpawnCommands`](crate::SpawnCommands), `&mut World` |
//! | `add_unique`, `UniqueView<T>`, `UniqueViewMut<T>` | [`insert_resource`](crate::World::insert_resource), `&T`, `&mut T` |
//! | `NonSend`, `NonSendSync` | [`NonSend`](crate::NonSend) resources |
//! | `world.run(system)` | [`World::run`](crate::World::run) |
//! | `Workload`, `run_workload`, `into_workload` | [`Schedule`](crate::Schedule), [`Schedule::run`](crate::Schedule::run) |
//! | `run_if` | [`Schedule::add_if`](crate::Schedule::add_if) |
//! | `#[track(All)]`, `inserted`, `modified`, `inserted_or_modified` | `#[component(track)]`, [`Changes`](crate::Changes), [`View::among`](crate::View::among) |
//! | `removed`, `deleted`, `clear_all_removed_and_deleted` | [`Changes::removed`](crate::Changes::removed), [`World::advance`](crate::World::advance) |
//! | `on_insertion`, `on_removal`, `on_deletion` | [`World::on_insert`](crate::World::on_insert), [`World::on_remove`](crate::World::on_remove) |
//! | `par_iter` | [`par_for_each`, `par_fold`](super::threads) |
//!
//! * The world is not behind locks: borrows are checked by the compiler, and there are no errors of `borrow`.
//! * Systems run as if in the order of the list, on any number of threads.
//!
//! # From flecs
//!
//! The names there are from the crate `flecs_ecs`.
//!
//! | there | here |
//! |---|---|
//! | `world.entity()`, `entity_named` | [`spawn_empty`](crate::World::spawn_empty), [`spawn_named`](crate::World::spawn_named) |
//! | `set(value)`, `add(id)` | [`insert`](crate::World::insert) |
//! | `remove(id)`, `destruct` | [`remove`](crate::World::remove), [`despawn`](crate::World::despawn) |
//! | `get`, `try_get` | [`get`](crate::World::get), [`get_mut`](crate::World::get_mut), an `Option` |
//! | `has`, `is_alive` | [`has`](crate::World::has), [`is_alive`](crate::World::is_alive) |
//! | `lookup` | [`World::entity_named`](crate::World::entity_named) |
//! | `new_query`, `query::<Q>().build()`, `each`, `each_entity` | [`view`](crate::World::view), [`view_mut`](crate::World::view_mut), `for_each` |
//! | `with`, `without`, `optional` | `with`, `without`, `Option<&A>` |
//! | `up`, `cascade` | [`Up`](crate::Up), [`World::by_depth`](crate::World::by_depth) |
//! | `order_by` | [`View::sorted_by_key`](crate::View::sorted_by_key), [`PoolMut::sort_by_key`](crate::PoolMut::sort_by_key) with [`View::in_order_of`](crate::View::in_order_of) |
//! | `set_cached` | [groups](super::groups), which keep joins ready |
//! | `child_of`, `parent`, `each_child` | [`ChildOf`](crate::ChildOf), [`parent`](crate::World::parent), [`children`](crate::World::children) |
//! | pairs, `target` | a component with `#[component(relation)]`, `target_of` |
//! | `is_a`, `flecs::Prefab` | a [`Prefab`](crate::Prefab), which inherits when it is read: copies share nothing with it |
//! | singletons, `singleton` | [resources](super::resources) |
//! | `system`, `progress`, `kind` | [`Schedule`](crate::Schedule), [`App`](crate::app::App) and its schedules |
//! | `set_interval` | [`every`](crate::app::every) |
//! | `set_threads`, `par_each` | the feature `parallel`: [threads](super::threads) |
//! | `observer`, `flecs::OnAdd`, `flecs::OnSet`, `flecs::OnRemove` | [`on_insert`](crate::World::on_insert), [`on_update`](crate::World::on_update), [`on_remove`](crate::World::on_remove) |
//! | `event`, `emit` | [`World::on`](crate::World::on), [`World::send`](crate::World::send) |
//! | `defer`, `defer_begin`, `defer_end` | [`Commands`](crate::Commands), `apply` |
//! | `Module`, `import` | [`Plugin`](crate::app::Plugin), [`App::install`](crate::app::App::install) |
//! | `to_json`, `from_json` | [`World::save`](super::saving), `read_from` |
//!
//! * Components are Rust types. Pairs of entities that are made at run time have no counterpart.
//! * Queries are Rust types, too; [`KindQuery`](crate::by_name::KindQuery) makes one at run time.
//!
//! # From specs
//!
//! | there | here |
//! |---|---|
//! | `create_entity().with(a).with(b).build()` | `spawn((a, b)).id()` |
//! | `world.register::<A>()` | not needed |
//! | `delete_entity`, `delete_all` | [`despawn`](crate::World::despawn), [`World::clear`](crate::World::clear) |
//! | `Entities`, `LazyUpdate` | [`SpawnCommands`](crate::SpawnCommands), [`Commands`](crate::Commands) |
//! | `maintain` | `apply`; a [schedule](super::systems) applies commands by itself |
//! | `ReadStorage<A>`, `WriteStorage<A>`, `(&a, &mut b).join()` | `View<(&A, &mut B)>`: one view for the whole join |
//! | `!&a`, `maybe` in a join | [`Without<A>`](crate::Without), `Option<&A>` |
//! | `par_join` | [`par_for_each`, `par_fold`](super::threads) |
//! | `storage.get(entity)`, `insert`, `remove` | [`get`](crate::World::get), [`insert`](crate::World::insert), [`remove`](crate::World::remove) |
//! | `entry(entity)` | [`get_or_insert_with`](crate::World::get_or_insert_with) |
//! | `Read<T>`, `Write<T>`, `ReadExpect<T>` | `&T`, `&mut T`, parameters of a system |
//! | `System`, `SystemData`, `RunNow` | a function, `#[derive(Views)]`, [`World::run`](crate::World::run) |
//! | `DispatcherBuilder`, `add`, `add_barrier`, `dispatch` | [`Schedule`](crate::Schedule), `add`, `sync`, `run` |
//! | `add_thread_local` | [`CallingThread`](crate::CallingThread), [`NonSendMut`](crate::NonSendMut) |
//! | `FlaggedStorage`, `register_reader`, `ComponentEvent` | `#[component(track)]`, [`World::changes`](crate::World::changes) |
//! | `VecStorage`, `DenseVecStorage`, `NullStorage`, `HashMapStorage` | not needed: a pool adapts to the number of its entities |
//! | `SimpleMarker`, `SerializeComponents`, `DeserializeComponents` | `World::save`, `World::load`: [saving](super::saving) |
//! | `ConvertSaveload` | handles are found; `#[derive(MapEntities)]` on types within components |
//!
//! * Dependencies between systems are not named: conflicting systems run in the order of the list.
