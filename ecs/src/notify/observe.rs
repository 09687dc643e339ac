//! Observers: functions that are notified of inserted, changed and removed components, and of events.

use crate::component::set::ComponentSet;
use crate::component::{AnyComponent, Hook, HookList};
use crate::entity::Entity;
use crate::internal::function_trait;
use crate::notify::change_log::{Change, ChangeRow};
use crate::notify::collect::{Collectors, ComponentChange, Inserted, Removed, Topics, Updated};
use crate::pool::kind::Kind;
use crate::pool::watch::{Fact, Notified};
use crate::world::World;
use crate::world::error::NoSuchEntityError;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::mem::needs_drop;
use core::sync::atomic::{AtomicU64, Ordering};

/// An observer of a world, to be ended by [`World::unobserve`]. It names no observer of another world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObserverId(pub(super) u64);

/// An observer that captures: a world may go to another thread, or be read by several.
///
/// The lifetime lets the bound be false, so that there is one error, in these words.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a world may be used by other threads, so the captures of an observer are `Send + Sync`, and `{Self}` has others",
    label = "captures a value that threads do not share",
    note = "in place of an `Rc`, a `Cell` or a `RefCell`, let it capture an `Arc`, an atomic or a lock"
)]
pub trait Captured<'a>: Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Captured<'_> for T {}

function_trait! {
    /// The function of an observer of single entities.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "an observer takes the world and an entity: write `world.on_insert::<T>(|world, entity| ..)`",
        label = "not a function of `&mut World` and `Entity`",
        note = "`on_insert`, `on_update` and `on_remove` name the component, and the observer reads it by `world.get::<T>(entity)`"
    )]
    EntityObserver: Fn(&mut World, Entity)
}

function_trait! {
    /// The function of an observer of batches.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "an observer of batches takes the world and entities: write \
                   `world.on_batch::<Inserted<T>>(|world, entities| ..)`",
        label = "not a function of `&mut World` and `&[Entity]`"
    )]
    BatchObserver: Fn(&mut World, &[Entity])
}

/// The function of an observer of components. One that captures nothing takes no memory, and is not counted.
#[derive(Clone)]
pub(super) enum Call {
    Each(Hook),
    EachShared(Arc<Closure>),
    Batch(&'static BatchClosure),
    BatchShared(Arc<BatchClosure>),
    /// Adds the entity to the list of the collector in this place.
    Collect(u32),
}

impl Call {
    fn each(observer: impl Fn(&mut World, Entity) + Send + Sync + 'static) -> Self {
        match without_captures(observer) {
            Ok(observer) => Self::Each(observer),
            Err(observer) => Self::EachShared(Arc::new(observer)),
        }
    }

    fn batch(observer: impl Fn(&mut World, &[Entity]) + Send + Sync + 'static) -> Self {
        match without_captures(observer) {
            Ok(observer) => Self::Batch(observer),
            Err(observer) => Self::BatchShared(Arc::new(observer)),
        }
    }
}

/// Returns a reference to a closure that captures nothing; gives others back.
fn without_captures<F: 'static>(closure: F) -> Result<&'static F, F> {
    if size_of::<F>() == 0 && !needs_drop::<F>() {
        Ok(Box::leak(Box::new(closure))) // without a size it has no memory to leak
    } else {
        Err(closure)
    }
}

pub(super) type Closure = dyn Fn(&mut World, Entity) + Send + Sync;
type BatchClosure = dyn Fn(&mut World, &[Entity]) + Send + Sync;

/// The subject of a list of observers: a change of a component, entity by entity, or of all entities of an
/// operation at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Topic {
    pub(crate) number: u32,
    pub(crate) change: Change,
    pub(crate) at_once: bool,
}

/// An event: to the world, or to an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    of: TypeId,
    to_entity: bool,
}

impl Event {
    fn of<E: 'static>(to_entity: bool) -> Self {
        Self { of: TypeId::of::<E>(), to_entity }
    }
}

/// An observer: the later it began, the greater its number.
#[derive(Clone)]
pub(super) struct Observer<C> {
    pub(super) id: u64,
    pub(super) call: C,
}

