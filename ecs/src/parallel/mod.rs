//! Work that threads share.
//!
//! sync < gate < pace

pub(crate) mod gate;
pub(crate) mod pace;
pub(crate) mod sync;
#[cfg(test)]
mod tests;
