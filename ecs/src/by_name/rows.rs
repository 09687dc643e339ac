//! Queries that are put together at run time.

use crate::by_name::condition::Condition;
use crate::by_name::kind::{KindError, Value};
use crate::component::{AnyComponent, RefMut};
use crate::entity::Entity;
use crate::pool::Pool;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::query::join::Items;
use crate::query::matcher::Stores;
use crate::query::numbers::Numbers;
use crate::query::plan::{Plan, PlanKind};
use crate::world::World;
use alloc::vec::Vec;
use core::fmt;

/// The access of a query to one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KindTerm {
    pub(super) kind: Kind,
    pub(super) access: KindAccess,
    pub(super) is_optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KindAccess {
    Read,
    Write,
    /// Read, and written where the world is lent to be written.
    Lent,
}

/// A query that is put together at run time, of components by their [`Kind`]: for [`World::kind_rows`] and
/// [`World::for_each_row`].
///
/// [`World::kinds_query`] makes one of a text. [`chunks`](Self::chunks) and [`chunks_mut`](Self::chunks_mut) lend the
/// values of many matches as slices.
///
/// Matches are found like in any view: by the smallest pool, the bits of all pools, or a group. Each value is then
/// looked up. If the types are known when the program is compiled, a [`Query`](crate::Query) is faster, and checked
/// by the compiler.
///
/// ```
/// use ecs::{Component, World};
/// use ecs::by_name::KindQuery;
///
/// #[derive(Component, Debug)]
/// #[component(debug)]
/// struct Health(u32);
/// #[derive(Component, Debug)]
/// #[component(debug)]
/// struct Armour(u32);
/// #[derive(Component)]
/// struct Dead;
///
/// let mut world = World::new();
/// world.spawn((Health(3), Armour(5)));
/// world.spawn(Health(4));
/// world.spawn((Health(0), Dead));
///
/// let [health, armour, dead] = ["Health", "Armour", "Dead"].map(|name| world.kind(name).unwrap());
/// let query = KindQuery::new().read(health).optional(armour).without(dead);
/// let lines: Vec<String> = world.kind_rows(&query).unwrap().map(|row| format!("{row:?}")).collect();
/// assert_eq!(lines, ["0v1: Health(3), Armour(5)", "1v1: Health(4)"]);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "it is a description; `rows` finds the matches"]
pub struct KindQuery {
    /// The components that are read or written, in the order of the calls.
    pub(super) terms: Vec<KindTerm>,
    pub(super) numbers: Numbers,
    /// Tests that each match of the pools has to pass, too.
    pub(super) conditions: Vec<Condition>,
    /// The components without a type that columns or values are read of.
    pub(super) defined: Vec<Kind>,
    pub(super) plan: Option<PlanKind>,
}

impl KindQuery {
    /// Returns a query without terms: all entities match.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires this component, and reads it.
    #[inline]
    pub fn read(self, kind: Kind) -> Self {
        self.see(kind, KindAccess::Read, false).with(kind)
    }

