//! Resources in files: found by their names, like components.

use crate::component::data::{Saved, SavingName};
use crate::format::budget::Budget;
use crate::format::checked::check;
use crate::format::header::Schema;
use crate::format::limited::read_within;
use crate::format::reader::{ReadError, Reader};
use crate::format::source::Source;
use crate::format::writer::write_value;
use crate::resource::{Named, Place, Resource, Resources, Value, number_of};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::mem;
use serde::de::{DeserializeOwned, Error};

/// A resource of up to this many bytes is read again when it is written: larger ones would take twice as long.
const MOST_CHECKED: usize = 1 << 16;

type Write = fn(&Value, &mut Vec<u8>) -> Result<(), ReadError>;
type Show = fn(&Value, &mut dyn FnMut(&dyn erased_serde::Serialize));
type Read = fn(&mut Reader) -> Result<Named, ReadError>;
type Parse = fn(&mut dyn Source<'_>, &mut Budget) -> Result<Named, ReadError>;

/// The functions that save a resource.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct ResourceSaving {
    pub(crate) name: SavingName,
    /// A number that differs between types of different fields or variants; never zero.
    fingerprint: u32,
    /// The versions; the latest, which is written, comes first.
    versions: (ResourceVersion, &'static [ResourceVersion]),
    number: fn() -> u32,
    type_name: fn() -> &'static str,
    write: Write,
    show: Show,
}

/// The functions that read a version of a resource.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct ResourceVersion {
    version: u32,
    read: Read,
    parse: Parse,
}

impl ResourceSaving {
    /// Saves by serde, under this name.
    #[must_use]
    pub const fn by_serde<T: Resource + Saved>(
        base: &'static str,
        instance: &'static str,
        version: u32,
        fingerprint: u32,
    ) -> Self {
        Self {
            fingerprint,
            name: SavingName { base, instance },
            versions: (ResourceVersion::by_serde::<T, T>(version), T::SAVED_BEFORE),
            number: number_of::<T>,
            type_name: core::any::type_name::<T>,
            write: |value, bytes| match value.downcast_ref::<T>() {
                Some(value) => write_value(value, bytes),
                None => Ok(()),
            },
            show: |value, show| {
                if let Some(value) = value.downcast_ref::<T>() {
                    show(value);
                }
            },
        }
    }

    pub(crate) const fn schema(&self) -> Schema {
        Schema { version: self.versions.0.version, fingerprint: self.fingerprint }
    }

    /// Reads a value of the current version.
    pub(crate) fn parse_latest(
        &self,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
    ) -> Result<Named, ReadError> {
        (self.versions.0.parse)(from, budget)
    }

    fn at(&self, version: u32) -> Option<&ResourceVersion> {
        let (latest, older) = &self.versions;
        core::iter::once(latest).chain(*older).find(|it| it.version == version)
    }
}

impl ResourceVersion {
    /// Reads by serde, into a type that is converted to the resource.
    #[must_use]
    pub const fn by_serde<T: Resource + From<Old>, Old: DeserializeOwned>(version: u32) -> Self {
        Self {
            version,
            read: |reader| {
                reader.pay(1, size_of::<T>())?;
                Ok(Named::new(T::from(reader.whole::<Old>()?)))
            },
            parse: |from, budget| {
                budget.pay(1, size_of::<T>())?;
                Ok(Named::new(T::from(read_within::<Old>(from, budget)?)))
            },
        }
    }
}

impl fmt::Debug for ResourceSaving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceSaving").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceVersion").field("version", &self.version).finish_non_exhaustive()
    }
}

/// A resource that exists, and that is saved.
pub(crate) struct SavedResource<'w> {
    pub(crate) saving: &'w ResourceSaving,
    value: &'w Value,
}

impl SavedResource<'_> {
    /// Appends its value.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        let start = bytes.len();
        (self.saving.write)(self.value, bytes)?;
        let written = &bytes[start..];
        if written.len() > MOST_CHECKED {
            return Ok(());
        }
        check(written, |reader| (self.saving.versions.0.read)(reader).map(drop))
    }

    /// Calls `show` with its value.
    pub(crate) fn show(&self, show: &mut dyn FnMut(&dyn erased_serde::Serialize)) {
        (self.saving.show)(self.value, show);
    }
}

/// A resource as tools see it: its number, the name of its type, and the functions that save it, if it is saved.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) number: u32,
    pub(crate) type_name: &'static str,
    pub(crate) saving: Option<ResourceSaving>,
}

/// Returns the error for values of a version that no type reads.
fn unknown_version<E: Error>(version: u32) -> E {
    E::custom(format!("version {version} is not readable"))
}

impl Resources {
    /// Registers the functions that save a resource, if it is saved, so that its name is found.
    pub(crate) fn register<T: Resource>(&mut self) {
        if let Some(saving) = T::SAVING {
            self.register_saving(saving);
        }
    }

    fn register_saving(&mut self, saving: ResourceSaving) {
        if let Err(place) = self.saved.binary_search_by_key(&saving.name, |it| it.name) {
            self.saved.insert(place, saving);
        } else if self.saved.iter().all(|it| (it.number)() != (saving.number)()) {
            self.saved.push(saving); // under a name that is taken
            self.saved.sort_by_key(|it| it.name);
        }
    }

    /// Registers all resources that others have registered.
    pub(crate) fn register_all(&mut self, others: &Self) {
        others.saved.iter().for_each(|saving| self.register_saving(*saving));
    }

