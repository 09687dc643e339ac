//! The pools of a world, by component number.
#![expect(
    unsafe_code,
    reason = "finding a pool by its type's number spares a hash and a check of types"
)]

use crate::component::data::IndexOwner;
use crate::component::data::{AnyIndex, Loose, Together, UniqueValue};
use crate::component::rules::{ComponentRule, RuleKind};
use crate::component::set::{ComponentSet, MARK};
use crate::component::slot::ComponentIndex;
use crate::component::{AnyComponent, RefMut, index_of, known_index_of};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::notify::change_log::{Change, ChangeRow};
use crate::pool::defined::DefinedPool;
use crate::pool::kind::Kind;
use crate::pool::rules::Rules;
use crate::pool::swept::Swept;
use crate::pool::tiling::Tiling;
use crate::pool::track::{Track, TrackList, TrackReader, Unread};
use crate::pool::watch::{Fact, Question, Watch};
use crate::pool::{Pool, WorldPool};
use crate::relation::ends::Pointing;
use crate::relation::ends::{RelateError, Relations};
use crate::storage::keys::{Keys, stored};
use crate::storage::sparse_set::SparseSet;
use crate::storage::untyped::is_swept;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::slice;
use core::sync::atomic::{AtomicU8, Ordering};

/// The keys of a pool that does not exist.
pub(crate) static NO_KEYS: Keys<Entity> = Keys::new();

/// The pools of a world.
///
/// * P1: the entry at `index_of::<T>()` is a `Pool<T>` or missing; numbers of no type have no entry, except the numbers of
///   defined components, which have a `DefinedPool`.
/// * P3: `remembered` lists the entries of its components.
/// * P4: the members of every entry are alive. The world upholds this.
pub struct Pools {
    entries: Entries,
    remembered: Remembered,
    swept: Swept,
    /// The listeners to edits.
    pub(crate) watch: Watch,
    /// Both ends of the relations.
    pub(crate) relations: Relations,
    /// The rules between components.
    pub(crate) rules: Rules,
    /// The numbers of the pools, in the order in which they were made.
    made: Vec<u32>,
    /// The places of numbers in `made`, or [`UNPLACED`].
    places: Vec<u8>,
    /// The pools that are kept in one order.
    tiling: Option<Box<Tiling>>,
    /// The requests of loops: see [`ask`](Self::ask).
    asked: AtomicU8,
}

/// The place of a number without a pool, and of all pools behind the first ones.
const UNPLACED: u8 = u8::MAX;

/// Requests to repair the order of pools, and to look at the walks of loops.
pub(crate) const REPAIR: u8 = 1;
pub(crate) const SCAN: u8 = 2;

type PoolEntry = Option<Box<dyn WorldPool>>;

/// The pools by number.
///
/// The first ones are stored in place, so that finding a pool takes two loads less. A processor keeps a limited number
/// of loads under way, so that random reads of far memory run faster the fewer loads each of them takes.
struct Entries {
    first: [PoolEntry; FIRST],
    rest: Vec<PoolEntry>,
}

/// More component types than most programs have.
const FIRST: usize = 64;

impl Entries {
    const fn new() -> Self {
        Self { first: [const { None }; FIRST], rest: Vec::new() }
    }

    #[inline(always)]
    fn get(&self, number: u32) -> Option<&dyn WorldPool> {
        let number = number as usize;
        match self.first.get(number) {
            Some(entry) => entry.as_deref(),
            None => self.rest.get(number - FIRST)?.as_deref(),
        }
    }

    #[inline(always)]
    fn get_mut(&mut self, number: u32) -> Option<&mut (dyn WorldPool + 'static)> {
        let number = number as usize;
        match self.first.get_mut(number) {
            Some(entry) => entry.as_deref_mut(),
            None => self.rest.get_mut(number - FIRST)?.as_deref_mut(),
        }
    }

    /// Returns the pool of `T`, if there is one.
    #[inline(always)]
    fn get_mut_at<T: AnyComponent>(&mut self, index: ComponentIndex<T>) -> Option<&mut Pool<T>> {
        let pool = self.get_mut(index.get())?;
        // SAFETY: the entry at the number of `T` is a `Pool<T>` (P1), and a `ComponentIndex<T>` has the number of no
        // other type. The reference is borrowed exclusively from `self`, like the entry.
        Some(unsafe { &mut *pool.address_mut_of::<T>() })
    }

    /// Returns the entry with this number; makes it if it does not exist.
    fn entry(&mut self, number: u32) -> &mut PoolEntry {
        let number = number as usize;
        if number < FIRST {
            return &mut self.first[number];
        }
        if number - FIRST >= self.rest.len() {
            self.rest.resize_with(number - FIRST + 1, || None);
        }
        &mut self.rest[number - FIRST]
    }

    /// Returns the number behind all pools.
    fn end(&self) -> u32 {
        stored(FIRST + self.rest.len())
    }

    /// Returns the numbers of all pools, ascending.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        (0..self.end()).filter(|number| self.get(*number).is_some())
    }

    /// Returns the numbers of the pools of these components, ascending, also of components that share a
    /// bit.
    fn among(&self, components: ComponentSet) -> impl Iterator<Item = u32> {
        let is_coarse = components.is_coarse();
        let mut few = if is_coarse { ComponentSet::EMPTY } else { components }.numbers();
        let mut all = 0..if is_coarse { self.end() } else { 0 };
        let mut next = move || few.next().or_else(|| all.find(|it| components.contains(*it)));
        core::iter::from_fn(move || {
            loop {
                let number = next()?;
                if self.get(number).is_some() {
                    return Some(number);
                }
            }
        })
    }

    fn iter(&self) -> impl Iterator<Item = &dyn WorldPool> {
        (0..self.end()).filter_map(|number| self.get(number))
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn WorldPool>> {
        self.first.iter_mut().chain(&mut self.rest).flatten()
    }
}

