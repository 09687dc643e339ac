//! Change sets: the changes of tracked and saved components since the last set, entity by entity, to be sent.
//!
//! ```text
//! header    see `format/header`
//! number    of the set, one more than of the set before; a set without changes repeats the number
//! flags     which of the following there are
//! ended     entities that had one of the components, or are named by values, and are dead
//! parts     of components: see `saved`
//! named     entities that values name, that are alive, and of which no component is sent
//! emptied   entities of which no component is sent any more
//! resources number, and if it is new, name, version, fingerprint | 1 and its value, or 0
//! ```
//!
//! Components and resources are numbered in the order in which sets name them. A *full* set has everything that is
//! sent, and numbers them from the beginning; entities and components that it does not mention are gone.
//!
//! A place is a position among the sources that changed, and the source before it: a generation, and an index if that
//! is not zero. Places stand target by target, in the order of the sources. Sources without a place come last, in
//! order.
//!
//! Entities are written as the handles of the world where the set was made. So the world that applies a set may have
//! entities of its own, and pools in any order.

use crate::component::data::SavingName;
use crate::component::handles;
use crate::entity::Entity;
use crate::format::header::{Content, Schema, write_part};
use crate::format::writer::write_number;
use crate::pool::WorldPool;
use crate::pool::list::ComponentList;
use crate::pool::pools::Pools;
use crate::pool::track::{EntitySet, TrackReader, Unread};
use crate::resource::Resource;
use crate::saved::error::{ONE_NAME, SaveError};
use crate::saved::newest::NewestValues;
use crate::saved::resource::ResourceSaving;
use crate::saved::write::{write_generations, write_handles, write_members, write_values};
use crate::saved::{GENERATIONS, LOST, PLACES};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

/// The flags of a set.
pub(super) const FULL: u8 = 1;
pub(super) const ENDED: u8 = 1 << 1;
pub(super) const PARTS: u8 = 1 << 2;
pub(super) const NAMED: u8 = 1 << 3;
pub(super) const EMPTIED: u8 = 1 << 4;
pub(super) const RESOURCES: u8 = 1 << 5;
pub(super) const WHOLE: u8 = 1 << 6;
/// Values come apart, so the follower notes which entities the set is about.
pub(super) const APART: u8 = 1 << 7;

/// The changes of the components of a world that are tracked and saved, as bytes: from [`ChangeSets::drain`], for
/// [`World::apply_change_set`].
///
/// A [`Delta`](crate::save::Delta) compares two worlds position by position, and is exact. A set costs O(changes)
/// instead of O(world), and has only components with both `#[component(track)]` and `save`. The world that applies it
/// may have entities and components of its own, in any order.
///
/// Sets have numbers, and are applied one after the other: a [`Follower`](crate::save::Follower) recognizes sets that
/// come late, twice or in another order, and sets that are missing. A [full](Self::is_full) set may follow on any
/// other.
///
/// ```
/// use ecs::{Component, World};
/// use ecs::save::{Follower, Limits, Received};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
/// #[component(track, save = "health")]
/// struct Health(u32);
///
/// let (mut server, mut client) = (World::new(), World::new());
/// client.register::<Health>();
/// client.spawn_empty(); // of its own
/// let mut sent = server.change_sets();
/// let mut follower = Follower::default(); // the client's entity for each one of the server
///
/// let hero = server.spawn(Health(3)).id();
/// let set = sent.drain(&mut server).unwrap();
/// assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap(), Received::Applied);
/// assert_eq!(client.get::<Health>(follower.get(hero).unwrap()), Some(&Health(3)));
///
/// server.despawn(hero).unwrap();
/// let set = sent.drain(&mut server).unwrap();
/// assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap(), Received::Applied);
/// assert_eq!((client.len(), follower.known().len()), (1, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    bytes: Vec<u8>,
    number: u64,
    flags: u8,
}

