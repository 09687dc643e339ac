//! The choice of a world's groups from the history of its views and edits.
//!
//! ```text
//! Counts ──note──> Shapes (with a history) ──weigh──> target layout ──regret──> groups
//! ```
//!
//! Nothing here is generic over components: shapes and groups are lists of numbers.

pub(crate) mod advice;
pub(crate) mod cost;
pub(crate) mod search;
pub(crate) mod shape;
pub(crate) mod tuner;
