//! Bytes: values written by postcard, and read by a reader that trusts nothing.

pub(crate) mod reader;
pub(crate) mod writer;
