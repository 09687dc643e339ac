//! [First steps]: first_steps
//! [Edits during loops]: edits_during_loops
//! [Queries]: queries
//! [Groups]: groups
//! [Order]: order
//! [Columns]: columns
//! [Threads]: threads
//! [Relations and events]: relations_and_events
//! [Lifecycle]: lifecycle
//! [Rules]: rules
//! [Changes]: changes
//! [Finding by value]: indexes
//! [Resources]: resources
//! [Systems]: systems
//! [Apps]: apps
//! [Saving]: saving
//! [By name]: by_name
//! [Testing]: testing
//! [Everyday tasks]: everyday
//! [Coming from another library]: coming_from
#![doc = include_str!("../../guide/README.md")]

pub mod apps;
pub mod by_name;
pub mod changes;
pub mod columns;
pub mod coming_from;
pub mod edits_during_loops;
pub mod everyday;
pub mod first_steps;
pub mod groups;
pub mod indexes;
pub mod lifecycle;
pub mod order;
pub mod queries;
pub mod relations_and_events;
pub mod resources;
pub mod rules;
pub mod saving;
pub mod systems;
pub mod testing;
pub mod threads;
