//! Pools whose values are saved. This code is compiled once: it reaches values by the functions of [`Saving`].

use crate::component::data::{
    CheckHandles, Late, Loose, SavedValues, Saving, Show, Visit, WrittenAs,
};
use crate::entity::Entity;
use crate::format::budget::Budget;
use crate::format::checked::{Next, write_checked};
use crate::format::counter::Counter;
use crate::format::handles::{handles_in, refuse_unvisited};
use crate::format::reader::{ReadError, Reader};
use crate::format::source::Source;
use crate::pool::WorldPool;
use crate::storage::keys::Keys;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::any::Any;
use serde::Serialize;

/// A pool whose values are saved.
#[derive(Clone, Copy)]
pub(crate) struct SavedPool<'a> {
    pool: &'a dyn WorldPool,
    how: &'static dyn SavedValues,
}

impl dyn WorldPool + '_ {
    /// This pool, if its values are saved.
    #[inline]
    pub(crate) fn saved(&self) -> Option<SavedPool<'_>> {
        Some(SavedPool { pool: self, how: self.kind().operations().saved? })
    }

    /// This pool, whose values are saved.
    pub(crate) fn as_saved(&self) -> SavedPool<'_> {
        self.saved().expect("only pools that are saved are looked up by names in files")
    }

    /// Replaces the pool by these keys and untyped values of its type, one for each. If the values were
    /// [parsed](SavedPool::parse), they are refused unless all handles within them are visited.
    pub(crate) fn fill(
        &mut self,
        keys: Keys<Entity>,
        values: Box<Loose>,
        parsed: bool,
    ) -> Result<(), ReadError> {
        if parsed {
            self.as_saved().check_read(&*values, None)?;
        }
        self.set_mut().restore(keys, values);
        Ok(())
    }
}

