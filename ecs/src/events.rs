//! Queues of events for readers that poll.

use crate::component::handles::MapEntities;
use crate::component::id::ComponentId;
use crate::entity::Entity;
use crate::resource::{InSnapshot, InSnapshots, Resource};
use alloc::collections::VecDeque;
use alloc::collections::vec_deque;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::sync::atomic::{AtomicU64, Ordering};

/// A queue of events for any number of readers; each polls at its own pace.
///
/// An event is kept until the second [`update`](Self::update) after it was sent. So a reader that reads once between
/// two updates misses none, for any order of senders and readers. A reader that reads less often gets the number of
/// missed events. Each reader has an [`EventCursor`].
///
/// Without updates, a queue does not grow forever: it keeps the last 65,536 events, or the number set by
/// [`with_limit`](Self::with_limit). Older events are missed, like events that an update drops. To notify the entity of
/// an event immediately, use an observer: [`World::on`](crate::World::on).
///
/// It is a plain value: a local variable, a [resource](crate::Resource), or a field of a component. Sending takes O(1);
/// updating and reading take O(events). As a resource it stays in its world: copies, files and deltas are without it,
/// and a world that is loaded or becomes a copy keeps its own. The [`Snapshot`](crate::Snapshot) of a program has a copy
/// of it, if it was created [`in_snapshots`](Self::in_snapshots).
///
/// ```
/// use ecs::{EventCursor, Events, Local, Resource, World, schedule};
///
/// struct Hit { damage: u32 }
/// #[derive(Resource)]
/// struct Damage(u32);
///
/// fn update(hits: &mut Events<Hit>) {
///     hits.update(); // once a frame
/// }
/// fn add_up(hits: &Events<Hit>, mut seen: Local<EventCursor>, damage: &mut Damage) {
///     damage.0 += hits.read(&mut seen).map(|hit| hit.damage).sum::<u32>();
/// }
/// fn strike(hits: &mut Events<Hit>) {
///     hits.send(Hit { damage: 3 }); // behind the reader: for the next frame
/// }
/// schedule! { struct Frame { update, add_up, strike } }
///
/// let (mut world, mut frame) = (World::new(), Frame::new());
/// world.insert_resource(Events::<Hit>::new());
/// world.insert_resource(Damage(0));
/// for _ in 0..3 {
///     frame.run(&mut world)?;
/// }
/// assert_eq!(world.resource::<Damage>().0, 2 * 3);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub struct Events<E> {
    /// The events, in the order in which they were sent.
    queue: VecDeque<E>,
    /// The number of events that were sent before the last update.
    old: usize,
    /// The number of the first event. Numbers begin at 1, and never wrap around: that takes centuries.
    first: u64,
    /// The most events that are kept.
    limit: usize,
    /// Identifies the queue among all of the process; 0 until it is first needed.
    id: AtomicU64,
    /// The queues that this one is a copy of, the nearest first. Each has the number of the first event that it does not
    /// share.
    origins: Vec<EventPlace>,
    in_snapshots: QueueInSnapshots<E>,
}

/// The part that a queue has in snapshots of programs.
enum QueueInSnapshots<E> {
    /// Nothing was chosen.
    Refused,
    Stays,
    /// Copies the events.
    Copied(fn(&VecDeque<E>) -> VecDeque<E>),
}

impl<E> Clone for QueueInSnapshots<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for QueueInSnapshots<E> {}

/// The instances share an id, so they are distinguished at run time.
#[diagnostic::do_not_recommend]
impl<E: Send + Sync + 'static> Resource for Events<E> {
    const NAME: &'static str = "Events";
    const ID: ComponentId = ComponentId::of(Some("ecs"), None, "events", "Events", 0, 0).inexact();
    const SKIPS_COPIES: bool = true;
    const SKIPS_SAVES: bool = true;
    const IN_SNAPSHOTS: Option<InSnapshots<Self>> = Some(InSnapshots {
        state: |queue| match queue.in_snapshots {
            QueueInSnapshots::Refused => InSnapshot::Refused,
            QueueInSnapshots::Stays => InSnapshot::Stays,
            QueueInSnapshots::Copied(_) => InSnapshot::Copied,
        },
        copy: Self::copy_with_id,
    });
}

/// The number of events that a queue keeps without another limit.
const LIMIT: usize = 1 << 16;

/// The number of origins that a queue stores, and of other queues in which a cursor has a place.
const MOST_OTHERS: usize = 8;

