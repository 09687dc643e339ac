//! Changes of tracked components: the entities with inserted, possibly changed and removed values.
//!
//! Marks are bits by entity index, a word for 64 neighbours, like membership: moving values within their pools, by
//! swaps, sorts and groups, moves no marks. One more bit for each page is set if the page has marks, so that iteration
//! skips pages without. Changes since the last advance of any reader are stored once, as fresh ones. When a reader
//! advances, they become the last of the past ones, which all readers share.
//!
//! ```text
//! past    [ unread | unread | unread ]   changed  inserted  removed   fresh: given to no reader yet
//!         a                 b        c                            positions of readers: later changes are new to them
//! ```

use crate::component::data::{AnyIndex, IndexOwner};
use crate::component::set::ComponentSet;
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::checked::WriteValues;
#[cfg(feature = "serde")]
use crate::pool::seen::SeenValues;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{WORDS, offset_of, page_of};
use crate::storage::values::Renewed;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;
use core::any::Any;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::{array, fmt};

/// A set of entities, one bit each, for [`View::among`](crate::View::among). Readers of changes return one of
/// changed entities, and one of entities with inserted components: see [`World::advance`](crate::World::advance).
/// [`World::entity_set`](crate::World::entity_set) makes one of any entities, and
/// [`World::entities_in`](crate::World::entities_in) lists a set. `|`, `&` and `-` combine sets.
///
/// A set stores indices without generations: an entity that is spawned later at the index of one of its entities is
/// included, too. A set belongs to one world; an empty set belongs to all.
///
/// ```
/// # use ecs::{Component, World};
/// #[derive(Component)]
/// #[component(track)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let mut seen = world.changes::<Health>();
/// world.spawn_batch((0..100).map(Health));
/// world.advance(&mut seen);
/// assert!(seen.inserted().len() == 100 && !seen.inserted().is_empty());
///
/// let hurt = world.entity_set(world.entities_in(seen.inserted()).take(5));
/// let others = seen.inserted() - &hurt;
/// assert_eq!((hurt.len(), others.len()), (5, 95));
/// assert_eq!(&(&hurt | &others), seen.inserted());
/// assert!((&hurt & &others).is_empty());
/// assert!(world.entities_in(&hurt).all(|entity| hurt.contains(entity) && !others.contains(entity)));
/// ```
#[derive(Clone, Default)]
pub struct EntitySet {
    /// The bits by page number; all zero for pages without a bit in the summary.
    pages: Vec<[u64; WORDS]>,
    /// One bit for each page: 1 if the page has entities.
    summary: Vec<u64>,
    /// The number of the world of these entities.
    world: u64,
}

impl EntitySet {
    /// # Panics
    /// Panics if these are entities of another world than the one with this number.
    #[inline]
    #[track_caller]
    pub(crate) fn refuse_other(&self, world: u64) {
        if self.world != world {
            self.refuse_unless_empty();
        }
    }

    #[cold]
    #[track_caller]
    fn refuse_unless_empty(&self) {
        assert!(
            self.is_empty(),
            "the set has entities of another world, or of this one before it was loaded: bring its reader up to date \
             in this world"
        );
    }

