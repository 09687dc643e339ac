//! Values and entities that are taken out of a world to be restored later, for undo.
//!
//! ```text
//! take 1      1 <- 2, 1 <- 3, and 4 ~> 1 by a relation that 4 loses
//!             steps   [ order of the sources: 4 ][ 4 loses it ][ order: 2 3 ][ 3 ends ][ 2 ends ][ 1 ends ]
//! restore     all handles are alive again; then the steps are undone, from the last to the first; at last observers
//!             are notified of all that was inserted
//! ```
//!
//! A step stores the place that each value had in its pool, in the lists of groups, and among the targets of a relation. An
//! end moves the last member of a pool into the gap, and others across the boundaries of groups. Steps are undone from the
//! last to the first, and each inserted value is moved to its place, so all exchanges are undone.

use crate::by_name::kind::KindError;
use crate::component::data::Loose;
use crate::component::{AnyComponent, AtTargetEnd};
use crate::edit::commit;
use crate::entities::holds::Hold;
use crate::entity::Entity;
use crate::group::declare::GroupId;
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::pool::watch::Question;
use crate::relation::ends::{PlaceInList, Pointing, RelateError, TargetPlace};
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::Container;
use crate::world::World;
use crate::world::error::{DespawnError, RemoveError};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::fmt;
use core::mem;

/// A component outside of any world, whose type is not named: from [`World::take_kind`]. A dropped one drops the component.
///
/// ```
/// # use ecs::by_name::{Kind, OwnedValue};
/// # use ecs::{Component, World};
/// #[derive(Component, Debug, PartialEq)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// let undo: OwnedValue = world.take_kind(Kind::of::<Health>(), entity).unwrap();
/// assert!(!world.has::<&Health>(entity));
/// world.insert_value(entity, undo).unwrap();
/// assert_eq!(world.get::<Health>(entity), Some(&Health(3)));
/// ```
pub struct OwnedValue {
    kind: Kind,
    /// The number of the world that it was taken from.
    world: u64,
    /// The storage of the component, with this value alone.
    value: Box<Loose>,
    /// The place of a relation.
    place: Option<Box<SourcePlace>>,
}

/// The place that an entity had among the sources of its target.
struct SourcePlace {
    entity: Entity,
    before: Option<Entity>,
}

impl OwnedValue {
    /// Returns the kind of the component. O(1).
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns a value of this kind, from the world with this number, which is of no entity.
    fn of(kind: Kind, world: u64, value: Box<Loose>) -> Self {
        Self { kind, world, value, place: None }
    }

    /// Returns the component, if it is a `T`. O(1).
    ///
    /// # Errors
    /// Returns the value itself if it is of another type.
    ///
    /// ```
    /// # use ecs::by_name::Kind;
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let name = world.take_kind(Kind::of::<Name>(), bob).unwrap();
    /// assert_eq!(name.into_inner::<Name>().unwrap().as_str(), "Bob");
    /// ```
    pub fn into_inner<T: AnyComponent>(self) -> Result<T, Self> {
        let Self { kind, world, value, place } = self;
        match value.downcast::<T::Storage>() {
            Ok(mut values) => Ok(values.swap_remove(0)),
            Err(value) => Err(Self { kind, world, value, place }),
        }
    }
}

impl fmt::Debug for OwnedValue {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.kind.name()).finish_non_exhaustive()
    }
}

impl World {
    /// Takes a component out without calling its veto. Returns `None` if the entity lacks it or a listener takes it.
    #[inline]
    fn take_loose(&mut self, entity: Entity, kind: Kind) -> Option<OwnedValue> {
        let relation = self.pools.relations.get(kind.number);
        let before = relation.map(|relation| relation.before(entity));
        if !self.take_out(entity, kind.number) {
            return None;
        }
        let place = before.map(|before| Box::new(SourcePlace { entity, before }));
        let value = self.pools.at_mut(kind.number).set_mut().pop_loose();
        Some(OwnedValue { kind, world: self.entities.world(), value, place })
    }

    /// Puts an entity that got a relation back in its place among the sources of its target, if it had one.
    #[inline]
    fn put_at(&mut self, entity: Entity, number: u32, place: &SourcePlace) {
        if place.entity == entity {
            self.put_in_order(number, &[entity], &[(0, place.before)], &BTreeSet::new());
        }
    }

    /// Checks that a value may be inserted into an entity, which lacks the component.
    #[inline]
    fn check_owned(&mut self, entity: Entity, value: &OwnedValue) -> Result<(), KindError> {
        let OwnedValue { kind, world, value, .. } = value;
        let may_hold = kind.holds_entities() || kind.handle_error().is_some();
        if may_hold && *world != self.entities.world() {
            return Err(KindError::OtherWorld);
        }
        self.know(*kind);
        if self.pools.has(kind.number, entity) {
            return Err(KindError::Present(entity, kind.name())); // before it replaces others
        }
        self.check_loose(entity, &[(*kind, &**value)])?;
        if self.pools.has(kind.number, entity) {
            return Err(KindError::Present(entity, kind.name()));
        }
        Ok(())
    }
}

