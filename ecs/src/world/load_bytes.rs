//! Reading a saved world from bytes that anybody may have made.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::header::{Content, Schema, check_name};
use crate::format::reader::{ReadError, Reader, wrong};
use crate::group::groups::ListedGroup;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::PAGE_SHIFT;
use crate::storage::values::prefetch;
use crate::world::World;
use crate::world::build::{Building, Filled, entity_size};
use crate::world::load::{Limits, LoadError, Loaded, Unknown};
use crate::world::restore::{add_key, leave_out_the_dead, pay_relation, read_groups};
use crate::world::save::{HAS_DEAD, HAS_LISTS, IS_BYTES, IS_EXACT, REQUIRES};
use crate::world::unknown::{UnknownComponent, UnknownParts, UnknownResource};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// Reads a world like this one.
pub(super) fn read(
    world: &World,
    bytes: &[u8],
    limits: &Limits,
) -> Result<(World, Loaded), LoadError> {
    let (reader, building) = (Reader::new(bytes, limits.memory), Building::new(world, limits));
    let mut loading = Loading { reader, format: 0, building, component: None, entity: None };
    let read = loading.read();
    let Loading { mut reader, building, component, entity, .. } = loading;
    match read {
        Ok((groups, end)) => building.finish(&groups, end, &mut reader.budget),
        Err(error) => {
            Err(LoadError { component, entity, at: reader.at(), what: error.into_text() })
        }
    }
}

/// The reading of a world, and where it is.
struct Loading<'b> {
    reader: Reader<'b>,
    /// The version of the format.
    format: u8,
    building: Building,
    component: Option<String>,
    entity: Option<Entity>,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// The name of what was read last.
type Before<'b> = Option<&'b str>;

impl<'b> Loading<'b> {
    /// Reads all, and returns the groups that keep lists, and where the components end.
    fn read(&mut self) -> Result<(Vec<ListedGroup>, usize)> {
        self.format = self.reader.header(Content::World)?;
        self.entities()?;
        let (mut numbers, mut before) = (Vec::new(), None); // in the file, of components that are known
        for _ in 0..self.reader.count()? {
            self.reader.pay(GROWING, size_of::<Filled>() + size_of::<Option<u32>>())?;
            numbers.push(self.part(&mut before)?);
        }
        let end = self.reader.at();
        before = None;
        for _ in 0..self.reader.count()? {
            self.resource(&mut before)?;
        }
        let Self { reader, building, .. } = self;
        let (count, declared) = (reader.count()?, &building.world.groups);
        let at = |index| building.entity_at(index);
        let groups = read_groups(reader, count, at, declared, |reader| {
            let place = usize::try_from(reader.number()?).ok();
            match place.and_then(|place| numbers.get(place)) {
                Some(number) => Ok(*number),
                None => wrong("a group is of no component"),
            }
        })?;
        if reader.left() > 0 {
            return wrong("there are bytes behind the end");
        }
        Ok((groups, end))
    }

