//! Saved worlds, deltas and change sets (feature `serde`): written, read from untrusted input, and applied.
//!
//! ```text
//! World ──> save, save_text ─────────> file ───────> load_bytes, load_text ──> build ──> load
//! two worlds ──> delta ──────────────> delta ──────> apply
//! ChangeSets ──> change_set, chosen ─> change set ─> apply_changes <──> follower
//!                     └── write ──> parts ──> read ──┘   all is checked, and then put into the world
//! ```
//!
//! `save_entity` writes an entity in any format, alone or with its sources. `load_entity` reads it, and the prefabs of a file
//! (`prefabs`), by `build`.
//!
//! `pool` saves the values of a pool, and `ends` relations. `unknown` keeps parts that no type of the program reads.
//! `several` makes several components of an old value. `list` has the registered types. `resource` saves resources,
//! and `order` the order of pools. `loaded` and `error` are outcomes.
//!
//! A component is a part, with flags for its content. It is written by [`write`] and read by [`read`], in all three:
//!
//! ```text
//! file, delta    name, version, fingerprint, length
//! change set     number; and if the number is new, name, version, fingerprint
//! all            count, flags
//! CHANGES        how many members there were; the positions of other members
//!                indices of members
//! GENERATIONS    their generations
//! FIELDS         the fields of the component, in a file
//! LOST           handles of entities that lost the component
//! REQUIRES       names of the components that it requires
//! PAGES          the forms of the pages
//! LISTS          of a relation: the sources of each target, by their positions
//! CHANGES        the positions of other values
//! BYTES          values are the bytes that they have in memory
//!                values
//! PLACES         of a relation: the places of sources that moved, in a change set
//! ```

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod save;

pub(crate) mod load;

pub(crate) mod load_text;

mod load_entity;
pub(crate) mod prefabs;
pub(crate) mod save_entity;

mod apply;
pub(crate) mod delta;

pub(crate) mod change_set;

mod apply_changes;
mod apply_values;
mod chosen;
mod defined;
pub(crate) mod follower;
pub(crate) mod newest;

pub(crate) mod build;
pub(crate) mod digest;
pub(crate) mod ends;
pub(crate) mod error;
pub(crate) mod list;
mod load_bytes;
pub(crate) mod loaded;
pub(crate) mod order;
pub(crate) mod read;
pub(crate) mod resource;
mod save_text;
pub(crate) mod several;
pub(crate) mod unknown;
pub(crate) mod write;

pub(crate) const PAGES: u8 = 1;
pub(crate) const LISTS: u8 = 1 << 1;
pub(crate) const BYTES: u8 = 1 << 2;
pub(crate) const GENERATIONS: u8 = 1 << 3;
pub(crate) const REQUIRES: u8 = 1 << 4;
pub(crate) const CHANGES: u8 = 1 << 5;
pub(crate) const LOST: u8 = 1 << 6;
pub(crate) const PLACES: u8 = 1 << 7;
/// In files, where no relation has moved.
pub(crate) const FIELDS: u8 = PLACES;

/// The flags that the parts of a file may have, and the flags of a delta and a change set.
pub(crate) const IN_FILES: u8 = PAGES | LISTS | BYTES | GENERATIONS | REQUIRES | FIELDS;
pub(crate) const IN_DELTAS: u8 = PAGES | LISTS | CHANGES;
pub(crate) const IN_SETS: u8 = GENERATIONS | LOST | PLACES;