    /// Returns the number of entities. O(pages of 1,024 indices that have any).
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        let words = self.filled().flat_map(|(_, words)| words);
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Returns `true` if the set is empty. O(pages of 1,024 indices / 64).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.summary.iter().all(|bits| *bits == 0)
    }

    /// Returns the pages that have entities, and their numbers.
    fn filled(&self) -> impl Iterator<Item = (usize, &[u64; WORDS])> {
        let numbers = (0..self.summary.len()).flat_map(|at| numbers(at, self.summary[at]));
        numbers.map(|number| (number, &self.pages[number]))
    }

    /// Returns the entities of a page, one bit each, if it has any.
    #[inline]
    pub(crate) fn words(&self, page: usize) -> Option<&[u64; WORDS]> {
        let is_filled =
            self.summary.get(page / 64).is_some_and(|bits| bits >> (page % 64) & 1 != 0);
        self.pages.get(page).filter(|_| is_filled)
    }

    /// Returns `true` if the entity is in the set. It must be of the set's world.
    #[inline]
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.has(entity.index())
    }

    /// Returns the set of these indices, of the world with this number.
    pub(crate) fn of_indices(world: u64, indices: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self { world, ..Self::default() };
        for index in indices {
            let (page, offset) = (page_of(index), offset_of(index));
            set.reserve(page + 1);
            set.pages[page][offset as usize / 64] |= 1 << (offset % 64);
            set.summary[page / 64] |= 1 << (page % 64);
        }
        set
    }

    /// Combines the words of both sets, page by page.
    ///
    /// # Panics
    /// Panics if both sets have entities, of two worlds.
    #[track_caller]
    #[inline]
    fn combined(&self, other: &Self, combine: fn(u64, u64) -> u64) -> Self {
        let world = if self.is_empty() { other.world } else { self.world };
        other.refuse_other(world);
        let mut set = Self { world, ..Self::default() };
        set.reserve(self.pages.len().max(other.pages.len()));
        for at in 0..set.summary.len() {
            let filled = |of: &Self| of.summary.get(at).copied().unwrap_or(0);
            for page in numbers(at, filled(self) | filled(other)) {
                let [own, others] = [self, other].map(|of| of.words(page).unwrap_or(&[0; WORDS]));
                set.set(page, array::from_fn(|word| combine(own[word], others[word])));
            }
        }
        set
    }

    /// Returns `true` if the entity with this index is in the set.
    #[inline]
    pub(crate) fn has(&self, index: u32) -> bool {
        let (word, bit) = (offset_of(index) / 64, offset_of(index) % 64);
        self.pages.get(page_of(index)).is_some_and(|page| page[word as usize] >> bit & 1 != 0)
    }

    /// Returns the indices of the entities, in order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = u32> {
        let words = self.filled().flat_map(|(page, words)| (page * WORDS..).zip(*words));
        words.flat_map(|(word, bits)| numbers(word, bits)).filter_map(|at| u32::try_from(at).ok())
    }

    /// Makes room for this many pages.
    fn reserve(&mut self, pages: usize) {
        if pages > self.pages.len() {
            self.pages.resize(pages, [0; WORDS]);
            self.summary.resize(pages.div_ceil(64), 0);
        }
    }

    /// Replaces the entities of a page, for which there must be room.
    #[inline(always)]
    fn set(&mut self, page: usize, words: [u64; WORDS]) {
        let is_filled = words.iter().fold(0, |any, word| any | word) != 0;
        self.pages[page] = words;
        let bits = &mut self.summary[page / 64];
        *bits = *bits & !(1 << (page % 64)) | u64::from(is_filled) << (page % 64);
    }

    /// Adds all entities of another set.
    fn add_all(&mut self, other: &Self) {
        self.world = other.world;
        self.reserve(other.pages.len());
        for (number, words) in other.filled() {
            let own = &self.pages[number];
            self.set(number, array::from_fn(|word| own[word] | words[word]));
        }
    }

    /// Replaces the set by the members.
    fn set_members(&mut self, keys: &Keys<Entity>) {
        self.clear();
        self.reserve(keys.page_count());
        (0..keys.page_count()).for_each(|number| self.set(number, *keys.page(number).words()));
    }

    /// Removes the entities that are not members.
    fn retain_members(&mut self, keys: &Keys<Entity>) {
        for at in 0..self.summary.len() {
            for number in numbers(at, self.summary[at]) {
                self.set(number, both(&self.pages[number], keys.page(number).words()));
            }
        }
    }

    fn clear(&mut self) {
        for (at, bits) in self.summary.iter_mut().enumerate() {
            numbers(at, core::mem::take(bits)).for_each(|number| self.pages[number] = [0; WORDS]);
        }
    }

    /// Returns the bytes on the heap.
    fn memory(&self) -> usize {
        self.pages.capacity() * size_of::<[u64; WORDS]>()
            + self.summary.capacity() * size_of::<u64>()
    }
}

impl PartialEq for EntitySet {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.filled().eq(other.filled()) && (self.world == other.world || self.is_empty())
    }
}

impl Eq for EntitySet {}

macro_rules! combines_sets {
    ($($trait:ident $method:ident $what:literal $combine:expr,)+) => {
        $(
            #[doc = $what]
            ///
            /// # Panics
            /// Panics if both sets have entities, of two worlds.
            impl core::ops::$trait for &EntitySet {
                type Output = EntitySet;

                #[track_caller]
                #[inline]
                fn $method(self, other: Self) -> EntitySet {
                    self.combined(other, $combine)
                }
            }
        )+
    };
}
combines_sets! {
    BitOr bitor "Returns the entities that are in one of the sets, or in both." |a, b| a | b,
    BitAnd bitand "Returns the entities that are in both sets." |a, b| a & b,
    Sub sub "Returns the entities that are in the first set only." |a, b| a & !b,
}

impl fmt::Debug for EntitySet {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntitySet({})", crate::text::entities(self.len()))
    }
}

/// Returns the numbers of the set bits of the word with this number.
#[inline(always)]
fn numbers(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let number = (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        number
    })
}

/// Returns the bits that are in both.
#[inline(always)]
fn both(a: &[u64; WORDS], b: &[u64; WORDS]) -> [u64; WORDS] {
    array::from_fn(|word| a[word] & b[word])
}

/// Marks that several threads may set simultaneously.
#[derive(Debug, Default)]
struct Marks {
    /// Pages and summary are like in [`EntitySet`].
    pages: Vec<[AtomicU64; WORDS]>,
    summary: Vec<AtomicU64>,
}

impl Marks {
    /// Makes room for this many pages, so that marking needs only a shared reference.
    fn reserve(&mut self, pages: usize) {
        if pages > self.pages.len() {
            self.pages.resize_with(pages, || [const { AtomicU64::new(0) }; WORDS]);
            self.summary.resize_with(pages.div_ceil(64), || AtomicU64::new(0));
        }
    }