    /// Requires this component, and allows it to be written.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::by_name::{Kind, KindQuery};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let health = Kind::of::<Health>();
    /// let query = KindQuery::new().write(health);
    /// world.for_each_row(&query, |row| row.get_mut::<Health>().unwrap().0 += 1).unwrap();
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 4);
    ///
    /// let twice = KindQuery::new().write(health).read(health);
    /// let error = world.for_each_row(&twice, |_| {}).unwrap_err().to_string();
    /// assert_eq!(error, "the query asks for `Health` twice, and writes it: ask for it once");
    /// ```
    #[inline]
    pub fn write(self, kind: Kind) -> Self {
        self.see(kind, KindAccess::Write, false).with(kind)
    }

    /// Reads this component of the matches that have it.
    #[inline]
    pub fn optional(self, kind: Kind) -> Self {
        self.see(kind, KindAccess::Read, true)
    }

    /// Allows writing this component of the matches that have it.
    #[inline]
    pub fn optional_write(self, kind: Kind) -> Self {
        self.see(kind, KindAccess::Write, true)
    }

    /// Requires this component, without reading it.
    #[inline]
    pub fn with(mut self, kind: Kind) -> Self {
        self.numbers.required.push(kind.number);
        self
    }

    /// Excludes entities that have this component.
    #[inline]
    pub fn without(mut self, kind: Kind) -> Self {
        self.numbers.excluded.push(kind.number);
        self
    }

    /// Returns this query with a plan for its matches, used where it is possible; `None` for the best plan. For tests.
    #[doc(hidden)]
    pub fn with_plan(self, plan: impl Into<Option<PlanKind>>) -> Self {
        Self { plan: plan.into(), ..self }
    }

    #[inline]
    pub(super) fn see(mut self, kind: Kind, access: KindAccess, is_optional: bool) -> Self {
        self.terms.push(KindTerm { kind, access, is_optional });
        self.note_defined(kind)
    }

    /// Notes a component whose columns or values are read, if its definition may change.
    #[inline]
    pub(super) fn note_defined(mut self, kind: Kind) -> Self {
        if kind.definition().is_some() {
            self.defined.push(kind);
        }
        self
    }

    /// Returns `true` if an entity, which has the components, passes the other tests.
    #[inline]
    pub(super) fn passes(&self, pools: &Pools, entity: Entity) -> bool {
        self.conditions.iter().all(|condition| condition.passes(pools, entity))
    }

    /// Returns the components that are read or written, in the order of the calls, or of the text.
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::by_name::Kind;
    /// # let mut world = World::new();
    /// # world.spawn_named("Bob");
    /// let query = world.kinds_query("?Name").unwrap();
    /// assert!(query.kinds().eq([Kind::of::<Name>()]));
    /// ```
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.terms.iter().map(|term| term.kind)
    }

    /// Returns `true` if each match has this component. Others may lack it.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Kind;
    /// # let mut world = World::new();
    /// # world.spawn_named("Bob");
    /// let query = world.kinds_query("?Name").unwrap();
    /// assert!(!query.requires(Kind::of::<ecs::Name>()));
    /// ```
    #[must_use]
    #[inline]
    pub fn requires(&self, kind: Kind) -> bool {
        self.numbers.required.contains(&kind.number)
    }

    /// Returns an error if the query cannot run with these pools. Only a query that `may_write` may have terms that
    /// write.
    #[inline]
    pub(super) fn check(&self, pools: &Pools, may_write: bool) -> Result<(), KindError> {
        let is_other = |kind: &Kind| {
            kind.definition().is_some() && pools.of_kind(*kind).is_some_and(|it| it.kind() != *kind)
        };
        if let Some(other) = self.defined.iter().find(|kind| is_other(kind)) {
            return Err(KindError::Redefined(other.name()));
        }
        for (at, KindTerm { kind, access, .. }) in self.terms.iter().enumerate() {
            let writes = *access == KindAccess::Write;
            if writes && (!may_write || kind.is_relation() || kind.is_unique()) {
                return Err(KindError::NotWritten(kind.name()));
            }
            let mut before = self.terms[..at].iter();
            let is_written = |term: &KindTerm| writes || term.access == KindAccess::Write;
            if before.any(|term| term.kind.number == kind.number && is_written(term)) {
                return Err(KindError::Aliased(kind.name()));
            }
        }
        Ok(())
    }

    /// Returns `true` if the query reads this component, or, if `writes`, writes it.
    #[inline]
    fn sees(&self, kind: Kind, writes: bool) -> bool {
        let may = |term: &KindTerm| !writes || term.access != KindAccess::Read;
        self.terms.iter().any(|term| term.kind.number == kind.number && may(term))
    }
}

