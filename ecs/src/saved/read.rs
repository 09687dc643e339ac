//! Reads the parts of saved worlds, deltas and change sets from untrusted bytes.

use crate::component::data::{Late, Loose, WrittenAs};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::header::{Content, Schema, check_name};
use crate::format::reader::{ReadError, Reader, wrong};
use crate::group::groups::{Groups, ListedGroup};
use crate::pool::WorldPool;
use crate::saved::loaded::LoadError;
use crate::saved::{BYTES, CHANGES, FIELDS, GENERATIONS, LISTS, PAGES, REQUIRES};
use crate::storage::keys::Keys;
use crate::storage::page::Page;
use crate::storage::sparse_array::{PAGE_SHIFT, page_of};
use crate::storage::values::prefetch;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(crate) type Result<T = (), E = ReadError> = core::result::Result<T, E>;

pub(crate) const OF_ANOTHER: &str = "the delta was made for another world";
/// The indices of all handles are below this one.
pub(crate) const ALL_INDICES: usize = u32::MAX as usize;
const NO_ENTITY: &str = "an index has no living entity";

/// The reading of a file, a delta or a change set, and its place.
pub(crate) struct PartReader<'b> {
    pub(crate) reader: Reader<'b>,
    /// The version of the format.
    pub(crate) format: u8,
    pub(crate) component: Option<String>,
    pub(crate) entity: Option<Entity>,
}

/// The beginning of a part of a file or a delta.
pub(crate) struct Head<'b> {
    pub(crate) name: &'b str,
    pub(crate) schema: Schema,
    /// The place behind the part.
    pub(crate) end: usize,
}

/// The content of a part of a file or a delta.
pub(crate) struct ReadBody {
    pub(crate) flags: u8,
    /// The members, unless they stay.
    pub(crate) keys: Option<Keys<Entity>>,
    /// The names of the saved components that it required when it was saved.
    pub(crate) required: Vec<String>,
    /// The positions of the sources of each target, if it is a relation.
    pub(crate) lists: Vec<Vec<usize>>,
    /// The positions of the values, in a delta.
    pub(crate) positions: Vec<usize>,
    pub(crate) values: Box<Loose>,
    /// Other components that old values became: one for each value, or none.
    pub(crate) late: Vec<Late>,
}

/// The entities that may be members of a part.
pub(crate) trait Living {
    /// Returns the number of indices.
    fn count(&self) -> usize;
    /// Returns the entity at an index.
    fn at(&self, index: usize) -> Option<Entity>;
    /// Returns `true` if this entity is alive.
    fn is_alive(&self, entity: Entity) -> bool;
    /// Prefetches the generation at an index.
    fn prefetch(&self, _: usize) {}
    /// Appends the entities at neighbouring indices. Returns `false` if one of these has none.
    fn add(&self, first: usize, len: usize, keys: &mut Vec<Entity>) -> bool {
        (first..first.saturating_add(len)).all(|at| self.at(at).map(|it| keys.push(it)).is_some())
    }
}

/// The generation that is alive at each index, or 0.
impl Living for [u32] {
    fn count(&self) -> usize {
        self.len()
    }
    fn at(&self, index: usize) -> Option<Entity> {
        Entity::from_bits(u64::from(*self.get(index)?) << 32 | index as u64)
    }
    #[inline]
    fn is_alive(&self, entity: Entity) -> bool {
        self.get(entity.index() as usize) == Some(&entity.generation().get())
    }
    #[inline]
    fn prefetch(&self, index: usize) {
        prefetch(self.as_ptr().wrapping_add(index));
    }
    #[inline]
    fn add(&self, first: usize, len: usize, keys: &mut Vec<Entity>) -> bool {
        let all = self.get(first..).and_then(|rest| rest.get(..len));
        let (Some(all), Ok(first)) = (all, u32::try_from(first)) else { return false };
        if let [generation @ (1..)] = *all {
            keys.push(Entity::joined(first, generation));
            return true;
        }
        // All are read first, and made keys afterwards: a loop without branches uses whole vector registers.
        if all.iter().fold(0, |dead, generation| dead | u8::from(*generation == 0)) != 0 {
            return false;
        }
        let key = |(generation, index): (&u32, u32)| Entity::joined(index, *generation);
        keys.extend(all.iter().zip(first..).map(key));
        true
    }
}