impl Observer<Call> {
    #[inline]
    pub(super) const fn collects(&self) -> bool {
        matches!(self.call, Call::Collect(_))
    }
}

/// Observers, in the order in which they began.
type List<C> = Vec<Observer<C>>;

/// Calls an observer of events with the event, and with the entity that it is sent to, or [`Entity::PLACEHOLDER`].
type EventCall = dyn Fn(&mut World, Entity, &dyn Any) + Send + Sync;

/// The observers of a topic. They are lent while they are called, as they may end meanwhile.
#[derive(Default)]
struct Lending {
    list: Arc<List<Call>>,
    /// A second handle, to be lent: its creation and drop are atomic operations, which take longer than a call.
    spare: Option<Arc<List<Call>>>,
}

impl Lending {
    /// Returns the observers, to be changed.
    fn edit(&mut self) -> &mut List<Call> {
        self.spare = None;
        Arc::make_mut(&mut self.list)
    }
}

/// The observers of a world.
pub(crate) struct Observers {
    /// The lists of observers, by the component's number, then by [`Topic::list`].
    of_components: Vec<[Option<Lending>; Topic::LISTS]>,
    of_events: BTreeMap<Event, List<Arc<EventCall>>>,
    pub(crate) collectors: Collectors,
    /// The lowest number that the next observer may have.
    next: u64,
    /// A number that changes with the observers of components, and when a nested edit finishes a row. No two worlds
    /// have an equal one, except 0 at first.
    version: u64,
    has_at_once: bool,
}

impl Topic {
    const LISTS: usize = Change::COUNT * 2;

    pub(super) const fn list(self) -> usize {
        self.change as usize * 2 + self.at_once as usize
    }
}

impl Observers {
    pub(crate) const fn new() -> Self {
        Self {
            of_components: Vec::new(),
            of_events: BTreeMap::new(),
            collectors: Collectors::new(),
            next: 1,
            version: 0,
            has_at_once: false,
        }
    }

    /// Returns the lowest number that the next observer may have. It is greater than the numbers of all
    /// observers.
    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    /// Assigns a number to an observer or a collector, and returns it: no other one of the process has it, also in
    /// another world.
    pub(super) fn give_number(&mut self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        self.next = number + 1;
        number
    }

    /// Returns the observers of a topic.
    #[inline]
    pub(super) fn list(&self, topic: Topic) -> &[Observer<Call>] {
        let lists = self.of_components.get(topic.number as usize);
        match lists.and_then(|lists| lists[topic.list()].as_ref()) {
            Some(lending) => &lending.list,
            None => &[],
        }
    }

    /// Lends the observers of a topic, if there are any. They are to be [taken back](Self::take_back).
    #[inline]
    pub(super) fn lend(&mut self, topic: Topic) -> Option<Arc<List<Call>>> {
        let lists = self.of_components.get_mut(topic.number as usize)?;
        let Lending { list, spare } = lists[topic.list()].as_mut()?;
        Some(spare.take().unwrap_or_else(|| Arc::clone(list)))
    }

    /// Takes back observers of a topic that were lent, unless they have changed since.
    #[inline]
    pub(super) fn take_back(&mut self, topic: Topic, lent: Arc<List<Call>>) {
        if let Some(lists) = self.of_components.get_mut(topic.number as usize)
            && let Some(Lending { list, spare }) = &mut lists[topic.list()]
            && Arc::ptr_eq(list, &lent)
        {
            *spare = Some(lent);
        }
    }

    /// Returns the observers of a topic with lower numbers than `limit`.
    #[inline]
    pub(super) fn until(&self, topic: Topic, limit: u64) -> &[Observer<Call>] {
        let all = self.list(topic);
        match all.last() {
            Some(last) if last.id >= limit => {
                &all[..all.partition_point(|observer| observer.id < limit)]
            }
            _ => all,
        }
    }