/// The entries of the components that were edited last.
///
/// Entities that end one after the other often have equal components. Then the processor continues with the pools of
/// the previous entity while it waits for the record of the next one. Pools that were found by that record would have
/// to wait, too.
struct Remembered {
    components: ComponentSet,
    entries: Vec<u32>,
}

/// The position of a component that was just inserted, which saves a lookup.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastPosition {
    /// The address of its pool.
    pool: *const (),
    at: usize,
}

impl LastPosition {
    /// No position.
    pub(crate) const NOWHERE: Self = Self { pool: core::ptr::null(), at: 0 };

    /// Returns the position of the last component of a pool, which must not be empty.
    #[inline]
    pub(crate) fn last_of<T: AnyComponent>(pool: &Pool<T>) -> Self {
        Self { pool: core::ptr::from_ref(pool).cast(), at: pool.len() - 1 }
    }
}

impl Pools {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Entries::new(),
            remembered: Remembered { components: ComponentSet::EMPTY, entries: Vec::new() },
            swept: Swept::NONE,
            watch: Watch::new(),
            relations: Relations::new(),
            rules: Rules::new(),
            made: Vec::new(),
            places: Vec::new(),
            tiling: None,
            asked: AtomicU8::new(0),
        }
    }

    /// Returns the pool of `T`, if the world has one.
    #[inline]
    pub(crate) fn get<T: AnyComponent>(&self) -> Option<&Pool<T>> {
        let pool = match self.entries.get(known_index_of::<T>().get()) {
            Some(pool) => pool,
            None => self.find::<T>()?,
        };
        // SAFETY: the entry at the number of `T` is a `Pool<T>` (P1), and a `ComponentIndex<T>` has the number of no
        // other type. The reference is borrowed from `self`, like the entry.
        Some(unsafe { &*pool.address_of::<T>() })
    }

    /// Returns the pool like [`get`](Self::get), if the number is not stored yet or there is no such pool.
    #[cold]
    #[inline(never)]
    fn find<T: AnyComponent>(&self) -> Option<&dyn WorldPool> {
        self.entries.get(index_of::<T>().get())
    }

    /// Returns the pool of `T`, if the world has one.
    #[inline]
    pub(crate) fn get_mut<T: AnyComponent>(&mut self) -> Option<&mut Pool<T>> {
        Some(self.get_numbered_mut::<T>(None)?.1)
    }

    /// Returns the number of `T` and its pool. If there is none, creates it for an entity, if one is given and is alive.
    #[inline(always)]
    pub(crate) fn get_numbered_mut<T: AnyComponent>(
        &mut self,
        create_for: Option<(Entity, &mut Entities)>,
    ) -> Option<(u32, &mut Pool<T>)> {
        let mut index = known_index_of::<T>();
        let pool = if let Some(pool) = self.entries.get_mut(index.get()) {
            pool.address_mut_of::<T>()
        } else {
            index = self.find_or_create(create_for)?;
            self.entries.get_mut(index.get())?.address_mut_of::<T>()
        };
        // SAFETY: the entry at the number of `T` is a `Pool<T>` (P1), and a `ComponentIndex<T>` has the number of no
        // other type. The pointer was made of a reference to it, for which `self` is borrowed exclusively, and which is
        // not used any more.
        Some((index.get(), unsafe { &mut *pool }))
    }

    /// Returns the number of `T`, if it is not stored yet or there is no pool. Creates the pool for an entity like
    /// [`get_numbered_mut`](Self::get_numbered_mut).
    #[cold]
    #[inline(never)]
    fn find_or_create<T: AnyComponent>(
        &mut self,
        create_for: Option<(Entity, &mut Entities)>,
    ) -> Option<ComponentIndex<T>> {
        let Some((entity, entities)) = create_for else { return Some(index_of::<T>()) };
        if entities.ensure_alive(entity) { Some(self.create()) } else { None }
    }

    /// Returns the pool of `T`, if the world has one, by its number. For places where no user code may run; the slot of
    /// `T` is user code.
    #[inline]
    pub(crate) fn get_mut_at<T: AnyComponent>(
        &mut self,
        index: ComponentIndex<T>,
    ) -> Option<&mut Pool<T>> {
        self.entries.get_mut_at(index)
    }

    /// Returns the component of an entity, to be written; marks it as changed, for readers of changes and the index.
    #[inline]
    pub(crate) fn get_marked<T: AnyComponent>(&mut self, entity: Entity) -> Option<RefMut<'_, T>> {
        let index = index_of::<T>();
        let Self { entries, watch, .. } = self;
        let value = entries.get_mut_at(index)?.get_mut(entity)?;
        if let Some(track) = watch.tracks.get_mut(index.get()) {
            track.spoil();
            track.mark_one(entity.index());
        }
        Some(value)
    }

    /// Returns the number of `T`, and its pool, if the world has one.
    #[inline]
    pub(crate) fn get_numbered<T: AnyComponent>(&self) -> (u32, Option<&Pool<T>>) {
        match self.get::<T>() {
            Some(pool) => (known_index_of::<T>().get(), Some(pool)),
            None => (index_of::<T>().get(), None),
        }
    }

    /// Returns the pool of `T`; creates it on first use.
    #[inline]
    pub(crate) fn get_or_create<T: AnyComponent>(&mut self) -> &mut Pool<T> {
        let known = known_index_of::<T>();
        let is_there = self.entries.get(known.get()).is_some();
        let index = if is_there { known } else { self.create::<T>() };
        self.get_mut_at(index).expect("it was made")
    }

    /// Creates the pool of `T` if it does not exist, and returns its number.
    #[cold]
    #[inline(never)]
    pub(crate) fn create<T: AnyComponent>(&mut self) -> ComponentIndex<T> {
        const { assert!(T::BIT.count() == 1, "a component has exactly one bit") };
        let index = index_of::<T>();
        if self.entries.get(index.get()).is_none() {
            self.add(index.get(), Box::new(Pool::<T>::default()));
        }
        index
    }

    /// Creates the pool of a defined component, which does not exist.
    #[inline]
    pub(crate) fn create_defined(&mut self, kind: Kind) {
        self.add(kind.number, Box::new(DefinedPool::of_kind(kind)));
    }

    /// Returns the pool with this number, if it is of a defined component.
    #[inline]
    pub(crate) fn defined_mut(&mut self, number: u32) -> Option<&mut DefinedPool> {
        self.entries.get_mut(number)?.as_any_mut().downcast_mut()
    }

    /// Returns the name of a defined component that has other fields in pools of another world, where entities have it.
    pub(crate) fn other_fields(
        &self,
        others: &Self,
        skips: impl Fn(Kind) -> bool,
    ) -> Option<&'static str> {
        let differs = |(number, other): &(u32, &dyn WorldPool)| {
            let own = self.entries.get(*number).map(WorldPool::kind);
            let differs = own.is_some_and(|own| own != other.kind());
            differs && !other.is_empty() && !skips(other.kind())
        };
        others.numbered().find(differs).map(|(_, other)| other.name())
    }

    /// Creates a pool of the type of one of another world, with this number, if it does not exist.
    pub(crate) fn create_like(&mut self, number: u32, other: &dyn WorldPool) {
        if self.entries.get(number).is_none() {
            self.add(number, other.empty());
        }
    }

    /// Adds a pool with this number, which must be its type's (P1) and have no pool yet.
    ///
    /// # Panics
    /// Panics if the number belongs to another type.
    fn add(&mut self, number: u32, pool: Box<dyn WorldPool>) {
        let kind = pool.kind();
        assert!(
            kind.number == number,
            "`{}` has the number {}, not {number}",
            kind.name(),
            kind.number
        );
        self.watch.add_component(number, kind.bit(), kind.hooks());
        self.add_rules(kind);
        if pool.is_guarded() {
            self.watch.add(Fact::Vetoed, number);
        }
        if let (Some((at_end, _)), Some(targets)) = (kind.relation(), kind.targets_number()) {
            self.relations.add(number, targets, at_end);
            self.watch.add(Fact::Relation, number);
            self.watch.add(Fact::Target, MARK);
        }
        if let Some(index) = pool.index() {
            self.watch.tracks.entry(number).set_index(index);
            self.watch.set_tracked();
        }
        *self.entries.entry(number) = Some(pool);
        self.place(number);
        self.remember(ComponentSet::EMPTY);
        self.remembered.entries.reserve(self.entries.numbers().count()); // none later
    }

    /// Adds the rules that a component declares, whose pool is made.
    fn add_rules(&mut self, kind: Kind) {
        for rule in kind.declared_rules().iter().filter(|rule| rule.kind != RuleKind::Requires) {
            self.rules.add((kind.number, kind.name()), rule);
            self.watch.add_rule(kind.number, rule);
        }
    }

    /// Finds all rules anew, after a component got other ones.
    fn renew_rules(&mut self) {
        self.rules = Rules::new();
        let none = ComponentSet::EMPTY;
        self.watch.set([(Fact::Ruled, none), (Fact::Needed, none)]);
        let kinds: Vec<Kind> = self.iter().map(WorldPool::kind).collect();
        kinds.into_iter().for_each(|kind| self.add_rules(kind));
    }

    /// Returns the members of the pool with this number, or the targets of a relation if the number stands for them.
    /// Otherwise returns no keys.
    #[inline]
    pub(crate) fn keys_at(&self, number: u32) -> &Keys<Entity> {
        match self.entries.get(number) {
            Some(pool) => pool.raw_keys(),
            None => self.relations.targets_at(number).unwrap_or(&NO_KEYS),
        }
    }

    /// Returns `true` if any entity has one of these components. O(components).
    pub(crate) fn have_members(&self, components: &ComponentSet) -> bool {
        components.is_coarse() || components.numbers().any(|number| self.keys_at(number).len() > 0)
    }

    /// Returns `true` if an entity has the component with this number.
    #[inline]
    pub(crate) fn has(&self, number: u32, entity: Entity) -> bool {
        self.keys_at(number).find(entity).is_some()
    }

    /// Adds a reader of the changes of the component with this number, which must have a pool, in the world with this
    /// number.
    pub(crate) fn add_reader(
        &mut self,
        number: u32,
        reader: &mut TrackReader,
        from_now: bool,
        world: u64,
    ) {
        let track = self.watch.tracks.entry(number);
        let keys = self.entries.get(number).map_or(&NO_KEYS, |pool| pool.compared(track));
        track.add_reader(reader, (keys, world), from_now);
        self.watch.set_tracked();
    }

    /// Replaces `unread` by the changes that this reader has not been given; or adds them, if `unread` was not seen.
    /// Returns `false` if the reader does not read this component here.
    pub(crate) fn advance(
        &mut self,
        number: u32,
        reader: &mut TrackReader,
        unread: &mut Arc<Unread>,
        were_seen: bool,
        world: u64,
    ) -> bool {
        let Some(track) = self.watch.tracks.get_mut(number) else { return false };
        let keys = self.entries.get(number).map_or(&NO_KEYS, |pool| pool.compared(track));
        track.advance(reader, unread, were_seen, (keys, world))
    }

    /// Marks an entity's component as changed, if it has it, for readers of changes.
    pub(crate) fn mark(&mut self, number: u32, entity: Entity) {
        let Self { entries, watch, .. } = self;
        if let Some(track) = watch.tracks.get_mut(number)
            && entries.get(number).is_some_and(|pool| pool.contains(entity))
        {
            track.spoil();
            track.mark_one(entity.index());
        }
    }

    /// Returns the index of the component with this number, if it has one, brought up to date.
    #[inline]
    pub(crate) fn index(&self, number: u32) -> Option<&dyn AnyIndex> {
        let pool = || self.entries.get(number).map(WorldPool::as_any);
        self.watch.tracks.get(number)?.index(pool)
    }

    /// Checks that an index is one of these pools.
    ///
    /// # Panics
    /// Panics if it is an index of another world.
    #[track_caller]
    #[inline]
    pub(crate) fn refuse_other_index(&self, owner: IndexOwner) {
        assert!(
            self.watch.tracks.get(owner.number()).is_some_and(|track| track.has_index(owner)),
            "the entities are the answer of an index of `{}` of another world, or of this one before it was loaded: ask the \
             index of this world",
            owner.name()
        );
    }

    /// Marks the relations with this number of these entities as moved, for readers of changes.
    pub(crate) fn note_moves(&mut self, number: u32, moved: impl IntoIterator<Item = Entity>) {
        if let Some(track) = self.watch.tracks.get_mut(number) {
            moved.into_iter().for_each(|entity| track.note_move(entity));
        }
    }

    /// Checks that an entity may lose these components by one edit.
    ///
    /// # Errors
    /// Returns the number of one that another component of the entity needs, and the rule.
    #[inline]
    pub(crate) fn check_removal(
        &self,
        entity: Entity,
        gone: &[u32],
    ) -> Result<(), (u32, ComponentRule)> {
        if self.watch.of(Fact::Needed).is_empty() {
            return Ok(());
        }
        let is_target = |number| self.is_target(number, entity, gone);
        self.rules.check_removal(gone, &|number| self.has(number, entity), &is_target)
    }

    /// Returns `true` if a relation with this number points to an entity, when that has lost these components.
    pub(crate) fn is_target(&self, number: u32, entity: Entity, gone: &[u32]) -> bool {
        let points = |source| source != entity || !gone.contains(&number);
        self.relations.get(number).is_some_and(|relation| relation.sources(entity).any(points))
    }

    /// Checks that an entity, or one that is about to be made, may be given a relation. O(1), but for a relation without
    /// circles like [`Relations::check`].
    ///
    /// # Errors
    /// Returns the reason if it may not.
    pub(crate) fn check_pointing(
        &self,
        entities: &mut Entities,
        source: Option<Entity>,
        pointing: Pointing,
    ) -> Result<(), RelateError> {
        self.relations.check(entities, source, pointing)?;
        match pointing.of_targets {
            Some(rule) if !self.has(rule.number(), pointing.target()) => {
                Err(pointing.wrong_target())
            }
            _ => Ok(()),
        }
    }

    /// Checks that no entity has both components of one of these pairs: edits uphold rules, and borrows rely on them.
    /// O(pages) for each pair.
    ///
    /// # Panics
    /// Panics if an entity has.
    #[inline]
    pub(crate) fn assert_apart(&self, pairs: &[(u32, u32)]) {
        for (a, b) in pairs {
            assert!(!self.keys_at(*a).meet(self.keys_at(*b)), "an entity breaks a rule");
        }
    }

    /// Returns an error if an entity cannot be given a value of a unique component, as another one has its key.
    #[inline]
    pub(crate) fn check_unique(
        &self,
        entity: Option<Entity>,
        unique: &UniqueValue<'_>,
    ) -> Result<(), RelateError> {
        let UniqueValue { number, name, rule, value } = *unique;
        let holder = self.index(number).zip(rule.unique_value);
        let holder = holder.and_then(|(index, rule)| (rule.holder)(index, value));
        match holder.filter(|holder| entity != Some(*holder)) {
            Some(holder) => Err(RelateError::NotUnique(name, holder)),
            None => Ok(()),
        }
    }

    /// Returns an error if these entities cannot be given these values of one storage together, as another one has a key.
    /// `lose` returns `true` for entities that lose theirs.
    #[inline]
    pub(crate) fn check_unique_all(
        &self,
        number: u32,
        given: &[(&[Entity], &Loose)],
        lose: &dyn Fn(Entity) -> bool,
    ) -> Result<(), RelateError> {
        let Some(pool) = self.entries.get(number) else { return Ok(()) };
        let (Some(rule), Some(mut others)) = (pool.unique(), pool.index()) else { return Ok(()) };
        let mut all: Vec<Entity> = given.iter().flat_map(|it| it.0).copied().collect();
        all.sort_unstable();
        let lose = &|entity| all.binary_search(&entity).is_ok() || lose(entity);
        for &(entities, values) in given {
            let adapted = pool.adapted_loose(values);
            let values = adapted.as_deref().unwrap_or(values);
            let together = Together { world: self.index(number), entities, values, lose };
            (rule.check)(together, &mut *others)
                .map_err(|(_, holder)| RelateError::NotUnique(pool.name(), holder))?;
        }
        Ok(())
    }

    /// Marks all components with this number as changed, for readers of changes.
    pub(crate) fn mark_all(&mut self, number: u32) {
        if let Some(track) = self.watch.tracks.get_mut(number) {
            track.spoil();
            track.mark_all();
        }
    }

    /// Notes that entities that were just made have these components, or some that share a bit with them.
    pub(crate) fn track_new(&mut self, made: &[Entity], components: &ComponentSet) {
        self.track_each(components, made, |track, entity| track.note(entity, true));
    }

    /// Notes, for readers of changes, that these entities are about to lose these components, if they have them.
    pub(crate) fn track_ends(&mut self, entities: &[Entity], components: &ComponentSet) {
        self.track_each(components, entities, Track::note_removal);
    }

    /// Prepares the despawn of an entity that may have these components; one of them is tracked or at an end of a
    /// relation. Notes the removals for readers of changes, and removes the entity and its sources from relations.
    pub(crate) fn end(&mut self, entity: Entity, components: &ComponentSet) {
        if self.watch.of(Fact::Tracked).intersects(components) {
            self.track_ends(&[entity], components);
        }
        if components.is_marked() || self.watch.of(Fact::Relation).intersects(components) {
            self.relations.forget(entity, components.is_marked());
        }
    }

    /// Calls `note` for each of these components of these entities that exists and has readers of changes.
    #[inline]
    fn track_each(
        &mut self,
        components: &ComponentSet,
        entities: &[Entity],
        note: impl Fn(&mut Track, Entity),
    ) {
        let Self { entries, watch, .. } = self;
        let mut are_read = true;
        let of = watch.of(Fact::Tracked).intersection(*components);
        watch.tracks.for_each(of, |number, track| {
            are_read &= track.is_read();
            let Some(pool) = entries.get(number) else { return };
            for &entity in entities {
                if pool.contains(entity) {
                    note(track, entity);
                }
            }
        });
        if !are_read {
            watch.set_tracked();
        }
    }

    /// Updates the relations of these entities to their current targets: those among these components, and among the
    /// `given` numbers, if there are any.
    #[cold]
    #[inline(never)]
    pub(crate) fn link_all(
        &mut self,
        living: &mut Entities,
        entities: &[Entity],
        of: &ComponentSet,
        given: &[(u32, usize)],
    ) {
        let Self { entries, relations, watch, .. } = self;
        // Relations may share a bit with a component that was given.
        let is_given = |number| given.is_empty() || given.iter().any(|it| it.0 == number);
        for number in entries.numbers() {
            if watch.is(Fact::Relation, number) && of.contains(number) && is_given(number) {
                let Some(pool) = entries.get(number) else { continue };
                for &entity in entities {
                    match pool.target(entity) {
                        Some(target) => relations.link(living, number, entity, target),
                        None => relations.unlink(number, entity),
                    }
                }
            }
        }
    }

    /// Notes removals like [`track_ends`](Self::track_ends), but of one component, and for entities that may repeat.
    #[cold]
    #[inline(never)]
    pub(crate) fn track_removals(&mut self, entities: &[Entity], number: u32) {
        let members = entities.iter().filter(|entity| self.has(number, **entity));
        let distinct: SparseSet<(), Entity> = members.map(|entity| (*entity, ())).collect();
        for &entity in distinct.keys() {
            self.watch.track(number, |track| track.note_removal(entity));
        }
    }

    /// Marks that these entities were given the components with these numbers, and adds rows. The second number is the
    /// previous number of members. Returns `true` if no entity had a component with listeners before, and no entity
    /// repeats.
    pub(crate) fn note_all(&mut self, entities: &[Entity], given: &[(u32, usize)]) -> bool {
        let Self { entries, watch, .. } = self;
        let mut notified = Vec::new();
        for &(number, before) in given {
            let keys = entries.get(number).map_or(&NO_KEYS, |pool| pool.raw_keys());
            let are_new = keys.len() - before == entities.len();
            let given = Given { number, keys, before, are_new };
            if watch.is(Fact::Tracked, number) {
                for &entity in entities {
                    watch.track(number, |track| track.note(entity, given.is_new(entity)));
                }
            }
            if watch.answer(Question::NotifiedInsertion, number) {
                notified.push(given);
            }
        }
        for &entity in entities {
            for given in &notified {
                watch.log.add(given.row(entity));
            }
        }
        notified.iter().all(|given| given.are_new)
    }

    /// Adds rows for the components among these that the entity has and whose removal has listeners.
    pub(crate) fn add_removals(&mut self, entity: Entity, components: &ComponentSet) {
        let Self { entries, watch, .. } = self;
        let observed = watch.idle_answer(Question::NotifiedRemoval).intersection(*components);
        for number in held_of(entries, entity, observed) {
            watch.log.push(ChangeRow::new(entity, number, Change::Remove));
        }
    }

    /// Returns the components among these that the entity has and whose removal has listeners.
    pub(crate) fn observed_of(
        &self,
        entity: Entity,
        components: &ComponentSet,
    ) -> impl Iterator<Item = u32> {
        held_of(
            &self.entries,
            entity,
            self.watch.idle_answer(Question::NotifiedRemoval).intersection(*components),
        )
    }

    /// Returns the components among these that the entity has.
    pub(crate) fn held(
        &self,
        entity: Entity,
        components: ComponentSet,
    ) -> impl Iterator<Item = u32> {
        held_of(&self.entries, entity, components)
    }

    /// Makes these pools copies of others with values that are `Clone`. If that panics, all pools must be cleared.
    pub(crate) fn copy_from(&mut self, from: &Self, skips: impl Fn(Kind) -> bool) {
        for &number in &from.made {
            self.create_like(number, from.at(number));
        }
        // Loops are noted by places.
        let own = core::mem::take(&mut self.made);
        from.made.iter().for_each(|number| self.place(*number));
        for number in own.into_iter().filter(|number| from.entries.get(*number).is_none()) {
            self.place(number);
            self.at(number).raw_keys().walks.take();
        }
        self.take_definitions(from, &skips);
        for number in self.entries.numbers().collect::<Vec<_>>() {
            match from.entries.get(number) {
                Some(pool) if pool.copying().is_some() && !skips(pool.kind()) => {
                    self.at_mut(number).copy_from(pool);
                }
                _ => self.at_mut(number).set_mut().clear(),
            }
        }
        let is_copied = |number| self.entries.get(number).is_some_and(|pool| !skips(pool.kind()));
        self.relations.copy_from(&from.relations, is_copied);
        self.tiling.clone_from(&from.tiling);
        *self.asked.get_mut() = from.asked.load(Ordering::Relaxed);
    }

    /// Empties the pools of components that have other definitions in the copied pools, and gives these to them, with their
    /// rules. No user code runs.
    fn take_definitions(&mut self, from: &Self, skips: &impl Fn(Kind) -> bool) {
        let mut is_any = false;
        for (number, pool) in from.numbered() {
            let kind = pool.kind();
            if kind.definition().is_some()
                && kind != self.at(number).kind()
                && !skips(kind)
                && let (Some(own), Some(from)) =
                    (self.defined_mut(number), pool.as_any().downcast_ref())
            {
                own.take_definition(from);
                let pool: &dyn WorldPool = own;
                let index = pool.index();
                if index.is_some() || self.watch.tracks.get(number).is_some() {
                    self.watch.tracks.entry(number).replace_index(index);
                }
                is_any = true;
            }
        }
        if is_any {
            self.watch.set_tracked();
            self.renew_rules();
        }
    }

    /// Exchanges all members, and their relations, with the members of pools of equal types.
    #[cfg(feature = "serde")]
    pub(crate) fn exchange_members(&mut self, other: &mut Self) {
        for number in self.entries.numbers().collect::<Vec<_>>() {
            if other.entries.get(number).is_some() {
                core::mem::swap(self.entries.entry(number), other.entries.entry(number));
            }
        }
        core::mem::swap(&mut self.relations, &mut other.relations);
        core::mem::swap(&mut self.made, &mut other.made);
        core::mem::swap(&mut self.places, &mut other.places);
        core::mem::swap(&mut self.tiling, &mut other.tiling);
        core::mem::swap(&mut self.asked, &mut other.asked);
    }

    /// Notes, for readers of changes, that all components are about to be removed.
    pub(crate) fn track_all_ends(&mut self) {
        let Self { entries, watch, .. } = self;
        watch.end_unread();
        for (number, track) in watch.tracks.iter_mut() {
            let members = entries.get(number).map_or(&[][..], |pool| pool.keys());
            for entity in members {
                track.note_removal(*entity);
            }
        }
    }

    /// Notes, for readers of changes, that all components were inserted.
    pub(crate) fn track_all_new(&mut self) {
        let Self { entries, watch, .. } = self;
        watch.end_unread();
        for (number, track) in watch.tracks.iter_mut() {
            let members = entries.get(number).map_or(&[][..], |pool| pool.keys());
            for entity in members {
                track.note(*entity, true);
            }
        }
    }

    /// Returns all pools, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn WorldPool> {
        self.entries.iter()
    }

    /// Lends the pools with these numbers, which ascend, to be written, the marks of changes, and the relations.
    #[inline]
    pub(crate) fn lend<'w>(
        &'w mut self,
        numbers: &[u32],
    ) -> (impl Iterator<Item = &'w mut (dyn WorldPool + 'static)>, &'w TrackList, &'w Relations)
    {
        let Self { entries: Entries { first, rest }, watch, relations, .. } = self;
        let mut all = first.iter_mut().chain(rest);
        let mut next = 0;
        let pools = numbers.iter().filter_map(move |number| {
            let entry = all.nth((number - next) as usize)?;
            next = number + 1;
            entry.as_deref_mut()
        });
        (pools, &watch.tracks, relations)
    }

    /// Returns all pools, and their numbers.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, &dyn WorldPool)> {
        let pools = self.entries.numbers();
        pools.filter_map(|number| Some((number, self.entries.get(number)?)))
    }

    /// Returns the pool of components of this kind, if the world has one.
    pub(crate) fn of_kind(&self, kind: Kind) -> Option<&dyn WorldPool> {
        self.entries.get(kind.number)
    }

    /// Returns the tiles of the ordered pools, if any pool is ordered.
    #[inline(always)]
    pub(crate) fn tiling(&self) -> Option<&Tiling> {
        self.tiling.as_deref()
    }

    /// Returns the tiles to be changed, by the upkeep of the order alone (O1).
    #[inline]
    pub(crate) fn tiling_mut(&mut self) -> &mut Option<Box<Tiling>> {
        &mut self.tiling
    }

    /// Requests one of these, before the next loop that may write.
    #[inline(never)]
    pub(crate) fn ask(&self, what: u8) {
        self.asked.fetch_or(what, Ordering::Relaxed);
    }

    /// Returns `true` if there is a request.
    #[inline(always)]
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed) != 0
    }

    /// Returns the requests.
    #[cfg(feature = "serde")]
    pub(crate) fn asked(&self) -> u8 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Returns the requests and clears them.
    pub(crate) fn take_asked(&mut self) -> u8 {
        core::mem::take(self.asked.get_mut())
    }

    /// Stores the next place for a pool.
    fn place(&mut self, number: u32) {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, UNPLACED);
        }
        self.places[number as usize] = u8::try_from(self.made.len()).unwrap_or(UNPLACED);
        self.made.push(number);
    }

    /// Returns the numbers of all pools, in the order in which they were made.
    pub(crate) fn made(&self) -> &[u32] {
        &self.made
    }

    /// Returns the place of a pool among all, in the order in which they were made, if it is one of the first 255. Equal
    /// histories give equal places; numbers differ from process to process.
    #[inline]
    pub(crate) fn place_of(&self, number: u32) -> Option<u8> {
        self.places.get(number as usize).copied().filter(|place| *place != UNPLACED)
    }

    /// Returns the number of the pool at a place.
    pub(crate) fn number_at(&self, place: u8) -> Option<u32> {
        self.made.get(usize::from(place)).copied()
    }

    /// Returns the pool with this number, if the world has one.
    pub(crate) fn find_at(&self, number: u32) -> Option<&dyn WorldPool> {
        self.entries.get(number)
    }

    /// Returns the pool with this number, which must exist.
    #[inline]
    pub(crate) fn at(&self, number: u32) -> &dyn WorldPool {
        self.entries.get(number).expect("the world has this pool")
    }

    /// Returns the pool with this number, which must exist.
    #[inline]
    pub(crate) fn at_mut(&mut self, number: u32) -> &mut (dyn WorldPool + 'static) {
        self.entries.get_mut(number).expect("the world has this pool")
    }

    /// Exchanges the component of `entity` in this pool, if it is not before position `to`, with the one there. Returns
    /// `true` if it is there now.
    #[inline]
    pub(crate) fn move_to(
        &mut self,
        number: u32,
        entity: Entity,
        to: usize,
        last: &mut LastPosition,
    ) -> bool {
        let pool = self.at_mut(number);
        if !core::ptr::addr_eq(pool, last.pool) {
            return pool.set_mut().move_to(entity, to);
        }
        // The component was the pool's last: behind all members of groups.
        if last.at != to {
            pool.set_mut().swap_at(last.at, to);
            last.at = to;
        }
        true
    }

    /// Moves the entities among the first `end` of the pool with this number that were taken out behind the others,
    /// and returns the number of the others. Repeats the exchanges in `all` pools, whose first members are in equal
    /// order.
    #[inline]
    pub(crate) fn sweep_fronts(&mut self, number: u32, end: usize, all: &[u32]) -> usize {
        let Some(mut pool) = self.entries.entry(number).take() else { return end };
        let len = pool.set_mut().sweep_front(end, &mut |a, b| {
            for &other in all {
                if other != number {
                    self.at_mut(other).set_mut().swap_at(a, b);
                }
            }
        });
        *self.entries.entry(number) = Some(pool);
        len
    }

    /// Reorders the components of several pools by the positions that [`exchanges`] returned.
    ///
    /// [`exchanges`]: crate::storage::sort::exchanges
    #[inline]
    pub(crate) fn exchange_all(&mut self, numbers: &[u32], start: usize, with: &[u32]) {
        for &number in numbers {
            self.at_mut(number).set_mut().exchange_all(start, with);
        }
    }

    /// Returns the name of the first component of `entity` that refuses its removal by a veto. The entity may have
    /// these components.
    ///
    /// Calls the vetoes: user code, which may panic; nothing has changed by then.
    #[inline]
    pub(crate) fn refusal(
        &mut self,
        entity: Entity,
        components: &ComponentSet,
    ) -> Option<&'static str> {
        if components.intersects(self.watch.of(Fact::Vetoed)) {
            self.ask_vetoes(entity)
        } else {
            None
        }
    }

    #[inline(never)]
    fn ask_vetoes(&mut self, entity: Entity) -> Option<&'static str> {
        let guarded = self.entries.iter_mut().filter(|pool| pool.is_guarded());
        for pool in guarded {
            if !pool.permits_removal(entity) {
                return Some(pool.name());
            }
        }
        None
    }

    /// Removes all components of `entity`, which may have these.
    ///
    /// A panic in the drop of a value does not prevent the rest: the other components are removed first.
    #[inline(always)] // inlined into the despawn of one entity, which needs it most
    pub(crate) fn remove_all(&mut self, entity: Entity, components: &ComponentSet) {
        self.visit(components, |_, pool: &mut dyn WorldPool| pool.remove(entity));
    }

    /// Removes these components of these entities, of `all` in several calls, until the pools are
    /// [finished](Self::finish_all). When the first entity is taken out of a pool, decides if it is swept.
    #[inline(never)]
    pub(crate) fn take_out(&mut self, entities: &[Entity], all: usize, components: &ComponentSet) {
        let mut swept = core::mem::take(&mut self.swept);
        let new = self.entries.among(swept.begin(components));
        new.filter(|it| is_swept(self.at(*it).len(), all)).for_each(|it| swept.insert(it));
        self.visit(components, |number, pool: &mut dyn WorldPool| {
            pool.set_mut().take_out_members(entities, all, swept.contains(number));
        });
        self.swept = swept;
    }

    /// Drops the values that were [taken out](Self::take_out), with the care of [`finish`](Self::finish).
    #[inline(never)]
    pub(crate) fn finish_all(&mut self) {
        let swept = core::mem::take(&mut self.swept);
        self.visit(swept.begun(), |number, pool| pool.set_mut().finish(swept.contains(number)));
    }

    /// Drops the values that were taken out of the pools of these components one by one, and the replaced ones.
    ///
    /// A panic in the drop of a value does not prevent the rest: the other pools are finished first.
    pub(crate) fn finish(&mut self, components: &ComponentSet) {
        self.visit(components, |_, pool| pool.set_mut().finish(false));
    }

    /// Calls `each` with the pools of these components; continues with the others if it panics.
    #[inline(always)]
    fn visit(&mut self, components: &ComponentSet, each: impl FnMut(u32, &mut dyn WorldPool)) {
        if !components.is_same(&self.remembered.components) {
            self.remember(*components);
        }
        let numbers = self.remembered.entries.iter();
        Visit { entries: &mut self.entries, numbers, each }.run();
    }

    #[inline(never)]
    fn remember(&mut self, components: ComponentSet) {
        let Remembered { components: remembered, entries } = &mut self.remembered;
        *remembered = components;
        entries.clear();
        entries.extend(self.entries.among(components));
    }

    /// Removes all components of all entities, with equal care. Notifies no listeners and no readers of changes.
    #[inline]
    pub(crate) fn clear(&mut self) {
        Clearing(self.entries.iter_mut()).run();
    }

    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        self.entries.iter_mut().for_each(|pool| pool.set_mut().shrink_to_fit());
        self.relations.shrink_to_fit();
        self.watch.shrink_to_fit();
    }

    /// Returns the bytes of the tables on the heap, without the pools.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.entries.rest.capacity() * size_of::<PoolEntry>()
            + (self.remembered.entries.capacity() + self.made.capacity()) * size_of::<u32>()
            + self.places.capacity()
            + self.watch.memory()
            + self.relations.memory()
            + self.entries.numbers().filter_map(|it| Some(self.index(it)?.memory())).sum::<usize>()
            + self.entries.iter().map(size_of_val).sum::<usize>()
    }

    /// Returns the pools that contain `entity`, which may have these components.
    pub(crate) fn of(
        &self,
        entity: Entity,
        components: ComponentSet,
    ) -> impl Iterator<Item = &dyn WorldPool> {
        self.held(entity, components).map(|number| self.at(number))
    }
}