    fn is_empty(&mut self) -> bool {
        self.summary.iter_mut().all(|bits| *bits.get_mut() == 0)
    }

    /// Adds an entity.
    fn add(&mut self, index: u32) {
        let (page, word, bit) = (page_of(index), offset_of(index) / 64, offset_of(index) % 64);
        self.reserve(page + 1);
        *self.pages[page][word as usize].get_mut() |= 1 << bit;
        *self.summary[page / 64].get_mut() |= 1 << (page % 64);
    }

    /// Adds entities of a page, at least one; there must be room for the page. `is_shared` says that other threads may
    /// mark simultaneously.
    #[inline]
    fn mark(&self, page: usize, words: &[u64; WORDS], is_shared: bool) {
        let Some(marks) = self.pages.get(page) else { return };
        if is_shared {
            marks.iter().zip(words).for_each(|(mark, &bits)| mark_word(mark, bits, true));
        } else {
            for (mark, bits) in marks.iter().zip(words) {
                mark.store(mark.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
            }
        }
        mark_word(&self.summary[page / 64], 1 << (page % 64), is_shared);
    }

    /// Marks like [`mark`](Self::mark), but one entity.
    #[inline]
    fn mark_one(&self, index: u32, is_shared: bool) {
        let (page, word, bit) = (page_of(index), offset_of(index) / 64, offset_of(index) % 64);
        if let Some(marks) = self.pages.get(page) {
            mark_word(&marks[word as usize], 1 << bit, is_shared);
            mark_word(&self.summary[page / 64], 1 << (page % 64), is_shared);
        }
    }

    /// Moves the marks of members to `to`, which is replaced; other marks are dropped.
    ///
    /// One pass visits only the pages that have or had marks.
    fn move_into(&mut self, to: &mut EntitySet, keys: &Keys<Entity>) {
        to.reserve(self.pages.len());
        for at in 0..to.summary.len() {
            let fresh = self.summary.get_mut(at).map_or(0, |bits| core::mem::take(bits.get_mut()));
            for number in numbers(at, to.summary[at] & !fresh) {
                to.pages[number] = [0; WORDS];
            }
            let mut filled = 0;
            for number in numbers(at, fresh) {
                let (fresh, members) = (&mut self.pages[number], keys.page(number).words());
                let (page, mut any) = (&mut to.pages[number], 0);
                for word in 0..WORDS {
                    page[word] = core::mem::take(fresh[word].get_mut()) & members[word];
                    any |= page[word];
                }
                filled |= u64::from(any != 0) << (number % 64);
            }
            to.summary[at] = filled;
        }
    }

    /// Calls `each` with the words that have marks and their numbers, in order, and removes the marks.
    fn drain(&self, each: &mut dyn FnMut(usize, u64)) {
        let take = |bits: &AtomicU64| match bits.load(Ordering::Relaxed) {
            0 => 0,
            _ => bits.swap(0, Ordering::Relaxed),
        };
        for (at, filled) in self.summary.iter().enumerate() {
            for number in numbers(at, take(filled)) {
                for (word, bits) in (number * WORDS..).zip(&self.pages[number]) {
                    let bits = take(bits);
                    if bits != 0 {
                        each(word, bits);
                    }
                }
            }
        }
    }

    /// Returns the bytes on the heap.
    #[inline]
    fn memory(&self) -> usize {
        self.pages.capacity() * size_of::<[AtomicU64; WORDS]>()
            + self.summary.capacity() * size_of::<AtomicU64>()
    }
}

/// Sets bits of a word. A thread that marks alone need not use a locked instruction.
#[inline(always)]
fn mark_word(mark: &AtomicU64, bits: u64, is_shared: bool) {
    let before = mark.load(Ordering::Relaxed);
    if before | bits == before {
        return;
    }
    if is_shared {
        mark.fetch_or(bits, Ordering::Relaxed);
    } else {
        mark.store(before | bits, Ordering::Relaxed);
    }
}

/// Changes of the entities of a component.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// Changed entities, including the inserted ones.
    pub(crate) changed: EntitySet,
    pub(crate) inserted: EntitySet,
    /// The sources of a relation that were moved within their target's list: a change of the order, not of a value.
    pub(crate) moved: EntitySet,
    /// Entities in order of removal; an entity that lost the component twice occurs twice.
    pub(crate) removed: Vec<Entity>,
}

impl Unread {
    /// Notes that these are changes of the world with this number.
    const fn set_world(&mut self, world: u64) {
        let Self { changed, inserted, moved, .. } = self;
        (changed.world, inserted.world, moved.world) = (world, world, world);
    }

