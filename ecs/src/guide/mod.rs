//! The guide: how to use the library, a chapter a task.
//!
//! Each chapter begins with a whole program, which is compiled and run as a test, and explains it afterwards.
//! The chapters can be read in any order.
//!
//! 1. [Queries](queries): what can be asked for, and what it yields.
//! 2. [Columns](columns): components that are stored a field at a time, and when that pays.
//!
//! Each item of the library has an example as well; the [front page](crate) lists them by task.

pub mod columns;
pub mod queries;