/// The entities that one call took out of a world, to come back under their handles: an undo of a despawn.
///
/// [`restore`](World::restore) gives everything back: the entities with their components, their relations in both
/// directions, the order of their children, and the relations that other entities lost to them. It does so in the world that
/// they came from, as long as that is not cleared, loaded or copied into.
///
/// Their handles are dead meanwhile, and no other entity gets their indices. A dropped `Despawned` drops the components
/// and gives the indices back, before the world uses new ones. [`discard`](World::discard) gives them back at once. In a
/// copy and in a file of the world, these indices are free, and used last.
///
/// # Exactness
/// If nothing was edited between `take` and `restore`, the world is equal to one that never lost the entities, to the last
/// byte of `Save::to_bytes`. That includes the orders of pools and groups, and the forms of pages. Several entries that
/// are restored in reverse order have that effect, too. After other edits, entities, values and relations are like in a
/// world that had these edits alone. The order of a pool may differ, because a pool stores no gap for a member that may
/// come back.
///
/// * An entry that points to an entity of another entry is restored after it: before, `restore` returns the entry.
/// * A relation that another entity lost comes back, unless that entity has one to another target since, or has ended.
/// * A relation to an entity that has ended since is left out, as its source would have lost it. If its source would have
///   ended as well, or have had a function called, `restore` returns the entry.
/// * Edits of observers stay, except that entities that they despawn while others are taken out are taken out, too.
///   Components that they insert into these entities meanwhile are dropped.
/// * [Resources](crate::Resource) are not part of an entry.
///
/// A world that follows by change sets spawns a new entity for one that ended and is restored. Handles of the old one
/// in fields there stay dead until their component changes.
///
/// ```
/// use ecs::by_name::Despawned;
/// use ecs::{ChildOf, Component, World};
///
/// #[derive(Component, Debug, PartialEq)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let ship = world.spawn(Health(9)).id();
/// let guns = world.spawn_batch((1..4).map(|health| (Health(health), ChildOf(ship))));
///
/// let undo = world.take_entity(guns[1]).unwrap();
/// assert!(world.children(ship).eq([guns[0], guns[2]]) && undo.entities().eq([guns[1]]));
/// let other = world.spawn_empty().id();
///
/// world.restore(undo).unwrap();
/// assert!(world.children(ship).eq(guns.iter().copied()));
/// assert_eq!(world.get::<Health>(guns[1]), Some(&Health(2)));
/// assert!(world.is_alive(other));
/// ```
#[must_use = "the entities come back by `restore`, and their indices by `discard`"]
pub struct Despawned {
    hold: Hold,
    steps: Vec<JournalStep>,
    forms: PageForms,
}

/// The forms of the pages that steps changed, in the order of pools and pages.
type PageForms = Vec<((u32, usize), [u8; 2])>;

/// A step of a call that takes something out.
enum JournalStep {
    TakenOut(TakenOut),
    /// The sources of a relation, and the places of the sources that are not last for their targets, before the steps
    /// behind this one.
    Order {
        number: u32,
        sources: Vec<Entity>,
        places: Vec<PlaceInList>,
    },
}

/// The values that an entity had, or the relation that it lost.
struct TakenOut {
    entity: Entity,
    /// `true` if the entity ended.
    ended: bool,
    /// The target of the relation that a function gave the entity, instead of the one that it lost.
    given: Option<Entity>,
    values: Vec<OwnedValue>,
    /// Its positions in pools, by number; in the lists of groups; and the places of targets that have no source any
    /// more.
    places: Vec<(u32, usize)>,
    lists: Vec<(GroupId, usize)>,
    targets: Vec<TargetPlace>,
}

/// The steps of a call that is under way.
pub(crate) struct Journal {
    edits: &'static JournalEdits,
    steps: Vec<JournalStep>,
    forms: PageForms,
    /// The components that entities had when listeners were first notified of their end.
    had: SparseSet<Vec<u32>, Entity>,
    /// The components that they were given after that.
    late: Vec<OwnedValue>,
    /// The number of calls of user code that were under way when it began.
    depth: u32,
}

/// The edits of a world with a journal. Despawning calls them by way of it, so only programs that take entities out
/// compile them.
struct JournalEdits {
    note_components: fn(&mut World, &[Entity]),
    note_orders: fn(&mut World, Vec<(u32, Entity)>),
    take_all: fn(&mut World, &[Entity]) -> usize,
    lose: fn(&mut World, Entity, u32, AtTargetEnd),
    forget: fn(&mut World, Box<Journal>),
}