    /// Returns the resources that exist and are saved, by name. Returns the name of one that is lent, or a name of two
    /// resources, as an error.
    pub(crate) fn to_save(&self) -> Result<Vec<SavedResource<'_>>, (SavingName, &'static str)> {
        let mut all = Vec::new();
        for saving in &self.saved {
            let entry = self.entry((saving.number)());
            match &entry.place {
                Place::Here(named) => all.push(SavedResource { saving, value: &*named.value }),
                Place::Lent if entry.is_lent() => {
                    return Err((
                        saving.name,
                        "it is lent by `World::resource_scope`: save after that",
                    ));
                }
                Place::Lent | Place::Nowhere => {}
            }
        }
        match all.windows(2).find(|pair| pair[0].saving.name == pair[1].saving.name) {
            Some(twice) => Err((twice[0].saving.name, "two resources have this name")),
            None => Ok(all),
        }
    }

    /// Returns the resources that exist, and the saved ones that do not, by their numbers.
    pub(crate) fn list(&self) -> Vec<Listed> {
        let there = (0..).zip(&self.entries).filter_map(|(number, entry)| match &entry.place {
            Place::Here(named) => Some(Listed { number, type_name: named.type_name, saving: None }),
            Place::Lent | Place::Nowhere => None,
        });
        let mut all: Vec<Listed> = there.collect();
        for saving in &self.saved {
            let number = (saving.number)();
            match all.iter_mut().find(|listed| listed.number == number) {
                Some(listed) => listed.saving = Some(*saving),
                None => all.push(Listed {
                    number,
                    type_name: (saving.type_name)(),
                    saving: Some(*saving),
                }),
            }
        }
        all.sort_by_key(|listed| listed.number);
        all
    }

    /// Returns `true` if there is a resource with this number, and it is not lent.
    pub(crate) fn is_here(&self, number: u32) -> bool {
        matches!(self.entry(number).place, Place::Here(_))
    }

    /// Returns `true` if a scope has the resource with this number.
    pub(crate) fn is_lent(&self, number: u32) -> bool {
        self.entry(number).is_lent()
    }

    /// Exchanges the resource with this number for another one of its type, or for none. Returns the previous one, to
    /// be dropped when all resources are consistent.
    pub(crate) fn exchange_one(&mut self, number: u32, new: Option<Named>) -> Option<Named> {
        let place = new.map_or(Place::Nowhere, Place::Here);
        let turn = self.next_turn();
        let entry = self.entry_mut(number);
        entry.turn = turn;
        match entry.replace(place) {
            Place::Here(named) => Some(named),
            Place::Lent | Place::Nowhere => None,
        }
    }

    /// Returns the resource with these functions, if there is one; an error while it is lent.
    pub(crate) fn saved_by<'w>(
        &'w self,
        saving: &'w ResourceSaving,
    ) -> Result<Option<SavedResource<'w>>, ()> {
        let entry = self.entry((saving.number)());
        match &entry.place {
            Place::Here(named) => Ok(Some(SavedResource { saving, value: &*named.value })),
            Place::Lent if entry.is_lent() => Err(()),
            Place::Lent | Place::Nowhere => Ok(None),
        }
    }

    /// Returns the number of times that the resource with these functions was inserted, taken, or lent for writing.
    pub(crate) fn version_by(&self, saving: &ResourceSaving) -> u64 {
        self.entry((saving.number)()).version
    }

    /// Drops the resource with these functions, if there is one.
    pub(crate) fn remove_by(&mut self, saving: &ResourceSaving) {
        let entry = self.entry_mut((saving.number)());
        if let Place::Here(_) = entry.place {
            drop(entry.replace(Place::Nowhere));
        }
    }

    /// Returns the names and schemas of the registered resources.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = (SavingName, Schema)> {
        self.saved.iter().map(|saving| (saving.name, saving.schema()))
    }

    /// Returns the functions that save the resource with this name in files.
    pub(crate) fn saved_under(&self, name: &str) -> Result<Option<ResourceSaving>, ReadError> {
        let mut known = self.saved.iter().filter(|it| it.name.is(name));
        match (known.next(), known.next()) {
            (_, Some(_)) => Err(ReadError::custom("two resources of the world have this name")),
            (known, None) => Ok(known.copied()),
        }
    }

    /// Reads a resource of this version, which must be the only one of its type.
    pub(crate) fn read(
        &mut self,
        saving: &ResourceSaving,
        version: u32,
        reader: &mut Reader,
    ) -> Result<(), ReadError> {
        let at = saving.at(version).ok_or_else(|| unknown_version(version))?;
        let named = (at.read)(reader)?;
        self.add(saving, named)
    }

    /// Reads a resource like [`read`](Self::read), in a text format.
    pub(crate) fn parse(
        &mut self,
        saving: &ResourceSaving,
        version: u32,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
    ) -> Result<(), ReadError> {
        let at = saving.at(version).ok_or_else(|| unknown_version(version))?;
        let named = (at.parse)(from, budget)?;
        self.add(saving, named)
    }

    fn add<E: Error>(&mut self, saving: &ResourceSaving, named: Named) -> Result<(), E> {
        match self.put_back((saving.number)(), named) {
            None => Ok(()),
            Some(_) => Err(E::custom("it is there twice")),
        }
    }

    /// Exchanges the resources that `from` has for the own ones; those that are lent stay.
    pub(crate) fn exchange(&mut self, from: &mut Self) {
        let turns = self.turn;
        self.turn += from.turn;
        for (number, entry) in (0..).zip(&mut from.entries) {
            let own = self.entry_mut(number);
            if let (Place::Here(_), Place::Here(_) | Place::Nowhere) = (&entry.place, &own.place) {
                own.turn = mem::replace(&mut entry.turn, own.turn) + turns;
                let new = entry.replace(Place::Nowhere);
                entry.replace(own.replace(new));
            }
        }
    }
}