impl ChangeSet {
    /// Returns the bytes, to be sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes, to be sent.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the number of the set: 1 for the first one of its reader, and one more for each set that is not empty.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns `true` if the set has everything that is sent. The world that applies it then loses all that the set
    /// does not mention: see [`ChangeSets::restart`].
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.flags & FULL != 0
    }

    /// Returns `true` if the set has no changes. It need not be sent; if it is, it repeats the number of the last set.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let mut sent = world.change_sets();
    /// assert!(sent.drain(&mut world).unwrap().is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.flags == 0
    }
}

/// A reader of all changes that are tracked and saved, for [change sets](ChangeSet): from [`World::change_sets`]. Each
/// reader has its own place, so there may be one for each client. A dropped reader costs nothing.
///
/// The first set of a new one, `ChangeSets::default()`, is [full](ChangeSet::is_full).
///
/// ```
/// # use ecs::{ChildOf, World};
/// # use ecs::save::ChangeSets;
/// # let mut world = World::new();
/// let parent = world.spawn_empty().id();
/// world.spawn(ChildOf(parent));
/// let mut late = ChangeSets::default();
/// assert!(late.drain(&mut world).unwrap().is_full());
/// assert!(late.drain(&mut world).unwrap().is_empty());
/// ```
pub struct ChangeSets {
    reader: TrackReader,
    /// The numbers of the components that are sent; `None` for all that are tracked and saved.
    only: Option<Vec<u32>>,
    /// The resources that are sent, and the versions that were sent last.
    resources: Vec<(ResourceSaving, Option<u64>)>,
    /// The world that was read last, or 0.
    pub(super) world: u64,
    /// The number of the last set that was not empty.
    pub(super) number: u64,
    /// `true` if the next set is full.
    pub(super) is_full: bool,
    /// The components and resources whose names were sent, with the schemas that were sent.
    names: Vec<(Numbered, Schema)>,
    /// Living entities without a sent component that may have been sent, in order. No mark records their end.
    bare: Vec<Entity>,
    /// The entities whose components were sent, if not all are visible.
    pub(super) shown: Option<SparseSet<(), Entity>>,
    /// The living entities that sent values named, in order, if the last set was of [chosen](Self::drain_among)
    /// entities.
    named: Option<Vec<Entity>>,
    /// The values that are sent apart from sets.
    pub(super) newest: Option<NewestValues>,
}

/// A component, by its number, or a resource, by its place among the sent ones.
#[derive(Clone, Copy, PartialEq)]
enum Numbered {
    Component(u32),
    Resource(usize),
}

