//! Components without named types: kinds, values and queries that are put together at run time.
//!
//! The [guide](crate::guide::by_name) says how they are used.
//!
//! ```text
//! World::kind("health") ──> Kind                          a component type as a value
//!                            │
//!       ┌──────────┬─────────┴─┬──────────────┬───────────────┐
//!       v          v           v              v               v
//!     Shape      Value       Values         KindQuery       KindChanges
//!     fields     of an       not in a       reads and       inserted, changed
//!                entity      world yet      writes          and removed entities
//!                              │ insert       │ rows, chunks
//!                              v              v
//!                            World          Rows ──> Row ──> Value
//!                                           KindChunks ──> KindChunk ──> a slice for each column
//!
//! World::kinds_query("Health, !Boss") ──> KindQuery
//!
//! Kind::take, Despawned::take ──> OwnedValue, Despawned ──> insert, restore: each to its place, for an undo
//! Fields ──> World::define    ──> Kind of a component without a type in Rust
//! Declaration::declare        ──> Kind of a component of another crate, with what its derive does not say
//! ```

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod undo;
pub(crate) mod values;

#[cfg(feature = "serde")]
pub(crate) mod resource_kind;

pub(crate) mod rows;

pub(crate) mod chunks;
pub(crate) mod condition;
pub(crate) mod text;

pub(crate) mod declare;
pub(crate) mod kind;
pub(crate) mod kind_changes;

pub(crate) mod defined;
mod defined_rules;
pub(crate) mod inserter;
pub(crate) mod kind_index;

pub use crate::by_name::chunks::{ColumnError, KindChunk, KindChunks, KindChunksMut};
pub use crate::by_name::declare::Declaration;
pub use crate::by_name::inserter::{FieldRow, KindInserter};
pub use crate::by_name::kind::{KindError, Value};
pub use crate::by_name::kind_changes::KindChanges;
pub use crate::by_name::kind_index::KindIndex;
#[cfg(feature = "serde")]
pub use crate::by_name::resource_kind::{ResourceKind, ResourceKindError, ResourceValue};
pub use crate::by_name::rows::{KindQuery, Row, Rows};
pub use crate::by_name::text::QueryTextError;
pub use crate::by_name::undo::{Despawned, OwnedValue, RestoreError};
pub use crate::by_name::values::Values;
pub use crate::component::defined::{DefineError, FieldType, FieldValue, Fields};
pub use crate::component::redefined::Redefinition;
pub use crate::component::shape::{FieldRange, FieldShape, Shape};
pub use crate::pool::kind::Kind;