impl Journal {
    /// Returns the journal of a call that begins at this depth.
    #[inline]
    fn new(depth: u32) -> Self {
        let edits = &JournalEdits {
            note_components: World::note_components_now,
            note_orders: World::note_orders_now,
            take_all: World::take_all,
            lose: World::lose_now,
            forget: |world, journal| world.free_all(journal.ended()),
        };
        let (steps, forms, late) = (Vec::new(), Vec::new(), Vec::new());
        Self { edits, steps, forms, had: SparseSet::default(), late, depth }
    }

    /// Returns the entities that ended, the last one first.
    fn ended(&self) -> impl Iterator<Item = Entity> {
        self.steps.iter().rev().filter_map(|step| match step {
            JournalStep::TakenOut(taken) if taken.ended => Some(taken.entity),
            _ => None,
        })
    }
}

/// A call that takes entities out, until it returns or panics.
struct Taking<'w> {
    world: &'w mut World,
    id: u64,
    /// The journal of the call in which this one is nested.
    outer: Option<Box<Journal>>,
    is_over: bool,
}

impl Taking<'_> {
    /// Ends the call. Returns the journal, unless another world is in the place of this one.
    #[inline]
    fn end(&mut self) -> Option<Box<Journal>> {
        let is_here = !self.is_over && self.world.calls.known_world() == self.id;
        self.is_over = true;
        if is_here { mem::replace(&mut self.world.taking, self.outer.take()) } else { None }
    }
}

impl Drop for Taking<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(journal) = self.end() {
            self.world.free_all(journal.ended());
        }
    }
}