impl Living for Entities {
    fn count(&self) -> usize {
        self.index_count()
    }
    fn at(&self, index: usize) -> Option<Entity> {
        Self::at(self, u32::try_from(index).ok()?)
    }
    #[inline]
    fn is_alive(&self, entity: Entity) -> bool {
        Self::is_alive(self, entity)
    }
}

impl<'b> PartReader<'b> {
    /// Returns a reader of bytes with a limit of memory.
    pub(crate) fn new(bytes: &'b [u8], memory: usize) -> Self {
        Self { reader: Reader::new(bytes, memory), format: 0, component: None, entity: None }
    }

    /// Reads the header.
    pub(crate) fn begin(&mut self, content: Content) -> Result {
        self.format = self.reader.header(content)?;
        Ok(())
    }

    /// Returns an error if bytes follow the end.
    pub(crate) fn end(&self) -> Result {
        if self.reader.left() > 0 { wrong("there are bytes behind the end") } else { Ok(()) }
    }

    /// Returns the error at the place that was reached.
    pub(crate) fn fail(self, error: ReadError) -> LoadError {
        let Self { reader, component, entity, .. } = self;
        LoadError { component, entity, at: reader.at(), what: error.into_text() }
    }

    /// Names the component or resource that errors are about.
    pub(crate) fn name(&mut self, name: &str) -> Result {
        self.reader.pay(name.len(), 1)?;
        self.component = Some(name.to_owned());
        Ok(())
    }

    /// Reads the version and the fingerprint behind a name.
    pub(crate) fn schema(&mut self) -> Result<Schema> {
        self.reader.schema(self.format)
    }

