//! Groups: pools kept in one order, and joins kept up to date.

pub(crate) mod counts;
pub(crate) mod declare;
pub(crate) mod groups;
pub(crate) mod state;
