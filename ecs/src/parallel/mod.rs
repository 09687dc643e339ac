//! Work that threads share.
//!
//! sync < gate

pub(crate) mod gate;
mod sync;
