//! Resources in files: found by their names, like components.

use crate::component::data::{Saved, SavingName};
use crate::component::handles::{HandleField, any_kept};
use crate::entity::Entity;
use crate::format::budget::Budget;
use crate::format::checked::check;
use crate::format::handles::{handles_in, refuse_unvisited};
use crate::format::header::Schema;
use crate::format::limited::read_within;
use crate::format::reader::{ReadError, Reader};
use crate::format::source::Source;
use crate::format::writer::write_value;
use crate::internal::Internal;
use crate::resource::{
    LeftOut, NamedResource, Resource, ResourceData, ResourcePlace, Resources, number_of,
};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::mem;
use serde::de::{DeserializeOwned, Error};

/// A resource of up to this many bytes is read again when it is written: larger ones would take twice as long.
const MOST_CHECKED: usize = 1 << 16;

/// Appends a value, and returns the number of handles of entities in it.
type WriteResource = fn(&ResourceData, &mut Vec<u8>) -> Result<usize, ReadError>;
type Show = fn(&ResourceData, &mut dyn FnMut(&dyn erased_serde::Serialize));
type ReadResource = fn(&mut Reader) -> Result<NamedResource, ReadError>;
type Parse = fn(&mut dyn Source<'_>, &mut Budget) -> Result<NamedResource, ReadError>;
/// Replaces each handle in a value by the handle that the function returns for it.
type MapHandles = fn(&mut ResourceData, &mut dyn FnMut(Entity) -> Entity);
/// Calls the function with the handles in a value that are replaced.
type VisitHandles = fn(&ResourceData, &mut dyn FnMut(Entity));

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
    write: WriteResource,
    show: Show,
    map: MapHandles,
    visit: VisitHandles,
    /// The name of the type as declared, and the fields that may hold handles.
    declared: &'static str,
    fields: &'static [HandleField],
}

/// The functions that read a version of a resource.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct ResourceVersion {
    version: u32,
    read: ReadResource,
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
                None => Ok(0),
            },
            show: |value, show| {
                if let Some(value) = value.downcast_ref::<T>() {
                    show(value);
                }
            },
            map: |value, map| {
                if let Some(value) = value.downcast_mut::<T>() {
                    T::map_entities(Internal::CALL, value, map);
                }
            },
            visit: |value, visit| {
                if let Some(value) = value.downcast_ref::<T>() {
                    T::visit_entities(Internal::CALL, value, visit);
                }
            },
            declared: T::NAME,
            fields: T::HANDLE_FIELDS,
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
    ) -> Result<NamedResource, ReadError> {
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
                Ok(NamedResource::new(T::from(reader.whole::<Old>()?)))
            },
            parse: |from, budget| {
                budget.pay(1, size_of::<T>())?;
                Ok(NamedResource::new(T::from(read_within::<Old>(from, budget)?)))
            },
        }
    }
}

impl fmt::Debug for ResourceSaving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceSaving").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A resource that exists, and that is saved.
pub(crate) struct SavedResource<'w> {
    pub(crate) saving: ResourceSaving,
    value: &'w ResourceData,
}

impl SavedResource<'_> {
    /// Appends its value.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        self.write_counted(bytes).map(drop)
    }

    /// Appends its value, to be read in another world. Adds the entities that it names.
    ///
    /// # Errors
    /// Returns an error if the value cannot be written, or has handles that nothing replaces.
    pub(crate) fn write_for_others(
        &self,
        bytes: &mut Vec<u8>,
        named: &mut Vec<Entity>,
    ) -> Result<(), ReadError> {
        let (saving, start) = (self.saving, named.len());
        let written = self.write_counted(bytes)?;
        (saving.visit)(self.value, &mut |entity| named.push(entity));
        if written == named.len() - start || any_kept(saving.fields) {
            return Ok(());
        }
        let mut list = Vec::new();
        self.show(&mut |value| list = handles_in(value));
        refuse_unvisited(saving.declared, "resource", named[start..].to_vec(), list)
    }

    /// Appends its value, and returns the number of handles in it.
    fn write_counted(&self, bytes: &mut Vec<u8>) -> Result<usize, ReadError> {
        let start = bytes.len();
        let handles = (self.saving.write)(self.value, bytes)?;
        let written = &bytes[start..];
        if written.len() <= MOST_CHECKED {
            check(written, |reader| (self.saving.versions.0.read)(reader).map(drop))?;
        }
        Ok(handles)
    }

    /// Calls `show` with its value.
    pub(crate) fn show(&self, show: &mut dyn FnMut(&dyn erased_serde::Serialize)) {
        (self.saving.show)(self.value, show);
    }
}

/// A resource as tools see it: its number, the name of its type, and the functions that save it, if it is saved.
#[derive(Clone, Copy)]
pub(crate) struct ListedResource {
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

