//! specs: a bitset over the entities and a storage for each component. Its default storage packs
//! values; `VecStorage` has a place for every entity. Its book advises this for components that
//! most entities have; it costs memory otherwise.

mod in_place;
mod packed;

use crate::library::{Kind, Library};

/// The workloads with both storages.
pub fn libraries() -> [Library; 2] {
    [
        packed::loops::library("specs", Kind::SparseSets),
        in_place::loops::library("specs (VecStorage)", Kind::Arrays),
    ]
}
