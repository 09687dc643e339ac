//! Changes of tracked components: which entities' values came or may have changed, and which went.
//!
//! Marks are bits by entity index, a word for 64 neighbours, as membership is: whatever moves values within
//! their pools, swaps, sorts and groups, moves no marks. What is new since somebody looked last is kept once,
//! and handed to each reader when one of them looks.
//!
//! ```text
//! fresh     changed  inserted  removed      what nobody was given yet
//! readers   [ pending | pending | .. ]      what each of them was not given yet
//! ```

use crate::entity::Entity;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{WORDS, offset_of, page_of};
use alloc::boxed::Box;
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};
use core::{array, fmt};

/// The entities of a tracked component that changed, or came: what
/// [`View::among`](crate::View::among) takes. Made by [`World::advance`](crate::World::advance), of the members
/// of that moment, by their indices: an entity that is spawned later at the index of one of them is among them, too.
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
/// ```
#[derive(Default)]
pub struct Marked {
    /// By the number of the page; none where no entity was ever marked.
    pages: Vec<Option<Box<MarkPage>>>,
}

type MarkPage = [AtomicU64; WORDS];

impl Marked {
    /// How many entities. O(pages of 1,024 indices).
    #[must_use]
    pub fn len(&self) -> usize {
        let words = self.pages.iter().flatten().flat_map(|page| page.iter());
        words.map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum()
    }

    /// Whether there is none. O(pages of 1,024 indices).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let words = self.pages.iter().flatten().flat_map(|page| page.iter());
        words.fold(0, |any, word| any | word.load(Ordering::Relaxed)) == 0
    }

    /// The entities of a page, one bit each; nothing where there is none.
    #[inline]
    pub(crate) fn words(&self, page: usize) -> Option<[u64; WORDS]> {
        words_of(self.pages.get(page)?.as_deref()?)
    }

    /// Whether the entity with this index is among them.
    #[inline]
    pub(crate) fn has(&self, index: u32) -> bool {
        let (word, bit) = (offset_of(index) / 64, offset_of(index) % 64);
        let page = self.pages.get(page_of(index)).and_then(Option::as_deref);
        page.is_some_and(|page| page[word as usize].load(Ordering::Relaxed) >> bit & 1 != 0)
    }

    /// The indices of the entities, in order.
    #[cfg(feature = "serde")]
    pub(crate) fn indices(&self) -> impl Iterator<Item = u32> {
        let words = (0..self.pages.len()).flat_map(|page| {
            let words = self.words(page).into_iter().flatten();
            (page * WORDS..).zip(words)
        });
        words.flat_map(|(word, bits)| {
            let set = (0..64).filter(move |bit| bits >> bit & 1 != 0);
            set.filter_map(move |bit| u32::try_from(word * 64 + bit).ok())
        })
    }

    /// Makes room for the marks of a page, which others may make that share this.
    fn make_room(&mut self, page: usize) -> &mut MarkPage {
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        self.pages[page].get_or_insert_with(|| Box::new([const { AtomicU64::new(0) }; WORDS]))
    }

    /// Adds an entity.
    fn add(&mut self, index: u32) {
        let (word, bit) = (offset_of(index) / 64, offset_of(index) % 64);
        *self.make_room(page_of(index))[word as usize].get_mut() |= 1 << bit;
    }

    /// Adds those of a page, for which there is room; with others that may do so at the same time, or alone.
    #[inline]
    fn mark(&self, page: usize, words: &[u64; WORDS], is_shared: bool) {
        let Some(marks) = self.pages.get(page).and_then(Option::as_deref) else { return };
        for (mark, &bits) in marks.iter().zip(words) {
            mark_word(mark, bits, is_shared);
        }
    }

    /// As [`mark`](Self::mark), one entity.
    #[inline]
    fn mark_one(&self, index: u32, is_shared: bool) {
        let (word, bit) = (offset_of(index) / 64, offset_of(index) % 64);
        if let Some(marks) = self.pages.get(page_of(index)).and_then(Option::as_deref) {
            mark_word(&marks[word as usize], 1 << bit, is_shared);
        }
    }

    /// Adds all of another one.
    fn add_all(&mut self, other: &Self) {
        for (number, page) in other.pages.iter().enumerate() {
            if let Some(words) = page.as_deref().and_then(words_of) {
                self.add_words(number, &words);
            }
        }
    }

    /// Adds those of a page.
    fn add_words(&mut self, page: usize, words: &[u64; WORDS]) {
        for (mark, bits) in self.make_room(page).iter_mut().zip(words) {
            *mark.get_mut() |= bits;
        }
    }

    /// Tells the words of each page that has marks, and sets them to what is answered: most pages may have none, of
    /// which only the marks are read.
    fn replace(&mut self, mut answer: impl FnMut(usize, &[u64; WORDS]) -> [u64; WORDS]) {
        for (number, page) in self.pages.iter_mut().enumerate() {
            if let Some(page) = page
                && let Some(words) = words_of(page)
            {
                let new = answer(number, &words);
                page.iter_mut().zip(new).for_each(|(mark, bits)| *mark.get_mut() = bits);
            }
        }
    }

    /// Forgets those who are no members.
    fn retain_members(&mut self, keys: &Keys<Entity>) {
        self.replace(|number, words| {
            let members = keys.page(number).words();
            array::from_fn(|word| words[word] & members[word])
        });
    }

    fn clear(&mut self) {
        self.replace(|_, _| [0; WORDS]);
    }

    /// Bytes on the heap.
    fn memory(&self) -> usize {
        self.pages.capacity() * size_of::<Option<Box<MarkPage>>>()
            + self.pages.iter().flatten().map(|page| size_of_val(&**page)).sum::<usize>()
    }
}