    /// Returns changes of the entities with these indices, changed, inserted and moved ones, and of removed entities.
    #[cfg(feature = "serde")]
    pub(crate) fn of_indices(sets: [Vec<u32>; 3], removed: Vec<Entity>) -> Self {
        let set = |indices: Vec<u32>| {
            let mut set = EntitySet::default();
            for index in indices {
                let (page, offset) = (page_of(index), offset_of(index));
                set.reserve(page + 1);
                let mut words = set.pages[page];
                words[(offset / 64) as usize] |= 1 << (offset % 64);
                set.set(page, words);
            }
            set
        };
        let [changed, inserted, moved] = sets.map(set);
        Self { changed, inserted, moved, removed }
    }

    /// Returns these changes as changes of the world with this number, which has equal entities.
    pub(crate) fn of_world(self: &Arc<Self>, world: u64) -> Arc<Self> {
        let mut unread = Arc::clone(self);
        if [&self.changed, &self.inserted, &self.moved].iter().any(|set| set.world != world) {
            Arc::make_mut(&mut unread).set_world(world);
        }
        unread
    }

    fn add_all(&mut self, other: &Self) {
        self.changed.add_all(&other.changed);
        self.inserted.add_all(&other.inserted);
        self.moved.add_all(&other.moved);
        self.removed.extend(&other.removed);
    }

    fn clear(&mut self) {
        self.changed.clear();
        self.inserted.clear();
        self.moved.clear();
        self.removed.clear();
    }

    fn retain_members(&mut self, keys: &Keys<Entity>) {
        self.changed.retain_members(keys);
        self.inserted.retain_members(keys);
        self.moved.retain_members(keys);
    }

    #[inline]
    fn memory(&self) -> usize {
        self.changed.memory()
            + self.inserted.memory()
            + self.moved.memory()
            + self.removed.capacity() * size_of::<Entity>()
    }
}

impl Clone for Unread {
    fn clone(&self) -> Self {
        let mut unread = Self::default();
        unread.add_all(self);
        unread
    }
}

/// A point in time between changes. Each reader there holds a clone of it: so dropping a reader needs no further work.
type SharedPosition = Arc<u64>;

/// Returns `true` if a reader holds this place; its owner holds it once.
fn is_held(place: &SharedPosition) -> bool {
    Arc::strong_count(place) > 1
}

/// A reader of changes: of components, in one world or in several.
#[derive(Debug, Default)]
pub(crate) struct TrackReader(Vec<Standing>);

/// The position of a reader of one component, in one world.
#[derive(Debug)]
struct Standing {
    /// The [`Track`] that it reads.
    track: Weak<()>,
    /// All changes before this place were given to this reader.
    place: SharedPosition,
    /// `true` if all members are new to this reader, because it has not advanced yet.
    from_all: bool,
}

/// Changes that some reader has not been given yet.
#[derive(Debug)]
struct Past {
    /// The place where the changes begin. Places ascend.
    start: SharedPosition,
    unread: Arc<Unread>,
}

/// The index of a component, and the members that it has to file anew.
struct IndexTrack {
    owner: IndexOwner,
    changed: Marks,
    /// `true` if all entities that were members at some time changed then.
    all_changed: AtomicBool,
    index: Renewed<Box<dyn AnyIndex>>,
}

impl fmt::Debug for IndexTrack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexTrack").finish_non_exhaustive()
    }
}

/// The tracked changes of a component that has readers or an index.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Track {
    /// The entities that changed since any reader advanced.
    changed: Marks,
    inserted: Marks,
    moved: Marks,
    removed: Vec<Entity>,
    /// `true` if all entities that were members at some time changed then. Later members are marked, so all members
    /// changed.
    all_changed: AtomicBool,
    /// Changes that some reader has not been given yet, oldest first. Entities that are marked in the last one were
    /// members when it ended. Neighbours without a reader between them are allowed until there are `most`.
    past: VecDeque<Past>,
    most: usize,
    /// The place where the last one ends: now, or before the fresh changes.
    end: SharedPosition,
    /// Counts the readers by weak references.
    readers: Arc<()>,
    /// Memory for the next changes; contains changes that all readers have seen.
    spare: Arc<Unread>,
    nothing: Arc<Unread>,
    /// `true` if several views may mark simultaneously.
    is_shared: bool,
    /// The index, if the component has one.
    indexed: Option<Box<IndexTrack>>,
    /// The values that were seen last, if changes are found by comparing them.
    #[cfg(feature = "serde")]
    seen: Option<Box<SeenValues>>,
}

impl Track {
    /// Adds a reader: for changes from now on, or with all members as if they were inserted just now.
    pub(crate) fn add_reader(
        &mut self,
        reader: &mut TrackReader,
        (keys, world): (&Keys<Entity>, u64),
        from_now: bool,
    ) {
        self.close(keys, world);
        for number in 0..keys.page_count() {
            if !keys.page(number).is_empty() {
                self.changed.reserve(number + 1);
            }
        }
        self.merge(self.past.len(), keys);
        let (track, place) = (Arc::downgrade(&self.readers), Arc::clone(&self.end));
        reader.0.retain(|standing| standing.track.strong_count() > 0); // of worlds that still exist
        reader.0.push(Standing { track, place, from_all: !from_now });
    }

