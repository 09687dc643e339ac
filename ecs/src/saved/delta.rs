//! Deltas: the differences between two worlds.
//!
//! ```text
//! header    see `format/header`
//! entities  how many indices there were and are, how many handles were free
//!           the generations that are others; how many free handles stay, and those that follow
//! pools     those that differ, by name, each a part: how many members there were, flags
//!           | if keys differ: how many there are, the keys at other positions, page forms
//!           | the positions of other values, those values
//!           | of a relation: its lists
//! groups    those whose lists differ: names, members
//! resources those that differ, by name, each a part: 1 and the value, or 0 if it is gone
//! ```
//!
//! Keys and values are compared position by position. So a delta has the values that were moved within their pools, but
//! no others that stayed equal.

use crate::component::data::SavingName;
use crate::entity::Entity;
use crate::format::header::{Content, Schema};
use crate::format::writer::{write_number, write_text};
use crate::pool::WorldPool;
use crate::pool::list::ComponentList;
use crate::resource::{LeftOut, Resource};
use crate::saved::error::{ONE_NAME, SaveError};
use crate::saved::resource::SavedResource;
use crate::saved::save::{saved_resources, unsaved_error};
use crate::saved::write::{
    WrittenBody, WrittenPart, listed, write_free, write_groups, write_parts,
};
use crate::world::World;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

/// The differences between two worlds, as bytes: made by [`Delta::between`], and applied by
/// [`World::apply_delta`](crate::World::apply_delta).
///
/// It has the saved parts of both: entities, components with `#[component(save = "name")]`, and resources with
/// `#[resource(save = "name")]`. [`Deltas`] leave out others. It needs no tracking of changes, and is exact: entity ids,
/// the free list and all iteration orders are restored. A relation with any difference is written with all its ends, and
/// a resource with any difference is written whole.
///
/// ```
/// use ecs::{Component, World};
/// use ecs::save::{Delta, Limits};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Clone, Serialize, Deserialize, Debug, PartialEq)]
/// #[component(save = "health", clone)]
/// struct Health(u32);
///
/// let mut server = World::new();
/// let heroes = server.spawn_batch((0..1_000).map(Health));
/// let mut client = server.try_clone().unwrap();
/// let sent = server.try_clone().unwrap(); // what the client has
///
/// server.get_mut::<Health>(heroes[7]).unwrap().0 = 0;
/// server.despawn(heroes[3]).unwrap();
/// let delta = Delta::between(&sent, &server).unwrap();
/// assert!(delta.as_bytes().len() < 100);
///
/// client.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
/// assert_eq!(client.get::<Health>(heroes[7]), Some(&Health(0)));
/// assert!(!client.is_alive(heroes[3]) && client.len() == 999);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta {
    bytes: Vec<u8>,
    is_empty: bool,
}

impl Delta {
    /// Returns the delta from `old` to `new`. O(indices and components), as all of them are compared.
    ///
    /// # Errors
    /// Returns an error if entities of one of the worlds have a component, or one of the worlds has a resource, that is
    /// not saved. One with `save = skip` is left out; [`Deltas`] leave out others. So it does if a value cannot be
    /// written, or two components have one name.
    #[inline]
    pub fn between(old: &World, new: &World) -> Result<Self, SaveError> {
        Deltas::default().between(old, new).map(|(delta, _)| delta)
    }