impl fmt::Debug for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Marked({})", crate::text::entities(self.len()))
    }
}

/// The marks of a page; nothing where there are none.
#[inline]
fn words_of(page: &MarkPage) -> Option<[u64; WORDS]> {
    let words = page.each_ref().map(|word| word.load(Ordering::Relaxed));
    (words.iter().fold(0, |any, word| any | word) != 0).then_some(words)
}

/// Whoever marks alone need not lock the word.
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

/// What happened to the entities of a component.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// Those that were inserted are among them.
    pub(crate) changed: Marked,
    pub(crate) inserted: Marked,
    /// In order; an entity that lost it twice is there twice.
    pub(crate) removed: Vec<Entity>,
}

impl News {
    fn add_all(&mut self, other: &Self) {
        self.changed.add_all(&other.changed);
        self.inserted.add_all(&other.inserted);
        self.removed.extend(&other.removed);
    }

    fn clear(&mut self) {
        self.changed.clear();
        self.inserted.clear();
        self.removed.clear();
    }

    fn memory(&self) -> usize {
        self.changed.memory()
            + self.inserted.memory()
            + self.removed.capacity() * size_of::<Entity>()
    }
}

/// Who reads: alive as long as its [`Changes`](crate::Changes) are.
pub(crate) type Reader = Arc<()>;

/// What is tracked of a component that somebody reads the changes of.
#[derive(Debug, Default)]
pub(crate) struct Track {
    fresh: News,
    /// With what each was not given yet, what is fresh not included.
    readers: Vec<(Weak<()>, News)>,
    /// Whether several views at once may mark.
    is_shared: bool,
}

impl Track {
    /// Begins to read: from now on, or with all members as inserted just now.
    pub(crate) fn add_reader(&mut self, reader: &Reader, keys: &Keys<Entity>, from_now: bool) {
        self.hand_out();
        for number in 0..keys.page_count() {
            if !keys.page(number).is_empty() {
                self.fresh.changed.make_room(number);
            }
        }
        let mut pending = News::default();
        if !from_now {
            for entity in keys.dense() {
                pending.changed.add(entity.index());
                pending.inserted.add(entity.index());
            }
        }
        self.readers.push((Arc::downgrade(reader), pending));
    }

