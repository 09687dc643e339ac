//! Writes the parts of saved worlds, deltas and change sets.

use crate::component::data::SavingName;
use crate::entity::Entity;
use crate::format::header::{Schema, write_part};
use crate::format::writer::{write_list, write_number, write_text};
use crate::group::groups::Groups;
use crate::pool::WorldPool;
use crate::saved::error::SaveError;
use crate::saved::{BYTES, CHANGES, FIELDS, LISTS, PAGES, REQUIRES};
use crate::storage::keys::run_of;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A component or a resource as a part of a file or a delta.
pub(crate) struct WrittenPart<'a> {
    pub(crate) name: String,
    pub(crate) schema: Schema,
    pub(crate) write: Box<WriteContent<'a>>,
}

/// Appends the content of a part.
type WriteContent<'a> = dyn Fn(&mut Vec<u8>) -> Result<(), SaveError> + 'a;

/// Appends parts: their number, and each behind its name, its schema and its length.
pub(crate) fn write_parts(parts: &[WrittenPart], bytes: &mut Vec<u8>) -> Result<(), SaveError> {
    write_number(parts.len() as u64, bytes);
    for WrittenPart { name, schema, write } in parts {
        write_part(name, *schema, bytes);
        let start = bytes.len() + 8;
        bytes.extend_from_slice(&[0; 8]);
        write(bytes)?;
        let len = (bytes.len() - start) as u64;
        bytes[start - 8..start].copy_from_slice(&len.to_le_bytes());
    }
    Ok(())
}

/// The content of a component's part.
pub(crate) struct WrittenBody<'a> {
    pub(crate) name: SavingName,
    pub(crate) pool: &'a dyn WorldPool,
    /// The number of members before, in a delta.
    pub(crate) before: Option<usize>,
    /// The number of members.
    pub(crate) count: usize,
    /// The positions of the members and of the values that are written; `None` for all.
    pub(crate) members: Option<&'a [usize]>,
    pub(crate) values: Option<&'a [usize]>,
    /// The definition of the component's fields, if it is written.
    pub(crate) fields: Option<String>,
    /// `true` if the forms of pages follow.
    pub(crate) has_pages: bool,
    /// The positions of the sources of each target, if it is a relation.
    pub(crate) lists: Option<&'a [Vec<usize>]>,
}

impl WrittenBody<'_> {
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
        let Self { pool, before, count, members, values, has_pages, lists, ref fields, .. } = *self;
        let is_whole = before.is_none();
        let required = if is_whole { pool.kind().required_names() } else { Vec::new() };
        let as_bytes = is_whole && pool.as_saved().is_saved_as_bytes();
        let flag = |flag, is_set| if is_set { flag } else { 0 };
        write_number(count as u64, bytes);
        bytes.push(
            flag(PAGES, has_pages)
                | flag(LISTS, lists.is_some())
                | flag(BYTES, as_bytes)
                | flag(REQUIRES, !required.is_empty())
                | flag(FIELDS, fields.is_some())
                | flag(CHANGES, !is_whole),
        );
        if let Some(before) = before {
            write_number(before as u64, bytes);
            write_positions(members.unwrap_or_default(), bytes);
        }
        match members {
            None => write_members(pool.keys(), bytes),
            Some(positions) => {
                let (keys, mut next) = (pool.keys(), 0);
                for at in positions {
                    write_step(keys[*at], &mut next, bytes);
                }
            }
        }
        if let Some(fields) = fields {
            write_text(fields, bytes);
        }
        if !required.is_empty() {
            write_number(required.len() as u64, bytes);
            for name in &required {
                write_text(name, bytes);
            }
        }
        if has_pages {
            pool.raw_keys().write_forms(bytes);
        }
        if let Some(lists) = lists {
            write_number(lists.len() as u64, bytes);
            for list in lists {
                write_list(list.iter().map(|at| *at as u64), bytes);
            }
        }
        if !is_whole {
            write_positions(values.unwrap_or_default(), bytes);
        }
        match values {
            _ if as_bytes => {
                pool.as_saved().write_bytes(values, bytes);
                Ok(())
            }
            None => write_values(pool, self.name, 0..count, bytes),
            Some(positions) => write_values(pool, self.name, positions.iter().copied(), bytes),
        }
    }
}

