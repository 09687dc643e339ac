//! Notification: hooks, observers, collectors, and readers of changes.
//!
//! Hooks and observers are called inside an edit, with the whole world. Collectors and readers keep entities for later.
//!
//! ```text
//! edit/
//!   │  has the edit a component that is watched? If not, it pays for one branch
//!   v
//! pool/watch ──────────────────────> pool/track     marks of tracked components, by entity index
//!   │                                  v
//!   v                                changes        a reader takes the marks since its last turn
//! change_log                         rows: entity, component, change, and the listeners reached
//!   v
//! listeners                          row by row: an insertion when it is complete, a removal before it
//!   │
//!   ├──> hook of the component       first for an insertion, last for a removal
//!   └──> observe                     in the order of registration, or backwards for a removal
//!          ├──> collect              lists the entity
//!          └──> calls                user code, which may edit the world: at most 256 calls deep
//!                 └──> edit/         a nested edit finishes rows that have begun
//! ```
//!
//! * `observe`: observers of changes and events, and their registration.
//! * `collect`: collectors, from which entities are drained.
//! * `changes`: readers of tracked components.
//! * `change_log`: the changes with listeners, and how far each has been notified. It is below all edits.
//! * `listeners`: the order in which the listeners of a row are notified.
//! * `calls`: how deep calls are nested, and if the world was moved away meanwhile.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod observe;

pub(crate) mod collect;

pub(crate) mod changes;

pub(crate) mod calls;
pub(crate) mod change_log;
mod listeners;
