//! Values in formats: as bytes in that of postcard, read by a reader that trusts nothing, and in any format of serde,
//! read within a budget; and how many handles are in values.

pub(crate) mod budget;
pub(crate) mod checked;
pub(crate) mod counter;
pub(crate) mod error;
pub(crate) mod header;
pub(crate) mod limited;
mod parts;
pub(crate) mod reader;
pub(crate) mod shape;
pub(crate) mod source;
pub(crate) mod writer;