    /// Returns a number that changes with the observers of components, and when a nested edit finishes a row. It
    /// differs between all worlds with observers.
    #[inline]
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Changes the [version](Self::version).
    pub(super) fn renew(&mut self) {
        static VERSIONS: AtomicU64 = AtomicU64::new(1);
        self.version = VERSIONS.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds the entity of a row to the lists of its collectors with lower numbers than `limit`.
    #[inline]
    pub(super) fn collect(&mut self, row: &ChangeRow, limit: u64) {
        let topic = Topic { number: row.number, change: row.change, at_once: false };
        let Self { of_components, collectors, .. } = self;
        let Some(lists) = of_components.get(topic.number as usize) else { return };
        let Some(Lending { list, .. }) = &lists[topic.list()] else { return };
        for Observer { id, call } in &**list {
            if let Call::Collect(place) = *call
                && *id < limit
            {
                collectors.mention(place, row.entity, row.change);
            }
        }
    }

    /// Returns `true` if an observer takes all entities of an operation at once.
    pub(crate) const fn has_any_at_once(&self) -> bool {
        self.has_at_once
    }

    /// Returns `true` if there is an observer.
    pub(crate) fn has(&self, topic: Topic) -> bool {
        !self.list(topic).is_empty()
    }

    /// Returns the next observer after the `last` one with a lower number than `limit`. For removals and
    /// despawns, later observers come first.
    pub(super) fn next_of(&self, topic: Topic, last: u64, limit: u64) -> Option<(u64, Call)> {
        let all = self.list(topic);
        let found = if topic.change == Change::Remove {
            let at = all.partition_point(|observer| observer.id < last);
            all.get(at.checked_sub(1)?)?
        } else {
            first_after(all, last, limit)?
        };
        Some((found.id, found.call.clone()))
    }

    /// Returns the listeners of this change of a component that has these hooks.
    #[inline]
    fn notified(&self, number: u32, change: Change, hooks: &HookList) -> Notified {
        let list = |at_once| self.list(Topic { number, change, at_once });
        match (change.hook(hooks), list(false), list(true)) {
            (None, [Observer { call: Call::Each(call), .. }], []) => Notified::Hook(*call),
            (None, [Observer { call: Call::EachShared(_), .. }], []) => Notified::Closure,
            (None, list, []) if list.iter().all(Observer::collects) => Notified::Collectors,
            (Some(hook), [], []) => Notified::Hook(hook),
            _ => Notified::Others,
        }
    }

    /// Adds an observer, as the last one.
    #[inline]
    fn add(&mut self, topic: Topic, id: u64, call: Call) {
        let number = topic.number as usize;
        if number >= self.of_components.len() {
            self.of_components.resize_with(number + 1, Default::default);
        }
        let lending = self.of_components[number][topic.list()].get_or_insert_default();
        lending.edit().push(Observer { id, call });
        self.has_at_once |= topic.at_once;
        self.renew();
    }

    /// Removes the observer with this number from all lists of components. Returns its function.
    #[inline]
    pub(super) fn remove(&mut self, id: u64) -> Option<Call> {
        let lists = self.of_components.iter_mut().flatten().flatten();
        let has_it = |it: &&mut Lending| it.list.iter().any(|observer| observer.id == id);
        let removed = lists.filter(has_it).filter_map(|it| take(it.edit(), ObserverId(id))).last();
        self.renew();
        removed
    }

    /// Returns the components with observers or collectors of insertions or updates, and those with some of removals.
    #[inline]
    fn observed(&self) -> (ComponentSet, ComponentSet) {
        let (mut insertions, mut removals) = (ComponentSet::EMPTY, ComponentSet::EMPTY);
        for (number, lists) in (0..).zip(&self.of_components) {
            let has =
                |lists: &[Option<Lending>]| lists.iter().flatten().any(|it| !it.list.is_empty());
            let (to_in, to_out) = lists.split_at(Change::Remove as usize * 2);
            if has(to_in) {
                insertions.insert(number);
            }
            if has(to_out) {
                removals.insert(number);
            }
        }
        (insertions, removals)
    }

    /// Bytes on the heap, without the captures of observers.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        let lists = self.of_components.iter().flatten().flatten();
        let of_events = self.of_events.values();
        self.of_components.capacity() * size_of::<[Option<Lending>; Topic::LISTS]>()
            + lists.map(|it| it.list.capacity() * size_of::<Observer<Call>>()).sum::<usize>()
            + of_events.map(|list| size_of_val(&**list) + size_of_val(list)).sum::<usize>()
            + self.collectors.memory()
    }
}

