//! Copies of worlds and entities, and the event that a whole content was replaced.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod replaced;

pub(crate) mod copies;
