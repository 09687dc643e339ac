//! specs: a bitset over the entities and a storage for each component. Of its storages, the default
//! packs what there is; `VecStorage` has a place for every entity, which its book advises for
//! components that most entities have, and which costs memory otherwise.

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
