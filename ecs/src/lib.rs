//! A sparse-set entity component system, driven by derives and checked by the compiler.
//!
//! A [`World`] stores entities and their [components](Component); each component type has a pool. A [`View`] iterates
//! over the entities that match a [`Query`]. A [`Group`] keeps the matches of a query ready.
//!
//! ```
//! use ecs::{Component, World};
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//!
//! let mut world = World::new();
//! let moving = world.spawn((Position(1.0), Velocity(2.0))).id();
//! let resting = world.spawn(Position(5.0)).id();
//! for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
//!     position.0 += velocity.0;
//! }
//! let at = |entity| world.get::<Position>(entity).unwrap().0;
//! assert_eq!((at(moving), at(resting)), (3.0, 5.0));
//! ```
//!
//! # Features
//!
//! * [Queries](guide::queries): tuples and `#[derive(Query)]`, options and filters; aliasing is a compile error.
//! * [Groups](guide::groups) and [columns](guide::columns): joins kept ready, and a `Vec` for each field.
//! * [Edits during loops](guide::edits_during_loops): [`Commands`], batches, reserved entities.
//! * [Lifecycle](guide::lifecycle): hooks, observers, collectors, vetoes, required components.
//! * [Relations and events](guide::relations_and_events): [`ChildOf`] and relations of your own, [`Events`].
//! * [Changes](guide::changes): components that were inserted, updated and removed since a reader looked last.
//! * [Finding by value](guide::indexes): entities by equal values, ranges, or an index of yours.
//! * [Systems](guide::systems) and [apps](guide::apps): schedules checked by the compiler, plugins, fixed steps.
//! * [Threads](guide::threads): systems and loops on several threads, with the result of one.
//! * [Saving](guide::saving): exact snapshots, versions, deltas, copies, prefabs.
//! * [By name](guide::by_name): components, values and queries at run time, for editors and scripts.
//!
//! New here? Begin with the [first steps](guide::first_steps). Coming from another library? See where its names
//! are [here](guide::coming_from). [Testing](guide::testing) and [resources](guide::resources) have a chapter each,
//! too.
//!
//! # Modules
//!
//! * [`guide`]: a chapter for each task.
//! * [`app`]: a world and its schedules, assembled from plugins.
//! * [`by_name`]: components as values.
//! * `save`: bytes, text formats, deltas and change sets (feature `serde`).
//! * [`iter`]: the iterators that methods return.
//! * [`inspect`]: memory and the systems of schedules, as data.
//!
//! # Every item, by subject
//!
//! **Entities.** [`Entity`] is the handle, and [`EntityOf`] one to an entity with a given component. [`World::spawn`], [`spawn_batch`](World::spawn_batch),
//! [`spawn_at`](World::spawn_at) and [`reserve_entity`](World::reserve_entity) make them,
//! [`World::despawn`] ends them. [`EntityRef`] and [`EntityMut`] are an entity and its world. A [`Name`] is
//! a name for people.
//!
//! **Components.** [`Component`] is derived, and [`AnyComponent`] includes components in columns. A [`Bundle`] is several
//! that are inserted together, a [`TakeList`] several that are taken away together, a [`ComponentList`] several that
//! are only named. [`World::insert`] and [`World::remove`] edit one entity, [`World::insert_batch`] and
//! [`World::remove_batch`] many.
//!
//! **Commands.** [`Commands`] record edits while the world is borrowed, and apply them later; the result is reported as
//! [`Applied`], and as an error, [`CommandsError`], on request. Their handles come from one of two types that
//! [`AllocateEntity`]: the world, or the [`EntityAllocator`] of a view; a system that spawns has [`SpawnCommands`].
//!
//! **Observers.** [`World::on_insert`], [`on_update`](World::on_update) and [`on_remove`](World::on_remove) notify of
//! components that come, change and go, and [`on_batch`](World::on_batch) of all entities of an operation at once, by
//! a [`ComponentChange`]. A component can name [hooks](Component) for the same. [`World::send`] and
//! [`send_to`](World::send_to) send events of yours to observers that were added by [`World::on`] and
//! [`on_entity`](World::on_entity). Each has an [`ObserverId`], for [`World::unobserve`]. [`World::collector`] lists
//! entities instead, for the changes that a [`CollectList`] names: [`Inserted`], [`Updated`] and [`Removed`]. It has a
//! [`CollectorId`], for [`World::drain`]. The event [`Replaced`] says that the whole content was cleared, loaded
//! or copied.
//!
//! **Changes.** A reader, [`Changes`], reads the insertions, changes and removals of a [`Tracked`] component since its
//! last turn: [`World::changes`], [`World::advance`]. It returns them as [`EntitySet`], and [`View::among`] restricts a
//! view to them, by the filter [`Among`]. [`Mut`] is a term that marks only written components.
//!
//! **Finding by value.** An [`Indexed`] component has an index, [`World::index`]: a [`Hashed`] one by a [`HashedKey`], an
//! [`Ordered`] one by an [`OrderedKey`], or an [`IndexKind`] of yours. [`World::find`] returns the entity with a value. In
//! a system it is an [`Index`]. Answers are an [`IndexIter`](iter::IndexIter) or a [`RangeIter`](iter::RangeIter), which
//! are [`AmongEntities`]: [`View::among`] restricts a view to them.
//!
//! **Resources.** [`Resource`](macro@Resource)s are values without an entity, one a type: [`World::insert_resource`],
//! [`World::resource`], [`World::resource_scope`]; in a split, [`Res`] and [`ResMut`]. `NonSend` holds a value that
//! stays on its thread, and lends it as a `NonSendRef` or `NonSendMut`. [`Events`] is a queue for readers that poll,
//! each with an [`EventCursor`], by an [`EventIter`](iter::EventIter).
//!
//! **Relations.** A [`Relation`] is a component that points to another entity. [`World::relate`] and [`World::insert`]
//! give one, [`World::related`] returns the sources of an entity, as [`Related`](iter::Related). [`ChildOf`] is the
//! one for parents and children: [`World::attach`], [`children`](World::children). [`Up`] is a term that reads
//! components of the target, [`Sources`] one that reads the entities that point to a match: a
//! [`SourceIter`](iter::SourceIter) each, in chunks by a [`SourceChunk`](iter::SourceChunk).
//!
//! **Systems.** A [`System`] is a function. It names each [`Param`] that it needs by its type: views,
//! resources, [`Local`]s, commands, changes. [`HasChanged`] reports a changed resource, and [`CallingThread`] keeps it
//! on the thread that runs the schedule. [`World::run`] runs one once. [`schedule!`] declares a list with conflicts
//! that are compile errors, and a [`SchedulePlan`]. A [`Schedule`] is built at run time, of tuples of [`Systems`], too;
//! `Sharing` says how threads share it. A system's [`SystemOutput`] may be an error, which a [`ScheduleError`]
//! names. A [`Snapshot`] of a schedule and its world, or of an app, brings the whole program back; a
//! [`SnapshotError`] says why one cannot be taken. [`Stays`] and [`CopiedSystem`] choose the values that go back. With
//! the feature `serde`, `SnapshotTypes` write a snapshot as bytes. The module `replay` has `Recording`s of runs. They
//! are played again and compared: a `Difference` names the first `DifferentPart`. A `Program` can be recorded; a
//! failure is a `RecordingError`. [`FixedStep`] counts steps of one length. The module [`app`] assembles a world and its schedules from
//! plugins.
//!
//! **Queries.** [`Query`] is a trait of all that views can yield: by [`World::view`], [`World::view_mut`],
//! [`World::split_mut`] and [`World::has`]. A [`View`] walks the matches, or looks them up. Terms: [`Has`], [`With`],
//! [`Without`], [`WithAny`]; [`View::in_order_of`] walks in the order of a pool, by the filter [`InOrderOf`].
//! [`Items`](iter::Items) is the iterator of [`Item`]s, and a [`Chunk`] has several items as slices.
//! [`IterMany`](iter::IterMany), [`IterCombinations`](iter::IterCombinations), [`IntoParts`](iter::IntoParts) and
//! [`PartItems`](iter::PartItems) are the iterators of other walks. [`Views`](macro@Views) names the views of a split.
//! For functions over any query: [`ReadOnlyQuery`], [`ReadOnly`], [`Term`], [`Field`], [`Filter`], [`ViewSet`]. [`check_query!`] checks one in place.
//!
//! **Pools.** [`World::pool`] and [`World::pool_mut`] give all components of one type, as [`PoolRef`] and
//! [`PoolMut`]: to look up, to walk by [`PoolIter`](iter::PoolIter), to filter, drain and sort. [`SparseSet`], by any
//! [`Key`], and [`EntityMap`] are the containers that pools are made of, for other data of yours.
//!
//! **Groups.** A [`Group`] is declared by [`World::declare_group`]. [`World::group`] gives a [`GroupRef`],
//! [`World::group_mut`] a [`GroupMut`] to be sorted, [`World::groups`] a [`GroupRef`] each;
//! [`GroupIter`](iter::GroupIter) is their iterator. [`GroupList`] is for functions over any group.
//!
//! **Columns.** `#[component(layout = "soa")]` stores a component a field at a time; see
//! [layouts](Component#layouts). [`Ref`], [`RefMut`], [`Slice`] and [`SliceMut`] are a component's references in
//! either layout, [`Storage`] the layout itself.
//!
//! **Copies and saved worlds.** [`World::try_clone`] and [`World::copy_from`] copy a world, [`World::spawn_copies`],
//! [`spawn_copies_with`](World::spawn_copies_with) and [`spawn_copies_of`](World::spawn_copies_of) entities,
//! [`World::spawn_prefab`] copies of a [`Prefab`]. [`World::merge`] takes another world in; [`MapEntities`] finds handles in components. With the feature `serde`,
//! `World::save` returns a `Save`, and `World::register` takes a `SavedList`. `World::load`, `World::read` and
//! `World::read_from` return a report, `Loaded`, with `Unknown` parts, within `Limits`; a `WorldSeed` reads a world as
//! a part of a document. A `SaveEntity` writes one entity, and `World::spawn_from` reads it. `Prefabs` are read from files,
//! by a `PrefabSeed`. A `Delta` makes one world of another, by `World::apply_delta`, and `Deltas` leave parts out of
//! it. A `ChangeSet`, from a reader `ChangeSets`, lists the changes of tracked components, for
//! `World::apply_change_set`, its `Follower` and `Received`. A `ValueSet` has newest values, apart from sets.
//!
//! **By name.** A [`Kind`](by_name::Kind) is a component type as a value, from [`World::kind`].
//! [`World::kind_value`] and [`World::kind_values`] return a
//! [`Value`](by_name::Value) each; [`World::insert_kind_default`],
//! [`World::copy_kind`] and [`World::remove_kind`] edit, with the feature `serde` also
//! `insert_kind`. A [`KindQuery`](by_name::KindQuery) is put together at run time:
//! [`World::kind_rows`] returns its [`Rows`](by_name::Rows), and
//! [`World::for_each_row`] lends each [`Row`](by_name::Row) to be written. [`World::kinds_query`] makes one of a text, or
//! returns a [`QueryTextError`](by_name::QueryTextError). Its [`KindChunks`](by_name::KindChunks) and
//! [`KindChunksMut`](by_name::KindChunksMut) lend each [`KindChunk`](by_name::KindChunk) as slices, or a
//! [`ColumnError`](by_name::ColumnError).
//! [`Kind::shape`](by_name::Kind::shape) returns the [`Shape`](by_name::Shape) of a component, made of
//! [`FieldShape`](by_name::FieldShape)s, perhaps with a [`FieldRange`](by_name::FieldRange). [`Values`](by_name::Values) are inserted together, and a
//! [`Declaration`](by_name::Declaration) declares at start-up the capabilities of a component of another crate.
//! [`World::define`] defines a component that has no type in Rust, of [`Fields`](by_name::Fields): each has a
//! [`FieldType`](by_name::FieldType), and values that are a [`FieldValue`](by_name::FieldValue). A
//! [`DefineError`](by_name::DefineError) says why it is refused. [`World::redefine`] changes the fields and all values, by a
//! [`Redefinition`](by_name::Redefinition). [`World::kind_index`] finds entities by a field: it returns a
//! [`KindIndex`](by_name::KindIndex). [`World::kind_inserter`] binds a kind once, for many insertions: its
//! [`KindInserter`](by_name::KindInserter) takes each value as a [`FieldRow`](by_name::FieldRow).
//! [`KindChanges`](by_name::KindChanges) lists the changes of a tracked kind. With the feature `serde` a
//! `ResourceKind` is a resource type as a value, which gives a `ResourceValue`, or a `ResourceKindError`.
//! [`World::take_kind`] returns an [`OwnedValue`](by_name::OwnedValue), and
//! [`Despawned`](by_name::Despawned) keeps despawned entities, which come back by an undo, or say by a
//! [`RestoreError`](by_name::RestoreError) why not.
//!
//! These are in the module [`by_name`]; items that save and load are in the module `save`, and iterators are in the
//! module [`iter`].
//!
//! **Inspection.** [`World::entities`] returns an [`EntityIter`](iter::EntityIter). [`World::kinds`] and [`World::components`] list [`Kind`](by_name::Kind)s,
//! [`World::entities_from`] any part of all entities; [`World::memory_usage`] counts bytes, as
//! [`WorldMemory`](inspect::WorldMemory) and [`MemoryUsage`](inspect::MemoryUsage); [`View::explain`] gives the
//! [`Plan`] of a view, of a [`PlanKind`]. [`Schedule::steps`] lists the systems of a schedule as
//! [`StepInfo`](inspect::StepInfo)s, each of a [`StepKind`](inspect::StepKind). Their times are
//! `TimeStats`. [`ComponentId`] and [`Signature`]
//! identify components at compile time.
//!
//! **Errors.** A dead handle: [`NoSuchEntityError`], of a batch [`NoSuchEntitiesError`]. For one call each: [`DespawnError`],
//! [`RemoveError`], [`RelateError`], [`ComponentRule`], [`SpawnAtError`], [`ParseEntityError`], [`GroupError`], [`OwnedByGroupError`],
//! [`SingleError`], [`DisjointError`], [`CopyError`], [`MergeError`], [`KindError`](by_name::KindError), `SaveError`,
//! `LoadError`, `PrefabError`, `WrongThreadError`.
//!
//! # Cargo features
//!
//! * `std`, on by default: loops ask the processor for its instructions, and leave their memory to the
//!   next loop of their thread. Without it the crate needs `alloc` and 64-bit atomics; loops use the
//!   instructions that the compiler may use (`-C target-cpu`). All threads share one such memory, so a
//!   loop inside another allocates, and there is no `NonSend`. All else is the same.
//! * `parallel`: the threads of [rayon](https://docs.rs/rayon)'s pool share loops such as [`View::par_for_each`], and the
//!   systems of a schedule that may overlap, where that is faster. Without it they run on the
//!   calling thread, with the same results.
//! * `tracing`: a span of the crate [tracing](https://docs.rs/tracing) around each system of a schedule.
//! * `serde`: worlds are [saved](guide::saving) and loaded, by serde; values in files have the format of postcard.
//! * `bytes`: components of plain data may be saved as the bytes that they have in memory, by
//!   [bytemuck](https://docs.rs/bytemuck). It includes `serde`.
#![warn(missing_docs)]
#![cfg_attr(not(test), no_std)]
// On docs.rs, which has a nightly compiler, items say which feature they need.
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
extern crate self as ecs;
#[cfg(feature = "std")]
extern crate std;

