//! Pools of components whose values are saved.

use crate::component::AnyComponent;
use crate::component::data::{Late, SavedPool, Saving};
use crate::entity::Entity;
use crate::format::budget::Budget;
use crate::format::checked::{Next, write_checked};
use crate::format::counter::Counter;
use crate::format::reader::{ReadError, Reader};
use crate::format::source::Source;
use crate::internal::Internal;
use crate::pool::Pool;
use crate::pool::kind::{saved_before, saving};
use crate::storage::keys::Keys;
use crate::storage::values::Container;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::any::Any;
use serde::Serialize;

/// Returns how values are saved: there is a [`SavedPool`] only of a component that is.
fn how<T: AnyComponent>() -> &'static Saving<T, T::Storage> {
    saving::<T>().expect("the component is saved")
}

impl<T: AnyComponent> SavedPool for Pool<T> {
    fn write(&self, next: Next<'_>, bytes: &mut Vec<u8>) -> Result<(), (usize, ReadError)> {
        let saving = how::<T>();
        self.with_values(|values| {
            write_checked(
                next,
                bytes,
                &|next, bytes| (saving.write)(values, next, bytes),
                &|reader| (saving.read)(reader, 1, &mut T::Storage::default()),
            )
        })
    }
    fn is_saved_as_bytes(&self) -> bool {
        how::<T>().bytes.is_some()
    }
    fn write_bytes(&self, positions: Option<&[usize]>, bytes: &mut Vec<u8>) {
        if let Some((write, _)) = how::<T>().bytes {
            self.with_values(|values| write(values, positions, bytes));
        }
    }
    fn show(&self, at: usize, show: &mut dyn FnMut(&dyn erased_serde::Serialize)) {
        self.with_values(|values| (how::<T>().show)(values, at, show));
    }
    fn no_values(&self) -> Box<dyn Any> {
        Box::new(T::Storage::default())
    }
    fn parse(
        &self,
        version: u32,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut dyn Any,
        late: &mut Vec<Late>,
    ) -> Result<(), ReadError> {
        let Some(values) = values.downcast_mut() else { return Ok(()) };
        let saving = how::<T>();
        if saving.schema.version == version {
            return (saving.parse)(from, budget, values);
        }
        match saved_before::<T>().iter().find(|old| old.version == version) {
            Some(old) => (old.parse)(from, budget, values, late),
            None => Err(unknown_version(version)),
        }
    }
    fn fill(
        &mut self,
        keys: Keys<Entity>,
        values: Box<dyn Any>,
        parsed: Option<&mut Budget>,
    ) -> Result<(), ReadError> {
        if let Ok(values) = values.downcast::<T::Storage>() {
            let values = match parsed {
                Some(budget) => check_handles::<T>(*values, budget)?,
                None => *values,
            };
            self.restore(keys, values);
        }
        Ok(())
    }
    fn changed_since(&self, old: &dyn Any) -> Vec<usize> {
        let mut changed = Vec::new();
        if let Some(old) = old.downcast_ref::<Self>() {
            let len = self.len().min(old.len());
            old.with_values(|old| {
                self.with_values(|new| (how::<T>().compare)(old, new, len, &mut changed));
            });
        }
        changed
    }
    fn read_loose(
        &self,
        version: u32,
        as_bytes: bool,
        count: usize,
        reader: &mut Reader,
        late: &mut Vec<Late>,
    ) -> Result<Box<dyn Any>, (usize, ReadError)> {
        Ok(Box::new(read_values::<T>(version, as_bytes, count, reader, late)?))
    }
    fn patch(
        &mut self,
        keys: Option<Keys<Entity>>,
        positions: &[usize],
        values: Box<dyn Any>,
    ) -> Box<dyn Any> {
        let mut gone = T::Storage::default();
        if let Ok(values) = values.downcast::<T::Storage>() {
            self.put_at(keys, positions, *values, &mut gone);
        }
        Box::new(gone)
    }
}