/// Returns the components among these that an entity has.
fn held_of(
    entries: &Entries,
    entity: Entity,
    components: ComponentSet,
) -> impl Iterator<Item = u32> {
    let numbers = entries.among(components);
    numbers.filter(move |it| entries.get(*it).is_some_and(|pool| pool.contains(entity)))
}

/// A component that was inserted into entities.
struct Given<'a> {
    number: u32,
    keys: &'a Keys<Entity>,
    /// The number of previous members; the new ones follow them.
    before: usize,
    are_new: bool,
}

impl Given<'_> {
    #[inline]
    fn is_new(&self, entity: Entity) -> bool {
        self.are_new
            || self.before == 0
            || self.keys.find(entity).is_some_and(|at| at >= self.before)
    }

    #[inline]
    fn row(&self, entity: Entity) -> ChangeRow {
        ChangeRow::new(entity, self.number, Change::inserted(self.is_new(entity)))
    }
}

/// A visit to the pools with these numbers, which drops values; continues if a drop panics.
struct Visit<'a, F: FnMut(u32, &mut dyn WorldPool)> {
    entries: &'a mut Entries,
    /// The numbers that are still to be visited.
    numbers: slice::Iter<'a, u32>,
    each: F,
}

impl<F: FnMut(u32, &mut dyn WorldPool)> Visit<'_, F> {
    #[inline]
    fn run(&mut self) {
        for &number in self.numbers.by_ref() {
            if let Some(pool) = self.entries.get_mut(number) {
                (self.each)(number, pool);
            }
        }
    }
}

