//! Collectors: lists of the entities to which something happened, kept until they are drained.

use crate::component::AnyComponent;
use crate::component::access::Access;
use crate::entity::Entity;
use crate::notify::change_log::Change;
use crate::notify::observe::{Call, ObserverId};
use crate::pool::list::ComponentList;
use crate::pool::pools::Pools;
use crate::query::presence::{Filter, With, WithAny, Without, passes};
use crate::storage::sort::sort_few;
use crate::tuples::for_each_tuple;
use crate::world::World;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// A collector of a world: made by [`World::collector`], read by [`World::drain`], ended by [`World::unobserve`].
/// It names no collector of another world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CollectorId(u64);

impl From<CollectorId> for ObserverId {
    fn from(collector: CollectorId) -> Self {
        Self(collector.0)
    }
}

macro_rules! happening {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<T>(PhantomData<fn() -> T>);

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

happening! {
    /// For [collectors](World::collector): entities that were given a `T` and had none, like the
    /// ones that [`World::on_insert`] notifies of.
    ///
    /// ```
    /// # use ecs::{Component, Inserted, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let born = world.collector::<Inserted<Health>>();
    /// let entity = world.spawn(Health(3)).insert(Health(4)).id();
    /// assert_eq!(world.drain(born), [entity]);
    /// ```
    Inserted
}
happening! {
    /// For [collectors](World::collector): entities with a `T` that was replaced or patched, like
    /// the ones that [`World::on_update`] notifies of. Writing through references does not count.
    ///
    /// ```
    /// # use ecs::{Component, Updated, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let changed = world.collector::<Updated<Health>>();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.drain(changed), []);
    /// world.patch::<Health>(entity, |health| health.0 -= 1);
    /// assert_eq!(world.drain(changed), [entity]);
    /// ```
    Updated
}
happening! {
    /// For [collectors](World::collector): entities that lost their `T`, by a removal or their end, like
    /// the ones that [`World::on_remove`] notifies of. Handles of entities that ended are kept, too.
    ///
    /// ```
    /// # use ecs::{Component, Removed, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let gone = world.collector::<Removed<Health>>();
    /// let entity = world.spawn(Health(3)).id();
    /// world.despawn(entity).unwrap();
    /// assert_eq!(world.drain(gone), [entity]);
    /// ```
    Removed
}

/// The changes that a [collector](World::collector) collects: [`Inserted`], [`Updated`] or [`Removed`], or a tuple of
/// up to twelve of these and of the filters [`With`], [`Without`] and [`WithAny`].
///
/// ```
/// # use ecs::{CollectList, Component, Inserted, Removed, World};
/// # #[derive(Component)] struct Health(u32);
/// fn count<L: CollectList>(world: &mut World, edit: impl FnOnce(&mut World)) -> usize {
///     let collector = world.collector::<L>();
///     edit(world);
///     let count = world.drain(collector).len();
///     world.unobserve(collector);
///     count
/// }
/// # let mut world = World::new();
/// let edit = |world: &mut World| _ = world.spawn_batch((0..3).map(Health));
/// assert_eq!(count::<Inserted<Health>>(&mut world, edit), 3);
/// assert_eq!(count::<Removed<Health>>(&mut world, edit), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no changes to collect",
    label = "not for a collector",
    note = "name the changes, and perhaps filters: \
            `world.collector::<(Inserted<Health>, Removed<Health>, With<Player>)>()`"
)]
pub trait CollectList: 'static {
    /// The filters that an entity has to pass when it is drained.
    #[doc(hidden)]
    const TESTS: Access;
    /// `true` if it names a change.
    #[doc(hidden)]
    const HAPPENS: bool;
    /// Adds the changes to be collected; makes the pools.
    #[doc(hidden)]
    fn add_topics(pools: &mut Pools, topics: &mut Topics);
}

/// The components that an observer or a collector is notified of, by their numbers, and their changes.
#[derive(Debug, Default)]
pub struct Topics(pub(super) Vec<(u32, Change)>);

/// A change of a component: [`Inserted`], [`Updated`] or [`Removed`], for [`World::on_batch`].
///
/// ```
/// # use ecs::{Component, ComponentChange, Inserted, Removed, Resource, World};
/// # #[derive(Component)] struct Health(u32);
/// #[derive(Resource)] struct Log(Vec<usize>);
/// fn log<C: ComponentChange>(world: &mut World) {
///     world.on_batch::<C>(|world, entities| world.resource_mut::<Log>().0.push(entities.len()));
/// }
/// let mut world = World::new();
/// world.insert_resource(Log(Vec::new()));
/// log::<Inserted<Health>>(&mut world);
/// log::<Removed<Health>>(&mut world);
/// let entities = world.spawn_batch((0..3).map(Health));
/// world.despawn(entities[0]).unwrap();
/// assert_eq!(world.resource::<Log>().0, [3, 1]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a change of a component",
    label = "not a change",
    note = "name one of three: `world.on_batch::<Inserted<Health>>(..)`, `Updated<Health>` or `Removed<Health>`"
)]
pub trait ComponentChange: CollectList {}

