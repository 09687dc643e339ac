//! Values in formats: untrusted bytes in the format of postcard, and any format of serde, read within a budget.
//!
//! ```text
//! reading                                              writing
//!
//! bytes ──> header ──> reader ──> a value              a value ──> checked    would it be read back?
//!                                                                  handles, counter    which entities, how deep
//! any format ──> source ──> limited ──> a value                    writer ──> bytes
//!                parts of worlds: document
//!                over other values: tree              a type ──> shape ──> fingerprint in the header
//! ```
//!
//! Each reader pays a `budget` before it allocates.

pub(crate) mod budget;
pub(crate) mod checked;
pub(crate) mod counter;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod handles;
pub(crate) mod header;
pub(crate) mod limited;
mod parts;
pub(crate) mod reader;
pub(crate) mod shape;
pub(crate) mod source;
pub(crate) mod tree;
pub(crate) mod writer;
