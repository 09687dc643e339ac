//! A sparse-set entity component system, driven by derives and checked by the compiler.
//!
//! A [`World`] holds entities and their [components](Component), each type in a pool of its own. A
//! [`Query`] asks for entities by what they have, and its [`View`] walks them; a [`Group`] keeps the
//! matches of a query ready.
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
//! * `std`, on by default: loops ask the processor for its instructions, and leave their memory to the
//!   next loop of their thread. Without it the crate needs `alloc` and 64-bit atomics; loops use the
//!   instructions that the compiler is told of (`-C target-cpu`), and all threads share one such memory,
//!   so a loop inside another allocates. All else is the same.
#![warn(missing_docs)]
#![cfg_attr(not(test), no_std)]

extern crate alloc;
extern crate self as ecs;
#[cfg(feature = "std")]
extern crate std;

mod entity;
mod internal;
mod signature;
mod text;
mod tuples;

mod component;
mod entities;
mod pool;
mod storage;

mod bundle;
mod group;
mod query;

mod world;

#[cfg(any(doc, doctest))]
pub mod guide;

pub use bundle::Bundle;
pub use component::id::ComponentId;
pub use component::{Component, Ref, RefMut, Slice, SliceMut};
pub use ecs_derive::{Bundle, Component, Query, Views};
pub use entities::SpawnAtError;
pub use entity::{Entity, ParseEntityError};
pub use group::declare::{Group, GroupError, GroupId, GroupInfo, GroupList};
pub use pool::list::ComponentList;
pub use pool::{ErasedPool, Pool as EntityMap};
pub use query::plan::{Plan, PlanKind};
pub use query::presence::{Filter, Has, With, WithAny, Without};
pub use query::request::{Chunk, Field, Item, Query, ReadOnlyQuery, Term};
pub use query::split::ViewSet;
pub use query::view::{DisjointError, Items, SingleError, View};
pub use signature::Signature;
pub use storage::key::Key;
pub use storage::memory::MemoryUsage;
pub use storage::sparse_set::SparseSet;
pub use storage::values::Storage;
pub use world::World;
pub use world::edit::TakeList;
pub use world::error::{
    DespawnError, NoSuchEntitiesError, NoSuchEntityError, OwnedByGroupError, RemoveError,
};
pub use world::group::{GroupMut, GroupRef};
pub use world::handle::{EntityMut, EntityRef};
pub use world::inspect::WorldMemory;
pub use world::name::Name;
pub use world::pool::{PoolIter, PoolMut, PoolRef};

/// What the derives name. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::bundle::{Bundle, NoBundle, Part, PartOf, Parts, check_bundle_field};
    pub use crate::component::fields::{CloneField, DropProbe, ProbeOfWholes, without_drop};
    pub use crate::component::id::ComponentId;
    pub use crate::component::requires::{
        ByDefault, Required, RequiredWithin, Seen, Unseen, by_default, check_requirements,
    };
    pub use crate::component::slot::ComponentSlot;
    pub use crate::component::{Component, Requirer};
    pub use crate::entity::Entity;
    pub use crate::internal::Internal;
    pub use crate::query::fetch::{EntityFetch, Fetch, Read, Write};
    pub use crate::query::join::JoinSet;
    pub use crate::query::presence::{Has, With, Without};
    pub use crate::query::projection::{Column, Target};
    pub use crate::query::request::{
        Derived, Field, Query, StructQuery, Term, check_field, check_query,
    };
    pub use crate::query::split::{ViewField, ViewSet, check_views};
    pub use crate::query::view::View;
    pub use crate::signature::Signature;
    pub use crate::storage::columns::{
        ColumnAt, Columns, Here, InColumns, Left, RefMutTree, RefTree, Right, SliceMutTree,
        SliceTree,
    };
    pub use alloc::vec::Vec as VecStorage;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