    /// Returns the resources that exist, are saved and are not left out, by name. Returns the name of one that is lent,
    /// or a name of two resources, as an error.
    pub(crate) fn to_save(
        &self,
        left_out: &LeftOut,
    ) -> Result<Vec<SavedResource<'_>>, (SavingName, &'static str)> {
        let mut all = Vec::new();
        for saving in &self.saved {
            let number = (saving.number)();
            match self.entry(number).about() {
                _ if left_out.resources.contains(&number) => {}
                Some((_, true)) => {
                    let what = "it is lent by `World::resource_scope`: save after that";
                    return Err((saving.name, what));
                }
                _ => all.extend(self.saved_by(*saving).ok().flatten()),
            }
        }
        match all.windows(2).find(|pair| pair[0].saving.name == pair[1].saving.name) {
            Some(twice) => Err((twice[0].saving.name, "two resources have this name")),
            None => Ok(all),
        }
    }

    /// Returns the names of the resources that exist and are not saved, in alphabetical order: first the ones that
    /// are left out, then the others. Resources that stay by their type are not named.
    pub(crate) fn unsaved(&self, left_out: &LeftOut) -> [Vec<&'static str>; 2] {
        let (mut names, mut missing) = (Vec::new(), Vec::new());
        for (number, entry) in (0..).zip(&self.entries) {
            let Some((about, _)) = entry.about().filter(|(about, _)| !about.skips_saves) else {
                continue;
            };
            if left_out.resources.contains(&number) || !about.is_saved && left_out.rest {
                names.push(about.name);
            } else if !about.is_saved {
                missing.push(about.name);
            }
        }
        names.sort_unstable();
        missing.sort_unstable();
        [names, missing]
    }

    /// Returns the names of the resources that exist here, not in a world that is loaded, and do not stay by their type; in
    /// alphabetical order.
    pub(crate) fn missing_in(&self, loaded: &Self) -> Vec<&'static str> {
        let own = (0..).zip(&self.entries).filter(|(number, _)| !loaded.is_here(*number));
        let own = own.filter_map(|(_, entry)| entry.about());
        let own = own.filter(|(about, _)| !about.skips_saves);
        let mut names: Vec<_> = own.map(|(about, _)| about.name).collect();
        names.sort_unstable();
        names
    }

    /// Returns the name of a resource that is lent here, and exists in a world that is loaded.
    pub(crate) fn lent_in(&self, loaded: &Self) -> Option<SavingName> {
        let is_lent = |saving: &&ResourceSaving| {
            let number = (saving.number)();
            loaded.is_here(number) && self.is_lent(number)
        };
        loaded.saved.iter().find(is_lent).map(|saving| saving.name)
    }

    /// Returns the resources that exist, and the saved ones that do not, by their numbers.
    pub(crate) fn list(&self) -> Vec<ListedResource> {
        let there = (0..).zip(&self.entries).filter_map(|(number, entry)| {
            let type_name = (entry.here()?.about.type_name)();
            Some(ListedResource { number, type_name, saving: None })
        });
        let mut all: Vec<ListedResource> = there.collect();
        for saving in &self.saved {
            let number = (saving.number)();
            match all.iter_mut().find(|listed| listed.number == number) {
                Some(listed) => listed.saving = Some(*saving),
                None => all.push(ListedResource {
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
        matches!(self.entry(number).place, ResourcePlace::Here(_))
    }

    /// Returns `true` if a scope has the resource with this number.
    pub(crate) fn is_lent(&self, number: u32) -> bool {
        self.entry(number).is_lent()
    }

    /// Exchanges the resource with this number for another one of its type, or for none. Returns the previous one, to
    /// be dropped when all resources are consistent.
    pub(crate) fn exchange_one(
        &mut self,
        number: u32,
        new: Option<NamedResource>,
    ) -> Option<NamedResource> {
        let place = new.map_or(ResourcePlace::Nowhere, ResourcePlace::Here);
        let turn = self.next_turn();
        let entry = self.entry_mut(number);
        entry.turn = turn;
        match entry.replace(place) {
            ResourcePlace::Here(named) => Some(named),
            ResourcePlace::Lent(_) | ResourcePlace::Nowhere => None,
        }
    }

    /// Returns the resource with these functions, if there is one; an error while it is lent.
    pub(crate) fn saved_by<'w>(
        &'w self,
        saving: ResourceSaving,
    ) -> Result<Option<SavedResource<'w>>, ()> {
        let entry = self.entry((saving.number)());
        match &entry.place {
            ResourcePlace::Here(named) => Ok(Some(SavedResource { saving, value: &*named.value })),
            ResourcePlace::Lent(_) if entry.is_lent() => Err(()),
            ResourcePlace::Lent(_) | ResourcePlace::Nowhere => Ok(None),
        }
    }

    /// Returns the number of times that the resource with these functions was inserted, taken, or lent for writing.
    pub(crate) fn version_by(&self, saving: &ResourceSaving) -> u64 {
        self.entry((saving.number)()).version
    }

    /// Removes and returns the resource with these functions, if there is one.
    pub(crate) fn take_by(&mut self, saving: &ResourceSaving) -> Option<NamedResource> {
        let number = (saving.number)();
        if self.is_here(number) { self.exchange_one(number, None) } else { None }
    }

    /// Replaces the handles in the resource with these functions, if there is one.
    pub(crate) fn map_entities(
        &mut self,
        saving: &ResourceSaving,
        map: &mut dyn FnMut(Entity) -> Entity,
    ) {
        if let ResourcePlace::Here(named) = &mut self.entry_mut((saving.number)()).place {
            (saving.map)(&mut *named.value, map);
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

    fn add<E: Error>(&mut self, saving: &ResourceSaving, named: NamedResource) -> Result<(), E> {
        match self.put_back((saving.number)(), named) {
            None => Ok(()),
            Some(_) => Err(E::custom("it is there twice")),
        }
    }

    /// Exchanges the resources that `from` has for the own ones. None is lent.
    pub(crate) fn exchange(&mut self, from: &mut Self) {
        let turns = self.turn;
        self.turn += from.turn;
        for (number, entry) in (0..).zip(&mut from.entries) {
            let own = self.entry_mut(number);
            if let (ResourcePlace::Here(_), ResourcePlace::Here(_) | ResourcePlace::Nowhere) =
                (&entry.place, &own.place)
            {
                own.turn = mem::replace(&mut entry.turn, own.turn) + turns;
                let new = entry.replace(ResourcePlace::Nowhere);
                entry.replace(own.replace(new));
            }
        }
        self.keep_turns_small();
    }
}
