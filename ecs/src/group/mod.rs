//! Groups: pools in one order, and lists of entities that edits update.

pub(crate) mod declare;
pub(crate) mod groups;
pub(crate) mod state;