mod entity;
mod extent;
mod internal;
mod signature;
mod sync;
mod text;
mod tuples;

#[cfg(feature = "serde")]
mod format;

mod allocator;
mod component;
mod entities;
mod events;
mod pool;
mod resource;
mod storage;

mod group;
mod order;
#[cfg(feature = "parallel")]
mod parallel;
mod query;

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
mod edit;

mod world;

mod relation;

mod notify;

mod index;

mod copy;

pub mod by_name;

#[cfg(feature = "serde")]
mod saved;

pub mod app;
mod commands;
#[cfg(feature = "serde")]
mod recording;
#[cfg(feature = "serde")]
mod snapshot_bytes;
#[cfg(test)]
mod steps;
mod system;
#[cfg(test)]
mod tests;

#[cfg(any(doc, doctest))]
#[cfg_attr(
    not(all(feature = "bytes", feature = "parallel", feature = "std", feature = "tracing")),
    allow(rustdoc::broken_intra_doc_links, reason = "some items exist with a feature only")
)]
pub mod guide;

pub use allocator::EntityAllocator;
pub use commands::applied::{Applied, CommandsError};
pub use commands::spawning::SpawnCommands;
pub use commands::{AllocateEntity, Commands};
pub use component::handles::MapEntities;
pub use component::id::ComponentId;
pub use component::rules::ComponentRule;
pub use component::{AnyComponent, Component, Ref, RefMut, Relation, Slice, SliceMut, Tracked};
pub use copy::prefab::Prefab;
pub use copy::replaced::Replaced;
pub use ecs_derive::{Bundle, Component, MapEntities, Query, Resource, Views, schedule};
pub use edit::bundle::Bundle;
pub use edit::components::TakeList;
pub use entities::SpawnAtError;
pub use entity::{Entity, EntityOf, ParseEntityError};
pub use events::{EventCursor, Events};
pub use group::declare::{Group, GroupError, GroupList};
pub use index::hashed::Hashed;
pub use index::kind::{HashedKey, IndexKind, Indexed, OrderedKey};
pub use index::lookup::Index;
pub use index::ordered::Ordered;
pub use notify::changes::Changes;
pub use notify::collect::{CollectList, CollectorId, ComponentChange, Inserted, Removed, Updated};
pub use notify::observe::ObserverId;
pub use pool::Pool as EntityMap;
pub use pool::list::ComponentList;
pub use pool::track::EntitySet;
pub use query::error::{DisjointError, SingleError};
pub use query::guard::Mut;
pub use query::plan::{Plan, PlanKind};
pub use query::presence::{Among, AmongEntities, Filter, Has, InOrderOf, With, WithAny, Without};
pub use query::request::{Chunk, Field, Item, Query, ReadOnly, ReadOnlyQuery, Term};
pub use query::sources::Sources;
pub use query::up::Up;
pub use query::view::View;
pub use relation::ends::RelateError;
pub use relation::hierarchy::ChildOf;
#[cfg(feature = "std")]
pub use resource::non_send::{NonSend, NonSendMut, NonSendRef, WrongThreadError};
pub use resource::{Res, ResMut, Resource};
pub use signature::Signature;
pub use storage::key::Key;
pub use storage::sparse_set::SparseSet;
pub use storage::values::Storage;
pub use system::System;
pub use system::calling_thread::CallingThread;
pub use system::fixed_step::FixedStep;
pub use system::param::{HasChanged, Local, Param};
pub use system::plan::SchedulePlan;
pub use system::run::SystemOutput;
pub use system::schedule::{Schedule, ScheduleError};
#[cfg(feature = "parallel")]
pub use system::share::Sharing;
pub use system::snapshot::{Snapshot, SnapshotError};
pub use system::split::ViewSet;
pub use system::stays::{CopiedSystem, Stays};
pub use system::tuple::Systems;
pub use world::World;
pub use world::error::{
    CopyError, DespawnError, MergeError, NoSuchEntitiesError, NoSuchEntityError, OwnedByGroupError,
    RemoveError,
};
pub use world::group::{GroupMut, GroupRef};
pub use world::handle::{EntityMut, EntityRef};
pub use world::name::Name;
pub use world::pool::{PoolMut, PoolRef};

