//! What a world was loaded with and does not know: kept, and written back when it is saved.
//!
//! Values that are not known cannot be taken apart. So a component is kept with those of its entities that die, or
//! whose index is another's by now, and the file tells which they all are: who knows the component leaves out what was
//! the dead's, and relations to the dead.

use crate::entity::Entity;
use crate::format::header::Schema;
use crate::format::writer::{begin_block, end_block, write_number};
use crate::saved::write::{write_generations, write_members};
use crate::saved::{GENERATIONS, LISTS};
use crate::world::World;
use alloc::string::String;
use alloc::vec::Vec;

/// What is kept of a file, whose handles mean the same in this world.
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
    /// What follows the members.
    pub(super) rest: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct UnknownResource {
    pub(super) name: String,
    pub(super) schema: Schema,
    pub(super) bytes: Vec<u8>,
}

impl UnknownComponent {
    /// Whether an entity is left that has it.
    pub(super) fn is_had(&self, world: &World) -> bool {
        self.members.is_empty() || self.members.iter().any(|entity| world.is_alive(*entity))
    }

    /// Appends its length, and it as it was, or with the generations of its members, where some may be dead.
    pub(super) fn write_block(&self, world: &World, bytes: &mut Vec<u8>) {
        let start = begin_block(bytes);
        let Self { flags, members, rest, .. } = self;
        // Who relations point to is not known.
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