    /// Returns `true` if there are readers or an index.
    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        self.has_readers() || self.indexed.is_some()
    }

    #[inline]
    fn has_readers(&self) -> bool {
        Arc::weak_count(&self.readers) > 0
    }

    /// Adds an index, which lasts as long as the track. No entity has the component yet.
    pub(crate) fn set_index(&mut self, index: Box<dyn AnyIndex>) {
        let (changed, all_changed) = Default::default();
        let (owner, index) = (index.owner(), Renewed::new(index));
        self.indexed = Some(Box::new(IndexTrack { owner, changed, all_changed, index }));
    }

    /// Replaces the index, when no entity has the component, by this one or none.
    pub(crate) fn replace_index(&mut self, index: Option<Box<dyn AnyIndex>>) {
        self.indexed = None;
        if let Some(index) = index {
            self.set_index(index);
        }
    }

    /// Returns `true` if it has this index.
    pub(crate) fn has_index(&self, owner: IndexOwner) -> bool {
        self.indexed.as_ref().is_some_and(|indexed| indexed.owner == owner)
    }

    /// Returns the index, if there is one, after the members of its pool that changed were filed anew.
    #[inline]
    pub(crate) fn index<'p>(
        &self,
        pool: impl FnOnce() -> Option<&'p dyn Any>,
    ) -> Option<&dyn AnyIndex> {
        let IndexTrack { changed, all_changed, index, .. } = self.indexed.as_deref()?;
        let index = index.get(|index| {
            let all = all_changed.swap(false, Ordering::Relaxed);
            if let Some(pool) = pool() {
                index.renew(pool, all, &|each| changed.drain(each));
            }
        });
        Some(&**index)
    }

    /// Marks an entity for the index, and puts that out of date.
    #[inline]
    fn note_for_index(&mut self, entity: Entity) {
        if let Some(indexed) = &mut self.indexed {
            indexed.changed.add(entity.index());
            indexed.index.spoil();
        }
    }

    /// Marks this member for the index, while other threads may mark other members.
    pub(crate) fn mark_for_index(&self, index: u32) {
        if let Some(indexed) = &self.indexed {
            indexed.changed.mark_one(index, true);
        }
    }

    /// Puts the index out of date: marks may follow that are made through shared references.
    #[inline]
    pub(crate) fn spoil(&mut self) {
        if let Some(indexed) = &mut self.indexed {
            indexed.index.spoil();
        }
    }

    /// Makes the fresh changes the last of the past ones. The world has this number.
    fn close(&mut self, keys: &Keys<Entity>, world: u64) {
        let all_changed = core::mem::take(self.all_changed.get_mut());
        let is_none = self.changed.is_empty() && self.inserted.is_empty() && self.moved.is_empty();
        if is_none && self.removed.is_empty() && !all_changed {
            return;
        }
        let mut unread = core::mem::replace(&mut self.spare, Arc::clone(&self.nothing));
        let changes = Arc::make_mut(&mut unread);
        changes.set_world(world);
        let Unread { changed, inserted, moved, removed } = changes;
        self.changed.move_into(changed, keys);
        if all_changed {
            changed.set_members(keys);
        }
        self.inserted.move_into(inserted, keys);
        self.moved.move_into(moved, keys);
        removed.clear();
        core::mem::swap(removed, &mut self.removed);
        let end = SharedPosition::new(*self.end + 1);
        self.past.push_back(Past { start: core::mem::replace(&mut self.end, end), unread });
    }

    /// Drops the changes that all readers were given, and merges neighbours without a reader between them. Merges from
    /// the position `seen` on, which a reader was just given; and everywhere once their number has doubled. So the cost
    /// of an advance is independent of the number of readers.
    fn merge(&mut self, seen: usize, keys: &Keys<Entity>) {
        let is_due = self.past.len() >= self.most;
        for at in (if is_due { 0 } else { seen }..self.past.len()).rev() {
            self.merge_at(at, keys);
        }
        while self.past.front().is_some_and(|past| !is_held(&past.start)) {
            self.past.pop_front();
        }
        if is_due {
            self.most = (self.past.len() * 2).max(2);
        }
    }

    /// Merges the changes at this position with those before it, if there is no reader between them.
    fn merge_at(&mut self, at: usize, keys: &Keys<Entity>) {
        if at == 0 || self.past.get(at).is_none_or(|past| is_held(&past.start)) {
            return;
        }
        if let Some(later) = self.past.remove(at) {
            let unread = Arc::make_mut(&mut self.past[at - 1].unread);
            unread.add_all(&later.unread);
            if !later.unread.removed.is_empty() {
                unread.retain_members(keys);
            }
        }
    }

    /// Replaces `unread` by the changes that this reader has not been given; or adds them, if `unread` was not seen.
    /// Returns `false` if the reader does not read this component here. The world has this number.
    pub(crate) fn advance(
        &mut self,
        reader: &mut TrackReader,
        unread: &mut Arc<Unread>,
        were_seen: bool,
        (keys, world): (&Keys<Entity>, u64),
    ) -> bool {
        let is_here = |standing: &&mut Standing| {
            core::ptr::eq(standing.track.as_ptr(), Arc::as_ptr(&self.readers))
        };
        let Some(standing) = reader.0.iter_mut().find(is_here) else { return false };
        self.close(keys, world);
        let Self { past, nothing, spare, end, .. } = self;
        let place = core::mem::replace(&mut standing.place, Arc::clone(end));
        let from_all = core::mem::take(&mut standing.from_all);
        let first = past.partition_point(|past| past.start < place);
        drop(place);
        let old = match past.len() - first {
            // No entity left since, otherwise there would be changes: so all entities in `unread` are members.
            0 if !were_seen && !from_all => return true,
            0 if !from_all => core::mem::replace(unread, Arc::clone(nothing)),
            1 if were_seen && !from_all => {
                core::mem::replace(unread, Arc::clone(&past[first].unread))
            }
            _ => {
                let mut old = Arc::clone(nothing);
                if were_seen {
                    if Arc::get_mut(unread).is_none() {
                        old = core::mem::replace(unread, core::mem::replace(spare, old));
                    }
                    Arc::make_mut(unread).clear();
                }
                let unread = Arc::make_mut(unread);
                unread.set_world(world);
                for past in past.range(first..) {
                    unread.add_all(&past.unread);
                }
                if from_all {
                    unread.changed.set_members(keys);
                    unread.inserted.set_members(keys);
                } else {
                    unread.retain_members(keys);
                }
                old
            }
        };
        self.merge(first, keys);
        self.keep(old);
        true
    }

    /// Keeps the memory of seen changes, if no other reader shares it.
    fn keep(&mut self, mut old: Arc<Unread>) {
        if Arc::get_mut(&mut old).is_some() && old.memory() >= self.spare.memory() {
            self.spare = old;
        }
    }

    /// Marks the members of a pool whose value, which `write` writes, differs from the one that was compared last.
    #[cfg(feature = "serde")]
    pub(crate) fn compare(&mut self, keys: &Keys<Entity>, write: WriteValues<'_>) {
        let Self { seen, changed, .. } = self;
        let seen = seen.get_or_insert_with(|| Box::new(SeenValues::new()));
        seen.update(keys, write, |entity| changed.add(entity.index()));
    }

    /// Notes that an entity was given the component, or another value of it.
    pub(crate) fn note(&mut self, entity: Entity, is_new: bool) {
        self.note_for_index(entity);
        if !self.has_readers() {
            return;
        }
        self.changed.add(entity.index());
        if is_new {
            self.inserted.add(entity.index());
        }
    }

    /// Marks the relation of this entity as moved among those with its target.
    pub(crate) fn note_move(&mut self, entity: Entity) {
        self.moved.add(entity.index());
    }

    /// Notes that an entity is about to lose the component.
    pub(crate) fn note_removal(&mut self, entity: Entity) {
        self.note_for_index(entity);
        if self.has_readers() {
            self.removed.push(entity);
        }
    }

    /// Allows or forbids several views to mark simultaneously from now on.
    pub(crate) fn set_shared(&mut self, is_shared: bool) {
        self.is_shared = is_shared;
        self.spoil();
    }

    /// Marks these members of a page as possibly changed.
    #[inline]
    pub(crate) fn mark(&self, page: usize, words: &[u64; WORDS]) {
        if let Some(indexed) = &self.indexed {
            indexed.changed.mark(page, words, self.is_shared);
            if !self.has_readers() {
                return;
            }
        }
        self.changed.mark(page, words, self.is_shared);
    }

    /// Marks all members as possibly changed.
    #[inline]
    pub(crate) fn mark_all(&self) {
        if let Some(indexed) = &self.indexed {
            indexed.all_changed.store(true, Ordering::Relaxed);
        }
        self.all_changed.store(true, Ordering::Relaxed);
    }

    /// Marks this member as possibly changed.
    #[inline]
    pub(crate) fn mark_one(&self, index: u32) {
        if let Some(indexed) = &self.indexed {
            indexed.changed.mark_one(index, self.is_shared);
            if !self.has_readers() {
                return;
            }
        }
        self.changed.mark_one(index, self.is_shared);
    }

    /// Marks this member as changed, while other threads may mark other members.
    #[inline]
    pub(crate) fn mark_beside_others(&self, index: u32) {
        self.mark_for_index(index);
        self.changed.mark_one(index, true);
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        #[cfg(feature = "serde")]
        let seen = self.seen.as_ref().map_or(0, |seen| size_of::<SeenValues>() + seen.memory());
        #[cfg(not(feature = "serde"))]
        let seen = 0;
        self.changed.memory()
            + self.inserted.memory()
            + self.moved.memory()
            + self.removed.capacity() * size_of::<Entity>()
            + self.past.capacity() * size_of::<Past>()
            + self.past.iter().map(|past| past.unread.memory()).sum::<usize>()
            + self.spare.memory()
            + self.indexed.as_ref().map_or(0, |it| size_of::<IndexTrack>() + it.changed.memory())
            + seen
    }
}
/// All tracked components, by number.
#[derive(Debug, Default)]
pub(crate) struct TrackList {
    list: Vec<(u32, Track)>,
    /// The place in the list by number, or [`NOWHERE`].
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl TrackList {
    pub(crate) const fn new() -> Self {
        Self { list: Vec::new(), places: Vec::new() }
    }

    #[inline]
    fn place(&self, number: u32) -> usize {
        self.places.get(number as usize).map_or(usize::MAX, |&place| place as usize)
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&Track> {
        Some(&self.list.get(self.place(number))?.1)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Track> {
        let place = self.place(number);
        Some(&mut self.list.get_mut(place)?.1)
    }

    /// Returns the track with this number; makes it if it does not exist.
    pub(crate) fn entry(&mut self, number: u32) -> &mut Track {
        let mut place = self.place(number);
        if place >= self.list.len() {
            place = self.list.len();
            self.list.push((number, Track::default()));
            self.note_places();
        }
        &mut self.list[place].1
    }

    fn note_places(&mut self) {
        self.places.fill(NOWHERE);
        for (place, &(number, _)) in (0..).zip(&self.list) {
            let number = number as usize;
            if number >= self.places.len() {
                self.places.resize(number + 1, NOWHERE);
            }
            self.places[number] = place;
        }
    }

    /// Returns `true` if each of them has a reader.
    pub(crate) fn are_read(&self) -> bool {
        self.list.iter().all(|(_, track)| track.is_read())
    }

    /// Ends tracks without readers, and returns the numbers of the others.
    pub(crate) fn retain_read(&mut self) -> impl Iterator<Item = u32> {
        self.list.retain(|(_, track)| track.is_read());
        self.note_places();
        self.list.iter().map(|(number, _)| *number)
    }

    /// Returns all tracks, and their numbers.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut Track)> {
        self.list.iter_mut().map(|(number, track)| (*number, track))
    }

    /// Calls `each` for these components, and for all that share a bit with one of them.
    #[inline]
    pub(crate) fn for_each(&mut self, of: ComponentSet, mut each: impl FnMut(u32, &mut Track)) {
        if of.is_coarse() {
            let all = self.list.iter_mut().filter(|(number, _)| of.contains(*number));
            return all.for_each(|(number, track)| each(*number, track));
        }
        for (number, mut bits) in (0..).step_by(64).zip(of.words()) {
            while bits != 0 {
                let number = number + bits.trailing_zeros();
                bits &= bits - 1;
                if let Some(track) = self.get_mut(number) {
                    each(number, track);
                }
            }
        }
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.list.capacity() * size_of::<(u32, Track)>()
            + self.places.capacity() * size_of::<u32>()
            + self.list.iter().map(|(_, track)| track.memory()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u32 = 1 << crate::storage::sparse_array::PAGE_SHIFT;

    fn members(indices: &[u32]) -> Keys<Entity> {
        let mut keys = Keys::new();
        for &index in indices {
            keys.push(Entity::new(index, core::num::NonZeroU32::MIN));
        }
        keys
    }

    /// Returns a set of these indices, made from fresh marks.
    fn moved(indices: &[u32]) -> EntitySet {
        let (mut marks, mut marked) = (Marks::default(), EntitySet::default());
        for index in indices {
            marks.add(*index);
        }
        marks.move_into(&mut marked, &members(indices));
        assert!(
            marks.is_empty()
                && marks.pages.as_flattened_mut().iter_mut().all(|word| *word.get_mut() == 0)
        );
        marked
    }

    #[test]
    fn marks_are_added_counted_and_forgotten() {
        let mut marked = moved(&[0, 63, 64, 3 * PAGE + 5]);
        assert!([0, 63, 64, 3 * PAGE + 5].iter().all(|index| marked.has(*index)));
        assert_eq!((marked.len(), marked.has(1), marked.has(9 * PAGE)), (4, false, false));
        assert_eq!(marked.words(0).map(|words| words[0]), Some(1 | 1 << 63));
        assert!(marked.words(1).is_none() && marked.words(100).is_none());
        let mut more = moved(&[1, 70 * PAGE]);
        more.add_all(&marked);
        assert_eq!((more.len(), more.filled().count()), (6, 3));
        marked.retain_members(&members(&[64, 65]));
        assert_eq!((marked.len(), marked.filled().count()), (1, 1));
        more.clear();
        assert!(more.is_empty() && more.filled().next().is_none() && !more.has(1));
        assert!(EntitySet::default().is_empty() && EntitySet::default().words(0).is_none());
    }

    #[test]
    fn tracks_are_found_by_number_and_end_with_their_readers() {
        let (mut tracks, keys) = (TrackList::new(), Keys::new());
        let readers = [70, 3, 300].map(|number| {
            let mut reader = TrackReader::default();
            tracks.entry(number).add_reader(&mut reader, (&keys, 1), true);
            (number, reader)
        });
        let numbers = |tracks: &mut TrackList| {
            let all: Vec<u32> = tracks.iter_mut().map(|(number, _)| number).collect();
            for &number in &all {
                assert!(tracks.get(number).is_some() && tracks.get_mut(number).is_some());
            }
            all
        };
        assert_eq!(numbers(&mut tracks), [70, 3, 300]);
        assert!(tracks.are_read() && tracks.get(4).is_none() && tracks.get(900).is_none());
        let [seventy, (_, three), last] = readers;
        drop([seventy, last]);
        assert!(!tracks.are_read());
        assert!(tracks.retain_read().eq([3]));
        assert!(tracks.are_read() && tracks.get(70).is_none() && tracks.get(300).is_none());
        drop(three);
        assert!(tracks.retain_read().eq([0; 0]) && numbers(&mut tracks).is_empty());
        tracks.entry(70);
        assert_eq!(numbers(&mut tracks), [70]);
    }

    #[test]
    fn only_pages_with_room_are_marked() {
        let mut marks = Marks::default();
        marks.reserve(2);
        marks.mark_one(5, false);
        marks.mark(1, &[7; WORDS], true);
        marks.mark_one(PAGE + 3, true);
        marks.mark_one(2 * PAGE, true);
        marks.mark(2, &[7; WORDS], false);
        let mut marked = moved(&[70 * PAGE]);
        let all: Vec<u32> = (0..2 * PAGE).collect();
        marks.move_into(&mut marked, &members(&all));
        assert_eq!((marked.len(), marked.filled().count()), (3 * WORDS + 2, 2));
        marks.mark_one(5, false);
        marks.move_into(&mut marked, &members(&[6]));
        assert!(marked.is_empty() && !marked.has(5));
    }

    /// Several readers advance at different times, some equally often, some alone.
    #[test]
    fn readers_share_pending_changes() {
        let (mut track, mut keys) = (Track::default(), members(&[0, 1, 2, 3, PAGE]));
        let mut readers = [(); 3].map(|()| TrackReader::default());
        for reader in &mut readers {
            track.add_reader(reader, (&keys, 1), true);
        }
        let mut unread = [(); 3].map(|()| Arc::<Unread>::default());
        let mut advance =
            |track: &mut Track, unread: &mut [Arc<Unread>; 3], keys: &_, at: usize, were_seen| {
                assert!(track.advance(&mut readers[at], &mut unread[at], were_seen, (keys, 1)));
                let Unread { changed, inserted, removed, .. } = &*unread[at];
                let changed: Vec<u32> = (0..2 * PAGE).filter(|index| changed.has(*index)).collect();
                (changed, inserted.len(), removed.len())
            };
        track.mark_one(0);
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, true), (vec![0], 0, 0));
        assert_eq!(advance(&mut track, &mut unread, &keys, 1, true), (vec![0], 0, 0));
        assert!(Arc::ptr_eq(&unread[0], &unread[1]) && track.past.len() == 1);
        // A reader looks twice; other readers get its changes later, too.
        track.mark_one(1);
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, true), (vec![1], 0, 0));
        let gone = keys.dense()[1];
        keys.swap_remove::<false>(gone);
        track.note_removal(gone);
        track.mark_one(2);
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, true), (vec![2], 0, 1));
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, false), (vec![2], 0, 1));
        assert_eq!(track.past.len(), 2);
        track.mark_one(PAGE);
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, false), (vec![2, PAGE], 0, 1));
        assert_eq!(advance(&mut track, &mut unread, &keys, 1, true), (vec![2, PAGE], 0, 1));
        assert_eq!((track.past.len(), &*track.past[0].unread.removed), (1, &[gone][..]));
        // A reader that was not given all past changes gets one merged set, without entities that are not members.
        assert_eq!(advance(&mut track, &mut unread, &keys, 2, true), (vec![0, 2, PAGE], 0, 1));
        assert!(track.past.is_empty());
        assert_eq!(advance(&mut track, &mut unread, &keys, 2, true), (vec![], 0, 0));
        // A reader to which all members are new.
        let mut late = TrackReader::default();
        track.add_reader(&mut late, (&keys, 1), false);
        track.note(keys.dense()[0], true);
        let mut all = Arc::default();
        assert!(track.advance(&mut late, &mut all, true, (&keys, 1)));
        assert_eq!((all.changed.len(), all.inserted.len()), (4, 4));
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, true), (vec![0], 1, 0));
        // All members are marked, without one that leaves, and with one that comes later.
        track.mark_all();
        let came = Entity::new(PAGE + 7, core::num::NonZeroU32::MIN);
        keys.swap_remove::<false>(keys.dense()[2]);
        keys.push(came);
        track.note(came, true);
        let left = vec![0, 3, PAGE, PAGE + 7];
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, true), (left, 1, 0));
        assert_eq!(advance(&mut track, &mut unread, &keys, 0, true), (vec![], 0, 0));
        // Changes that no reader waits for are dropped.
        drop(readers);
        assert!(track.advance(&mut late, &mut all, true, (&keys, 1)) && track.past.is_empty());
    }
}