/// The memory of a world and the steps of a schedule, as data: from [`World::memory_usage`] and [`Schedule::steps`].
pub mod inspect {
    pub use crate::storage::memory::MemoryUsage;
    pub use crate::system::steps::{StepInfo, StepKind};
    #[cfg(feature = "std")]
    pub use crate::system::time_stats::TimeStats;
    pub use crate::world::inspect::WorldMemory;
}

/// The iterators of views, pools, groups, relations and event queues.
pub mod iter {
    pub use crate::entities::EntityIter;
    pub use crate::events::EventIter;
    pub use crate::index::entity_list::IndexIter;
    pub use crate::index::ordered::RangeIter;
    pub use crate::query::iters::{IntoParts, IterCombinations, IterMany};
    pub use crate::query::join::{Items, PartItems};
    pub use crate::query::sources::{SourceChunk, SourceIter};
    pub use crate::relation::ends::Related;
    pub use crate::world::group::GroupIter;
    pub use crate::world::pool::PoolIter;
}

/// Copies that may be without some components, beside the copies that a [`World`] makes itself.
///
/// The [guide](crate::guide::saving#copies) says how they are used.
pub mod copies {
    pub use crate::copy::copies::Copies;
}

/// Saved worlds, deltas and change sets.
///
/// The [guide](crate::guide::saving) says how they are used.
#[cfg(feature = "serde")]
pub mod save {
    pub use crate::saved::change_set::{ChangeSet, ChangeSets};
    pub use crate::saved::delta::{Delta, Deltas};
    pub use crate::saved::error::SaveError;
    pub use crate::saved::follower::{Follower, Received};
    pub use crate::saved::list::SavedList;
    pub use crate::saved::load_text::WorldSeed;
    pub use crate::saved::loaded::{Limits, LoadError, Loaded, Unknown};
    pub use crate::saved::newest::ValueSet;
    pub use crate::saved::prefabs::{PrefabError, PrefabSeed, Prefabs};
    pub use crate::saved::save::Save;
    pub use crate::saved::save_entity::SaveEntity;
    pub use crate::snapshot_bytes::SnapshotTypes;
}