/// The position of a reader of [`Events`]. A new one has read none since the queue was made, so its first read
/// [missed](EventIter::missed) all that are gone. [`Events::cursor`] makes one for a later reader.
///
/// It has a place of its own in each queue: in one of another world it begins anew, and back in the first one it goes on
/// from there. In a copy of a queue, as a copied world has one, it goes on behind the events that it has read. It has a
/// place in the last 9 queues that it read.
///
/// ```
/// use ecs::{EventCursor, Events};
///
/// let mut seen = EventCursor::default();
/// let mut events = Events::new();
/// events.send('a');
/// assert!(events.read(&mut seen).eq(&['a']));
/// assert!(events.read(&mut seen).next().is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCursor {
    /// The next event to read.
    here: EventPlace,
    /// The next events of other queues, the last one that was read first.
    elsewhere: Vec<EventPlace>,
}

/// An event by the id of its queue and its number. Both are 0 before a cursor's first read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct EventPlace {
    queue: u64,
    event: u64,
}

impl EventCursor {
    /// Returns the number of the next event in the queue with this id, if the cursor has a place there.
    #[cfg(feature = "serde")]
    pub(crate) fn event_in(&self, queue: u64) -> Option<u64> {
        let mut places = [&self.here].into_iter().chain(&self.elsewhere);
        places.find(|place| queue != 0 && place.queue == queue).map(|place| place.event)
    }

    /// Returns a cursor with these places: the ids of queues, and the numbers of the next events.
    #[cfg(feature = "serde")]
    pub(crate) fn of_places(places: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut places = places.map(|(queue, event)| EventPlace { queue, event });
        let here = places.next().unwrap_or_default();
        Self { here, elsewhere: places.take(MOST_OTHERS).collect() }
    }

    const fn at(here: EventPlace) -> Self {
        Self { here, elsewhere: Vec::new() }
    }

    /// Returns the number of the next event in the queue with this id and these origins.
    fn place_in(&mut self, queue: u64, origins: &[EventPlace]) -> &mut u64 {
        if self.here.queue != queue {
            self.move_to(queue, origins);
        }
        &mut self.here.event
    }

    #[cold]
    fn move_to(&mut self, queue: u64, origins: &[EventPlace]) {
        let Self { here, elsewhere } = self;
        let find = |queue| elsewhere.iter().chain([&*here]).find(|place| place.queue == queue);
        let shared = |origin: &EventPlace| Some(find(origin.queue)?.event.min(origin.event));
        let event = match find(queue) {
            Some(place) => place.event,
            None => origins.iter().filter_map(shared).max().unwrap_or(0),
        };
        elsewhere.retain(|place| place.queue != queue);
        if here.queue != 0 {
            elsewhere.insert(0, *here);
            elsewhere.truncate(MOST_OTHERS);
        }
        *here = EventPlace { queue, event };
    }
}