impl<F: FnMut(u32, &mut dyn WorldPool)> Drop for Visit<'_, F> {
    fn drop(&mut self) {
        self.run();
    }
}

/// The clearing of all pools; continues if a value's drop panics.
struct Clearing<'a, I: Iterator<Item = &'a mut Box<dyn WorldPool>>>(I);

impl<'a, I: Iterator<Item = &'a mut Box<dyn WorldPool>>> Clearing<'a, I> {
    fn run(&mut self) {
        self.0.by_ref().for_each(|pool| pool.set_mut().clear());
    }
}

impl<'a, I: Iterator<Item = &'a mut Box<dyn WorldPool>>> Drop for Clearing<'a, I> {
    #[inline]
    fn drop(&mut self) {
        self.run();
    }
}

impl fmt::Debug for Pools {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|pool| (pool.name(), pool.len()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Component;

    #[derive(Component)]
    struct Health;
    #[derive(Component)]
    struct Armour;

    #[test]
    #[should_panic(expected = "`Armour` has the number ")]
    fn a_pool_is_not_put_in_the_place_of_another_type() {
        let mut pools = Pools::new();
        pools.create_like(index_of::<Health>().get(), &Pool::<Armour>::default());
    }

    #[cfg(any(debug_assertions, ecs_checked))]
    #[test]
    fn a_pool_of_another_type_is_not_read() {
        let mut pools = Pools::new();
        let index = index_of::<Health>();
        *pools.entries.entry(index.get()) = Some(Box::new(Pool::<Armour>::default()));
        let mut is_refused = |read: fn(&mut Pools)| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read(&mut pools))).is_err()
        };
        assert!(is_refused(|pools| _ = pools.get::<Health>()));
        assert!(is_refused(|pools| _ = pools.get_mut::<Health>()));
        assert!(is_refused(|pools| _ = pools.get_mut_at(index_of::<Health>())));
        assert!(is_refused(|pools| _ = pools.get_or_create::<Health>()));
    }
}