    /// Returns the bytes, to be kept or sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes, to be kept or sent.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns `true` if both worlds are equal in all that is not left out. To apply it changes nothing then.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::Delta;
    /// let (old, mut new) = (World::new(), World::new());
    /// assert!(Delta::between(&old, &new).unwrap().is_empty());
    /// new.spawn_empty();
    /// assert!(!Delta::between(&old, &new).unwrap().is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// Makes [`Delta`]s, with a choice of components and resources to leave out. A world to which such a delta is applied
/// keeps its own.
///
/// ```
/// use ecs::{Component, Resource, World};
/// use ecs::save::{Delta, Deltas};
///
/// #[derive(Component)]
/// struct Socket; // of the running program
/// #[derive(Resource)]
/// struct Window;
///
/// let (old, mut new) = (World::new(), World::new());
/// new.spawn_named("Bob").insert(Socket);
/// new.insert_resource(Window);
/// assert!(Delta::between(&old, &new).is_err());
/// let deltas = Deltas::default().leave_out::<Socket>().leave_out_resource::<Window>();
/// let (delta, left_out) = deltas.between(&old, &new).unwrap();
/// assert!(!delta.is_empty() && left_out == ["Socket", "Window"]);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is compared until it is asked for"]
pub struct Deltas {
    left_out: LeftOut,
}

impl Deltas {
    /// Leaves these components out, which are not saved.
    ///
    /// See [`Deltas`] for an example.
    pub fn leave_out<L: ComponentList>(mut self) -> Self {
        L::add_numbers(&mut self.left_out.components);
        self
    }

    /// Leaves this resource out.
    ///
    /// See [`Deltas`] for an example.
    pub fn leave_out_resource<T: Resource>(mut self) -> Self {
        self.left_out.add_resource::<T>();
        self
    }

    /// Leaves out all that is not saved: components without `#[component(save = "name")]`, resources without
    /// `#[resource(save = "name")]`, and values that a world [keeps](crate::save::Limits::keep_unknown) without knowing
    /// them.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::save::Deltas;
    /// # #[derive(Component)] struct Socket;
    /// let (old, mut new) = (World::new(), World::new());
    /// new.spawn(Socket);
    /// assert_eq!(Deltas::default().leave_out_rest().between(&old, &new).unwrap().1, ["Socket"]);
    /// ```
    pub const fn leave_out_rest(mut self) -> Self {
        self.left_out.rest = true;
        self
    }

    /// Returns the delta from `old` to `new`, like [`Delta::between`], and the names of components and resources that
    /// one of the worlds has and that are left out, in alphabetical order. A resource that says
    /// `#[resource(save = skip)]` is not named.
    ///
    /// # Errors
    /// Returns the errors of [`Delta::between`], about all that is not left out. So it does if a component is left out
    /// that is saved.
    ///
    /// See [`Deltas`] for an example.
    #[inline]
    pub fn between(
        &self,
        old: &World,
        new: &World,
    ) -> Result<(Delta, Vec<&'static str>), SaveError> {
        let mut left_out = self.left_out_of(old)?;
        left_out.extend(self.left_out_of(new)?);
        let mut bytes = Vec::new();
        Content::Delta.write_header(&mut bytes);
        let mut is_empty = write_entities(old, new, &mut bytes);
        let mut parts = Vec::new();
        for pair in PoolPair::all(old, new)? {
            let part = ChangedPart::between(pair, old, new);
            if part.differs() {
                parts.push(part);
            }
        }
        let parts = parts.iter().map(|part| WrittenPart {
            name: part.pair.name.to_string(),
            schema: part.pair.schema,
            write: Box::new(|bytes| part.write(bytes)),
        });
        let parts: Vec<WrittenPart<'_>> = parts.collect();
        write_parts(&parts, &mut bytes)?;
        is_empty &= parts.is_empty() & write_other_groups(old, new, &mut bytes);
        let (old, more) = saved_resources(old, &self.left_out)?;
        left_out.extend(more);
        let (new, more) = saved_resources(new, &self.left_out)?;
        left_out.extend(more);
        left_out.sort_unstable();
        left_out.dedup();
        is_empty &= write_other_resources(&old, &new, &mut bytes)?;
        Ok((Delta { bytes, is_empty }, left_out))
    }