    /// Reads the generations, and the handles that are free, as the file says.
    fn entities(&mut self) -> Result<()> {
        let count = self.reader.count()?;
        self.reader.pay(count, entity_size(&self.building.world.pools))?;
        let generations = &mut self.building.generations;
        generations.reserve(count);
        self.reader.locally(|reader| {
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
        let count = generations.len() as u64;
        self.building.free = self.reader.list(|reader| {
            let (index, generation) = (reader.number()?, reader.number()?);
            let is_index = index < count && u32::try_from(generation).is_ok();
            match Entity::from_bits(generation << 32 | index).filter(|_| is_index) {
                Some(entity) => Ok(entity),
                None => wrong("a free handle is none"),
            }
        })?;
        Ok(())
    }

    /// Reads a component, and returns its number if it is known.
    fn part(&mut self, before: &mut Before<'b>) -> Result<Option<u32>> {
        self.named(before, |loading, name, schema, len| {
            let world = &loading.building.world;
            let number = world.saved_under(name)?;
            let own = number.and_then(|number| Some(world.pools.at(number).kind().saving()?.1));
            if loading.building.recognizes(schema, own)?
                && let Some(number) = number
            {
                let filled = loading.pool(name, number, schema.version)?;
                loading.building.parts.push(filled);
                return Ok(Some(number));
            }
            let unknown = loading.unknown(name, schema, len)?;
            loading.building.loaded.unknown.push(unknown);
            Ok(None)
        })
    }

    fn resource(&mut self, before: &mut Before<'b>) -> Result<()> {
        self.named(before, |loading, name, schema, len| {
            let Self { building, reader, .. } = loading;
            let saving = building.world.resources.saved_under(name)?;
            if building.recognizes(schema, saving.map(|it| it.schema()))?
                && let Some(saving) = saving
            {
                return building.world.resources.read(&saving, schema.version, reader);
            }
            reader.pay(2 * len, 1)?;
            pay_unknown(reader)?;
            let bytes = reader.bytes(len)?.to_vec();
            let (name, version) = (name.to_owned(), schema.version);
            if let Some(UnknownParts { resources, .. }) = &mut building.unknown_parts {
                resources.push(UnknownResource {
                    name: name.clone(),
                    schema,
                    bytes: bytes.clone(),
                });
            }
            building.loaded.unknown.push(Unknown { name, version, len: None, bytes });
            Ok(())
        })
    }

    /// Reads a part, whose name comes behind the one before: `read` is given the name, the schema and the length.
    fn named<R>(
        &mut self,
        before: &mut Before<'b>,
        read: impl FnOnce(&mut Self, &str, Schema, usize) -> Result<R>,
    ) -> Result<R> {
        let name = self.reader.text()?;
        self.reader.pay(name.len(), 4)?; // here, of what is read, is told, and is kept
        self.component = Some(name.to_owned());
        check_name(before.replace(name), name)?;
        let schema = self.reader.schema(self.format)?;
        let len = self.reader.block()?;
        let end = self.reader.at() + len;
        let read = read(self, name, schema, len)?;
        if self.reader.at() != end {
            return wrong("it is shorter or longer than it is said to be");
        }
        self.component = None;
        Ok(read)
    }

    /// A component that the world does not know, of so many bytes.
    fn unknown(&mut self, name: &str, schema: Schema, len: usize) -> Result<Unknown> {
        self.reader.pay(2 * len, 1)?;
        pay_unknown(&mut self.reader)?;
        let (start, end) = (self.reader.at(), self.reader.at() + len);
        let to_end = |reader: &mut Reader| match end.checked_sub(reader.at()) {
            Some(left) => reader.bytes(left).map(<[u8]>::to_vec),
            None => wrong("it is longer than it is said to be"),
        };
        let count = if len == 0 {
            0
        } else if self.building.unknown_parts.is_some() {
            let (flags, members) = self.members()?;
            let (count, rest) = (members.len(), to_end(&mut self.reader)?);
            let name = name.to_owned();
            if let Some(UnknownParts { components, .. }) = &mut self.building.unknown_parts {
                components.push(UnknownComponent { name, schema, flags, members, rest });
            }
            count
        } else {
            let count = self.reader.count()?;
            to_end(&mut self.reader)?;
            count
        };
        let bytes = self.reader.since(start).to_vec();
        let (name, version) = (name.to_owned(), schema.version);
        Ok(Unknown { name, version, len: Some(count), bytes })
    }

    /// Fills the pool with this number.
    fn pool(&mut self, name: &str, number: u32, version: u32) -> Result<Filled> {
        let (flags, members) = self.members()?;
        let required = if flags & REQUIRES == 0 { Vec::new() } else { self.names()? };
        let keys = if flags & IS_EXACT == 0 {
            self.in_any_form(&members)?
        } else {
            let most_pages = (self.building.generations.len() >> PAGE_SHIFT) + 1;
            Keys::read(members, most_pages, &mut self.reader)?
        };
        let mut lists = if flags & HAS_LISTS == 0 { Vec::new() } else { self.lists(&keys)? };
        let Self { building: Building { world, generations, .. }, reader, .. } = self;
        let (pool, as_bytes) = (world.pools.at_mut(number), flags & IS_BYTES != 0);
        let mut late = Vec::new();
        let read = pool.read(version, as_bytes, keys, reader, &mut late);
        read.map_err(|(entity, error)| {
            self.entity = entity;
            error
        })?;
        let late = pool.keys().iter().copied().zip(late).collect();
        if flags & HAS_DEAD != 0 {
            leave_out_the_dead(pool, generations, &mut lists);
        }
        if !lists.is_empty() {
            pay_relation(pool.len(), lists.len(), generations.len(), &mut reader.budget)?;
        }
        Ok(Filled { number, name: name.to_owned(), lists, required, late, end: reader.at() })
    }

    fn names(&mut self) -> Result<Vec<String>> {
        let names = self.reader.list(Reader::text)?;
        self.reader.pay(names.len(), size_of::<String>())?;
        self.reader.pay(names.iter().map(|name| name.len()).sum(), 1)?;
        Ok(names.into_iter().map(ToOwned::to_owned).collect())
    }

    /// How a pool is written, and its members in order: they are alive, unless it is said that some are dead.
    fn members(&mut self) -> Result<(u8, Vec<Entity>)> {
        let count = self.reader.count()?;
        let flags = self.reader.byte()?;
        if flags > IS_EXACT | HAS_LISTS | IS_BYTES | HAS_DEAD | REQUIRES {
            return wrong("it is written in a way that is not known");
        }
        if count > self.building.generations.len() {
            return wrong("more have it than there are entities");
        }
        self.reader.pay(count, size_of::<Entity>())?;
        if flags & HAS_DEAD == 0 {
            return Ok((flags, self.keys(count)?));
        }
        self.reader.pay(count, size_of::<u64>())?;
        let (mut indices, mut next) = (Vec::with_capacity(count), 0);
        while indices.len() < count {
            let mut piece = [(0, 0)];
            pieces_of(&mut self.reader, &mut piece, &mut next, count - indices.len())?;
            let [(first, len)] = piece;
            indices.extend((first as u64..).take(len));
        }
        let mut members = Vec::with_capacity(count);
        for index in indices {
            let generation = self.reader.number()?;
            let is_index = index < self.building.generations.len() as u64;
            let is_right = is_index && u32::try_from(generation).is_ok();
            match Entity::from_bits(generation << 32 | index).filter(|_| is_right) {
                Some(entity) => members.push(entity),
                None => return wrong("a member was never an entity"),
            }
        }
        Ok((flags, members))
    }

    /// The members of a pool, in order.
    fn keys(&mut self, count: usize) -> Result<Vec<Entity>> {
        let Self { reader, building: Building { generations, .. }, .. } = self;
        let mut keys = Vec::with_capacity(count);
        let mut next = 0;
        while keys.len() < count {
            let mut pieces = [(0, 0); 64];
            let missing = count - keys.len();
            let used = reader.locally(|it| pieces_of(it, &mut pieces, &mut next, missing))?;
            let pieces = &pieces[..used];
            // What is waited for in memory is waited for at the same time.
            for &(first, _) in pieces {
                prefetch(generations.as_ptr().wrapping_add(first));
            }
            for &(first, len) in pieces {
                let all = generations.get(first..).and_then(|rest| rest.get(..len));
                let (Some(all), Ok(first)) = (all, u32::try_from(first)) else {
                    return wrong("an index is nobody's");
                };
                if let [generation @ (1..)] = *all {
                    keys.push(Entity::joined(first, generation));
                    continue;
                }
                // All are looked at, and then made keys: without a branch, so by whole registers.
                if all.iter().fold(0, |dead, generation| dead | u8::from(*generation == 0)) != 0 {
                    return wrong("an index is nobody's");
                }
                let key = |(generation, index): (&u32, u32)| Entity::joined(index, *generation);
                keys.extend(all.iter().zip(first..).map(key));
            }
        }
        Ok(keys)
    }

    /// The keys of these members, of which nothing more is known.
    fn in_any_form(&mut self, members: &[Entity]) -> Result<Keys<Entity>> {
        let mut keys = Keys::new();
        self.reader.pay(members.len(), size_of::<Entity>())?;
        keys.reserve(members.len());
        for entity in members {
            add_key(&mut keys, *entity, &mut self.reader.budget)?;
        }
        Ok(keys)
    }

    /// Those that point to one entity each, by their positions.
    fn lists(&mut self, keys: &Keys<Entity>) -> Result<Vec<Vec<Entity>>> {
        self.reader.list(|reader| {
            reader.list(|reader| {
                let at = usize::try_from(reader.number()?).ok();
                match at.and_then(|at| keys.dense().get(at)) {
                    Some(entity) => Ok(*entity),
                    None => wrong("an entity is listed that has no such relation"),
                }
            })
        })
    }
}

/// Pays for what is listed and kept of a component or resource that the world does not know, without its bytes.
fn pay_unknown(reader: &mut Reader) -> Result<()> {
    let kept = size_of::<UnknownComponent>().max(size_of::<UnknownResource>());
    reader.pay(GROWING, size_of::<Unknown>() + kept)
}

/// Reads as many pieces as there is room for, of neighbours each, of so many indices at most; `next` is the one behind
/// the last. How many pieces there are.
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
        let Ok(first) = usize::try_from(*next) else { return wrong("an index is nobody's") };
        *piece = (first, len);
        *next = next.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
        missing -= len;
    }
    Ok(pieces.len())
}
