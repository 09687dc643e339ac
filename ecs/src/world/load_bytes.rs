//! Reads a saved world from untrusted bytes.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::header::{Content, Schema};
use crate::format::reader::{ReadError, wrong};
use crate::group::groups::ListedGroup;
use crate::saved::loaded::{Limits, LoadError, Loaded, Unknown};
use crate::saved::read::{Head, Parts};
use crate::saved::{GENERATIONS, IN_FILES};
use crate::storage::keys::Keys;
use crate::world::World;
use crate::world::build::{Building, Filled, entity_size, leave_out_the_dead};
use crate::world::unknown::{UnknownComponent, UnknownParts, UnknownResource};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

/// Reads a world like this one.
pub(super) fn read(
    world: &World,
    bytes: &[u8],
    limits: &Limits,
) -> Result<(World, Loaded), LoadError> {
    let (parts, building) = (Parts::new(bytes, limits.memory), Building::new(world, limits));
    let mut loading = Loading { parts, building };
    match loading.read() {
        Ok((groups, end)) => {
            loading.building.finish(&groups, end, &mut loading.parts.reader.budget)
        }
        Err(error) => Err(loading.parts.fail(error)),
    }
}

/// The reading of a world.
struct Loading<'b> {
    parts: Parts<'b>,
    building: Building,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// The name of the part that was read last.
type Before<'b> = Option<&'b str>;

impl<'b> Loading<'b> {
    /// Reads the whole file. Returns the groups that keep lists, and the place where the components end.
    fn read(&mut self) -> Result<(Vec<ListedGroup>, usize)> {
        self.parts.begin(Content::World)?;
        self.entities()?;
        let (mut numbers, mut before) = (Vec::new(), None); // in the file, of components that are known
        for _ in 0..self.parts.reader.count()? {
            self.parts.reader.pay(GROWING, size_of::<Filled>() + size_of::<Option<u32>>())?;
            numbers.push(self.component(&mut before)?);
        }
        let end = self.parts.reader.at();
        before = None;
        for _ in 0..self.parts.reader.count()? {
            self.resource(&mut before)?;
        }
        let Self { parts, building } = self;
        let (living, declared) = (&building.generations[..], &building.world.groups);
        let groups = parts.groups(living, declared, |reader| {
            let place = usize::try_from(reader.number()?).ok();
            match place.and_then(|place| numbers.get(place)) {
                Some(number) => Ok(*number),
                None => wrong("a group is of no component"),
            }
        })?;
        parts.end()?;
        Ok((groups, end))
    }

    /// Reads the generations and the free handles.
    fn entities(&mut self) -> Result<()> {
        let Self { parts, building } = self;
        let count = parts.reader.count()?;
        parts.reader.pay(count, entity_size(&building.world.pools))?;
        let generations = &mut building.generations;
        generations.reserve(count);
        parts.reader.locally(|reader| {
            while generations.len() < count {
                let small = reader.small_numbers(count - generations.len());
                generations.extend(small.iter().map(|generation| u32::from(*generation)));
                if generations.len() < count {
                    match u32::try_from(reader.number()?) {
                        Ok(generation) => generations.push(generation),
                        Err(_) => return wrong("a generation is greater than any"),
                    }
                }
            }
            Ok(())
        })?;
        Entities::check_generations(generations).map_err(ReadError::new)?;
        building.free = parts.free(count)?;
        Ok(())
    }

    /// Reads a component. Returns its number if the world has registered it.
    fn component(&mut self, before: &mut Before<'b>) -> Result<Option<u32>> {
        let head = self.parts.head(before)?;
        self.parts.reader.pay(head.name.len(), 3)?; // of what is read, is told, and is kept
        let world = &self.building.world;
        let number = world.saved_under(head.name)?;
        let own = number.and_then(|number| Some(world.pools.at(number).kind().saving()?.1));
        let is_known = self.building.recognizes(head.schema, own)?;
        let known = number.filter(|_| is_known);
        if let Some(number) = known {
            let filled = self.pool(&head, number)?;
            self.building.parts.push(filled);
        } else {
            let unknown = self.unknown(&head)?;
            self.building.loaded.unknown.push(unknown);
        }
        self.parts.close(&head)?;
        Ok(known)
    }