impl<E> Events<E> {
    /// Creates a queue without events; allocates nothing.
    ///
    /// ```
    /// assert!(ecs::Events::<u32>::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(LIMIT)
    }

    /// Creates a queue without events, which keeps the last `limit` events that are sent. Allocates nothing.
    ///
    /// With a limit of `usize::MAX` only updates drop events.
    ///
    /// # Panics
    /// Panics if the limit is zero.
    ///
    /// ```
    /// # use ecs::{EventCursor, Events};
    /// let (mut events, mut seen) = (Events::with_limit(2), EventCursor::default());
    /// events.extend(['a', 'b', 'c']);
    /// let unread = events.read(&mut seen);
    /// assert_eq!(unread.missed(), 1);
    /// assert!(unread.eq(&['b', 'c']));
    /// ```
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        assert!(limit > 0, "a queue keeps at least one event: its limit is not zero");
        Self {
            queue: VecDeque::new(),
            old: 0,
            first: 1,
            limit,
            id: AtomicU64::new(0),
            origins: Vec::new(),
            in_snapshots: QueueInSnapshots::Refused,
        }
    }

    /// Returns the queue, made to take part in each [`Snapshot`](crate::Snapshot) of its program: it goes back with the
    /// program, and so do the cursors of its systems. Copies the events with each snapshot.
    ///
    /// ```
    /// # use ecs::{Events, Schedule, World};
    /// let mut world = World::new();
    /// world.insert_resource(Events::<u32>::new().in_snapshots());
    /// let mut schedule = Schedule::new();
    /// let snapshot = schedule.snapshot(&mut world)?;
    /// world.resource_mut::<Events<u32>>().send(3);
    /// schedule.restore(&mut world, &snapshot)?;
    /// assert!(world.resource::<Events<u32>>().is_empty());
    /// # Ok::<(), ecs::SnapshotError>(())
    /// ```
    #[must_use]
    pub fn in_snapshots(mut self) -> Self
    where
        E: Clone,
    {
        self.in_snapshots = QueueInSnapshots::Copied(VecDeque::clone);
        self
    }

    /// Returns the queue, made to stay when its program goes back to a [`Snapshot`](crate::Snapshot): for events whose
    /// readers are outside of the program, such as sounds to be played.
    ///
    /// ```
    /// # use ecs::{Events, Schedule, World};
    /// let mut world = World::new();
    /// world.insert_resource(Events::<u32>::new().outside_snapshots());
    /// let mut schedule = Schedule::new();
    /// let snapshot = schedule.snapshot(&mut world)?;
    /// world.resource_mut::<Events<u32>>().send(3);
    /// schedule.restore(&mut world, &snapshot)?;
    /// assert_eq!(world.resource::<Events<u32>>().len(), 1);
    /// # Ok::<(), ecs::SnapshotError>(())
    /// ```
    #[must_use]
    pub const fn outside_snapshots(mut self) -> Self {
        self.in_snapshots = QueueInSnapshots::Stays;
        self
    }

    /// Returns a copy that cursors take for the queue itself, if it takes part in snapshots.
    fn copy_with_id(&self) -> Option<Self> {
        let QueueInSnapshots::Copied(copy) = self.in_snapshots else { return None };
        Some(Self {
            queue: copy(&self.queue),
            id: AtomicU64::new(self.id()),
            origins: self.origins.clone(),
            ..*self
        })
    }

    /// Returns the number of the first event, the number of old ones, and the limit.
    #[cfg(feature = "serde")]
    pub(crate) const fn numbers(&self) -> [u64; 3] {
        [self.first, self.old as u64, self.limit as u64]
    }

    /// Returns a queue of events with these [numbers](Self::numbers), if they are possible.
    #[cfg(feature = "serde")]
    pub(crate) fn from_numbers([first, old, limit]: [u64; 3], events: Vec<E>) -> Option<Self> {
        let (old, limit) = (usize::try_from(old).ok()?, usize::try_from(limit).ok()?);
        let is_possible = (1..=u64::MAX / 2).contains(&first)
            && old <= events.len()
            && events.len() <= limit
            && limit > 0;
        is_possible.then(|| Self { queue: events.into(), old, first, limit, ..Self::new() })
    }

    /// Returns the id of the queue.
    pub(crate) fn id(&self) -> u64 {
        // Relaxed: threads share nothing but the number.
        match self.id.load(Ordering::Relaxed) {
            0 => {
                let new = new_id();
                let given = self.id.compare_exchange(0, new, Ordering::Relaxed, Ordering::Relaxed);
                given.err().unwrap_or(new) // another thread may have been first
            }
            id => id,
        }
    }

    /// Returns the place behind the last event.
    fn end(&self) -> EventPlace {
        EventPlace { queue: self.id(), event: self.first + self.queue.len() as u64 }
    }

    /// Appends an event, and drops the oldest one if there are as many as the limit. [`extend`](Extend::extend) appends
    /// several.
    ///
    /// ```
    /// # use ecs::Events;
    /// let mut events = Events::new();
    /// events.send(1);
    /// events.extend([2, 3]);
    /// assert_eq!(events.len(), 3);
    /// ```
    pub fn send(&mut self, event: E) {
        if self.queue.len() >= self.limit {
            drop(self.take(1));
        }
        self.queue.push_back(event);
    }

    /// Returns the events behind the cursor, oldest first. The cursor passes each event that the iterator yields, so a
    /// reader handles each event once.
    ///
    /// Keep the cursor from one read to the next, such as in a [`Local`](crate::Local): a new one begins with events that
    /// were handled before.
    ///
    /// [`EventIter::missed`] returns the number of events that were gone before they were read. A loop that ends early
    /// leaves the others to the next one. Reverse iteration marks events as read only when it finishes.
    ///
    /// ```
    /// # use ecs::{EventCursor, Events};
    /// let mut events = Events::from_iter(1..=4);
    /// let (mut a, mut b) = (EventCursor::default(), EventCursor::default());
    /// assert_eq!(events.read(&mut a).find(|&&event| event == 2), Some(&2));
    /// assert!(events.read(&mut a).eq(&[3, 4]));
    /// assert!(events.read(&mut b).rev().eq(&[4, 3, 2, 1]));
    /// ```
    pub fn read<'q>(&'q self, cursor: &'q mut EventCursor) -> EventIter<'q, E> {
        let end = self.end();
        let next = cursor.place_in(end.queue, &self.origins);
        let missed = self.first.saturating_sub((*next).max(1));
        *next = (*next).clamp(self.first, end.event);
        let passed = usize::try_from(*next - self.first).unwrap_or(usize::MAX); // at most the length
        EventIter { events: self.queue.range(passed..), next, end: end.event, missed }
    }

    /// Returns a cursor for a reader of the present events and of all later ones. It has missed none.
    ///
    /// ```
    /// # use ecs::Events;
    /// let mut events = Events::from_iter(['a']);
    /// events.clear();
    /// events.send('b');
    /// let mut seen = events.cursor();
    /// let unread = events.read(&mut seen);
    /// assert_eq!(unread.missed(), 0);
    /// assert!(unread.eq(&['b']));
    /// ```
    #[must_use]
    pub fn cursor(&self) -> EventCursor {
        EventCursor::at(EventPlace { event: self.first, ..self.end() })
    }

    /// Returns a cursor for a reader of future events only.
    ///
    /// ```
    /// # use ecs::Events;
    /// let mut events = Events::from_iter([1, 2]);
    /// let mut seen = events.cursor_at_end();
    /// events.send(3);
    /// assert!(events.read(&mut seen).eq(&[3]));
    /// ```
    #[must_use]
    pub fn cursor_at_end(&self) -> EventCursor {
        EventCursor::at(self.end())
    }

    /// Drops the events that were sent before the last update. Call it once a frame, at one place.
    ///
    /// ```
    /// # use ecs::Events;
    /// let mut events = Events::from_iter(['a']);
    /// events.update();
    /// events.send('b');
    /// assert!(events.iter_kept().eq(&['a', 'b']));
    /// events.update();
    /// assert!(events.iter_kept().eq(&['b']));
    /// ```
    pub fn update(&mut self) {
        let gone = core::mem::replace(&mut self.old, self.queue.len());
        drop(self.take(gone));
    }

    /// Drops all events. Readers that have not read them miss them.
    ///
    /// ```
    /// # use ecs::Events;
    /// let mut events = Events::from_iter(['a']);
    /// events.clear();
    /// assert!(events.is_empty());
    /// ```
    pub fn clear(&mut self) {
        drop(self.drain());
    }

    /// Removes and returns all events, for a single reader. Other readers miss them.
    ///
    /// ```
    /// # use ecs::Events;
    /// let mut events = Events::from_iter(['a', 'b']);
    /// assert!(events.drain().eq(['a', 'b']));
    /// assert!(events.is_empty());
    /// ```
    pub fn drain(&mut self) -> impl DoubleEndedIterator<Item = E> + ExactSizeIterator + '_ {
        self.take(self.queue.len())
    }

    /// Removes the first events; they are gone even if dropping one panics, or the iterator is leaked.
    fn take(&mut self, count: usize) -> vec_deque::Drain<'_, E> {
        self.first += count as u64;
        self.old = self.old.saturating_sub(count);
        self.queue.drain(..count)
    }

    /// Returns the number of events, read or not.
    ///
    /// ```
    /// assert_eq!(ecs::Events::from_iter([1, 2]).len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Returns `true` if there are no events.
    ///
    /// ```
    /// assert!(!ecs::Events::from_iter([1, 2]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Returns all events that the queue keeps, oldest first, whether a reader has read them or not.
    ///
    /// A loop over them in each frame handles an event twice, because the queue keeps it over one
    /// [`update`](Self::update). [`read`](Self::read) returns each event once.
    ///
    /// ```
    /// # use ecs::{EventCursor, Events};
    /// let (events, mut seen) = (Events::from_iter([1, 2]), EventCursor::default());
    /// assert!(events.read(&mut seen).eq(&[1, 2]) && events.read(&mut seen).next().is_none());
    /// assert!(events.iter_kept().eq(&[1, 2]));
    /// ```
    #[must_use]
    pub fn iter_kept(&self) -> vec_deque::Iter<'_, E> {
        self.queue.iter()
    }

    /// Never compiles: the error names [`read`](Self::read).
    #[doc(hidden)]
    #[must_use]
    pub fn iter(&self) -> vec_deque::Iter<'_, E>
    where
        EventCursor: Implied<E>,
    {
        self.iter_kept()
    }
}

