//! Bytes: values in the format of postcard, and read by a reader that trusts nothing; and how many handles are in values.

pub(crate) mod checked;
pub(crate) mod counter;
pub(crate) mod error;
mod parts;
pub(crate) mod reader;
pub(crate) mod writer;