/// The entities that a set is about.
enum SetScope<'a> {
    All,
    /// The entities for which this function returns `true`.
    Visible(&'a mut dyn FnMut(&World, Entity) -> bool),
    /// These entities, which are alive and in order.
    Among(&'a [Entity]),
}

impl Default for ChangeSets {
    fn default() -> Self {
        Self {
            reader: TrackReader::default(),
            only: None,
            resources: Vec::new(),
            world: 0,
            number: 0,
            is_full: true,
            names: Vec::new(),
            bare: Vec::new(),
            shown: None,
            named: None,
            newest: None,
        }
    }
}

impl ChangeSets {
    /// Sends only these components, if they are tracked and saved.
    ///
    /// ```
    /// # use ecs::{ChildOf, Name, World};
    /// let mut world = World::new();
    /// let mut hierarchy = world.change_sets().only::<ChildOf>();
    /// let mut both = world.change_sets().only::<(ChildOf, Name)>();
    /// world.spawn_named("Bob");
    /// assert!(hierarchy.drain(&mut world).unwrap().is_empty());
    /// assert!(!both.drain(&mut world).unwrap().is_empty());
    /// ```
    #[must_use]
    pub fn only<L: ComponentList>(mut self) -> Self {
        L::add_numbers(self.only.get_or_insert_default());
        self
    }

    /// Sends the resource `T`, too: its value each time when it was inserted or lent to be changed, and its removal. A
    /// resource that [`World::resource_scope`] lends is sent when it is back. Handles in it become handles of the
    /// receiving world, like in components; it does not compile if nothing replaces them.
    ///
    /// ```
    /// # use ecs::{Res, Resource, World};
    /// # use ecs::save::{Follower, Limits, Received};
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Resource, Serialize, Deserialize)]
    /// #[resource(save = "round")]
    /// struct Round(u32);
    ///
    /// let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// client.register::<Res<Round>>();
    /// let mut sent = server.change_sets().resource::<Round>();
    /// server.insert_resource(Round(7));
    /// let set = sent.drain(&mut server).unwrap();
    /// assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap(), Received::Applied);
    /// assert_eq!(client.resource::<Round>().0, 7);
    /// ```
    #[must_use]
    pub fn resource<T: Resource>(mut self) -> Self {
        const {
            assert!(
                T::SAVING.is_some(),
                "a resource that is sent is saved: add `#[resource(save = \"name\")]` to it"
            );
            handles::check_all(T::HANDLE_FIELDS, T::NAME, "`#[resource(entities = ignore)]`");
        }
        self.resources.extend(T::SAVING.map(|saving| (saving, None)));
        self
    }

    /// Makes the next set a [full](ChangeSet::is_full) one: for a client that missed a set, or whose world is wrong for
    /// another reason. Everything is sent again, and the client loses everything else that came by sets. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// # use ecs::save::{Follower, Limits, Received};
    /// # let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// # client.register::<ChildOf>();
    /// let mut sent = server.change_sets();
    /// let parent = server.spawn_empty().id();
    /// let child = server.spawn(ChildOf(parent)).id();
    /// let _lost = sent.drain(&mut server).unwrap();
    /// server.spawn(ChildOf(child));
    /// let second = sent.drain(&mut server).unwrap();
    /// let applied = client.apply_change_set(second.as_bytes(), &mut follower, &Limits::default());
    /// assert_eq!((applied.unwrap(), client.len()), (Received::Missing, 0));
    ///
    /// sent.restart();
    /// let third = sent.drain(&mut server).unwrap();
    /// let applied = client.apply_change_set(third.as_bytes(), &mut follower, &Limits::default());
    /// assert_eq!((applied.unwrap(), client.len()), (Received::Applied, 3));
    /// ```
    pub const fn restart(&mut self) {
        self.is_full = true;
    }

    /// Returns the changes since the last call, or since the reader began. O(pages of the components, and changes).
    ///
    /// An entity is sent with its first sent component, or with a value that names it by a relation or a field that is
    /// marked by `#[component(entities)]`. It stays until it ends. A value that was lent to be written counts as
    /// changed, like in [`Changes`](crate::Changes). A relation is sent, too, if its source was moved among the
    /// sources of its target. In another world than before, a reader begins anew, with a full set.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written, or two components have one name. The next set is full then, so
    /// nothing is lost.
    ///
    /// See [`ChangeSet`] for an example.
    #[inline]
    pub fn drain(&mut self, world: &mut World) -> Result<ChangeSet, SaveError> {
        self.drain_by(world, SetScope::All)
    }

    /// Returns the changes, like [`drain`](Self::drain), of only those entities for which `is_visible` returns `true`.
    ///
    /// It is called for each entity that has a sent component, each time. An entity that becomes visible is sent with
    /// all its components.
    ///
    /// The client's entity for one that is no longer visible loses all its components, also the client's own. It stays,
    /// empty, until the server's entity ends, so handles of it stay valid. For the same reason an entity that is not
    /// visible but named by a visible one is an empty entity on the client. Its components are never sent. O(entities
    /// that have any of the components).
    ///
    /// A change between this and [`drain`](Self::drain) gives a full set.
    ///
    /// # Errors
    /// Returns the errors of [`drain`](Self::drain).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::save::ChangeSets;
    /// # use ecs::save::{Follower, Limits, Received};
    /// # let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// # client.register::<Name>();
    /// let [spy, scout] = ["spy", "scout"].map(|name| server.spawn_named(name).id());
    /// let mut sent = ChangeSets::default();
    /// let set = sent.drain_visible(&mut server, |_, entity| entity != spy).unwrap();
    /// assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap(), Received::Applied);
    /// assert!(follower.get(spy).is_none() && client.name(follower.get(scout).unwrap()) == Some("scout"));
    /// ```
    pub fn drain_visible(
        &mut self,
        world: &mut World,
        mut is_visible: impl FnMut(&World, Entity) -> bool,
    ) -> Result<ChangeSet, SaveError> {
        self.drain_by(world, SetScope::Visible(&mut is_visible))
    }

    /// Returns the changes of these entities since the last call, like [`drain`](Self::drain). An entity that was not
    /// in the last list is sent with all its components. The client's entity for one that left the list is despawned.
    /// O(pages of the components, removals and `entities`).
    ///
    /// Unlike [`drain_visible`](Self::drain_visible), it does not look at entities outside of the list. It keeps an
    /// empty entity on the client only if a sent value named it, by a relation or a field that is marked by
    /// `#[component(entities)]`.
    ///
    /// A change between this and the other two gives a full set.
    ///
    /// # Errors
    /// Returns the errors of [`drain`](Self::drain).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::save::{ChangeSets, Follower, Limits, Received};
    /// # let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// # client.register::<Name>();
    /// let all = ["Ann", "Bob", "Cy", "Di"].map(|name| server.spawn_named(name).id());
    /// let mut sent = ChangeSets::default();
    /// for near in [&all[..2], &all[1..]] {
    ///     let set = sent.drain_among(&mut server, near).unwrap();
    ///     assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap(), Received::Applied);
    ///     assert_eq!(client.len(), near.len());
    ///     assert!(near.iter().all(|it| client.name(follower.get(*it).unwrap()) == server.name(*it)));
    /// }
    /// ```
    #[inline]
    pub fn drain_among(
        &mut self,
        world: &mut World,
        entities: &[Entity],
    ) -> Result<ChangeSet, SaveError> {
        world.entities.flush();
        let alive = entities.iter().copied().filter(|entity| world.entities.is_alive(*entity));
        let mut alive: Vec<Entity> = alive.collect();
        in_order(&mut alive);
        self.drain_by(world, SetScope::Among(&alive))
    }

    #[inline]
    fn drain_by(&mut self, world: &mut World, scope: SetScope<'_>) -> Result<ChangeSet, SaveError> {
        world.entities.flush();
        let among = if let SetScope::Among(list) = &scope { Some(*list) } else { None };
        let is_other_scope = self.shown.is_some() == matches!(scope, SetScope::All)
            || self.named.is_some() != among.is_some();
        if self.is_full || self.world != world.calls.world() || is_other_scope {
            self.begin_anew();
        }
        let is_full = self.is_full;
        self.is_full = true; // unless all goes well
        self.world = world.calls.world();
        let numbers = world.sent_by(self);
        let mut drained = Drained::default();
        for &number in &numbers {
            let newest = self.newest.as_mut().filter(|_| !is_full);
            drained.add(number, is_full, among, (&mut self.reader, newest), world);
        }
        let before = self.shown.take().unwrap_or_default();
        let sight = Sight::new(world, &numbers, scope);
        if let Some(sight) = &sight {
            drained.restrict(sight, &before, &self.bare, &world.pools);
        }
        drained
            .sent_components
            .retain(|part| is_full || !part.lost.is_empty() || !part.changed.is_empty());
        let is_hidden = |entity| sight.as_ref().is_some_and(|it| it.is_hidden(entity));
        let Drained { sent_components, named, .. } = &mut drained;
        let parts = self.write_parts(sent_components, &world.pools, &is_hidden, named)?;
        let (count, resources) = self.write_resources(world, is_full, named)?;
        let is_bare = |entity: &Entity| {
            is_hidden(*entity) || !numbers.iter().any(|it| world.pools.has(*it, *entity))
        };
        self.note_bare(&mut drained, world, among, &is_bare);
        self.shown = sight.map(|sight| sight.visible);
        self.is_full = false;

        let Drained { sent_components, ended, named, emptied, newer } = drained;
        let mut sections = Sections::default();
        sections.add_handles(ENDED, &ended);
        sections.add(PARTS, sent_components.len(), &parts);
        sections.add_handles(NAMED, &named);
        sections.add_handles(EMPTIED, &emptied);
        sections.add(RESOURCES, count, &resources);
        if self.newest.is_some() && (is_full || sections.flags != 0) {
            sections.flags |= APART;
        }
        let set = sections.into_set(self.number, is_full);
        self.number = set.number;
        if let Some(newest) = &mut self.newest {
            newest.note_set(&set, &sent_components, newer);
        }
        Ok(set)
    }

    /// Adds the entities without a sent component, for which `is_bare` returns `true`, and moves ending entities to
    /// the ended ones.
    #[inline]
    fn note_bare(
        &mut self,
        drained: &mut Drained,
        world: &World,
        among: Option<&[Entity]>,
        is_bare: &dyn Fn(&Entity) -> bool,
    ) {
        let Drained { sent_components, ended, named, emptied, .. } = drained;
        let mut bare = core::mem::take(&mut self.bare);
        bare.extend(sent_components.iter().flat_map(|part| &part.lost));
        named.retain(|entity| world.entities.is_alive(*entity));
        if let Some(list) = among {
            let mut all_named = self.named.take().unwrap_or_default();
            all_named.extend(&*named);
            in_order(&mut all_named);
            all_named.retain(|entity| world.entities.is_alive(*entity));
            for left in [&mut *emptied, &mut bare] {
                let ends = |it: &mut Entity| !has(list, *it) && !has(&all_named, *it);
                ended.extend(left.extract_if(.., ends));
            }
            self.named = Some(all_named);
        }
        named.retain(is_bare);
        bare.extend(emptied.iter().chain(&*named));
        bare.retain(is_bare);
        ended.extend(bare.extract_if(.., |entity| !world.entities.is_alive(*entity)));
        for entities in [ended, named, &mut bare] {
            in_order(entities);
        }
        self.bare = bare;
    }

    /// Returns the changes as bytes, in the order of their names; adds the entities that values name.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written, or two components have one name.
    #[inline]
    pub(super) fn write_parts(
        &mut self,
        sent_components: &mut [SentComponent],
        pools: &Pools,
        is_hidden: &dyn Fn(Entity) -> bool,
        named: &mut Vec<Entity>,
    ) -> Result<Vec<u8>, SaveError> {
        sent_components.sort_by_key(|part| part.name);
        SaveError::refuse_twice(sent_components, |part| part.name, ONE_NAME)?;
        let mut bytes = Vec::new();
        for part in sent_components {
            self.write_head(Numbered::Component(part.number), part.name, part.schema, &mut bytes);
            part.write(pools, is_hidden, &mut bytes, named)?;
        }
        Ok(bytes)
    }

    /// Forgets the sent changes.
    #[inline]
    fn begin_anew(&mut self) {
        self.is_full = true;
        self.reader = TrackReader::default();
        self.names.clear();
        self.bare.clear();
        (self.shown, self.named) = (None, None);
        if let Some(newest) = &mut self.newest {
            newest.begin_anew();
        }
    }

    /// Returns the number of a component in this reader's sets, if its name was sent.
    #[inline]
    pub(super) fn number_of(&self, component: u32) -> Option<usize> {
        self.names.iter().rposition(|it| it.0 == Numbered::Component(component))
    }

    /// Appends the number of a component or a resource in this reader's sets, with its name and schema if they were not
    /// sent.
    #[inline]
    fn write_head(&mut self, of: Numbered, name: SavingName, schema: Schema, bytes: &mut Vec<u8>) {
        let known = self.names.iter().position(|it| *it == (of, schema));
        write_number(known.unwrap_or(self.names.len()) as u64, bytes);
        if known.is_none() {
            self.names.push((of, schema));
            write_part(&name.to_string(), schema, bytes);
        }
    }

    /// Writes the resources that changed, and returns their number and bytes; adds the entities that they name.
    #[inline]
    fn write_resources(
        &mut self,
        world: &World,
        is_full: bool,
        named: &mut Vec<Entity>,
    ) -> Result<(usize, Vec<u8>), SaveError> {
        let (mut count, mut bytes) = (0, Vec::new());
        for at in 0..self.resources.len() {
            let (saving, seen) = self.resources[at];
            let version = world.resources.version_by(&saving);
            if !is_full && seen == Some(version) {
                continue;
            }
            let Ok(value) = world.resources.saved_by(saving) else { continue }; // until it is back
            self.write_head(Numbered::Resource(at), saving.name, saving.schema(), &mut bytes);
            bytes.push(value.is_some().into());
            if let Some(value) = value {
                let written = value.write_for_others(&mut bytes, named);
                written.map_err(|error| SaveError::new(&saving.name, None, &error))?;
            }
            self.resources[at].1 = Some(version);
            count += 1;
        }
        Ok((count, bytes))
    }

    #[inline]
    fn sends(&self, number: u32, pool: &dyn WorldPool) -> bool {
        let is_named = self.only.as_ref().is_none_or(|only| only.contains(&number));
        is_named && pool.kind().saving().is_some() && pool.kind().is_tracked()
    }
}

