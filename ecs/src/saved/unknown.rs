//! Components and resources that were loaded unregistered: they are kept, and written back when the world is saved.
//!
//! Unknown values cannot be separated. So a component keeps the values of entities that have died or whose index was
//! reused, and the file lists all these entities. A world that has registered the component leaves out the values of
//! dead entities, and relations to them.

use crate::entity::Entity;
use crate::format::header::Schema;
use crate::format::writer::write_number;
use crate::saved::write::{WrittenPart, write_generations, write_members};
use crate::saved::{GENERATIONS, LISTS};
use crate::world::World;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The kept parts of a file. Their handles are valid in this world.
#[derive(Debug, Default)]
pub(crate) struct UnknownParts {
    pub(super) components: Vec<UnknownPart>,
    pub(super) resources: Vec<UnknownPart>,
}

#[derive(Debug)]
pub(super) struct UnknownPart {
    pub(super) name: String,
    pub(super) schema: Schema,
    /// The flags and the members of a component.
    pub(super) members: Option<(u8, Vec<Entity>)>,
    /// The bytes behind the members.
    pub(super) rest: Vec<u8>,
}

impl World {
    /// Returns the names of the components that are kept without being known, and that living entities have.
    pub(crate) fn unknown_names(&self) -> impl Iterator<Item = &str> {
        let kept = self.unknown.iter().flat_map(|kept| &kept.components);
        kept.filter(|part| part.is_had(self)).map(|part| &*part.name)
    }

    /// Returns the names of the components that are kept without being known, and that one of these entities has.
    pub(crate) fn unknown_names_of(&self, entities: &[Entity]) -> impl Iterator<Item = &str> {
        let kept = self.unknown.iter().flat_map(|kept| &kept.components);
        let is_had = |part: &&UnknownPart| {
            let mut members = part.members.iter().flat_map(|(_, members)| members);
            members.any(|member| entities.contains(member))
        };
        kept.filter(is_had).map(|part| &*part.name)
    }
}

impl UnknownPart {
    /// Returns `true` if an entity that has the component is alive, or if it never had members.
    #[inline]
    pub(super) fn is_had(&self, world: &World) -> bool {
        self.members.as_ref().is_none_or(|(_, members)| {
            members.is_empty() || members.iter().any(|entity| world.is_alive(*entity))
        })
    }

    /// Returns the part as it is written: unchanged, or with the generations of its members if some may be dead.
    pub(super) fn to_write<'a>(&'a self, world: &'a World) -> WrittenPart<'a> {
        let Self { name, schema, members, rest } = self;
        let write = Box::new(move |bytes: &mut Vec<u8>| {
            if let Some((flags, members)) = members {
                // The targets of an unknown relation cannot be read, so some may be dead.
                let has_dead =
                    flags & LISTS != 0 || !members.iter().all(|entity| world.is_alive(*entity));
                write_number(members.len() as u64, bytes);
                bytes.push(flags & !GENERATIONS | if has_dead { GENERATIONS } else { 0 });
                write_members(members, bytes);
                if has_dead {
                    write_generations(members, bytes);
                }
            }
            bytes.extend_from_slice(rest);
            Ok(())
        });
        WrittenPart { name: name.clone(), schema: *schema, write }
    }
}