macro_rules! happenings {
    ($($name:ident: $kind:ident,)+) => {$(
        impl<T: AnyComponent> CollectList for $name<T> {
            const TESTS: Access = Access::Nothing;
            const HAPPENS: bool = true;

            fn add_topics(pools: &mut Pools, topics: &mut Topics) {
                topics.0.push((pools.create::<T>().get(), Change::$kind));
            }
        }
        #[diagnostic::do_not_recommend]
        impl<T: AnyComponent> ComponentChange for $name<T> {}
    )+};
}
happenings!(Inserted: Insert, Updated: Update, Removed: Remove,);

macro_rules! filters {
    ($($name:ident)+) => {$(
        impl<L: ComponentList> CollectList for $name<L> {
            const TESTS: Access = <Self as Filter>::ACCESS;
            const HAPPENS: bool = false;

            fn add_topics(_: &mut Pools, _: &mut Topics) {}
        }
    )+};
}
filters!(With Without WithAny);

macro_rules! collect_list_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: CollectList),+> CollectList for ($($name,)+) {
            const TESTS: Access = together(&[$($name::TESTS),+]);
            const HAPPENS: bool = $($name::HAPPENS)||+;

            fn add_topics(pools: &mut Pools, topics: &mut Topics) {
                $($name::add_topics(pools, topics);)+
            }
        }
    };
}
for_each_tuple!(collect_list_for_tuple);

/// Returns all of these tests.
const fn together(tests: &'static [Access]) -> Access {
    let mut at = 0;
    while at < tests.len() {
        if !matches!(tests[at], Access::Nothing) {
            return Access::All(tests);
        }
        at += 1;
    }
    Access::Nothing
}

/// The collectors of a world. Observers of components name them by their places.
pub(crate) struct Collectors {
    /// `None` in the place of a collector that was ended, until the next one begins.
    list: Vec<Option<Collector>>,
}

struct Collector {
    /// Its number among observers: it is notified of operations that begin later.
    id: u64,
    tests: Access,
    /// The listed entities, each once, in the order in which they were first mentioned. Several may have one index.
    mentions: Vec<Mention>,
    /// For each index, the place of its last mention, if it has one.
    places: Vec<u32>,
}

struct Mention {
    entity: Entity,
    /// `true` if the entity counts even if it was despawned.
    is_removed: bool,
}

impl Collector {
    #[inline]
    fn mention(&mut self, entity: Entity, is_removed: bool) {
        let index = entity.index() as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, 0);
        }
        let place = &mut self.places[index];
        if let Some(mention) = self.mentions.get_mut(*place as usize)
            && mention.entity == entity
        {
            mention.is_removed |= is_removed;
            return;
        }
        *place = u32::try_from(self.mentions.len()).expect("a collector is drained now and then");
        self.mentions.push(Mention { entity, is_removed });
    }
}

impl Collectors {
    pub(super) const fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds a collector; returns its place.
    #[inline]
    fn add(&mut self, collector: Collector) -> u32 {
        let free = self.list.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| {
            self.list.push(None);
            self.list.len() - 1
        });
        self.list[place] = Some(collector);
        u32::try_from(place).expect("fewer collectors")
    }

    /// Ends the collector in this place.
    pub(super) fn end(&mut self, place: u32) {
        self.list[place as usize] = None;
    }

    /// Adds an entity to the list of the collector in this place.
    #[inline]
    pub(super) fn mention(&mut self, place: u32, entity: Entity, change: Change) {
        if let Some(collector) = &mut self.list[place as usize] {
            collector.mention(entity, change == Change::Remove);
        }
    }

    /// Empties the lists of all collectors.
    #[inline]
    pub(crate) fn forget_all(&mut self) {
        self.list.iter_mut().flatten().for_each(|collector| collector.mentions.clear());
    }

    /// Bytes on the heap.
    #[inline]
    pub(super) fn memory(&self) -> usize {
        let collectors = self.list.iter().flatten();
        self.list.capacity() * size_of::<Option<Collector>>()
            + collectors.map(Collector::memory).sum::<usize>()
    }

    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        for Collector { mentions, places, .. } in self.list.iter_mut().flatten() {
            mentions.shrink_to_fit();
            places.truncate(if mentions.is_empty() { 0 } else { places.len() });
            places.shrink_to_fit();
        }
    }
}