/// Removes an observer from its list, and returns its function.
fn take<C>(list: &mut List<C>, id: ObserverId) -> Option<C> {
    let at = list.binary_search_by_key(&id.0, |observer| observer.id).ok()?;
    Some(list.remove(at).call)
}

/// Returns the first observer between these numbers, both excluded.
fn first_after<C>(list: &[Observer<C>], after: u64, limit: u64) -> Option<&Observer<C>> {
    let at = list.partition_point(|observer| observer.id <= after);
    list.get(at).filter(|observer| observer.id < limit)
}

/// # Observers and events
impl World {
    /// Calls `observer` for each entity that is given a `T` and had none, from now on.
    ///
    /// The call comes when the whole bundle is inserted, all of a batch, and their requirements; after the
    /// component's hook and the observers before it. An observer may do anything with the world: the
    /// [guide](crate::guide::lifecycle) says which listeners are notified then.
    ///
    /// It may be called while it runs, so it is an `Fn(&mut World, Entity)`, and `Send + Sync + 'static`. To count or
    /// collect, write to a [resource](Self::resource_mut), or capture an atomic or a lock. A function and a closure that
    /// captures nothing cost some nanoseconds a call, and one that captures a few more. O(observers) to begin; unobserved
    /// operations cost nothing.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use std::sync::{Arc, Mutex};
    /// #[derive(Component)] struct Health(u32);
    /// #[derive(Component)] struct Wounded;
    /// let mut world = World::new();
    /// world.on_insert::<Health>(|world, entity| {
    ///     if world.get::<Health>(entity).is_some_and(|health| health.0 < 3) {
    ///         world.insert(entity, Wounded).unwrap();
    ///     }
    /// });
    /// let born = Arc::new(Mutex::new(Vec::new()));
    /// let list = born.clone();
    /// world.on_insert::<Health>(move |_, entity| list.lock().unwrap().push(entity));
    ///
    /// let entities = world.spawn_batch((0..10).map(Health));
    /// assert_eq!(world.view::<Wounded>().count(), 3);
    /// assert_eq!(*born.lock().unwrap(), entities);
    /// ```
    pub fn on_insert<T: AnyComponent>(
        &mut self,
        observer: impl EntityObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe::<Inserted<T>>(&Call::each(observer))
    }

    /// Calls `observer` when a `T` is replaced or [patched](Self::patch), with its entity, from now on.
    ///
    /// The call comes afterwards: the old value is gone. The guide shows how to
    /// [keep it](crate::guide::lifecycle#recipes). Writing through references, by [`get_mut`](Self::get_mut) and views,
    /// notifies no observer. Otherwise like [`on_insert`](Self::on_insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// world.on_update::<Health>(|world, entity| {
    ///     if world.get::<Health>(entity).is_some_and(|health| health.0 == 0) {
    ///         world.despawn(entity).unwrap();
    ///     }
    /// });
    /// let entity = world.spawn(Health(3)).id();
    /// world.patch::<Health>(entity, |health| health.0 = 0);
    /// assert!(!world.is_alive(entity));
    /// ```
    pub fn on_update<T: AnyComponent>(
        &mut self,
        observer: impl EntityObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe::<Updated<T>>(&Call::each(observer))
    }