impl fmt::Debug for ChangeSets {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeSets").field("number", &self.number).finish_non_exhaustive()
    }
}

/// The parts of a set that are not empty, and their flags.
#[derive(Default)]
pub(super) struct Sections {
    flags: u8,
    bytes: Vec<u8>,
}

impl Sections {
    #[inline]
    pub(super) fn add(&mut self, flag: u8, count: usize, bytes: &[u8]) {
        if count > 0 {
            self.flags |= flag;
            write_number(count as u64, &mut self.bytes);
            self.bytes.extend(bytes);
        }
    }

    /// Notes that the parts have all that is saved of their entities, if there are any.
    pub(super) const fn mark_whole(&mut self) {
        if self.flags & PARTS != 0 {
            self.flags |= WHOLE;
        }
    }

    #[inline]
    pub(super) fn add_handles(&mut self, flag: u8, entities: &[Entity]) {
        if !entities.is_empty() {
            self.flags |= flag;
            write_handles(entities, &mut self.bytes);
        }
    }

    /// Returns the set that follows on the one with the number `before`.
    #[inline]
    pub(super) fn into_set(self, before: u64, is_full: bool) -> ChangeSet {
        let flags = self.flags | if is_full { FULL } else { 0 };
        let number = before + u64::from(flags != 0);
        let mut bytes = Vec::new();
        Content::Changes.write_header(&mut bytes);
        write_number(number, &mut bytes);
        bytes.push(flags);
        bytes.extend(self.bytes);
        ChangeSet { bytes, number, flags }
    }
}