/// The matches of a [`KindQuery`], from [`World::kind_rows`].
///
/// ```
/// # use ecs::{Component, PlanKind, World};
/// # use ecs::by_name::{Kind, KindQuery};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4)]);
/// let health = Kind::of::<Health>();
/// let query = KindQuery::new().read(health);
/// let rows = world.kind_rows(&query).unwrap();
/// assert_eq!(rows.explain().kind, PlanKind::All);
/// let sum: u32 = rows.map(|row| row.get(health).unwrap().get::<Health>().unwrap().0).sum();
/// assert_eq!(sum, 7);
/// ```
#[derive(Clone)]
pub struct Rows<'a> {
    entities: Items<'a, Entity>,
    stores: Stores<'a>,
    query: &'a KindQuery,
}

impl<'a> Rows<'a> {
    /// Returns the entities that have the components that the query requires, each with `true` if it matches, too. So a
    /// tool stops after a bounded time, even if few values pass the comparisons of a [text](World::kinds_query).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let [ann, bob] = ["Ann", "Bob"].map(|name| world.spawn_named(name).id());
    /// let query = world.kinds_query("Name == 'Bob'").unwrap();
    /// let rows = world.kind_rows(&query).unwrap();
    /// assert!(rows.candidates().eq([(ann, false), (bob, true)]));
    /// ```
    pub fn candidates(self) -> impl Iterator<Item = (Entity, bool)> + use<'a> {
        let Self { entities, stores, query } = self;
        entities.map(move |entity| (entity, query.passes(stores.pools, entity)))
    }

    /// Returns the plan by which matches are found. O(terms).
    #[must_use]
    #[inline]
    pub fn explain(&self) -> Plan {
        self.query.numbers.plan(self.stores, self.query.plan)
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    #[inline]
    fn next(&mut self) -> Option<Row<'a>> {
        let pools = self.stores.pools;
        let entity = self.entities.find(|entity| self.query.passes(pools, *entity))?;
        Some(Row { entity, pools: LentPools::Shared(pools), query: self.query })
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (least, most) = self.entities.size_hint();
        (if self.query.conditions.is_empty() { least } else { 0 }, most)
    }
}

impl core::iter::FusedIterator for Rows<'_> {}

impl fmt::Debug for Rows<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("query", self.query).finish_non_exhaustive()
    }
}

/// A match of a [`KindQuery`], and the values that it reads and writes. It prints as its entity and those values.
///
/// See [`Rows`] and [`KindQuery::write`] for examples.
pub struct Row<'a> {
    entity: Entity,
    pools: LentPools<'a>,
    query: &'a KindQuery,
}

/// The pools of a world, to be read or to be written.
enum LentPools<'a> {
    Shared(&'a Pools),
    Exclusive(&'a mut Pools),
}

impl LentPools<'_> {
    const fn get(&self) -> &Pools {
        match self {
            Self::Shared(pools) => pools,
            Self::Exclusive(pools) => pools,
        }
    }
}

