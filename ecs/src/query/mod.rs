//! Queries: which components are wanted, joined over the pools.
//!
//! access < list < presence < reach < row < fetch < terms < request < tables < walk < scratch < batch
//! < iter < join < plan < view < split

pub(crate) mod access;
mod batch;
pub(crate) mod fetch;
mod iter;
pub(crate) mod join;
pub(crate) mod list;
pub(crate) mod plan;
pub(crate) mod presence;
pub(crate) mod reach;
pub(crate) mod request;
pub(crate) mod row;
mod scratch;
pub(crate) mod split;
mod tables;
pub(crate) mod terms;
pub(crate) mod view;
pub(crate) mod walk;
