//! Queries: which components are wanted, joined over the pools.
//!
//! plan < error < presence < projection < bits < inputs < block < chunks < pages < members < slices < matcher <
//! fetch < request < guard < up < field < join < claim < view < split

mod bits;
mod block;
mod chunks;
pub(crate) mod claim;
pub(crate) mod error;
pub(crate) mod fetch;
pub(crate) mod field;
pub(crate) mod guard;
mod inputs;
pub(crate) mod join;
pub(crate) mod matcher;
mod members;
mod pages;
pub(crate) mod plan;
pub(crate) mod presence;
pub(crate) mod projection;
pub(crate) mod request;
mod slices;
pub(crate) mod split;
pub(crate) mod up;
pub(crate) mod view;