/// The reason why entities cannot be restored.
///
/// ```
/// use ecs::by_name::{Despawned, RestoreError};
/// use ecs::{ChildOf, World};
///
/// let mut world = World::new();
/// let ship = world.spawn_empty().id();
/// let gun = world.spawn(ChildOf(ship)).id();
/// let first = world.take_entity(gun).unwrap();
/// let second = world.take_entity(ship).unwrap();
/// let error = world.check_restore(&first).unwrap_err();
/// assert_eq!(error, RestoreError::Held("ChildOf", ship));
/// assert_eq!(error.to_string(), "a `ChildOf` points to entity 0v1, which was taken out, too: restore that first");
/// world.restore(second).unwrap();
/// world.restore(first).unwrap();
/// assert!(world.children(ship).eq([gun]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreError {
    /// The entities are of another world, or the content of this one was replaced since they were taken out.
    OtherWorld,
    /// A relation of this name is between an entity of the entry and this one, which another entry has.
    Held(&'static str, Entity),
    /// A relation of this name points to this entity, which has ended since; its source would have ended as well, or have
    /// had a function called.
    TargetEnded(&'static str, Entity),
    /// A value was made with other fields than the component of this name has now, and cannot be converted.
    OtherFields(&'static str),
    /// Relations that were inserted since would close a circle with relations of the entry. Or a unique component of the
    /// entry is equal to one that was inserted since, or a rule forbids to restore a component.
    Relation(RelateError),
}

impl fmt::Display for RestoreError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherWorld => f.write_str(
                "the entities are of another world, or this world was cleared, loaded or copied into since: restore entities \
                 in the world that they were taken out of",
            ),
            Self::Held(name, entity) => write!(
                f,
                "a `{name}` points to entity {entity}, which was taken out, too: restore that first"
            ),
            Self::TargetEnded(name, entity) => write!(
                f,
                "a `{name}` points to entity {entity}, which was despawned since: its source would have ended with it"
            ),
            Self::OtherFields(name) => KindError::OtherFields(name).fmt(f),
            Self::Relation(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for RestoreError {}

impl Despawned {
    /// Returns the handles, parents before children.
    #[must_use]
    pub fn entities(&self) -> impl DoubleEndedIterator<Item = Entity> + ExactSizeIterator + '_ {
        self.hold.entities().iter().copied()
    }

    /// Returns all values, the last ones first.
    #[inline]
    fn values(&self) -> impl Iterator<Item = (&TakenOut, &OwnedValue)> {
        let taken = self.steps.iter().rev().filter_map(|step| match step {
            JournalStep::TakenOut(taken) => Some(taken),
            JournalStep::Order { .. } => None,
        });
        taken.flat_map(|taken| taken.values.iter().map(move |value| (taken, value)))
    }
}

impl TakenOut {
    /// Returns `true` if the entity, which lost a relation in this pool, has it no more and no other one: or only the one
    /// that a function gave it then.
    #[inline]
    fn is_lost(&self, pool: &dyn WorldPool) -> bool {
        pool.target(self.entity) == self.given
    }
}

/// Returns an error if these relations would close a circle together with the world's relations, and may
/// not.
#[inline]
fn refuse_circle(
    world: &World,
    number: u32,
    edges: &[(Entity, Pointing)],
) -> Result<(), RestoreError> {
    let Some(&(_, Pointing { name, acyclic: true, .. })) = edges.first() else { return Ok(()) };
    let of_edges = edges.iter().map(|(source, pointing)| (*source, pointing.target()));
    let targets: SparseSet<Entity, Entity> = of_edges.collect();
    let relation = world.pools.relations.get(number);
    let above = |at: Entity| targets.get(at).copied().or_else(|| relation?.target(at));
    let mut walks = SparseSet::<usize, Entity>::default(); // the first walk that met each
    for (walk, (source, _)) in edges.iter().enumerate() {
        let mut at = Some(*source);
        while let Some(entity) = at.filter(|entity| walks.get(*entity).is_none()) {
            walks.insert(entity, walk);
            at = above(entity);
        }
        let Some(first) = at.filter(|entity| walks.get(*entity) == Some(&walk)) else { continue };
        let next = |entity: &Entity| above(*entity).filter(|next| *next != first);
        let circle = core::iter::successors(Some(first), next).collect();
        return Err(RestoreError::Relation(RelateError::Circle(name, circle)));
    }
    Ok(())
}

/// Taking out.
impl World {
    /// Frees the indices of entities that were taken out and are not kept.
    fn free_all(&mut self, entities: impl Iterator<Item = Entity>) {
        for entity in entities.filter(|entity| self.entities.is_held(*entity)).collect::<Vec<_>>() {
            self.entities.release(entity, false);
        }
    }

    /// Drops the journal of a call that is over, because this world was moved away from calls of this depth or deeper.
    pub(crate) fn forget_taking(&mut self, depth: u32) {
        if let Some(journal) = self.taking.take_if(|journal| journal.depth >= depth) {
            (journal.edits.forget)(self, journal);
        }
    }

    /// Notes the components that these entities have before listeners are notified of their end.
    pub(crate) fn note_components(&mut self, list: &[Entity]) {
        if let Some(journal) = &self.taking {
            (journal.edits.note_components)(self, list);
        }
    }

    /// Notes the places of sources, which have these relations, in the lists of their targets.
    pub(crate) fn note_orders(&mut self, sources: Vec<(u32, Entity)>) {
        if let Some(journal) = &self.taking {
            (journal.edits.note_orders)(self, sources);
        }
    }

    /// Takes out the living ones among these entities, to which no others point. Returns their number.
    pub(crate) fn take_now(&mut self, list: &[Entity]) -> usize {
        let Some(journal) = &self.taking else { return 0 };
        (journal.edits.take_all)(self, list)
    }

    /// Takes from an entity a relation to one that is being taken out; its end has this effect for sources.
    pub(crate) fn lose(&mut self, source: Entity, number: u32, at_end: AtTargetEnd) {
        if let Some(journal) = &self.taking {
            (journal.edits.lose)(self, source, number, at_end);
        }
    }

    #[inline]
    fn note_components_now(&mut self, list: &[Entity]) {
        let Some(journal) = &mut self.taking else { return };
        for &entity in list.iter().filter(|entity| self.entities.is_alive(**entity)) {
            if !journal.had.contains(entity) {
                let numbered = self.pools.numbered().filter(|(_, pool)| pool.contains(entity));
                journal.had.insert(entity, numbered.map(|(number, _)| number).collect());
            }
        }
    }

    #[inline]
    fn note_orders_now(&mut self, sources: Vec<(u32, Entity)>) {
        let Some(journal) = &mut self.taking else { return };
        let mut by_relation: BTreeMap<u32, Vec<Entity>> = BTreeMap::new();
        for (number, source) in sources {
            by_relation.entry(number).or_default().push(source);
        }
        for (number, mut sources) in by_relation {
            let Some(relation) = self.pools.relations.get(number) else { continue };
            // The only source of a target has no order.
            sources.retain(|source| {
                relation.target(*source).is_some_and(|target| relation.sources(target).len() > 1)
            });
            let ended: SparseSet<(), Entity> = sources.iter().map(|source| (*source, ())).collect();
            // If others stay, more may come behind them.
            let others_stay =
                |target| relation.sources(target).any(|source| !ended.contains(source));
            let places = relation.places_of(&sources, others_stay);
            journal.steps.push(JournalStep::Order { number, sources, places });
        }
    }

    /// Returns a step without values for this entity, which notes its places in these pools.
    #[inline]
    fn begin_step(&self, journal: &mut Journal, entity: Entity, numbers: &[u32]) -> TakenOut {
        let Self { pools, groups, .. } = self;
        let mut places = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let keys = pools.keys_at(number);
            let Some(at) = keys.find(entity) else { continue };
            places.push((number, at));
            let mut moved = groups.at_bounds(pools, number);
            moved.push(entity);
            moved.extend(keys.dense().last());
            keys.note_forms(&moved, &mut |page, form| {
                let forms = &mut journal.forms;
                if let Err(at) = forms.binary_search_by_key(&(number, page), |(page, _)| *page) {
                    forms.insert(at, ((number, page), form));
                }
            });
        }
        let (values, lists, targets) = (Vec::new(), groups.listed_at(entity), Vec::new());
        TakenOut { entity, ended: false, given: None, values, places, lists, targets }
    }

    #[inline]
    fn take_all(&mut self, list: &[Entity]) -> usize {
        self.entities.flush();
        let mut sources = Vec::new();
        for relation in self.pools.relations.iter() {
            let number = relation.number;
            let members = list.iter().filter(|entity| self.pools.has(number, **entity));
            sources.extend(members.map(|entity| (number, *entity)));
        }
        self.note_orders_now(sources);
        let Some(mut journal) = self.taking.take() else { return 0 };
        let mut count = 0;
        // Sources before their targets, and the last source of a target first: that is undone without moving others.
        for &entity in list.iter().rev() {
            if self.entities.is_alive(entity) {
                let taken = self.take_one(&mut journal, entity);
                journal.steps.push(JournalStep::TakenOut(taken));
                count += 1;
            }
        }
        self.taking = Some(journal);
        count
    }

    #[inline]
    fn take_one(&mut self, journal: &mut Journal, entity: Entity) -> TakenOut {
        let numbered = self.pools.numbered().filter(|(_, pool)| pool.contains(entity));
        let numbers: Vec<u32> = numbered.map(|(number, _)| number).collect();
        let mut taken = self.begin_step(journal, entity, &numbers);
        taken.ended = true;
        taken.targets.extend(self.pools.relations.places_of_targets(entity, None));
        let Self { pools, entities, groups, .. } = self;
        let components = entities.components(entity);
        commit::end(pools, entities, groups, (entity, &components), true);
        entities.hold(entity);
        let had = journal.had.get(entity);
        for number in numbers {
            let Some(at) = pools.keys_at(number).find(entity) else { continue };
            let pool = pools.at_mut(number);
            pool.set_mut().take_out_at(at, at);
            let value = OwnedValue::of(pool.kind(), entities.world(), pool.set_mut().pop_loose());
            let is_late = had.is_some_and(|had| !had.contains(&number));
            if is_late { journal.late.push(value) } else { taken.values.push(value) }
        }
        taken
    }

    #[inline]
    fn lose_now(&mut self, source: Entity, number: u32, at_end: AtTargetEnd) {
        let kind = self.pools.at(number).kind();
        if let AtTargetEnd::Call(part) = at_end {
            let copies = self.pools.at(number).copies_of(&[source], 1);
            let at = self.note_loss(source, number);
            part(self, source);
            let given = self.pools.at(number).target(source);
            let world = self.entities.world();
            if let Some(journal) = &mut self.taking
                && let Some(JournalStep::TakenOut(taken)) =
                    at.and_then(|at| journal.steps.get_mut(at))
            {
                taken.given = given;
                taken.values.extend(copies.map(|copies| OwnedValue::of(kind, world, copies)));
            }
            return;
        }
        if self.pools.watch.answer(Question::NotifiedRemoval, number)
            && !self.announces_removal(source, number)
        {
            return;
        }
        let at = self.note_loss(source, number);
        let Self { pools, entities, groups, taking, .. } = self;
        if commit::removal(pools, entities, groups, source, number)
            && let Some(journal) = taking
            && let Some(JournalStep::TakenOut(taken)) = at.and_then(|at| journal.steps.get_mut(at))
        {
            let value = pools.at_mut(number).set_mut().pop_loose();
            taken.values.push(OwnedValue::of(kind, entities.world(), value));
        }
        self.pools.at_mut(number).set_mut().finish(false);
    }

    /// Adds a step without values for an entity that is about to lose a relation. Returns its position.
    #[inline]
    fn note_loss(&mut self, source: Entity, number: u32) -> Option<usize> {
        let mut journal = self.taking.take()?;
        let mut taken = self.begin_step(&mut journal, source, &self.groups.moving(number));
        taken.targets.extend(self.pools.relations.places_of_targets(source, Some(number)));
        journal.steps.push(JournalStep::TakenOut(taken));
        let at = journal.steps.len() - 1;
        self.taking = Some(journal);
        Some(at)
    }
}

/// The remainder of the steps that were undone.
#[derive(Default)]
struct Undoing {
    /// Values that were replaced or are not inserted, to be dropped when the world is consistent.
    gone: Vec<Box<Loose>>,
    /// The entities that keep another relation, or none.
    kept: BTreeSet<(u32, Entity)>,
    /// The number of last targets of each relation that have no place yet.
    unplaced: BTreeMap<u32, usize>,
}

/// Giving back.
impl World {
    /// Undoes these steps, which were checked.
    #[inline]
    fn give_back(
        &mut self,
        hold: &Hold,
        mut steps: Vec<JournalStep>,
        forms: &[((u32, usize), [u8; 2])],
    ) {
        hold.entities().iter().for_each(|entity| self.entities.release(*entity, true));
        self.pools.watch.log.begin();
        let mut undoing = Undoing::default();
        while let Some(step) = steps.pop() {
            match step {
                JournalStep::TakenOut(taken) => self.undo(taken, &mut undoing),
                JournalStep::Order { number, sources, places } => {
                    self.put_in_order(number, &sources, &places, &undoing.kept);
                }
            }
        }
        for forms in forms.chunk_by(|a, b| a.0.0 == b.0.0) {
            let of_pool: Vec<_> = forms.iter().map(|((_, page), form)| (*page, *form)).collect();
            self.pools.at_mut(forms[0].0.0).set_mut().restore_forms(&of_pool);
        }
        drop(undoing); // while all is whole
        self.notify_all_added(true, false);
    }

    /// Inserts the values of a step again, and moves them to their places.
    #[inline]
    fn undo(&mut self, taken: TakenOut, undoing: &mut Undoing) {
        let Undoing { gone, kept, unplaced } = undoing;
        let Self { pools, entities, groups, .. } = self;
        let entity = taken.entity;
        let mut given = Vec::new();
        for OwnedValue { kind, value, .. } in taken.values {
            let number = kind.number;
            let target = pools.at(number).kind().pointings(&*value).pop().map(Pointing::target);
            let is_kept = !taken.ended && pools.at(number).target(entity) != taken.given;
            let is_alive = |entity| entities.is_alive(entity);
            if is_kept || !is_alive(entity) || target.is_some_and(|target| !is_alive(target)) {
                gone.push(value);
                kept.insert((number, entity));
                continue;
            }
            given.push((number, pools.keys_at(number).len()));
            gone.push(pools.at_mut(number).put_loose(&[entity], value));
            entities.add(entity, number);
        }
        let inserted = given.iter().map(|(number, _)| *number).collect();
        let targets = |pools: &Pools| -> Vec<usize> {
            let relations = given.iter().map(|(number, _)| pools.relations.get(*number));
            relations.map(|it| it.map_or(0, |relation| relation.targets().len())).collect()
        };
        let before = targets(pools);
        commit::insertions(pools, entities, groups, &[entity], &inserted, &given, false);
        for ((number, _), (before, now)) in given.iter().zip(before.iter().zip(targets(pools))) {
            *unplaced.entry(*number).or_default() += now.saturating_sub(*before);
        }
        groups.put_back(pools, entity, &taken.places, &taken.lists);
        for target in taken.targets.iter().rev() {
            let unplaced = unplaced.entry(target.number).or_default();
            if pools.relations.put_target(*target, *unplaced) {
                *unplaced = unplaced.saturating_sub(1);
            }
        }
    }

    /// Moves sources to their places in the lists of their targets, except the `kept` ones, which have other targets.
    /// A source comes last if the one before it is gone.
    #[inline]
    fn put_in_order(
        &mut self,
        number: u32,
        sources: &[Entity],
        places: &[PlaceInList],
        kept: &BTreeSet<(u32, Entity)>,
    ) {
        let Some(relation) = self.pools.relations.get_mut(number) else { return };
        let is_back =
            |source: Entity| relation.target(source).is_some() && !kept.contains(&(number, source));
        let mut back = Vec::with_capacity(sources.len());
        let now: Vec<Option<usize>> = sources
            .iter()
            .map(|source| {
                is_back(*source).then(|| {
                    back.push(*source);
                    back.len() - 1
                })
            })
            .collect();
        let place = |&(at, before): &PlaceInList| {
            let target = relation.target(sources[at]);
            let is_there = |before: Entity| relation.target(before) == target;
            Some((now[at]?, before)).filter(|_| before.is_none_or(is_there))
        };
        let places: Vec<PlaceInList> = places.iter().filter_map(place).collect();
        relation.arrange(&back, &places);
    }
}

impl fmt::Debug for Despawned {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entities()).finish()
    }
}