impl Collector {
    fn memory(&self) -> usize {
        self.mentions.capacity() * size_of::<Mention>() + self.places.capacity() * size_of::<u32>()
    }
}

impl CollectorId {}

/// # Collectors
impl World {
    /// Returns the entities to which something happened since the collector began or was last drained: each once, in
    /// the order in which they were first mentioned; empties the list.
    ///
    /// Entities that ended meanwhile are among them if they lost a component that is [`Removed`], also if several of
    /// them had one index. Filters are tested now: an entity that ended has no components. O(entities).
    ///
    /// # Panics
    /// Panics if there is no such collector: if it was [ended](Self::unobserve), or is one of another world.
    ///
    /// ```
    /// # use ecs::{Component, Removed, World};
    /// # #[derive(Component)] struct Body(u32);
    /// let mut world = World::new();
    /// let gone = world.collector::<Removed<Body>>();
    /// let first = world.spawn(Body(1)).id();
    /// world.despawn(first).unwrap();
    /// let second = world.spawn(Body(2)).id(); // has the same index
    /// world.remove::<Body>(second);
    /// assert_eq!(world.drain(gone), [first, second]);
    /// assert_eq!(world.drain(gone), []);
    /// ```
    #[track_caller]
    #[inline]
    pub fn drain(&mut self, collector: CollectorId) -> Vec<Entity> {
        let World { observers, pools, entities, .. } = self;
        let mut all = observers.collectors.list.iter_mut().flatten();
        let Some(found) = all.find(|it| it.id == collector.0) else {
            panic!("no such collector: it was ended, or is one of another world");
        };
        let Collector { mentions, tests, .. } = found;
        let is_any = matches!(tests, Access::Nothing);
        let stays = |mention: &Mention| {
            (mention.is_removed || entities.is_alive(mention.entity))
                && (is_any || passes(tests, pools, mention.entity))
        };
        mentions.drain(..).filter(stays).map(|mention| mention.entity).collect()
    }

    /// Returns a collector of the entities with changes `L` from now on: at least one of [`Inserted`], [`Updated`] and
    /// [`Removed`], and filters. [`drain`](Self::drain) returns the entities.
    ///
    /// A collector is notified like an [observer](Self::on_insert), and calls no function: some nanoseconds
    /// an operation, less in batches. Uncollected changes cost nothing. It takes 12 bytes for each entity until
    /// that is drained, and 4 for each index up to the greatest. O(collectors).
    ///
    /// The list is emptied if the content of the world is [`Replaced`](crate::Replaced).
    ///
    /// The [guide](crate::guide::lifecycle#collectors) says more.
    ///
    /// ```
    /// # use ecs::{Component, Inserted, Updated, Without, World};
    /// #[derive(Component)] struct Position(f32);
    /// #[derive(Component)] struct Hidden;
    /// let mut world = World::new();
    /// let moved = world.collector::<(Inserted<Position>, Updated<Position>, Without<Hidden>)>();
    ///
    /// let ship = world.spawn(Position(1.0)).id();
    /// let buoy = world.spawn(Position(5.0)).id();
    /// let submarine = world.spawn((Position(7.0), Hidden)).id();
    /// world.insert(ship, Position(2.0)).unwrap();
    /// assert_eq!(world.drain(moved), [ship, buoy]);
    ///
    /// world.patch::<Position>(submarine, |position| position.0 = 8.0);
    /// world.remove::<Hidden>(submarine);
    /// assert_eq!(world.drain(moved), [submarine]);
    /// ```
    #[must_use = "without its id, a collector cannot be drained"]
    pub fn collector<L: CollectList>(&mut self) -> CollectorId {
        const {
            assert!(
                L::HAPPENS,
                "a collector needs something that happens: `Inserted<T>`, `Updated<T>` or `Removed<T>`"
            );
        }
        let mut topics = Topics::default();
        L::add_topics(&mut self.pools, &mut topics);
        self.collect_topics(topics, L::TESTS)
    }

    #[inline]
    fn collect_topics(&mut self, mut topics: Topics, tests: Access) -> CollectorId {
        sort_few(&mut topics.0, PartialOrd::lt);
        topics.0.dedup();
        let id = self.observers.give_number();
        let (mentions, places) = (Vec::new(), Vec::new());
        let place = self.observers.collectors.add(Collector { id, tests, mentions, places });
        self.observe_topics(topics, id, &Call::Collect(place));
        CollectorId(id)
    }
}