impl<'a> SavedPool<'a> {
    fn values(self) -> &'a Loose {
        self.pool.values().as_loose()
    }

    /// Appends the values at these positions. Returns the number of a value that cannot be written, with the error.
    pub(crate) fn write(
        self,
        next: Next<'_>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), (usize, ReadError)> {
        write_checked(
            next,
            bytes,
            &|next, bytes| {
                let check = &|at, written| self.check_written(at, written);
                self.how.write(self.values(), next, bytes, check)
            },
            &|reader| self.how.read_back(self.pool.as_any(), reader),
        )
    }

    /// Returns `true` if values are saved as bytes.
    pub(crate) fn is_saved_as_bytes(self) -> bool {
        self.how.is_saved_as_bytes()
    }

    /// Appends the values at these positions, or all, of a type that is saved as bytes.
    pub(crate) fn write_bytes(self, positions: Option<&[usize]>, bytes: &mut Vec<u8>) {
        self.how.write_bytes(self.values(), positions, bytes);
    }

    /// Calls `show` with the value at this position.
    pub(crate) fn show(self, at: usize, show: Show<'_>) {
        self.how.show(self.values(), at, show);
    }

    /// Calls `visit` with the handles in the value at this position that are replaced in another world.
    pub(crate) fn visit_entities(self, at: usize, visit: Visit<'_>) {
        self.how.visit(self.values(), at, visit);
    }

    /// Returns an empty storage of this type.
    pub(crate) fn no_values(self) -> Box<Loose> {
        self.how.no_values(self.pool.as_any())
    }

    /// Returns the positions, below the lengths of both, at which the saved bytes of this pool and of another one of its
    /// type differ.
    pub(crate) fn changed_since(self, old: &dyn WorldPool) -> Vec<usize> {
        let len = self.pool.len().min(old.len());
        self.how.changed(old.values().as_loose(), self.values(), len)
    }

    /// Reads a value of this version, for which the budget is charged, and adds it to untyped values of this type.
    pub(crate) fn parse(
        self,
        version: u32,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut Loose,
        late: &mut Vec<Late>,
    ) -> Result<(), ReadError> {
        self.how.parse(self.pool.as_any(), version, from, budget, values, late)
    }

    /// Reads `count` values. Returns the number of the wrong value if that fails. Adds other components that result from
    /// the values to `late`.
    pub(crate) fn read(
        self,
        written: WrittenAs,
        count: usize,
        reader: &mut Reader,
        late: &mut Vec<Late>,
    ) -> Result<Box<Loose>, (usize, ReadError)> {
        let handles = reader.handles;
        let values = self.how.read(self.pool.as_any(), written, count, reader, late)?;
        let handles = reader.handles - handles;
        let kind = self.pool.kind();
        let is_current = kind.saving().is_some_and(|(_, own)| own.version == written.version);
        // Values of an earlier version may have had more or fewer handles.
        let is_known = is_current || handles == 0 && !kind.holds_entities();
        let checked = self.check_read(&*values, is_known.then_some(handles));
        checked.map_err(|error| (count, error))?;
        Ok(values)
    }

    /// Returns `true` if handles that nothing replaces may stay in values, or there are none.
    fn is_unchecked(self) -> bool {
        let kind = self.pool.kind();
        kind.keeps_entities() || kind.definition().is_some() // whose handles are all replaced
    }

    /// Returns an error if fewer handles are visited in these values than were read, and no field keeps its handles. If
    /// the number of read ones is not known, counts the ones that the values write.
    fn check_read(self, values: &Loose, read: Option<usize>) -> Result<(), ReadError> {
        if read == Some(0) || self.is_unchecked() {
            return Ok(());
        }
        let read = match read {
            Some(read) => read,
            None => self.handles_of(values)?,
        };
        // A placeholder may stand for many handles, which their field keeps.
        let (mut visited, mut keeps) = (0, false);
        for at in 0..self.how.len(values) {
            self.how.visit(values, at, &mut |entity| {
                visited += 1;
                keeps |= entity == Entity::PLACEHOLDER;
            });
        }
        if keeps || visited >= read { Ok(()) } else { Err(forgotten(read, visited)) }
    }

    /// Returns the number of handles that these values write, which is equal for all formats.
    fn handles_of(self, values: &Loose) -> Result<usize, ReadError> {
        let (mut counter, mut written) = (Counter::default(), Ok(()));
        for at in 0..self.how.len(values) {
            self.how.show(values, at, &mut |value| {
                if written.is_ok() {
                    written = value.serialize(&mut counter);
                }
            });
        }
        written.map(|()| counter.handles)
    }

    /// Returns an error if nothing replaces some of the `written` handles that the value at this position is written with.
    fn check_written(self, at: usize, written: usize) -> Result<(), ReadError> {
        let mut count = 0;
        self.visit_entities(at, &mut |_| count += 1);
        if count == written { Ok(()) } else { self.check_list(at) }
    }

    /// Returns an error if the value at this position would be written with handles that nothing replaces.
    pub(crate) fn check_handles(self, at: usize) -> Result<(), ReadError> {
        if self.pool.kind().may_hold_handles() { self.check_list(at) } else { Ok(()) }
    }

    fn check_list(self, at: usize) -> Result<(), ReadError> {
        if self.is_unchecked() {
            return Ok(());
        }
        let (mut list, mut visited) = (Vec::new(), Vec::new());
        self.show(at, &mut |value| list = handles_in(value));
        self.visit_entities(at, &mut |entity| visited.push(entity));
        refuse_unvisited(self.pool.name(), "component", visited, list)
    }
}