/// The changes since the last set of a reader.
#[derive(Default)]
struct Drained {
    sent_components: Vec<SentComponent>,
    ended: Vec<Entity>,
    /// The entities that values name.
    named: Vec<Entity>,
    /// The entities that are not visible any more.
    emptied: Vec<Entity>,
    /// The entities whose values are sent apart, by component.
    newer: Vec<(u32, Vec<Entity>)>,
}

impl Drained {
    /// Adds the changes of the component with this number, or all its values if the set is full. If `among` has a list,
    /// only changes of these entities are added.
    #[inline]
    fn add(
        &mut self,
        number: u32,
        is_full: bool,
        among: Option<&[Entity]>,
        (reader, newest): (&mut TrackReader, Option<&mut NewestValues>),
        world: &mut World,
    ) {
        let mut news = Arc::<Unread>::default();
        world.advance_reader(number, reader, &mut news, true);
        let pool = world.pools.at(number);
        let Some((name, schema)) = pool.kind().saving() else { return };
        let gone = news.removed.iter().copied().filter(|it| !is_full && !pool.contains(*it));
        let (mut lost, dead): (Vec<_>, Vec<_>) =
            gone.partition(|entity| world.entities.is_alive(*entity));
        self.ended.extend(dead);
        in_order(&mut lost);
        let mut changed: Vec<Entity> = if let Some(list) = among {
            let is_marked = |at: u32| news.changed.has(at) || news.moved.has(at);
            let changed = list.iter().copied().filter(|it| is_marked(it.index()));
            changed.filter(|entity| pool.contains(*entity)).collect()
        } else {
            let mut changed = members(pool, &news.changed);
            if !news.moved.is_empty() {
                changed.extend(members(pool, &news.moved));
                in_order(&mut changed);
            }
            changed
        };
        if let Some(newest) = newest.filter(|_| NewestValues::takes(pool.kind())) {
            let (by_set, newer) = changed.into_iter().partition(|entity| {
                let at = entity.index();
                news.inserted.has(at) || news.moved.has(at) || newest.is_long(number, *entity)
            });
            changed = by_set;
            changed.extend(newest.take_long(number).filter(|entity| pool.contains(*entity)));
            in_order(&mut changed);
            self.newer.push((number, newer));
        }
        self.sent_components.push(SentComponent { name, schema, number, lost, changed });
    }