    /// Whether anybody reads.
    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        self.readers.iter().any(|(reader, _)| reader.strong_count() > 0)
    }

    /// Gives each reader what is fresh.
    fn hand_out(&mut self) {
        self.readers.retain(|(reader, _)| reader.strong_count() > 0);
        let Self { fresh, readers, .. } = self;
        // Page by page, so that as many looks are taken as there are pages, however many read.
        fresh.changed.replace(|number, words| {
            for (_, pending) in &mut *readers {
                pending.changed.add_words(number, words);
            }
            [0; WORDS]
        });
        fresh.inserted.replace(|number, words| {
            for (_, pending) in &mut *readers {
                pending.inserted.add_words(number, words);
            }
            [0; WORDS]
        });
        for (_, pending) in readers {
            pending.removed.extend(&fresh.removed);
        }
        fresh.removed.clear();
    }

    /// Exchanges `news` for what this reader was not given yet; or adds it, if nobody saw these. Whether it reads here.
    pub(crate) fn advance(
        &mut self,
        reader: &Reader,
        news: &mut News,
        were_seen: bool,
        keys: &Keys<Entity>,
    ) -> bool {
        self.hand_out();
        let is_it = |other: &Weak<()>| core::ptr::eq(other.as_ptr(), Arc::as_ptr(reader));
        let Some((_, pending)) = self.readers.iter_mut().find(|(other, _)| is_it(other)) else {
            return false;
        };
        if were_seen {
            news.clear();
            core::mem::swap(news, pending);
        } else {
            news.add_all(pending);
            pending.clear();
        }
        news.changed.retain_members(keys);
        news.inserted.retain_members(keys);
        true
    }

    /// An entity was given the component, or another value of it.
    pub(crate) fn note(&mut self, entity: Entity, is_new: bool) {
        self.fresh.changed.add(entity.index());
        if is_new {
            self.fresh.inserted.add(entity.index());
        }
    }

    /// An entity is about to lose it.
    pub(crate) fn note_removal(&mut self, entity: Entity) {
        self.fresh.removed.push(entity);
    }

    /// Whether several views at once may mark from now on.
    pub(crate) const fn set_shared(&mut self, is_shared: bool) {
        self.is_shared = is_shared;
    }

    /// The values of these members, those of a page, may change.
    #[inline]
    pub(crate) fn mark(&self, page: usize, words: &[u64; WORDS]) {
        self.fresh.changed.mark(page, words, self.is_shared);
    }

    /// The value of this member may change.
    #[inline]
    pub(crate) fn mark_one(&self, index: u32) {
        self.fresh.changed.mark_one(index, self.is_shared);
    }

    /// The value of this member changes, while others are marked by somebody else.
    #[inline]
    pub(crate) fn mark_beside_others(&self, index: u32) {
        self.fresh.changed.mark_one(index, true);
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.fresh.memory()
            + self.readers.capacity() * size_of::<(Weak<()>, News)>()
            + self.readers.iter().map(|(_, pending)| pending.memory()).sum::<usize>()
    }
}

/// All that is tracked, by component number.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    list: Vec<(u32, Track)>,
    /// By number: the place in the list, or [`NOWHERE`].
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Tracks {
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

    /// The one with this number, made if there is none.
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

    /// Whether somebody reads each of them.
    pub(crate) fn are_read(&self) -> bool {
        self.list.iter().all(|(_, track)| track.is_read())
    }

    /// Ends those that nobody reads. The numbers of the others.
    pub(crate) fn retain_read(&mut self) -> impl Iterator<Item = u32> {
        self.list.retain(|(_, track)| track.is_read());
        self.note_places();
        self.list.iter().map(|(number, _)| *number)
    }

    /// All of them, and their numbers.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut Track)> {
        self.list.iter_mut().map(|(number, track)| (*number, track))
    }

    /// Bytes on the heap.
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

    #[test]
    fn marks_are_added_counted_and_forgotten() {
        let mut marked = Marked::default();
        assert!(marked.is_empty() && marked.words(0).is_none());
        for index in [0, 63, 64, 3 * PAGE + 5] {
            marked.add(index);
            assert!(marked.has(index));
        }
        assert_eq!((marked.len(), marked.has(1)), (4, false));
        assert_eq!(marked.words(0).map(|words| words[0]), Some(1 | 1 << 63));
        assert!(marked.words(1).is_none());
        let mut more = Marked::default();
        more.add(1);
        more.add_all(&marked);
        assert_eq!(more.len(), 5);
        more.clear();
        assert!(more.is_empty());
    }

    #[test]
    fn tracks_are_found_by_number_and_end_with_their_readers() {
        let (mut tracks, keys) = (Tracks::new(), Keys::new());
        let readers = [70, 3, 300].map(|number| {
            let reader = Reader::new(());
            tracks.entry(number).add_reader(&reader, &keys, true);
            (number, reader)
        });
        let numbers = |tracks: &mut Tracks| {
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
        assert!(tracks.retain_read().eq([]) && numbers(&mut tracks).is_empty());
        tracks.entry(70);
        assert_eq!(numbers(&mut tracks), [70]);
    }

    #[test]
    fn only_pages_with_room_are_marked() {
        let mut marked = Marked::default();
        marked.make_room(1);
        marked.mark_one(5, false);
        marked.mark(1, &[7; WORDS], true);
        marked.mark_one(PAGE + 3, true);
        assert_eq!(marked.len(), 3 * WORDS + 1);
    }
}