impl Row<'_> {
    /// Returns the entity that matches.
    #[must_use]
    pub const fn entity(&self) -> Entity {
        self.entity
    }

    /// Returns the query that it matches.
    ///
    /// ```
    /// # use ecs::World;
    /// # let mut world = World::new();
    /// # world.spawn_named("Bob");
    /// let query = world.kinds_query("Name").unwrap();
    /// let row = world.kind_rows(&query).unwrap().next().unwrap();
    /// assert!(row.query().kinds().eq(query.kinds()));
    /// ```
    pub const fn query(&self) -> &KindQuery {
        self.query
    }

    /// Returns the match's component of this kind. Returns `None` if the entity lacks it, or the query does not name
    /// it. O(terms).
    #[must_use]
    #[inline]
    pub fn get(&self, kind: Kind) -> Option<Value<'_>> {
        let is_seen = self.query.sees(kind, false);
        if is_seen { self.value(kind) } else { None }
    }

    /// Returns the match's component, to be written. Returns `None` if the entity lacks it, or the query does not write
    /// it. O(terms).
    #[must_use]
    pub fn get_mut<T: AnyComponent>(&mut self) -> Option<RefMut<'_, T>> {
        let kind = Kind::of::<T>();
        let LentPools::Exclusive(pools) = &mut self.pools else { return None };
        if !self.query.sees(kind, true) {
            return None;
        }
        let at = pools.keys_at(kind.number).find(self.entity)?;
        if kind.is_marked() {
            pools.mark(kind.number, self.entity);
        }
        let pool = pools.at_mut(kind.number).as_any_mut();
        pool.downcast_mut::<Pool<T>>()?.value_mut(at)
    }

    /// Returns the pools, if the query writes this component.
    #[inline]
    pub(super) fn written(&mut self, kind: Kind) -> Option<&mut Pools> {
        match &mut self.pools {
            LentPools::Exclusive(pools) if self.query.sees(kind, true) => Some(pools),
            _ => None,
        }
    }

    /// Returns the values that the query reads or writes, in the order of its terms; optional ones if the entity has
    /// them.
    pub fn values(&self) -> impl Iterator<Item = Value<'_>> {
        self.query.terms.iter().filter_map(|term| self.value(term.kind))
    }

    #[inline]
    fn value(&self, kind: Kind) -> Option<Value<'_>> {
        Value::of(self.pools.get().of_kind(kind)?, self.entity)
    }
}

impl fmt::Debug for Row<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.entity)?;
        for (at, value) in self.values().enumerate() {
            write!(f, "{} {value:?}", if at == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

/// # Queries by kind
impl World {
    /// Returns the matches, each with the values that the query reads. O(terms) to begin with.
    ///
    /// # Errors
    /// Returns an error if the query writes.
    ///
    /// See [`KindQuery`] for an example.
    #[inline]
    pub fn kind_rows<'a>(&'a self, query: &'a KindQuery) -> Result<Rows<'a>, KindError> {
        query.check(&self.pools, false)?;
        let stores = self.stores();
        Ok(Rows { entities: query.numbers.entities(stores, query.plan), stores, query })
    }

    /// Returns the rows of the entities whose index is this one or greater, in the order of their indices. So a tool
    /// shows a long list in pages: the next page begins behind the last index of the one before. O(terms) to begin.
    ///
    /// # Errors
    /// Returns an error if the query writes.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # use ecs::by_name::{Kind, KindQuery};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let all = world.spawn_batch((0..3_000).map(Health));
    /// let query = KindQuery::new().with(Kind::of::<Health>());
    /// let page: Vec<Entity> = world.kind_rows_from(&query, 2_000).unwrap().take(2).map(|row| row.entity()).collect();
    /// assert_eq!(page, all[2_000..2_002]);
    /// ```
    #[inline]
    pub fn kind_rows_from<'a>(
        &'a self,
        query: &'a KindQuery,
        index: u32,
    ) -> Result<Rows<'a>, KindError> {
        query.check(&self.pools, false)?;
        let stores = self.stores();
        Ok(Rows { entities: query.numbers.entities_from(stores, index), stores, query })
    }

    /// Calls `f` with each match, and the values that the query reads and writes. Takes 8 bytes for each match.
    ///
    /// A tracked component is marked as changed where it is lent to be written.
    ///
    /// # Errors
    /// Returns an error, and calls nothing, if the query names a component twice, once to be written, or writes a
    /// relation.
    ///
    /// See [`KindQuery::write`] for an example.
    pub fn for_each_row(
        &mut self,
        query: &KindQuery,
        mut f: impl FnMut(&mut Row<'_>),
    ) -> Result<(), KindError> {
        query.check(&self.pools, true)?;
        self.entities.flush();
        let found = query.numbers.entities(self.stores(), query.plan);
        let matches: Vec<Entity> = found.filter(|it| query.passes(&self.pools, *it)).collect();
        for entity in matches {
            f(&mut Row { entity, pools: LentPools::Exclusive(&mut self.pools), query });
        }
        Ok(())
    }
}