    /// Restricts the changes to visible entities. Adds the components of entities that became visible, and the
    /// entities that are no longer visible. `before` are the entities that were shown, and `bare` those without
    /// components.
    #[inline]
    fn restrict(
        &mut self,
        sight: &Sight,
        before: &SparseSet<(), Entity>,
        bare: &[Entity],
        pools: &Pools,
    ) {
        let visible = &sight.visible;
        let was_sent = |entity: &Entity| before.contains(*entity) || has(bare, *entity);
        self.ended.retain(was_sent);
        let new = visible.keys().iter().copied().filter(|entity| !before.contains(*entity));
        let new: Vec<Entity> = new.collect();
        let emptied = before.keys().iter().copied().filter(|entity| sight.is_hidden(*entity));
        let mut emptied: Vec<Entity> = emptied.collect();
        in_order(&mut emptied);
        for SentComponent { number, lost, changed, .. } in &mut self.sent_components {
            lost.retain(|entity| before.contains(*entity));
            if pools.at(*number).relation().is_some() {
                // Written before others point to them: emptied entities come last, which may be too late for a circle.
                let with_it = |entity: &&Entity| pools.has(*number, **entity);
                lost.extend(emptied.iter().filter(with_it));
                in_order(lost);
            } else {
                lost.retain(|entity| !sight.is_hidden(*entity));
            }
            changed.retain(|entity| visible.contains(*entity));
            changed.extend(new.iter().filter(|entity| pools.has(*number, **entity)));
            in_order(changed);
        }
        for (_, newer) in &mut self.newer {
            newer.retain(|entity| visible.contains(*entity) && before.contains(*entity));
        }
        self.emptied = emptied;
    }
}