    /// Reads the beginning of a part, whose name comes behind the one before, or is equal to it and `may_repeat`.
    pub(crate) fn head(
        &mut self,
        before: &mut Option<&'b str>,
        may_repeat: bool,
    ) -> Result<Head<'b>> {
        let name = self.reader.text()?;
        self.name(name)?;
        check_name(before.replace(name), name, may_repeat)?;
        let schema = self.schema()?;
        let len = self.reader.block()?;
        Ok(Head { name, schema, end: self.reader.at() + len })
    }

    /// Ends a part.
    pub(crate) fn close(&mut self, head: &Head<'_>) -> Result {
        if self.reader.at() != head.end {
            return wrong("it is shorter or longer than its stated length");
        }
        self.component = None;
        Ok(())
    }

    /// Reads free handles, whose indices are below `count`.
    pub(crate) fn free(&mut self, count: usize) -> Result<Vec<Entity>> {
        self.reader.list(|reader| handle(reader.number()?, reader.number()?, count))
    }

    /// Reads the number of members of a part, and its flags, which are to be among these.
    pub(crate) fn count_and_flags(&mut self, allowed: u8) -> Result<(usize, u8)> {
        let count = if allowed & CHANGES == 0 {
            self.reader.count()? // each takes a byte at least
        } else {
            usize::try_from(self.reader.number()?).unwrap_or(usize::MAX)
        };
        let flags = self.reader.byte()?;
        if flags & !allowed != 0 {
            return wrong("its encoding is unknown");
        }
        Ok((count, flags))
    }

    /// Reads the content of a part with the flags `allowed`; `pool` has the members before.
    pub(crate) fn body<L: Living + ?Sized>(
        &mut self,
        allowed: u8,
        pool: &dyn WorldPool,
        version: u32,
        living: &L,
    ) -> Result<ReadBody> {
        let (count, flags) = self.count_and_flags(allowed)?;
        let has = |flag| flags & flag != 0;
        let is_whole = allowed & CHANGES == 0;
        let (mut positions, mut keys) = (Vec::new(), None);
        let members = if is_whole {
            self.members(count, flags, living)?
        } else {
            self.changed_members(count, flags, pool, living)?
        };
        if is_whole && has(FIELDS) {
            self.reader.text()?; // of programs that do not know the component
        }
        let required = if has(REQUIRES) { self.names()? } else { Vec::new() };
        if has(PAGES) {
            let most_pages = (living.count() >> PAGE_SHIFT) + 1;
            keys = Some(Keys::read(members, most_pages, &mut self.reader)?);
        } else if is_whole {
            keys = Some(self.in_any_form(&members)?);
        }
        let members = keys.as_ref().map_or(pool.keys(), Keys::dense);
        let lists = if has(LISTS) { self.lists(members.len())? } else { Vec::new() };
        if !is_whole {
            positions = self.positions(members.len())?;
            let new = positions.iter().filter(|at| **at >= pool.len()).count();
            if new != members.len().saturating_sub(pool.len()) {
                return wrong("a member has no value");
            }
        }
        let count = if is_whole { members.len() } else { positions.len() };
        let mut late = Vec::new();
        let written = WrittenAs { version, as_bytes: has(BYTES) };
        let values = pool.as_saved().read(written, count, &mut self.reader, &mut late);
        let values = values.map_err(|(at, error)| {
            let at = if is_whole { Some(at) } else { positions.get(at).copied() };
            self.entity = at.and_then(|at| members.get(at)).copied();
            error
        })?;
        Ok(ReadBody { flags, keys, required, lists, positions, values, late })
    }

    /// Reads the members of a pool, in order. They are alive, unless their generations follow.
    pub(crate) fn members<L: Living + ?Sized>(
        &mut self,
        count: usize,
        flags: u8,
        living: &L,
    ) -> Result<Vec<Entity>> {
        if count > living.count() {
            return wrong("more have it than there are entities");
        }
        self.reader.pay(count, size_of::<Entity>())?;
        if flags & GENERATIONS != 0 {
            return self.handles_below(count, living.count());
        }
        let mut keys = Vec::with_capacity(count);
        let mut next = 0;
        while keys.len() < count {
            let mut pieces = [(0, 0); 64];
            let missing = count - keys.len();
            let used = self.reader.locally(|it| pieces_of(it, &mut pieces, &mut next, missing))?;
            let pieces = &pieces[..used];
            // All cache misses overlap.
            for &(first, _) in pieces {
                living.prefetch(first);
            }
            for &(first, len) in pieces {
                if !living.add(first, len, &mut keys) {
                    return wrong(NO_ENTITY);
                }
            }
        }
        Ok(keys)
    }

    /// Reads the members of a pool, which differ from the earlier ones at some positions.
    fn changed_members<L: Living + ?Sized>(
        &mut self,
        count: usize,
        flags: u8,
        pool: &dyn WorldPool,
        living: &L,
    ) -> Result<Vec<Entity>> {
        let old = pool.keys();
        if flags & CHANGES == 0 || self.reader.number()? != old.len() as u64 {
            return wrong(OF_ANOTHER);
        }
        if count > living.count() {
            return wrong("more have it than there are entities");
        }
        let positions = self.positions(count)?;
        let new = positions.iter().filter(|at| **at >= old.len()).count();
        if new != count.saturating_sub(old.len()) {
            return wrong("a position has no member");
        }
        let others = self.members(positions.len(), flags, living)?;
        if flags & PAGES == 0 {
            let are_others = count != old.len() || !others.is_empty();
            return if are_others { wrong("its pages are missing") } else { Ok(others) };
        }
        self.reader.pay(count, size_of::<Entity>())?;
        let mut members = Vec::with_capacity(count);
        members.extend_from_slice(&old[..count.min(old.len())]);
        for (at, entity) in positions.into_iter().zip(others) {
            match members.get_mut(at) {
                Some(member) => *member = entity,
                None => members.push(entity), // the positions behind the old ones are all there
            }
        }
        if let Some(dead) = members.iter().find(|it| !living.is_alive(**it)) {
            self.entity = Some(*dead);
            return wrong("the entity was despawned, and still has the component");
        }
        Ok(members)
    }

    /// Reads `count` indices, below `below`, and the generations behind them.
    fn handles_below(&mut self, count: usize, below: usize) -> Result<Vec<Entity>> {
        self.reader.pay(count, size_of::<u64>())?;
        self.reader.locally(|reader| {
            let (mut indices, mut next) = (Vec::with_capacity(count), 0);
            while indices.len() < count {
                let mut piece = [(0, 0)];
                pieces_of(reader, &mut piece, &mut next, count - indices.len())?;
                let [(first, len)] = piece;
                indices.extend((first as u64..).take(len));
            }
            let mut handles = Vec::with_capacity(count);
            for index in indices {
                handles.push(handle(index, reader.number()?, below)?);
            }
            Ok(handles)
        })
    }

    /// Reads handles of another world, which must be in order.
    pub(crate) fn handles(&mut self) -> Result<Vec<Entity>> {
        let count = self.reader.count()?;
        self.counted_handles(count)
    }

    /// Reads `count` handles of another world, which must be in order.
    pub(crate) fn counted_handles(&mut self, count: usize) -> Result<Vec<Entity>> {
        self.reader.pay(count, 3 * size_of::<Entity>())?; // and the same here
        let handles = self.handles_below(count, ALL_INDICES)?;
        let key = |entity: &Entity| (entity.index(), entity.generation());
        if !handles.is_sorted_by(|before, entity| key(before) < key(entity)) {
            return wrong("entities are not in order");
        }
        Ok(handles)
    }

    fn names(&mut self) -> Result<Vec<String>> {
        let names = self.reader.list(Reader::text)?;
        self.reader.pay(names.len(), size_of::<String>())?;
        self.reader.pay(names.iter().map(|name| name.len()).sum(), 1)?;
        Ok(names.into_iter().map(ToOwned::to_owned).collect())
    }

    /// Reads positions below `len`, which must ascend.
    fn positions(&mut self, len: usize) -> Result<Vec<usize>> {
        let mut next = 0_usize;
        self.reader.list(|reader| {
            let step = usize::try_from(reader.number()?).ok();
            match step.and_then(|step| next.checked_add(step)).filter(|at| *at < len) {
                Some(at) => {
                    next = at + 1;
                    Ok(at)
                }
                None => wrong("a position is behind the last"),
            }
        })
    }

    /// Returns the keys of members, with the pages in any form.
    fn in_any_form(&mut self, members: &[Entity]) -> Result<Keys<Entity>> {
        let mut keys = Keys::new();
        self.reader.pay(members.len(), size_of::<Entity>())?;
        keys.reserve(members.len());
        for entity in members {
            add_key(&mut keys, *entity, &mut self.reader.budget)?;
        }
        Ok(keys)
    }

    /// Reads the positions of the sources of each target, among this many members.
    fn lists(&mut self, members: usize) -> Result<Vec<Vec<usize>>> {
        self.reader.list(|reader| {
            reader.list(|reader| match usize::try_from(reader.number()?) {
                Ok(at) if at < members => Ok(at),
                _ => wrong("an entity is listed that has no such relation"),
            })
        })
    }

    /// Reads groups that keep lists; `term` reads a component that a group requires or excludes. Returns the groups
    /// that are `declared` and have only registered components.
    pub(crate) fn groups<L: Living + ?Sized>(
        &mut self,
        living: &L,
        declared: &Groups,
        mut term: impl FnMut(&mut Reader) -> Result<Option<u32>>,
    ) -> Result<Vec<ListedGroup>> {
        let reader = &mut self.reader;
        let mut groups: Vec<ListedGroup> = Vec::new();
        for _ in 0..reader.count()? {
            let [required, excluded] = [reader.list(&mut term)?, reader.list(&mut term)?];
            let members = reader.list(|reader| {
                let index = usize::try_from(reader.number()?).ok();
                match index.and_then(|index| living.at(index)) {
                    Some(entity) => Ok(entity),
                    None => wrong("a member of a group is not alive"),
                }
            })?;
            reader.pay(required.len() + excluded.len(), size_of::<u32>())?;
            let in_order = |term: Vec<Option<u32>>| {
                let mut term: Vec<u32> = term.into_iter().collect::<Option<_>>()?;
                term.sort_unstable();
                Some(term)
            };
            let (Some(required), Some(excluded)) = (in_order(required), in_order(excluded)) else {
                continue;
            };
            let group = ListedGroup { required, excluded, members };
            if groups.iter().any(|other| other.is_of(&group.required, &group.excluded)) {
                return wrong("a group is there twice");
            }
            if declared.lists().any(|(required, excluded, _)| group.is_of(required, excluded)) {
                groups.push(group);
            }
        }
        Ok(groups)
    }
}

