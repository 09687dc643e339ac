//! Copies of worlds and entities, and the event that a world's content was replaced.
//!
//! ```text
//! try_clone, copy_from                        spawn_copies, spawn_copies_of
//! one world                                   entities of this world, or all of a prefab
//!      │  may every component be copied?           │  may every component be copied?
//!      v                                           v
//! pools, records, groups, resources           Incoming    values by pool
//!      │  equal handles, equal orders              │  handles among the entities: to their copies
//!      v                                           v
//! another world                               edit/merge  new handles, inserted at once
//!      v  copy_from                                v
//! Replaced                                    notify/     like any insertion
//! ```
//!
//! * `prefab`: a world that is copied often, as one value: its copies have a first entity.
//! * `copies`: all of these, and the choice of components to leave out.
//! * `replaced`: the event `Replaced`, which `clear`, `load` and `apply_delta` send too. All of them are refused
//!   inside an edit.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod replaced;

pub(crate) mod copies;

pub(crate) mod prefab;