    /// Calls `observer` for each entity that is about to lose its `T`, by a removal or its end, from now on.
    ///
    /// The entity still has the value. Vetoes were called before. Observers that began later are notified earlier, and
    /// the component's hook last. When the content of the world is replaced at once, observers of
    /// [`Replaced`](crate::Replaced) are notified instead. Otherwise like [`on_insert`](Self::on_insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)] struct Treasure(u32);
    /// #[derive(Component)] struct Dropped(u32);
    /// let mut world = World::new();
    /// world.on_remove::<Treasure>(|world, entity| {
    ///     let gold = world.get::<Treasure>(entity).unwrap().0;
    ///     world.spawn(Dropped(gold));
    /// });
    /// let dragon = world.spawn(Treasure(500)).id();
    /// world.despawn(dragon).unwrap();
    /// assert_eq!(world.view::<Dropped>().single().unwrap().1.0, 500);
    /// ```
    pub fn on_remove<T: AnyComponent>(
        &mut self,
        observer: impl EntityObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe::<Removed<T>>(&Call::each(observer))
    }

    /// Calls `observer`, an `Fn(&mut World, &[Entity])`, once for all entities of an operation to which `C` happens, from now on:
    /// [`Inserted<T>`](Inserted),
    /// [`Updated<T>`](Updated) or [`Removed<T>`](Removed).
    ///
    /// The entities have the order of the operation; an edit of a single entity gives a slice of one. Insertions and
    /// updates come after the observers that are notified entity by entity, removals before them. Otherwise like
    /// [`on_insert`](Self::on_insert), [`on_update`](Self::on_update) and [`on_remove`](Self::on_remove).
    ///
    /// ```
    /// # use ecs::{Component, Inserted, Removed, World};
    /// #[derive(Component)] struct Treasure(u32);
    /// #[derive(Component)] struct Heap(u32);
    /// let mut world = World::new();
    /// world.on_batch::<Inserted<Treasure>>(|_, entities| assert_eq!(entities.len(), 5));
    /// world.on_batch::<Removed<Treasure>>(|world, entities| {
    ///     let gold = entities.iter().map(|&entity| world.get::<Treasure>(entity).unwrap().0).sum();
    ///     world.spawn(Heap(gold));
    /// });
    /// let dragons = world.spawn_batch((0..5).map(Treasure));
    /// world.despawn_batch(&dragons);
    /// assert_eq!(world.view::<Heap>().single().unwrap().1.0, 10);
    /// ```
    pub fn on_batch<C: ComponentChange>(
        &mut self,
        observer: impl BatchObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe::<C>(&Call::batch(observer))
    }

