//! Indexes: entities by a key of one of their components.
//!
//! ```text
//!  edit or loop ──marks──> pool/track        which members changed since the index was asked last
//!                              │
//!  World::index ─────────> filed             files these anew: compares the key of each with its place
//!                              │
//!                    hashed, ordered, or a kind of the user's
//!                              │
//!                     entity_list            the entities of one key, in the order of their indices
//! ```
//!
//! * `kind`: the traits that an indexed component and a kind of index implement.
//! * `filed`: an index, and where each entity is in it.
//! * `field`: indexes of a field of a defined component.
//! * `table`: a hash table of numbers. `entity_list`: a sorted list.
//! * `unique`: checks of values that no two entities may have.
//! * `lookup`: the methods of the world.

pub(crate) mod entity_list;
pub(crate) mod field;
pub(crate) mod filed;
pub(crate) mod hashed;
pub(crate) mod kind;
pub(crate) mod lookup;
pub(crate) mod ordered;
mod table;
mod unique;