/// Recorded runs of programs, which are replayed and compared.
///
/// The [guide](crate::guide::testing#recorded-runs) says how they are used.
#[cfg(feature = "serde")]
pub mod replay {
    pub use crate::recording::{Difference, DifferentPart, Program, Recording, RecordingError};
}

/// Items that the derives name. Not for use by hand: they change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::component::data::{Copying, Debugging, IndexRule, default_of};
    pub use crate::component::fields::{
        CloneField, DropProbe, FieldOfColumns, FieldOfComponent, FieldOfResource, MayShare,
        NotShared, ProbeOfWholes, Share, ShareProbe, Threads, check_shared, check_shared_column,
        check_shared_resource, clone_of, without_drop,
    };
    pub use crate::component::handles::{
        HandleField, HandleProbe, Handles, MapEntities, MappedField, NoneIn, Unmapped,
        UnmappedField, VisitedField, set_entity, set_entity_of,
    };
    pub use crate::component::id::ComponentId;
    pub use crate::component::requires::{
        ByDefault, Needed, Required, RequiredWithin, SeenRequirements, SeenRule, Unseen,
        UnseenRule, by_default, check_excluded, check_requirements, is_any_ruled,
    };
    pub use crate::component::rules::DeclaredRule;
    pub use crate::component::same::{FieldOfTwo, Same, UnknownField};
    pub use crate::component::slot::ComponentSlot;
    pub use crate::component::{
        AnyComponent, AtEnd, Component, Hooks, Ref, Relation, Requirer, Rule, Tracks,
    };
    pub use crate::edit::bundle::{
        Bundle, Contents, NoBundle, One, Part, PartOf, Parts, check_bundle_field,
    };
    pub use crate::entity::{Entity, EntityOf};
    pub use crate::index::hashed::Hashed;
    pub use crate::index::kind::{IndexKind, Indexed};
    pub use crate::index::ordered::Ordered;
    pub use crate::internal::{
        InBundles, InQueries, Internal, Known, KnownBundle, Lists, Registry,
    };
    #[cfg(feature = "parallel")]
    pub use crate::parallel::pace::eagerly;
    pub use crate::query::claim::ClaimSet;
    pub use crate::query::fetch::{EntityFetch, Fetch, Optional, Read, Write};
    pub use crate::query::field::{
        FetchIf, FieldProbe, ItemIf, NoField, check_column, check_no_entity, check_reference,
        check_value,
    };
    pub use crate::query::presence::{Has, With, WithAny, Without};
    pub use crate::query::projection::{Column, Target};
    pub use crate::query::request::{
        Derived, Field, Query, StructQuery, Term, Variants, check_field, check_query,
    };
    pub use crate::resource::{Resource, ResourceSlot};
    pub use crate::signature::Signature;
    pub use crate::storage::columns::{
        ColumnAt, Columns, Here, InColumns, Left, RefMutTree, RefTree, Right, SliceMutTree,
        SliceTree,
    };
    pub use crate::system::list::{
        Line, Listed, check_condition, check_member, check_system, condition, count_steps, plan,
        system,
    };
    pub use crate::system::param::{ListsParam, Param, ParamParts, SupplySet};
    pub use crate::system::plan::SchedulePlan;
    pub use crate::system::schedule::{Schedule, ScheduleError};
    pub use crate::system::split::{
        GivenIf, NoParam, OfStruct, ParamIf, ParamProbe, ViewSet, Viewed, check_param, check_views,
    };
    pub use alloc::vec::Vec as VecStorage;

    pub use crate::__ecs_saving as saving;
    pub use crate::__ecs_saving_bytes as saving_bytes;
    #[cfg(feature = "serde")]
    pub use crate::component::data::{OldSave, Saving};
    #[cfg(feature = "serde")]
    pub use crate::saved::resource::{ResourceSaving, ResourceVersion};
}