    /// Calls `observer` for each entity that is given a component of this kind and had none, from now on: like
    /// [`on_insert`](Self::on_insert), for a component by its [`Kind`].
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::{FieldValue, Fields};
    /// let mut world = World::new();
    /// let poison = world.define("Poison", Fields::new().f32("damage"))?;
    /// let sick = world.define("Sick", Fields::new())?;
    /// world.on_insert_kind(poison, move |world, entity| {
    ///     world.insert_fields(sick, entity, &[]).unwrap();
    /// });
    /// let hero = world.spawn_empty().id();
    /// world.insert_fields(poison, hero, &[2.5_f32.into()])?;
    /// assert_eq!(world.kind_entities(sick), [hero]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_insert_kind(
        &mut self,
        kind: Kind,
        observer: impl EntityObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe_kind(kind, Change::Insert, &Call::each(observer))
    }

    /// Calls `observer` when a component of this kind is replaced, with its entity, from now on: like
    /// [`on_update`](Self::on_update), for a component by its [`Kind`].
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::by_name::Kind;
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// world.on_update_kind(Kind::of::<Health>(), |world, entity| _ = world.despawn(entity));
    /// let entity = world.spawn(Health(3)).id();
    /// world.insert(entity, Health(4)).unwrap();
    /// assert!(!world.is_alive(entity));
    /// ```
    pub fn on_update_kind(
        &mut self,
        kind: Kind,
        observer: impl EntityObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe_kind(kind, Change::Update, &Call::each(observer))
    }

    /// Calls `observer` for each entity that is about to lose its component of this kind, from now on: like
    /// [`on_remove`](Self::on_remove), for a component by its [`Kind`].
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::{FieldValue, Fields};
    /// let mut world = World::new();
    /// let gold = world.define("Gold", Fields::new().u32("coins"))?;
    /// world.on_remove_kind(gold, move |world, entity| {
    ///     let coins = world.kind_value(gold, entity).unwrap().field("coins");
    ///     assert_eq!(coins, Some(FieldValue::U32(5)));
    /// });
    /// let dragon = world.spawn_empty().id();
    /// world.insert_fields(gold, dragon, &[5_u32.into()])?;
    /// world.despawn(dragon)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_remove_kind(
        &mut self,
        kind: Kind,
        observer: impl EntityObserver + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe_kind(kind, Change::Remove, &Call::each(observer))
    }

    #[inline]
    fn observe_kind(&mut self, kind: Kind, change: Change, call: &Call) -> ObserverId {
        self.know(kind);
        let id = self.observers.give_number();
        self.observe_topics(Topics(Vec::from([(kind.number, change)])), id, call);
        ObserverId(id)
    }

    fn observe<C: ComponentChange>(&mut self, call: &Call) -> ObserverId {
        let mut topics = Topics::default();
        C::add_topics(&mut self.pools, &mut topics);
        let id = self.observers.give_number();
        self.observe_topics(topics, id, call);
        ObserverId(id)
    }

    /// Begins the observer or collector that has the greatest number, `id`.
    #[inline]
    pub(super) fn observe_topics(&mut self, topics: Topics, id: u64, call: &Call) {
        let at_once = matches!(call, Call::Batch(_) | Call::BatchShared(_));
        for (number, change) in topics.0 {
            self.observers.add(Topic { number, change, at_once }, id, call.clone());
        }
        self.note_observed();
    }

    /// Stores in the watch the components that observers and collectors are notified of.
    #[inline]
    pub(super) fn note_observed(&mut self) {
        let Self { observers, pools, .. } = self;
        let (insertions, removals) = observers.observed();
        pools.watch.set([(Fact::ObservedInsertion, insertions), (Fact::ObservedRemoval, removals)]);
        pools.watch.set_notified(|number, hooks| {
            Change::ALL.map(|change| observers.notified(number, change, hooks))
        });
    }

    /// Ends an observer, or a [collector](Self::collector): it is not notified again. It may be ended from within an
    /// observer, also from within itself. Returns `true` if there was one: `false` if it was ended before, or is one of
    /// another world. O(observers).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let observer = world.on_insert::<Health>(|_, _| panic!("it was unobserved"));
    /// assert!(world.unobserve(observer) && !world.unobserve(observer));
    /// world.spawn(Health(3));
    /// ```
    pub fn unobserve(&mut self, observer: impl Into<ObserverId>) -> bool {
        self.end_observer(observer.into())
    }

    #[inline]
    fn end_observer(&mut self, observer: ObserverId) -> bool {
        // Captured values are dropped when the world is consistent.
        let of_component = self.observers.remove(observer.0);
        if let Some(call) = &of_component {
            if let Call::Collect(place) = *call {
                self.observers.collectors.end(place);
            }
            self.note_observed();
            return true;
        }
        let of_events = &mut self.observers.of_events;
        of_events.values_mut().find_map(|list| take(list, observer)).is_some()
    }

    /// Calls `observer` for each event of type `E` that is [sent](Self::send), from now on. Any type can be an event.
    ///
    /// The observer is a [`Fn`] like one of [`on_insert`](Self::on_insert). O(observers).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)] struct Health(u32);
    /// struct Explosion { damage: u32 }
    /// let mut world = World::new();
    /// world.on::<Explosion>(|world, explosion| {
    ///     for (_, health) in world.view_mut::<&mut Health>() {
    ///         health.0 = health.0.saturating_sub(explosion.damage);
    ///     }
    /// });
    /// let entity = world.spawn(Health(3)).id();
    /// world.send(&Explosion { damage: 2 });
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 1);
    /// ```
    pub fn on<E: 'static>(
        &mut self,
        observer: impl Fn(&mut Self, &E) + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe_event(false, move |world, _, event| observer(world, event))
    }

    /// Calls `observer` for each event of type `E` that is [sent to an entity](Self::send_to), from now on.
    ///
    /// The observer is a [`Fn`] like one of [`on_insert`](Self::on_insert). O(observers).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)] struct Health(u32);
    /// struct Hit { damage: u32 }
    /// let mut world = World::new();
    /// world.on_entity::<Hit>(|world, entity, hit| {
    ///     if world.get::<Health>(entity).is_some_and(|health| health.0 <= hit.damage) {
    ///         world.despawn(entity).unwrap();
    ///     }
    /// });
    /// let entity = world.spawn(Health(3)).id();
    /// world.send_to(entity, &Hit { damage: 5 }).unwrap();
    /// assert!(world.send_to(entity, &Hit { damage: 5 }).is_err());
    /// ```
    pub fn on_entity<E: 'static>(
        &mut self,
        observer: impl Fn(&mut Self, Entity, &E) + for<'a> Captured<'a>,
    ) -> ObserverId {
        self.observe_event(true, observer)
    }

    fn observe_event<E: 'static>(
        &mut self,
        to_entity: bool,
        observer: impl Fn(&mut Self, Entity, &E) + Send + Sync + 'static,
    ) -> ObserverId {
        let call = Arc::new(move |world: &mut Self, entity, event: &dyn Any| {
            if let Some(event) = event.downcast_ref() {
                observer(world, entity, event);
            }
        });
        let id = self.observers.give_number();
        let list = self.observers.of_events.entry(Event::of::<E>(to_entity)).or_default();
        list.push(Observer { id, call });
        ObserverId(id)
    }

    /// Notifies the [observers](Self::on) of an event, in the order in which they began, before it returns. One
    /// that begins meanwhile is notified of the next event. O(observers).
    ///
    /// # Panics
    /// Panics if observers call each other without end: at 256 nested calls, or when these take 1 MiB of the stack.
    ///
    /// ```
    /// # use ecs::World;
    /// struct Tick;
    /// struct Tock;
    /// let mut world = World::new();
    /// world.on::<Tick>(|world, _| world.send(&Tock));
    /// world.on::<Tock>(|world, _| _ = world.spawn_named("tock"));
    /// world.send(&Tick);
    /// assert!(world.entity_named("tock").is_some());
    /// ```
    pub fn send<E: 'static>(&mut self, event: &E) {
        self.send_each(Event::of::<E>(false), Entity::PLACEHOLDER, event);
    }

    /// Notifies the [observers](Self::on_entity) of an event that is about an entity, like [`send`](Self::send), but
    /// stops when the entity ends.
    ///
    /// # Errors
    /// Returns an error if there is no such entity; no observer is notified then.
    ///
    /// # Panics
    /// Panics like [`send`](Self::send).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)] struct Greeted;
    /// struct Greeting;
    /// let mut world = World::new();
    /// world.on_entity::<Greeting>(|world, entity, _| world.insert(entity, Greeted).unwrap());
    /// let entity = world.spawn_empty().id();
    /// world.send_to(entity, &Greeting).unwrap();
    /// assert!(world.has::<Greeted>(entity));
    /// ```
    pub fn send_to<E: 'static>(
        &mut self,
        entity: Entity,
        event: &E,
    ) -> Result<(), NoSuchEntityError> {
        if !self.is_alive(entity) {
            return Err(NoSuchEntityError(entity));
        }
        self.send_each(Event::of::<E>(true), entity, event);
        Ok(())
    }

    /// Notifies the observers of an event, as long as the world stays here and the entity that it is sent to lives.
    #[inline]
    fn send_each(&mut self, topic: Event, entity: Entity, event: &dyn Any) {
        let (mut last, limit) = (0, self.observers.next);
        while let Some(found) =
            self.observers.of_events.get(&topic).and_then(|list| first_after(list, last, limit))
        {
            last = found.id;
            let call = Arc::clone(&found.call);
            let is_here = self.enter(false, |world| call(world, entity, event)).is_some();
            if !is_here || topic.to_entity && !self.is_alive(entity) {
                return;
            }
        }
    }
}