    fn resource(&mut self, before: &mut Before<'b>) -> Result<()> {
        let head = self.parts.head(before)?;
        let Self { building, parts: Parts { reader, .. } } = self;
        reader.pay(head.name.len(), 3)?;
        let saving = building.world.resources.saved_under(head.name)?;
        if building.recognizes(head.schema, saving.map(|it| it.schema()))?
            && let Some(saving) = saving
        {
            building.world.resources.read(&saving, head.schema.version, reader)?;
        } else {
            let len = head.end - reader.at();
            self.pay_unknown(len)?;
            let bytes = self.parts.reader.bytes(len)?.to_vec();
            let (name, Schema { version, .. }) = (head.name.to_owned(), head.schema);
            if let Some(UnknownParts { resources, .. }) = &mut self.building.unknown_parts {
                let (name, schema, bytes) = (name.clone(), head.schema, bytes.clone());
                resources.push(UnknownResource { name, schema, bytes });
            }
            self.building.loaded.unknown.push(Unknown { name, version, len: None, bytes });
        }
        self.parts.close(&head)
    }

    /// Reads a component that the world has not registered.
    fn unknown(&mut self, head: &Head<'_>) -> Result<Unknown> {
        let start = self.parts.reader.at();
        self.pay_unknown(head.end - start)?;
        let Self { parts, building } = self;
        let (name, schema) = (head.name.to_owned(), head.schema);
        let (mut flags, mut count, mut members) = (0, 0, Vec::new());
        if head.end > start {
            (count, flags) = parts.count_and_flags(IN_FILES)?;
        }
        if building.unknown_parts.is_some() && head.end > start {
            members = parts.members(count, flags, &building.generations[..])?;
        }
        let Some(left) = head.end.checked_sub(parts.reader.at()) else {
            return wrong("it is longer than it is said to be");
        };
        let rest = parts.reader.bytes(left)?;
        if let Some(UnknownParts { components, .. }) = &mut building.unknown_parts
            && head.end > start
        {
            let (name, rest) = (name.clone(), rest.to_vec());
            components.push(UnknownComponent { name, schema, flags, members, rest });
        }
        let bytes = parts.reader.since(start).to_vec();
        Ok(Unknown { name, version: schema.version, len: Some(count), bytes })
    }

    /// Pays for an unknown component or resource with `len` bytes, listed and kept.
    fn pay_unknown(&mut self, len: usize) -> Result<()> {
        let kept = size_of::<UnknownComponent>().max(size_of::<UnknownResource>());
        self.parts.reader.pay(2 * len, 1)?;
        self.parts.reader.pay(GROWING, size_of::<Unknown>() + kept)
    }

    /// Fills the pool with this number.
    fn pool(&mut self, head: &Head<'_>, number: u32) -> Result<Filled> {
        let Self { parts, building: Building { world, generations, .. } } = self;
        let pool = world.pools.at_mut(number);
        let mut body = parts.body(IN_FILES, pool, head.schema.version, &generations[..])?;
        let keys = body.keys.take().unwrap_or_else(Keys::new);
        let late = keys.dense().iter().copied().zip(body.late).collect();
        pool.as_saved_mut().fill(keys, body.values, None)?;
        if body.flags & GENERATIONS != 0 {
            parts.reader.pay(2 * pool.len(), size_of::<Entity>())?; // members before, and the dead
            leave_out_the_dead(pool, generations, &mut body.lists);
        }
        let (name, end) = (head.name.to_owned(), parts.reader.at());
        Ok(Filled { number, name, lists: body.lists, required: body.required, late, end })
    }
}