/// Returns an error if an old value became several components.
pub(crate) fn refuse_late(late: &[Late]) -> Result {
    if late.is_empty() {
        return Ok(());
    }
    wrong(
        "its old version became several components, which only saved worlds support: make the bytes again with this \
         version of the program",
    )
}

/// Adds a member to keys that have room for it in the dense array. Pays for its memory in the sparse array.
pub(crate) fn add_key(keys: &mut Keys<Entity>, entity: Entity, budget: &mut Budget) -> Result {
    let page = page_of(entity.index());
    let more = (page + 1).saturating_sub(keys.page_count());
    budget.pay(GROWING * more, size_of::<usize>())?;
    if keys.page(page).is_empty() {
        budget.pay(1, Page::MOST_MEMORY)?;
    }
    if keys.push(entity).is_some() {
        return wrong("an entity is there twice");
    }
    Ok(())
}

/// Returns the handle with this index and generation, or an error if the index is not below `indices`.
pub(crate) fn handle(index: u64, generation: u64, indices: usize) -> Result<Entity> {
    let is_small = index < indices as u64 && u32::try_from(generation).is_ok();
    let entity = Entity::from_bits(generation << 32 | index).filter(|_| is_small);
    entity.ok_or_else(|| invalid_handle(index, generation, indices))
}

