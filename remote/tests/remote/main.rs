//! The server: its methods, its watches, and attacks on it.
#![allow(missing_docs)]

mod attacks;
mod budget;
#[path = "../common/mod.rs"]
mod common;
mod define;
mod hostile;
mod limits;
mod methods;
mod page;
mod random;
mod watches;