impl World {
    /// Checks that entities break no rule between components when they are restored.
    #[inline]
    fn check_restored_rules(
        &self,
        despawned: &Despawned,
        is_here: &dyn Fn(Entity) -> bool,
    ) -> Result<(), RestoreError> {
        let mut given = BTreeMap::<Entity, Vec<u32>>::new();
        let mut pointings = Vec::new();
        for (taken, value) in despawned.values().filter(|(taken, _)| is_here(taken.entity)) {
            let Some(pool) = self.pools.of_kind(value.kind) else { continue };
            let pointing = pool.kind().pointings(&*value.value).pop();
            let target = pointing.map(Pointing::target);
            if (taken.ended || taken.is_lost(pool)) && target.is_none_or(is_here) {
                pointings.extend(pointing);
                given.entry(taken.entity).or_default().push(value.kind.number);
            }
        }
        for (&entity, given) in &given {
            let has = |number| self.pools.has(number, entity);
            let checked = self.pools.rules.check_insertion(given, false, &has, &has, &|_| false);
            checked.map_err(|rule| RestoreError::Relation(RelateError::Rule(entity, rule)))?;
        }
        let has = |target, number| {
            self.pools.has(number, target)
                || given.get(&target).is_some_and(|given| given.contains(&number))
        };
        let is_wrong =
            |it: &&Pointing| it.of_targets.is_some_and(|rule| !has(it.target(), rule.number()));
        let wrong = pointings.iter().find(is_wrong);
        wrong.map_or(Ok(()), |it| Err(RestoreError::Relation(it.wrong_target())))
    }
}