/// Returns an id that no queue of the process has.
#[cold]
fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Cursors of the queue go on in the copy behind the events that they have read. Later events belong to one of both.
impl<E: Clone> Clone for Events<E> {
    fn clone(&self) -> Self {
        let origins = [self.end()].into_iter().chain(self.origins.iter().copied());
        Self {
            queue: self.queue.clone(),
            id: AtomicU64::new(0),
            origins: origins.take(MOST_OTHERS).collect(),
            ..*self
        }
    }
}

/// The handles in the events.
impl<E: MapEntities> MapEntities for Events<E> {
    const MAY_HOLD: bool = E::MAY_HOLD;

    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.queue.map_entities(map);
    }
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
        self.queue.visit_entities(visit);
    }
}

impl<E> Default for Events<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Extend<E> for Events<E> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, events: I) {
        events.into_iter().for_each(|event| self.send(event));
    }
}

impl<E> FromIterator<E> for Events<E> {
    fn from_iter<I: IntoIterator<Item = E>>(events: I) -> Self {
        let mut queue = Self::new();
        queue.extend(events);
        queue
    }
}

/// A bound that nothing meets. With it, `rustc` answers a loop over a queue by naming [`Events::read`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a queue of events is read with a cursor, which passes each event once",
    label = "write `queue.read(&mut seen)`",
    note = "`seen` is an `EventCursor` that the reader keeps: the parameter `mut seen: Local<EventCursor>` of a system, or a field",
    note = "`drain` removes all events, for a single reader; `iter_kept` returns all, whether they were read or not"
)]
pub trait Implied<E> {}