/// The functions that save a component, from the derive; without the feature for it an error.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __ecs_saving {
    ($($items:tt)*) => { $($items)* };
}

/// The functions that save a component as bytes, from the derive; without the feature for it an error.
#[cfg(feature = "bytes")]
#[doc(hidden)]
#[macro_export]
macro_rules! __ecs_saving_bytes {
    ($($items:tt)*) => { $($items)* };
}

/// The error in place of the functions that save a component as bytes.
///
/// ```compile_fail
/// # use ecs::Component;
/// # #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, serde::Serialize, serde::Deserialize)]
/// # #[repr(C)]
/// #[derive(Component)]
/// #[component(save = "health", bytes)]
/// struct Health(u32);
/// ```
#[cfg(not(feature = "bytes"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ecs_saving_bytes {
    ($($items:tt)*) => {
        compile_error!(
            "`bytes` needs the feature `bytes` of the library: `ecs = { features = [\"bytes\"] }`"
        );
    };
}

/// The error in place of the functions that save a component.
///
/// ```compile_fail
/// # use ecs::Component;
/// #[derive(Component)]
/// #[component(save = "health")]
/// struct Health(u32);
/// ```
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ecs_saving {
    ($($items:tt)*) => {
        compile_error!(
            "`save` needs the feature `serde` of the library: `ecs = { features = [\"serde\"] }`"
        );
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