/// # Taking out and restoring
impl World {
    /// Takes the component of this kind from an entity, like [`World::try_remove`]. O(1), and O(sources) for a relation.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, it lacks the component, the veto refuses, or another component
    /// [needs](crate::guide::rules) it.
    ///
    /// See [`OwnedValue`] for an example.
    #[inline]
    pub fn take_kind(&mut self, kind: Kind, entity: Entity) -> Result<OwnedValue, RemoveError> {
        if !self.is_alive(entity) {
            return Err(RemoveError::NoSuchEntity(entity));
        }
        if self.pools.has(kind.number, entity) {
            self.check_removal(entity, &[kind.number])?;
            if !self.pools.at_mut(kind.number).permits_removal(entity) {
                return Err(RemoveError::Refused(entity, kind.name()));
            }
            if let Some(value) = self.take_loose(entity, kind) {
                return Ok(value);
            }
        }
        Err(RemoveError::Missing(entity, kind.name()))
    }

    /// Inserts the component into any entity of its world. A component without handles of entities may go to another
    /// world, too. O(1). A relation that returns to its entity has its place among the sources of its target again, behind
    /// the one that was before it: O(sources) then.
    ///
    /// # Errors
    /// Returns the value and the reason. There is no such entity, or it has such a component already. Or the value
    /// may hold handles of another world, or is a relation that the entity may not be given.
    ///
    /// ```
    /// # use ecs::by_name::{Kind, KindError};
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let name = world.take_kind(Kind::of::<Name>(), bob).unwrap();
    /// world.insert(bob, Name::new("Eve")).unwrap();
    /// let (name, error) = world.insert_value(bob, name).unwrap_err();
    /// assert_eq!(error, KindError::Present(bob, "Name"));
    /// world.remove_kind(Kind::of::<Name>(), bob).unwrap();
    /// world.insert_value(bob, name).unwrap();
    /// assert_eq!(world.name(bob), Some("Bob"));
    /// ```
    #[inline]
    pub fn insert_value(
        &mut self,
        entity: Entity,
        value: OwnedValue,
    ) -> Result<(), (OwnedValue, KindError)> {
        match self.check_owned(entity, &value) {
            Ok(()) => {
                let OwnedValue { kind, value, place, .. } = value;
                self.place_checked(entity, Vec::from([(kind, value as Box<Loose>)]), true);
                if let Some(place) = place {
                    self.put_at(entity, kind.number, &place);
                }
                self.notify_added();
                Ok(())
            }
            Err(error) => Err((value, error)),
        }
    }