/// The entities that a client may see, and the others.
struct Sight {
    visible: SparseSet<(), Entity>,
    /// Other entities with a sent component; `None` for all others.
    hidden: Option<SparseSet<(), Entity>>,
}

impl Sight {
    /// Returns `None` if all are visible.
    #[inline]
    fn new(world: &World, numbers: &[u32], scope: SetScope<'_>) -> Option<Self> {
        let is_visible = match scope {
            SetScope::All => return None,
            SetScope::Visible(is_visible) => is_visible,
            SetScope::Among(list) => {
                let visible = list.iter().map(|entity| (*entity, ())).collect();
                return Some(Self { visible, hidden: None });
            }
        };
        let (mut visible, mut hidden) = (SparseSet::default(), SparseSet::default());
        for entity in numbers.iter().flat_map(|it| world.pools.at(*it).keys()).copied() {
            if !visible.contains(entity) && !hidden.contains(entity) {
                let is_visible = is_visible(world, entity);
                if is_visible { &mut visible } else { &mut hidden }.insert(entity, ());
            }
        }
        Some(Self { visible, hidden: Some(hidden) })
    }

    #[inline]
    fn is_hidden(&self, entity: Entity) -> bool {
        self.hidden
            .as_ref()
            .map_or_else(|| !self.visible.contains(entity), |hidden| hidden.contains(entity))
    }
}

