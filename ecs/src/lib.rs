//! A sparse-set entity component system, driven by derives and checked by the compiler.
#![warn(missing_docs)]

extern crate alloc;
extern crate self as ecs;

mod entity;
mod signature;
mod text;
mod tuples;

mod component;
mod entities;
mod storage;

mod bundle;
mod group;
mod query;

mod world;

pub use bundle::Bundle;
pub use component::id::ComponentId;
pub use component::{Component, Ref, RefMut, Slice, SliceMut};
pub use ecs_derive::{Bundle, Component, Query, Views};
pub use entity::Entity;
pub use group::declare::{
    Group, GroupConflict, GroupId, GroupInfo, GroupList, GroupNames, GroupTerms, NoSuchGroup,
    Nothing,
};
pub use query::list::ComponentList;
pub use query::plan::Plan;
pub use query::presence::{Has, With, WithAny, Without};
pub use query::request::{Chunk, Field, Item, Query, ReadOnlyQuery, Term};
pub use query::split::ViewSet;
pub use query::view::{DisjointError, Items, SingleError, View};
pub use query::walk::PlanKind;
pub use signature::Signature;
pub use storage::key::Key;
pub use storage::pool::{ErasedPool, Pool};
pub use storage::sparse_set::{MemoryUsage, SparseSet};
pub use storage::values::Storage;
pub use world::World;
pub use world::error::{DespawnError, NoSuchEntities, NoSuchEntity, OwnedByGroup, RemoveError};
pub use world::group::{GroupItem, GroupMut, GroupOwned};
pub use world::handle::{EntityMut, EntityRef};
pub use world::inspect::WorldMemory;
pub use world::name::Name;
pub use world::pool::{PoolMut, PoolRef};

/// What the derives name. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::bundle::{Bundle, Inserter, Part, Reserver, check_bundle_field};
    pub use crate::component::Component;
    pub use crate::component::fields::{CloneField, DropProbe, ProbeOfWholes, without_drop};
    pub use crate::component::id::ComponentId;
    pub use crate::component::slot::ComponentSlot;
    pub use crate::entity::Entity;
    pub use crate::query::fetch::{EntityFetch, Fetch};
    pub use crate::query::join::JoinSet;
    pub use crate::query::presence::{Has, With, Without};
    pub use crate::query::reach::{Column, Target};
    pub use crate::query::request::{
        Derived, Field, Query, StructQuery, Term, check_field, check_query,
    };
    pub use crate::query::split::{ViewField, ViewSet, check_views};
    pub use crate::query::terms::{Read, Write};
    pub use crate::query::view::View;
    pub use crate::signature::Signature;
    pub use crate::storage::columns::{
        Columns, Here, InColumns, Left, RefMutTree, RefTree, Right, SliceMutTree, SliceTree,
    };
    pub use alloc::vec::Vec as VecStorage;
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