    /// Takes an entity out of its world, with the entities that a despawn of it would despawn. O(pools) for each.
    ///
    /// Vetoes are called, and hooks and observers notified, like by [`World::despawn`]. Entities that observers despawn
    /// meanwhile are taken out, too.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or a veto refuses. Returns [`DespawnError::Unrestorable`] if another
    /// entity has a relation to one of them that names a function for the end of its target, and is not `clone`.
    /// Nothing has changed then, except by vetoes and observers themselves.
    #[inline]
    pub fn take_entity(&mut self, entity: Entity) -> Result<Despawned, DespawnError> {
        self.end_moved();
        let (id, depth) = (self.calls.world(), self.calls.depth());
        let outer = self.taking.replace(Box::new(Journal::new(depth)));
        let mut taking = Taking { world: self, id, outer, is_over: false };
        taking.world.take_family(entity)?;
        let Some(journal) = taking.end() else { return Err(DespawnError::NoSuchEntity(entity)) };
        let entities: Vec<Entity> = journal.ended().collect();
        let is_taken = entities.contains(&entity);
        let Journal { steps, forms, late, .. } = *journal;
        let this = Despawned { hold: taking.world.entities.keep(entities), steps, forms };
        drop(late);
        if is_taken {
            return Ok(this);
        }
        // An observer took it out by a call of its own.
        let restored = taking.world.restore(this);
        debug_assert!(restored.is_ok(), "nothing was edited since");
        Err(DespawnError::NoSuchEntity(entity))
    }

