//! The server: its methods, its watches, and attacks on it.
#![allow(missing_docs)]

mod attacks;
#[path = "../common/mod.rs"]
mod common;
mod methods;
mod page;
mod watches;