// `Iterator`, because `rustc` would not mention an `IntoIterator` of these types in the error, nor a bound on the queue
// itself. The standard library adds the impl for `&mut Events`.
#[doc(hidden)]
#[expect(clippy::copy_iterator, reason = "it is never one")]
impl<'q, E> Iterator for &'q Events<E>
where
    EventCursor: Implied<E>,
{
    type Item = &'q E;
    fn next(&mut self) -> Option<&'q E> {
        None
    }
}

#[doc(hidden)]
impl<E> Iterator for Events<E>
where
    EventCursor: Implied<E>,
{
    type Item = E;
    fn next(&mut self) -> Option<E> {
        None
    }
}

/// Displays the events, oldest first.
impl<E: fmt::Debug> fmt::Debug for Events<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter_kept()).finish()
    }
}

/// An iterator over the unread [`Events`] of a reader: see [`Events::read`].
#[derive(Debug)]
#[must_use = "a reader passes the events that this yields"]
pub struct EventIter<'q, E> {
    events: vec_deque::Iter<'q, E>,
    /// The number of the next event to read, in the cursor.
    next: &'q mut u64,
    /// The number after the last event.
    end: u64,
    missed: u64,
}

impl<E> EventIter<'_, E> {
    /// Returns the number of events that were gone before this reader read them; 0 at the next read. A new cursor
    /// missed all that are gone since the queue was made.
    ///
    /// ```
    /// # use ecs::{EventCursor, Events};
    /// let (mut events, mut seen) = (Events::from_iter(1..=5), EventCursor::default());
    /// assert_eq!(events.read(&mut seen).nth(1), Some(&2));
    /// events.update();
    /// events.send(6);
    /// events.update();
    /// let unread = events.read(&mut seen);
    /// assert_eq!(unread.missed(), 3);
    /// assert!(unread.eq(&[6]));
    /// ```
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Passes the events that were read from the back, too, when none is left before them.
    fn pass_all_at_end(&mut self) {
        if self.events.len() == 0 {
            *self.next = self.end;
        }
    }
}

impl<'q, E> Iterator for EventIter<'q, E> {
    type Item = &'q E;

    fn next(&mut self) -> Option<&'q E> {
        let event = self.events.next()?;
        *self.next += 1;
        self.pass_all_at_end();
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl<'q, E> DoubleEndedIterator for EventIter<'q, E> {
    fn next_back(&mut self) -> Option<&'q E> {
        let event = self.events.next_back()?;
        self.pass_all_at_end();
        Some(event)
    }
}

impl<E> ExactSizeIterator for EventIter<'_, E> {}
impl<E> FusedIterator for EventIter<'_, E> {}