    /// Checks that [`restore`](Self::restore) would succeed. O(components).
    ///
    /// # Errors
    /// Returns the reason if it would not.
    ///
    /// See [`RestoreError`] for an example.
    #[inline]
    pub fn check_restore(&self, despawned: &Despawned) -> Result<(), RestoreError> {
        if !self.entities.keeps(&despawned.hold) {
            return Err(RestoreError::OtherWorld);
        }
        let own: SparseSet<(), Entity> = despawned.entities().map(|entity| (entity, ())).collect();
        let is_here = |entity: Entity| own.contains(entity) || self.is_alive(entity);
        let mut edges: BTreeMap<u32, Vec<(Entity, Pointing)>> = BTreeMap::new();
        let are_its = |value: &OwnedValue| {
            self.pools.of_kind(value.kind).is_none_or(|pool| pool.takes(&*value.value))
        };
        if let Some((_, value)) = despawned.values().find(|(_, value)| !are_its(value)) {
            return Err(RestoreError::OtherFields(value.kind.name()));
        }
        for (taken, value) in despawned.values().filter(|(_, value)| value.kind.is_relation()) {
            let (entity, kind) = (taken.entity, value.kind);
            let Some(pool) = self.pools.of_kind(kind) else { continue };
            let Some(pointing) = pool.kind().pointings(&*value.value).pop() else { continue };
            if !is_here(entity) && self.entities.is_held(entity) {
                return Err(RestoreError::Held(kind.name(), entity));
            }
            if !is_here(entity) || !taken.ended && !taken.is_lost(pool) {
                continue;
            }
            let target = pointing.target();
            if is_here(target) {
                edges.entry(kind.number).or_default().push((entity, pointing));
            } else if self.entities.is_held(target) {
                return Err(RestoreError::Held(kind.name(), target));
            } else if !matches!(pool.relation(), Some((AtTargetEnd::Remove, _))) {
                return Err(RestoreError::TargetEnded(kind.name(), target));
            }
        }
        edges.iter().try_for_each(|(number, edges)| refuse_circle(self, *number, edges))?;
        for (taken, value) in despawned.values().filter(|(_, value)| value.kind.is_unique()) {
            let Some(pool) = self.pools.of_kind(value.kind) else { continue };
            if is_here(taken.entity) && (taken.ended || taken.is_lost(pool)) {
                let given: (&[Entity], &Loose) = (&[taken.entity], &*value.value);
                let checked = self.pools.check_unique_all(value.kind.number, &[given], &|_| false);
                checked.map_err(RestoreError::Relation)?;
            }
        }
        if self.pools.rules.is_empty() {
            Ok(())
        } else {
            self.check_restored_rules(despawned, &is_here)
        }
    }

    /// Makes the entities alive again, under their handles, and gives back all that was taken with them: see
    /// [exactness](Self#exactness). O(components), and O(sources) for each target outside that they point to.
    ///
    /// Hooks and observers are notified of the insertion of each component, when everything is in place. Components that
    /// others require are not inserted, if the entity lacked them.
    ///
    /// # Errors
    /// Returns the entities if they cannot be restored; [`check_restore`](Self::check_restore) returns the reason. Nothing has changed
    /// then. In an observer, that is so, too, if another entity that lost a relation to them is being despawned.
    #[inline]
    pub fn restore(&mut self, despawned: Despawned) -> Result<(), Despawned> {
        let is_refused = self.is_nested() && self.check_restore(&despawned).is_ok() && {
            let mut lost = despawned.values().filter(|(taken, _)| !taken.ended);
            lost.any(|(TakenOut { entity, .. }, value)| {
                self.entities.ensure_alive(*entity)
                    && self.finish_before_insertion(*entity, &[value.kind.number]).is_err()
            })
        };
        if is_refused || self.check_restore(&despawned).is_err() {
            return Err(despawned);
        }
        let Despawned { hold, steps, forms } = despawned;
        self.entities.end_hold(&hold);
        self.give_back(&hold, steps, &forms);
        Ok(())
    }

    /// Drops the components, and gives the indices back to the world, with other generations.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Despawned;
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let taken = world.take_entity(entity).unwrap();
    /// world.discard(taken);
    /// assert_eq!(world.spawn_empty().id().to_string(), "0v2");
    /// ```
    #[inline]
    pub fn discard(&mut self, despawned: Despawned) {
        if self.entities.end_hold(&despawned.hold) {
            self.free_all(despawned.entities().rev());
        }
        drop(despawned);
    }
}