    /// Returns the names of the components that entities have and that are left out.
    #[inline]
    fn left_out_of(&self, world: &World) -> Result<Vec<&'static str>, SaveError> {
        let (mut names, mut missing) = (Vec::new(), Vec::new());
        for (number, pool) in world.pools.numbered().filter(|(_, pool)| !pool.is_empty()) {
            let (kind, is_named) = (pool.kind(), self.left_out.components.contains(&number));
            match kind.saving() {
                Some((name, _)) if is_named => {
                    let what = "it is saved, and a delta has everything that is saved: leave out unsaved ones only";
                    return Err(SaveError::new(&name, None, what));
                }
                Some(_) => {}
                None if is_named || kind.skips_saves() || self.left_out.rest => {
                    names.push(kind.name());
                }
                None => missing.push(kind.name()),
            }
        }
        missing.sort_unstable();
        if let [first, others @ ..] = &missing[..] {
            return Err(unsaved_error(first, others));
        }
        let kept = world.unknown.iter().flat_map(|kept| &kept.resources).map(|part| &*part.name);
        match world.unknown_names().chain(kept).next().filter(|_| !self.left_out.rest) {
            Some(name) => {
                let what = "the world loaded it as unknown, so a delta does not have it: leave it out by \
                            `Deltas::leave_out_rest`";
                Err(SaveError::new(name, None, what))
            }
            None => Ok(names),
        }
    }
}

/// Writes the differences between the entities. Returns `true` if there are none.
#[inline]
fn write_entities(old: &World, new: &World, bytes: &mut Vec<u8>) -> bool {
    let (old, new) = (&old.entities, &new.entities);
    let before = old.flushed_generations().map(Some).chain(core::iter::repeat(None));
    let both = (0_u64..).zip(new.flushed_generations().zip(before));
    let differ = both.filter(|(_, (now, before))| *before != Some(*now));
    let changed: Vec<(u64, u32)> = differ.map(|(index, (now, _))| (index, now)).collect();
    let (free_before, free) = (old.flushed_free(), new.flushed_free());
    let kept = free_before.iter().zip(&free).take_while(|(a, b)| a == b).count();
    for count in [old.flushed_count(), new.flushed_count(), free_before.len(), changed.len()] {
        write_number(count as u64, bytes);
    }
    let mut next = 0;
    for (index, generation) in &changed {
        write_number(index - next, bytes);
        write_number((*generation).into(), bytes);
        next = index + 1;
    }
    write_number(kept as u64, bytes);
    write_free(&free[kept..], bytes);
    old.flushed_count() == new.flushed_count()
        && changed.is_empty()
        && kept == free.len()
        && kept == free_before.len()
}

/// A pool that is saved, in both worlds; an empty one where there is none.
struct PoolPair<'w> {
    name: SavingName,
    schema: Schema,
    number: u32,
    old: Side<'w>,
    new: Side<'w>,
}

/// A pool of a world, or an empty one in its place.
enum Side<'w> {
    There(&'w dyn WorldPool),
    Empty(Box<dyn WorldPool>),
}

impl Side<'_> {
    fn get(&self) -> &dyn WorldPool {
        match self {
            Self::There(pool) => *pool,
            Self::Empty(pool) => &**pool,
        }
    }
}

impl<'w> PoolPair<'w> {
    /// Returns the saved pools of both worlds, in the order of their names.
    #[inline]
    fn all(old: &'w World, new: &'w World) -> Result<Vec<Self>, SaveError> {
        let mut found = BTreeMap::new();
        for (number, pool) in old.pools.numbered() {
            found.insert(number, (Some(pool), None));
        }
        for (number, pool) in new.pools.numbered() {
            found.entry(number).or_insert((None, None)).1 = Some(pool);
        }
        let side = |own: Option<&'w dyn WorldPool>, other: &'w dyn WorldPool| {
            own.map_or_else(|| Side::Empty(other.empty()), Side::There)
        };
        let pair = |(number, (old, new)): (u32, (_, Option<&'w dyn WorldPool>))| {
            let any: &'w dyn WorldPool = new.or(old)?;
            let (name, schema) = any.kind().saving()?;
            Some(Self { name, schema, number, old: side(old, any), new: side(new, any) })
        };
        let mut all: Vec<Self> = found.into_iter().filter_map(pair).collect();
        all.sort_by_key(|pair| pair.name);
        SaveError::refuse_twice(&all, |pair| pair.name, ONE_NAME)?;
        Ok(all)
    }
}

/// The differences between the pools of a pair.
struct ChangedPart<'w> {
    pair: PoolPair<'w>,
    /// `true` if members or pages differ.
    has_keys: bool,
    /// The positions of values that differ.
    positions: Vec<usize>,
    /// The lists of a relation, as positions, if anything of the relation differs.
    lists: Option<Vec<Vec<usize>>>,
}