/// Appends the values of a pool at these positions.
pub(crate) fn write_values(
    pool: &dyn WorldPool,
    name: SavingName,
    mut positions: impl Iterator<Item = usize>,
    bytes: &mut Vec<u8>,
) -> Result<(), SaveError> {
    let written = pool.as_saved().write(&mut |_| positions.next(), bytes);
    written.map_err(|(at, error)| SaveError::new(&name, pool.keys().get(at).copied(), &error))
}

/// Appends the steps from each index to the next, which are zero among neighbours.
pub(crate) fn write_members(mut members: &[Entity], bytes: &mut Vec<u8>) {
    let mut next = 0;
    while let Some(first) = members.first() {
        write_step(*first, &mut next, bytes);
        let run = run_of(members);
        if run.len() > 1 {
            bytes.resize(bytes.len() + run.len() - 1, 0);
            next = i64::from(run[run.len() - 1].index()) + 1;
        }
        members = &members[run.len()..];
    }
}

/// Appends the step to an index; `next` is the one behind the last.
#[inline]
fn write_step(entity: Entity, next: &mut i64, bytes: &mut Vec<u8>) {
    let index = i64::from(entity.index());
    let step = index - *next;
    write_number((step << 1 ^ step >> 63).cast_unsigned(), bytes);
    *next = index + 1;
}

/// Appends the generations of these entities.
pub(crate) fn write_generations(entities: &[Entity], bytes: &mut Vec<u8>) {
    for entity in entities {
        write_number(entity.generation().get().into(), bytes);
    }
}

/// Appends handles: how many there are, their indices, and their generations.
pub(crate) fn write_handles(entities: &[Entity], bytes: &mut Vec<u8>) {
    write_number(entities.len() as u64, bytes);
    write_members(entities, bytes);
    write_generations(entities, bytes);
}

/// Appends free handles, one after the other.
pub(crate) fn write_free(free: &[Entity], bytes: &mut Vec<u8>) {
    write_number(free.len() as u64, bytes);
    for entity in free {
        write_number(entity.index().into(), bytes);
        write_number(entity.generation().get().into(), bytes);
    }
}

/// Appends positions that ascend.
fn write_positions(positions: &[usize], bytes: &mut Vec<u8>) {
    let mut next = 0;
    write_number(positions.len() as u64, bytes);
    for at in positions {
        write_number((at - next) as u64, bytes);
        next = at + 1;
    }
}

/// The components that a group requires, the components that it excludes, and its members.
pub(crate) type MemberLists<'w, N> = ([Vec<N>; 2], &'w [Entity]);

/// Returns the groups that keep lists of saved components, in the order of the names that `name` gives components:
/// numbers differ from process to process.
pub(crate) fn listed<N: Ord>(
    groups: &Groups,
    name: impl Fn(u32) -> Option<N>,
) -> Vec<MemberLists<'_, N>> {
    let names = |numbers: &[u32]| -> Option<Vec<N>> {
        let mut names: Vec<N> = numbers.iter().map(|it| name(*it)).collect::<Option<_>>()?;
        names.sort_unstable();
        Some(names)
    };
    let lists = groups.lists();
    let mut lists: Vec<_> = lists
        .filter_map(|(with, without, members)| Some(([names(with)?, names(without)?], members)))
        .collect();
    lists.sort_unstable();
    lists
}

/// Appends the lists of groups; `write` appends the name of a component.
pub(crate) fn write_groups<N>(
    lists: &[MemberLists<'_, N>],
    bytes: &mut Vec<u8>,
    write: impl Fn(&N, &mut Vec<u8>),
) {
    write_number(lists.len() as u64, bytes);
    for (terms, members) in lists {
        for names in terms {
            write_number(names.len() as u64, bytes);
            for name in names {
                write(name, bytes);
            }
        }
        write_list(members.iter().map(|entity| entity.index().into()), bytes);
    }
}
