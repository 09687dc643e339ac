//! Queries: the requested components, joined over the pools.
//!
//! plan < error < presence < projection < bits < inputs < block < chunks < pages < members < slices < matcher < parts <
//! fetch < request < guard < up < sources < field < join < claim < iters < view

mod bits;
mod block;
mod chunks;
pub(crate) mod claim;
pub(crate) mod error;
pub(crate) mod fetch;
pub(crate) mod field;
pub(crate) mod guard;
mod inputs;
pub(crate) mod iters;
pub(crate) mod join;
pub(crate) mod matcher;
pub(crate) mod members;
pub(crate) mod numbers;
mod pages;
mod parts;
pub(crate) mod plan;
pub(crate) mod presence;
pub(crate) mod projection;
pub(crate) mod request;
mod runs;
mod slices;
pub(crate) mod sources;
#[cfg(feature = "std")]
mod spare;
pub(crate) mod up;
pub(crate) mod view;
