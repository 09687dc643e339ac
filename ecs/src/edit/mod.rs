//! Edits: insertion, removal, spawning and despawning, of one entity and of many.
//!
//! A bundle is the components of one insertion. Every edit is completed by `commit`, so all edits have one order.
//!
//! ```text
//! an insertion                                        a removal
//!
//! spawn        into a new entity                      components   from one entity
//! components   into an entity                         batch        from many
//! batch        into many, 128 at a time               despawn      all components, and the entity
//! merge        of all kinds, into many                     │
//!      │                                                   v
//!      v                                              remove       vetoes may refuse it
//! bundle       values are stored in pools                  v
//!      v                                              notify/      hooks and observers are called
//! commit       relations, marks, rows, groups              v
//!      v                                              commit       groups, pools, relations, marks, records
//! notify/      hooks and observers are called              v
//!                                                     values are dropped
//! ```
//!
//! A change in place, such as `patch`: `change_watched` lends the value, then `complete_update` adds the row of the log,
//! and `notify_added` calls listeners. An edit of several components begins the log once (`ChangeLog::begin`) and adds all
//! rows before it notifies, as the next `begin` drops rows. A hook without observers has no row: the edit calls it.
//!
//! * `spawn`: worlds, entities and reserved entities.
//! * `components`: the components of one entity.
//! * `remove`: a removal before and after it is notified, also inside another edit.
//! * `despawn`: entities end, with all that depend on them.
//! * `batch`: many entities in one call.
//! * `merge`: components of all kinds at once, from another world or as copies.
//! * `bundle`, `commit`: know pools, records and groups, but no world.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod spawn;

pub(crate) mod components;

pub(crate) mod remove;

mod rules;

mod despawn;

pub(crate) mod batch;

pub(crate) mod merge;

pub(crate) mod bundle;
pub(crate) mod commit;