#[cold]
fn invalid_handle(index: u64, generation: u64, indices: usize) -> ReadError {
    ReadError::new(format!(
        "invalid handle {index}v{generation}: indices are below {indices}, and generations start at 1"
    ))
}

/// Reads as many pieces as there is room for, of neighbours each, of this many indices at most; `next` is the one
/// behind the last. Returns how many pieces there are.
#[inline]
fn pieces_of(
    reader: &mut Reader,
    pieces: &mut [(usize, usize)],
    next: &mut i64,
    mut missing: usize,
) -> Result<usize> {
    for (at, piece) in pieces.iter_mut().enumerate() {
        if missing == 0 {
            return Ok(at);
        }
        // Neighbours are a step of zero apart.
        let mut len = reader.zeros(missing);
        if len == 0 {
            let step = reader.number()?;
            *next = next.saturating_add((step >> 1).cast_signed() ^ -(step & 1).cast_signed());
            len = 1;
        }
        let Ok(first) = usize::try_from(*next) else { return wrong(NO_ENTITY) };
        *piece = (first, len);
        *next = next.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
        missing -= len;
    }
    Ok(pieces.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    fn entity(index: u32) -> Entity {
        Entity::joined(index, 1)
    }

    #[test]
    fn neighbours_are_members_if_all_are_alive() {
        let living = &[1_u32, 0, 0, 1, 1][..];
        let added = |first, len| {
            let mut keys = vec![];
            living.add(first, len, &mut keys).then_some(keys)
        };
        assert_eq!(added(3, 2), Some(vec![entity(3), entity(4)]));
        assert_eq!((added(0, 1), added(1, 1)), (Some(vec![entity(0)]), None));
        assert_eq!((added(0, 2), added(0, 3), added(0, 4)), (None, None, None));
        assert_eq!((added(4, 2), added(6, 1)), (None, None));
    }

    #[test]
    fn handles_are_as_many_as_are_promised_and_paid_for() {
        let handles = |bytes: &[u8], room| PartReader::new(bytes, room).handles();
        // Their number, the steps from index to index, and the generations.
        let two = [2, 2, 0, 1, 1];
        assert_eq!(handles(&two, 64).unwrap(), [entity(1), entity(2)]);
        assert!(handles(&two, 63).is_err());
        assert!(handles(&[2, 2, 0, 0, 1, 1, 1], 1_000).is_err(), "a generation is zero");
    }

    #[test]
    fn lists_have_positions_of_members() {
        assert_eq!(PartReader::new(&[1, 2, 1, 0], 1_000).lists(2).unwrap(), [[1, 0]]);
        assert!(PartReader::new(&[1, 2, 1, 2], 1_000).lists(2).is_err());
    }

    #[test]
    fn groups_pay_for_what_they_require_and_exclude() {
        let read = |room| {
            let term = |reader: &mut Reader| Ok(Some(reader.byte()?.into()));
            let mut parts = PartReader::new(&[1, 1, 7, 2, 8, 9, 0], room);
            parts.groups(&[][..], &Groups::new(), term).map(|groups| groups.len())
        };
        let room = 3 * size_of::<Option<u32>>() + 3 * size_of::<u32>();
        assert_eq!(read(room).unwrap(), 0, "none is declared");
        assert!(read(room - 1).is_err());
    }

    #[test]
    fn a_key_pays_for_its_page_and_the_pointers_to_it() {
        let mut keys = Keys::new();
        let mut pays = |index, room| {
            let mut budget = Budget::new(room);
            add_key(&mut keys, entity(index), &mut budget).unwrap();
            assert!(budget.pay(1, 1).is_err(), "it leaves some of {room} bytes");
        };
        // Room for three times as many pointers.
        let pointers = |count: usize| 3 * count * size_of::<usize>();
        pays(5, pointers(1) + Page::MOST_MEMORY);
        pays(1_023, 0);
        pays(4_096, pointers(4) + Page::MOST_MEMORY);
        pays(2_048, Page::MOST_MEMORY);
    }
}