/// Reads `count` values of this version. If that fails, returns the number of the wrong value, or `count` if no single
/// value is wrong.
fn read_values<T: AnyComponent>(
    version: u32,
    as_bytes: bool,
    count: usize,
    reader: &mut Reader,
    late: &mut Vec<Late>,
) -> Result<T::Storage, (usize, ReadError)> {
    let saving = how::<T>();
    let is_current = saving.schema.version == version;
    let older = saved_before::<T>().iter().find(|old| old.version == version);
    let read = if as_bytes { saving.bytes.map(|(_, read)| read) } else { Some(saving.read) };
    let (read, old) = if is_current { (read, None) } else { (None, older.filter(|_| !as_bytes)) };
    if read.is_none() && old.is_none() {
        return Err((count, not_read(version, is_current || older.is_some())));
    }
    let mut values = T::Storage::default();
    let handles = reader.handles;
    reader.begin_values(count);
    let read = reader.pay(count, size_of::<T>()).and_then(|()| {
        values.reserve(count);
        match (read, old) {
            (Some(read), _) => read(reader, count, &mut values),
            (None, Some(old)) => (old.read)(reader, count, &mut values, late),
            (None, None) => Ok(()),
        }
    });
    read.map_err(|error| (values.len(), error))?;
    if values.len() != count {
        let what = format!("{} values were read, not {count}", values.len());
        return Err((values.len(), ReadError::new(what)));
    }
    let handles = reader.handles - handles;
    // Values of an earlier version may have had more or fewer handles.
    let counted = if !is_current && (handles > 0 || T::HOLDS_ENTITIES) {
        check_handles::<T>(values, &mut reader.budget)
    } else {
        count_handles::<T>(values, handles, &mut reader.budget)
    };
    counted.map_err(|error| (count, error))
}

/// Returns the number of handles that these values write, which is equal for all formats.
fn handles_in<T: AnyComponent>(values: &T::Storage) -> Result<usize, ReadError> {
    let (mut counter, mut written) = (Counter::default(), Ok(()));
    for at in 0..values.len() {
        (how::<T>().show)(values, at, &mut |value| {
            if written.is_ok() {
                written = value.serialize(&mut counter);
            }
        });
    }
    written.map(|()| counter.handles)
}

/// Returns an error if some handles of values of a saved type are not visited.
fn check_handles<T: AnyComponent>(
    values: T::Storage,
    budget: &mut Budget,
) -> Result<T::Storage, ReadError> {
    let handles = if T::KEEPS_ENTITIES { 0 } else { handles_in::<T>(&values)? };
    count_handles::<T>(values, handles, budget)
}

/// Returns the error that values were not saved like they are read, of a version that is known or not.
#[cold]
fn not_read(version: u32, is_known: bool) -> ReadError {
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

/// Returns the values, if replacing visits as many handles as were read; otherwise some were missed.
fn count_handles<T: AnyComponent>(
    values: T::Storage,
    read: usize,
    budget: &mut Budget,
) -> Result<T::Storage, ReadError> {
    if read == 0 || T::KEEPS_ENTITIES {
        return Ok(values);
    }
    let (mut counted, mut mapped) = (values, 0);
    if T::HOLDS_ENTITIES {
        budget.pay(counted.len(), size_of::<T>())?;
        for mut value in Container::into_iter(core::mem::take(&mut counted)) {
            T::map_entities(Internal::CALL, &mut value, &mut |entity| {
                mapped += 1;
                entity
            });
            counted.push(value);
        }
    }
    if mapped == read { Ok(counted) } else { Err(forgotten(read, mapped)) }
}

#[cold]
fn forgotten(read: usize, mapped: usize) -> ReadError {
    ReadError::new(format!(
        "it contains {read} entity handles, but only {mapped} are marked: mark the fields that hold them by \
         `#[component(entities)]`, or by `#[component(entities = ignore)]`"
    ))
}