impl<'w> ChangedPart<'w> {
    #[inline]
    fn between(pair: PoolPair<'w>, old_world: &World, new_world: &World) -> Self {
        let (old, new) = (pair.old.get(), pair.new.get());
        let forms_of = |pool: &dyn WorldPool| {
            let mut forms = Vec::new();
            pool.raw_keys().write_forms(&mut forms);
            forms
        };
        let differ = old.keys() != new.keys() || forms_of(old) != forms_of(new);
        let mut positions = new.as_saved().changed_since(old);
        positions.extend(old.len()..new.len());
        let lists_of = |world: &World| -> Vec<Vec<Entity>> {
            let Some(relation) = world.pools.relations.get(pair.number) else { return Vec::new() };
            relation.targets().iter().map(|target| relation.sources(*target).collect()).collect()
        };
        let lists = new
            .relation()
            .map(|_| lists_of(new_world))
            .filter(|lists| differ || !positions.is_empty() || lists_of(old_world) != *lists);
        let keys = new.raw_keys();
        let lists = lists.map(|lists| {
            let places =
                |list: Vec<Entity>| list.into_iter().filter_map(|it| keys.find(it)).collect();
            lists.into_iter().map(places).collect()
        });
        Self { has_keys: differ, positions, lists, pair }
    }

    fn differs(&self) -> bool {
        self.has_keys || !self.positions.is_empty() || self.lists.is_some()
    }

    #[inline]
    fn write(&self, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
        let (old, new) = (self.pair.old.get(), self.pair.new.get());
        let (before, now) = (old.keys(), new.keys());
        let is_other = |at: &usize| before.get(*at) != Some(&now[*at]);
        let others: Vec<usize> =
            (0..new.len()).filter(|at| self.has_keys && is_other(at)).collect();
        WrittenBody {
            name: self.pair.name,
            pool: new,
            before: Some(old.len()),
            count: new.len(),
            members: Some(&others),
            values: Some(&self.positions),
            fields: None,
            has_pages: self.has_keys,
            lists: self.lists.as_deref(),
        }
        .write(bytes)
    }
}

/// Writes the resources that differ, by name. Returns `true` if there are none.
#[inline]
fn write_other_resources(
    old: &[SavedResource<'_>],
    new: &[SavedResource<'_>],
    bytes: &mut Vec<u8>,
) -> Result<bool, SaveError> {
    let mut all = BTreeMap::new();
    for (at, resource) in old.iter().map(|it| (0, it)).chain(new.iter().map(|it| (1, it))) {
        let (saving, mut value) = (resource.saving, Vec::from([1]));
        let written = resource.write(&mut value);
        written.map_err(|error| SaveError::new(&saving.name, None, &error))?;
        let (_, values) = all.entry(saving.name).or_insert((saving.schema(), [None, None]));
        values[at] = Some(value);
    }
    let others = all.into_iter().filter(|(_, (_, [old, new]))| old != new);
    let parts = others.map(|(name, (schema, [_, new]))| {
        let content = new.unwrap_or_else(|| Vec::from([0]));
        let write = move |bytes: &mut Vec<u8>| {
            bytes.extend_from_slice(&content);
            Ok(())
        };
        WrittenPart { name: name.to_string(), schema, write: Box::new(write) }
    });
    let parts: Vec<WrittenPart<'_>> = parts.collect();
    write_parts(&parts, bytes)?;
    Ok(parts.is_empty())
}

/// Writes the lists of groups that differ. Returns `true` if there are none.
#[inline]
fn write_other_groups<'w>(old: &'w World, new: &'w World, bytes: &mut Vec<u8>) -> bool {
    let lists_of =
        |world: &'w World| listed(&world.groups, |it| Some(world.pools.at(it).kind().saving()?.0));
    let before = lists_of(old);
    let mut lists = lists_of(new);
    lists.retain(|list| !before.contains(list));
    write_groups(&lists, bytes, |name, bytes| write_text(&name.to_string(), bytes));
    lists.is_empty()
}