/// The values of a type.
impl SavedValues for Saving {
    fn no_values(&self, _: &dyn Any) -> Box<Loose> {
        (self.with_capacity)(0)
    }
    fn len(&self, values: &Loose) -> usize {
        (self.len)(values)
    }
    fn write(
        &self,
        values: &Loose,
        next: Next<'_>,
        bytes: &mut Vec<u8>,
        check: CheckHandles<'_>,
    ) -> Result<(), (usize, ReadError)> {
        (self.write)(values, next, bytes, check)
    }
    fn read_back(&self, _: &dyn Any, reader: &mut Reader) -> Result<(), ReadError> {
        (self.read)(reader, 1, &mut *(self.with_capacity)(1))
    }
    fn is_saved_as_bytes(&self) -> bool {
        self.bytes.is_some()
    }
    fn write_bytes(&self, values: &Loose, positions: Option<&[usize]>, bytes: &mut Vec<u8>) {
        if let Some((write, _)) = self.bytes {
            write(values, positions, bytes);
        }
    }
    fn show(&self, values: &Loose, at: usize, show: Show<'_>) {
        (self.show)(values, at, show);
    }
    fn visit(&self, values: &Loose, at: usize, visit: Visit<'_>) {
        if let Some(visit_one) = self.visit {
            visit_one(values, at, visit);
        }
    }
    fn changed(&self, old: &Loose, new: &Loose, len: usize) -> Vec<usize> {
        let mut changed = Vec::new();
        match self.compare {
            Some(add_unlike) => add_unlike(old, new, len, &mut changed),
            None => changed.extend(0..len),
        }
        let mut bytes = [Vec::new(), Vec::new()];
        changed.retain(|at| {
            let mut written = bytes.iter_mut().zip([old, new]).map(|(bytes, values)| {
                bytes.clear();
                let mut only = Some(*at);
                (self.write)(values, &mut |_| only.take(), bytes, &|_, _| Ok(())).is_ok()
            });
            !written.all(|is_written| is_written) || bytes[0] != bytes[1]
        });
        changed
    }
    fn parse(
        &self,
        _: &dyn Any,
        version: u32,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut Loose,
        late: &mut Vec<Late>,
    ) -> Result<(), ReadError> {
        if self.schema.version == version {
            return (self.parse)(from, budget, values);
        }
        match self.before.iter().find(|old| old.version == version) {
            Some(old) => (old.parse)(from, budget, values, late),
            None => Err(unknown_version(version)),
        }
    }
    fn read(
        &self,
        _: &dyn Any,
        WrittenAs { version, as_bytes }: WrittenAs,
        count: usize,
        reader: &mut Reader,
        late: &mut Vec<Late>,
    ) -> Result<Box<Loose>, (usize, ReadError)> {
        let is_current = self.schema.version == version;
        let older = self.before.iter().find(|old| old.version == version);
        let own = if as_bytes { self.bytes.map(|(_, read)| read) } else { Some(self.read) };
        let (own, old) = if is_current { (own, None) } else { (None, older.filter(|_| !as_bytes)) };
        if own.is_none() && old.is_none() {
            return Err((count, not_read(version, is_current || older.is_some())));
        }
        reader.begin_values(count);
        reader.pay(count, self.size).map_err(|error| (0, error))?;
        let mut values = (self.with_capacity)(count);
        let read = match (own, old) {
            (Some(read), _) => read(reader, count, &mut *values),
            (None, Some(old)) => (old.read)(reader, count, &mut *values, late),
            (None, None) => Ok(()),
        };
        let len = (self.len)(&*values);
        read.map_err(|error| (len, error))?;
        if len != count {
            let what = format!("{len} values were read, not {count}");
            return Err((len, ReadError::new(what)));
        }
        Ok(values)
    }
}

/// Returns the error that values were not saved like they are read, of a version that is known or not.
#[cold]
pub(crate) fn not_read(version: u32, is_known: bool) -> ReadError {
    if is_known {
        return ReadError::new(
            "it was saved as bytes, but values of this version are not read as bytes",
        );
    }
    unknown_version(version)
}

#[cold]
fn unknown_version(version: u32) -> ReadError {
    ReadError::new(format!(
        "version {version} is not readable: name the type of its values by `from({version} = Old)`"
    ))
}

#[cold]
fn forgotten(read: usize, mapped: usize) -> ReadError {
    ReadError::new(format!(
        "it contains {read} entity handles, and only {mapped} of them are replaced in another world: add \
         `#[derive(MapEntities)]` to the types that hold the others, or `entities = ignore` to the fields"
    ))
}
