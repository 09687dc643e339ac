//! Reads a saved world from untrusted bytes.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::header::Content;
use crate::format::reader::{ReadError, wrong};
use crate::group::groups::ListedGroup;
use crate::saved::build::{
    Building, Filled, FilledPart, entity_size, leave_out_the_dead, pay_piece,
};
use crate::saved::loaded::{Limits, LoadError, Loaded, Unknown};
use crate::saved::order::{RestoredOrder, SavedOrder};
use crate::saved::read::{Head, PartReader};
use crate::saved::unknown::{UnknownPart, UnknownParts};
use crate::saved::{FIELDS, GENERATIONS, IN_FILES};
use crate::storage::keys::Keys;
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

/// Reads a world like this one.
pub(super) fn read(
    world: &World,
    bytes: &[u8],
    limits: &Limits,
) -> Result<(World, Loaded), LoadError> {
    let (parts, building) = (PartReader::new(bytes, limits.memory), Building::new(world, limits));
    let mut loading = Loading { parts, building };
    match loading.read() {
        Ok((groups, order, end)) => {
            let budget = &mut loading.parts.reader.budget;
            loading.building.finish(&groups, order, end, budget)
        }
        Err(error) => Err(loading.parts.fail(error)),
    }
}

/// The reading of a world.
struct Loading<'b> {
    parts: PartReader<'b>,
    building: Building,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// The name of the part that was read last.
type NameBefore<'b> = Option<&'b str>;

impl<'b> Loading<'b> {
    /// Reads the whole file. Returns the groups that keep lists, the order of pools with their numbers, and the place
    /// where the components end.
    fn read(&mut self) -> Result<(Vec<ListedGroup>, RestoredOrder, usize)> {
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
        let order = match parts.format {
            ..4 => None,
            _ => SavedOrder::read(&mut parts.reader, numbers.len())?,
        };
        parts.end()?;
        Ok((groups, order.map(|order| (order, numbers)), end))
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
                        Err(_) => return wrong("a generation is too large"),
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
    fn component(&mut self, before: &mut NameBefore<'b>) -> Result<Option<u32>> {
        let head = self.parts.head(before, true)?;
        self.parts.reader.pay(head.name.len(), 3)?; // of the read, the reported and the kept name
        let found = self.building.world.saved_under(head.name)?;
        let is_named = found.is_some();
        let mut known = self.building.recognized(found, head.schema)?;
        if known.is_none() && !is_named && self.building.unknown_parts.is_some() {
            known = self.defined(&head)?;
        }
        if let Some(number) = known {
            self.pool(&head, number)?;
        } else {
            self.unknown(&head, false)?;
        }
        self.parts.close(&head)?;
        Ok(known)
    }

    /// Defines a component that the world has not registered by the fields that are written with it, and returns its
    /// number. Reads nothing else of it.
    fn defined(&mut self, head: &Head<'b>) -> Result<Option<u32>> {
        let Self { parts, building } = self;
        let start = parts.reader.at();
        if start == head.end {
            return Ok(None);
        }
        let (count, flags) = parts.count_and_flags(IN_FILES)?;
        let mut number = None;
        if flags & FIELDS != 0 {
            parts.members(count, flags, &building.generations[..])?;
            let fields = parts.reader.text()?;
            let budget = &mut parts.reader.budget;
            number = building.define(head.name, head.schema, fields, budget)?;
        }
        parts.reader.go_back(start);
        Ok(number)
    }

    fn resource(&mut self, before: &mut NameBefore<'b>) -> Result<()> {
        let head = self.parts.head(before, true)?;
        let Self { building, parts: PartReader { reader, .. } } = self;
        reader.pay(head.name.len(), 3)?;
        let found = building.world.resources.saved_under(head.name)?.map(|it| (it, it.schema()));
        if let Some(saving) = building.recognized(found, head.schema)? {
            drop(building.world.resources.take_by(&saving)); // the value of an earlier part of this name
            building.world.resources.read(&saving, head.schema.version, reader)?;
        } else {
            self.unknown(&head, true)?;
        }
        self.parts.close(&head)
    }

    /// Reads a component or a resource that the world has not registered.
    fn unknown(&mut self, head: &Head<'_>, is_resource: bool) -> Result<()> {
        let Self { parts, building } = self;
        let start = parts.reader.at();
        parts.reader.pay(2 * (head.end - start), 1)?; // listed and kept
        parts.reader.pay(GROWING, size_of::<Unknown>() + size_of::<UnknownPart>())?;
        let (mut count, mut members) = (0, None);
        if !is_resource && head.end > start {
            let flags;
            (count, flags) = parts.count_and_flags(IN_FILES)?;
            if building.unknown_parts.is_some() {
                members = Some((flags, parts.members(count, flags, &building.generations[..])?));
            }
        }
        let Some(left) = head.end.checked_sub(parts.reader.at()) else {
            return wrong("it is longer than its stated length");
        };
        let rest = parts.reader.bytes(left)?;
        let (name, schema) = (head.name.to_owned(), head.schema);
        if let Some(UnknownParts { components, resources }) = &mut building.unknown_parts
            && (is_resource || members.is_some())
        {
            let kept = if is_resource { resources } else { components };
            kept.push(UnknownPart { name: name.clone(), schema, members, rest: rest.to_vec() });
        }
        let (len, bytes) = ((!is_resource).then_some(count), parts.reader.since(start).to_vec());
        building.loaded.unknown.push(Unknown { name, version: schema.version, len, bytes });
        Ok(())
    }

    /// Fills the pool with this number; or adds the values to an earlier part of its name, whose values they replace
    /// where an entity has both.
    fn pool(&mut self, head: &Head<'_>, number: u32) -> Result<()> {
        let Self { parts, building: Building { world, generations, parts: filled, .. } } = self;
        let pool = world.pools.at_mut(number);
        let mut body = parts.body(IN_FILES, pool, head.schema.version, &generations[..])?;
        let keys = body.keys.take().unwrap_or_else(Keys::new);
        let late = keys.dense().iter().copied().zip(body.late).collect();
        let before = filled.last_mut().filter(|filled| filled.number == number);
        let mut own = before.is_some().then(|| pool.empty());
        let read = own.as_deref_mut().unwrap_or(&mut *pool);
        read.fill(keys, body.values, false)?;
        if body.flags & GENERATIONS != 0 {
            parts.reader.pay(2 * read.len(), size_of::<Entity>())?; // members before, and the dead
            leave_out_the_dead(read, generations, &mut body.lists);
        }
        let (members, end) = (Vec::new(), parts.reader.at());
        let piece = FilledPart { members, lists: body.lists, required: body.required, late };
        let (Some(before), Some(mut own)) = (before, own) else {
            let (name, pieces) = (head.name.to_owned(), Vec::from([piece]));
            filled.push(Filled { number, name, pieces, end });
            return Ok(());
        };
        if let [first] = &mut before.pieces[..] {
            pay_piece(&*pool, 0, &mut parts.reader.budget)?;
            first.members = pool.keys().to_vec();
        }
        pay_piece(&*own, pool.kind().size(), &mut parts.reader.budget)?;
        let members = own.keys().to_vec();
        drop(pool.put_loose(&members, own.set_mut().take_values()));
        parts.reader.pay(GROWING, size_of::<FilledPart>())?;
        before.pieces.push(FilledPart { members, ..piece });
        before.end = end;
        Ok(())
    }
}
