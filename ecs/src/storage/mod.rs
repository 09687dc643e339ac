//! Sparse sets: page < sparse array, dense < keys < sparse set, and the storage of values.
//!
//! ```text
//! entity ──> page ──> cells      sparse_array: a position, from an index
//!                       │
//!            dense [e3 e5 e1]    keys: both arrays together
//!                       │
//!            values [a  b  c]    Vec<T>, or Columns<T>: a Vec for each field
//! ```
//!
//! A layout of values implements `Container` (`values`), `CopyStorage` (`copies`), and with `component/data` and
//! `query/guard` the traits of components that are shown, saved, plain bytes, or written by a guard.

pub(crate) mod cells;
pub(crate) mod columns;
pub(crate) mod copies;
mod dense;
pub(crate) mod key;
pub(crate) mod keys;
pub(crate) mod memory;
pub(crate) mod order;
pub(crate) mod page;
pub(crate) mod place;
pub(crate) mod sort;
pub(crate) mod sparse_array;
pub(crate) mod sparse_set;
pub(crate) mod untyped;
pub(crate) mod values;
