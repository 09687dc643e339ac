//! Components and resources that were loaded unregistered: they are kept, and written back when the world is saved.
//!
//! Unknown values cannot be separated. So a component keeps the values of entities that have died or whose index was
//! reused, and the file lists all these entities. A world that has registered the component leaves out the values of
//! dead entities, and relations to them.

use crate::entity::Entity;
use crate::format::header::Schema;
use crate::format::writer::{begin_block, end_block, write_number};
use crate::saved::write::{write_generations, write_members};
use crate::saved::{GENERATIONS, LISTS};
use crate::world::World;
use alloc::string::String;
use alloc::vec::Vec;

/// The kept parts of a file. Their handles are valid in this world.
#[derive(Debug, Default)]
pub(super) struct UnknownParts {
    pub(super) components: Vec<UnknownComponent>,
    pub(super) resources: Vec<UnknownResource>,
}

#[derive(Debug)]
pub(super) struct UnknownComponent {
    pub(super) name: String,
    pub(super) schema: Schema,
    pub(super) flags: u8,
    pub(super) members: Vec<Entity>,
    /// The bytes behind the members.
    pub(super) rest: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct UnknownResource {
    pub(super) name: String,
    pub(super) schema: Schema,
    pub(super) bytes: Vec<u8>,
}

impl UnknownComponent {
    /// Returns `true` if an entity that has the component is alive, or if it never had members.
    pub(super) fn is_had(&self, world: &World) -> bool {
        self.members.is_empty() || self.members.iter().any(|entity| world.is_alive(*entity))
    }

    /// Appends the length of the block and the block: unchanged, or with the generations of its members if some may be
    /// dead.
    pub(super) fn write_block(&self, world: &World, bytes: &mut Vec<u8>) {
        let start = begin_block(bytes);
        let Self { flags, members, rest, .. } = self;
        // The targets of an unknown relation cannot be read, so some may be dead.
        let has_dead = flags & LISTS != 0 || !members.iter().all(|entity| world.is_alive(*entity));
        write_number(members.len() as u64, bytes);
        bytes.push(flags & !GENERATIONS | if has_dead { GENERATIONS } else { 0 });
        write_members(members, bytes);
        if has_dead {
            write_generations(members, bytes);
        }
        bytes.extend_from_slice(rest);
        end_block(bytes, start);
    }
}

impl UnknownResource {
    /// Appends its length, and its value.
    pub(super) fn write_block(&self, bytes: &mut Vec<u8>) {
        let start = begin_block(bytes);
        bytes.extend_from_slice(&self.bytes);
        end_block(bytes, start);
    }
}