/// The changes of a component.
pub(super) struct SentComponent {
    pub(super) name: SavingName,
    pub(super) schema: Schema,
    pub(super) number: u32,
    pub(super) lost: Vec<Entity>,
    pub(super) changed: Vec<Entity>,
}

/// # Change sets: sending
impl World {
    /// Returns a reader of all later changes of components that are tracked and saved, also of components that are
    /// first used later. O(pages of these). While it lives, their edits keep marks, like for
    /// [`changes`](Self::changes).
    ///
    /// See [`ChangeSet`] for an example.
    #[must_use]
    #[inline]
    pub fn change_sets(&mut self) -> ChangeSets {
        let world = self.calls.world();
        let mut sets = ChangeSets { is_full: false, world, ..ChangeSets::default() };
        for number in self.sent_by(&sets) {
            self.add_reader(number, &mut sets.reader, true);
        }
        sets
    }

    /// Returns the numbers of the components that this reader reads.
    #[inline]
    fn sent_by(&self, sets: &ChangeSets) -> Vec<u32> {
        let all = self.pools.numbered().filter(|(number, pool)| sets.sends(*number, *pool));
        all.map(|(number, _)| number).collect()
    }
}

impl SentComponent {
    /// Writes the part, and adds the entities that its values name.
    #[inline]
    fn write(
        &self,
        pools: &Pools,
        is_hidden: &dyn Fn(Entity) -> bool,
        bytes: &mut Vec<u8>,
        named: &mut Vec<Entity>,
    ) -> Result<(), SaveError> {
        let Self { name, number, lost, changed, .. } = self;
        let (pool, ends) = (pools.at(*number), pools.relations.get(*number));
        let places = ends.map_or_else(Vec::new, |ends| ends.places_of(changed, |_| false));
        write_number(changed.len() as u64, bytes);
        let has_lost = if lost.is_empty() { 0 } else { LOST };
        bytes.push(GENERATIONS | has_lost | if places.is_empty() { 0 } else { PLACES });
        write_members(changed, bytes);
        write_generations(changed, bytes);
        if !lost.is_empty() {
            write_handles(lost, bytes);
        }
        let keys = pool.raw_keys();
        let positions = changed.iter().filter_map(|entity| keys.find(*entity));
        write_values(pool, *name, positions.clone(), bytes)?;
        if pool.kind().holds_entities() {
            let pool = pool.as_saved();
            positions.for_each(|at| pool.visit_entities(at, &mut |it| named.push(it)));
        }
        if !places.is_empty() {
            write_number(places.len() as u64, bytes);
        }
        for (at, mut before) in places {
            while let Some(hidden) = before.filter(|before| is_hidden(*before)) {
                before = ends.and_then(|ends| ends.before(hidden));
            }
            write_number(at as u64, bytes);
            write_number(before.map_or(0, |it| it.generation().get()).into(), bytes);
            before.inspect(|before| write_number(before.index().into(), bytes));
        }
        Ok(())
    }
}

/// Returns the marked members of a pool, in the order of their indices.
#[inline]
fn members(pool: &dyn WorldPool, marked: &EntitySet) -> Vec<Entity> {
    let keys = pool.raw_keys();
    let indices = marked.indices().filter_map(|index| keys.at_index(index));
    indices.collect()
}

/// Sorts entities by index and generation, and removes duplicates.
#[inline]
pub(super) fn in_order(entities: &mut Vec<Entity>) {
    entities.sort_unstable_by_key(|entity| key(*entity));
    entities.dedup();
}

/// Returns the key by which handles are ordered.
#[inline]
pub(super) fn key(entity: Entity) -> (u32, NonZeroU32) {
    (entity.index(), entity.generation())
}

/// Returns `true` if an ordered list has the entity.
#[inline]
pub(super) fn has(list: &[Entity], entity: Entity) -> bool {
    list.binary_search_by_key(&key(entity), |it| key(*it)).is_ok()
}
