//! Sparse sets: page < sparse array, dense < keys < sparse set, and the storage of values.

pub(crate) mod bulk;
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
pub(crate) mod values;
