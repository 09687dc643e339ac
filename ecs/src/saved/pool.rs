//! Pools of components whose values are saved.

use crate::component::AnyComponent;
use crate::component::data::{Late, Loose, SavedPool, Saving};
use crate::entity::Entity;
use crate::format::budget::Budget;
use crate::format::checked::{Next, write_checked};
use crate::format::counter::Counter;
use crate::format::handles::{handles_in, refuse_unvisited};
use crate::format::reader::{ReadError, Reader};
use crate::format::source::Source;
use crate::internal::Internal;
use crate::pool::Pool;
use crate::pool::kind::{Kind, saved_before, saving};
use crate::storage::keys::Keys;
use crate::storage::values::Container;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
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
                &|next, bytes| (saving.write)(values, next, bytes, check_written::<T>),
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
    fn visit_entities(&self, at: usize, visit: &mut dyn FnMut(Entity)) {
        self.with_values(|values| visit_value::<T>(values, at, visit));
    }
    fn check_handles(&self, at: usize) -> Result<(), ReadError> {
        if T::HANDLE_FIELDS.is_empty() {
            return Ok(());
        }
        let mut list = Vec::new();
        self.show(at, &mut |value| list = handles_in(value));
        let mut visited = Vec::new();
        self.visit_entities(at, &mut |entity| visited.push(entity));
        check_list::<T>(visited, list)
    }
    fn no_values(&self) -> Box<Loose> {
        Box::new(T::Storage::default())
    }
    fn parse(
        &self,
        version: u32,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut Loose,
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
        values: Box<Loose>,
        parsed: bool,
    ) -> Result<(), ReadError> {
        if let Ok(values) = values.downcast::<T::Storage>() {
            if parsed {
                check_read::<T>(&values, handles_of::<T>(&values)?)?;
            }
            self.restore(keys, *values);
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
    ) -> Result<Box<Loose>, (usize, ReadError)> {
        Ok(Box::new(read_values::<T>(version, as_bytes, count, reader, late)?))
    }
    fn patch(
        &mut self,
        keys: Option<Keys<Entity>>,
        positions: &[usize],
        values: Box<Loose>,
    ) -> Box<Loose> {
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
    let handles = if !is_current && (handles > 0 || T::HOLDS_ENTITIES) {
        handles_of::<T>(&values)
    } else {
        Ok(handles)
    };
    let checked = handles.and_then(|handles| check_read::<T>(&values, handles));
    checked.map_err(|error| (count, error))?;
    Ok(values)
}

/// Returns the number of handles that these values write, which is equal for all formats.
fn handles_of<T: AnyComponent>(values: &T::Storage) -> Result<usize, ReadError> {
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

fn visit_value<T: AnyComponent>(values: &T::Storage, at: usize, visit: &mut dyn FnMut(Entity)) {
    if T::HOLDS_ENTITIES {
        (how::<T>().look)(values, at, &mut |value| {
            T::visit_entities(Internal::CALL, value, visit);
        });
    }
}

/// Returns an error if fewer handles are visited in these values than were read, and no field keeps its handles.
fn check_read<T: AnyComponent>(values: &T::Storage, read: usize) -> Result<(), ReadError> {
    if read == 0 || Kind::of::<T>().keeps_entities() {
        return Ok(());
    }
    // A placeholder may stand for many handles, which their field keeps.
    let (mut visited, mut keeps) = (0, false);
    let mut visit = |entity| {
        visited += 1;
        keeps |= entity == Entity::PLACEHOLDER;
    };
    (0..values.len()).for_each(|at| visit_value::<T>(values, at, &mut visit));
    if keeps || visited >= read { Ok(()) } else { Err(forgotten(read, visited)) }
}

/// Returns an error if a value is written with handles that nothing replaces: `written` of them, which `list` returns.
fn check_written<T: AnyComponent>(
    value: &T,
    written: usize,
    list: &dyn Fn() -> Vec<(String, Entity)>,
) -> Result<(), ReadError> {
    let mut visited = Vec::new();
    let mut count = 0;
    T::visit_entities(Internal::CALL, value, &mut |_| count += 1);
    if count == written {
        return Ok(());
    }
    T::visit_entities(Internal::CALL, value, &mut |entity| visited.push(entity));
    check_list::<T>(visited, list())
}

/// Returns an error if one of these handles of a value is not among the visited ones.
fn check_list<T: AnyComponent>(
    visited: Vec<Entity>,
    list: Vec<(String, Entity)>,
) -> Result<(), ReadError> {
    if Kind::of::<T>().keeps_entities() {
        Ok(())
    } else {
        refuse_unvisited(T::NAME, "component", visited, list)
    }
}

/// Returns the error that values were not saved like they are read, of a version that is known or not.
#[cold]
pub(super) fn not_read(version: u32, is_known: bool) -> ReadError {
    if is_known {
        return ReadError::new(
            "it was saved as bytes, but values of this version are not read as bytes",
        );
    }
    unknown_version(version)
}

#[cold]
pub(super) fn unknown_version(version: u32) -> ReadError {
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
