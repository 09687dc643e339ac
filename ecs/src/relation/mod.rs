//! Relations between entities.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod hierarchy;

pub(crate) mod relate;
