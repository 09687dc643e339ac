//! The matches of a query by name as chunks, and their columns as slices.
//!
//! ```text
//! KindQuery ── chunks, chunks_mut ──> runs of entities that are neighbours in all pools of the query
//!                                      v
//! KindChunk  entities [ 7  2  9 ]
//!            column   "Poison.damage" ──> kind, column ──> &[f32]      of a `Vec<f32>`, known by `Any`
//! ```
//!
//! For reading, runs are found one after the other. For writing, all runs are found first: then the pools are lent
//! exclusively, each column apart from the others, so that several may be written at a time.

use crate::by_name::condition::nth_column;
use crate::by_name::kind::KindError;
use crate::by_name::rows::{KindAccess, KindQuery, KindTerm};
use crate::entity::Entity;
use crate::pool::kind::Kind;
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::Track;
use crate::query::numbers::EntityRuns;
use crate::storage::keys::Keys;
use crate::storage::values::AnyColumn;
use crate::text::{Nearest, nearest};
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::{self, Vec};
use core::any::type_name;
use core::cell::Cell;
use core::error::Error;
use core::fmt;
use core::ops::Range;

/// The error of a [`KindChunk`] that has no such slice.
///
/// ```
/// use ecs::by_name::{ColumnError, KindQuery};
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// #[component(layout = "soa")]
/// struct Particle { pub height: f32, speed: f32 }
///
/// let mut world = World::new();
/// world.spawn(Particle { height: 1.0, speed: 2.0 });
/// let query = world.kinds_query("Particle").unwrap();
/// let chunk = query.chunks(&world).unwrap().next().unwrap();
/// assert_eq!(chunk.column::<f32>("Particle.height"), Ok(&[1.0][..]));
/// assert_eq!(
///     chunk.column::<f32>("Particle.hight").unwrap_err().to_string(),
///     "`Particle` has no column `hight` (the nearest is `height`)"
/// );
/// assert_eq!(
///     chunk.column::<f64>("Particle.height").unwrap_err().to_string(),
///     "the values of `Particle.height` are of the type `f32`, not `f64`"
/// );
/// assert_eq!(
///     chunk.column::<f32>("Particle.speed"),
///     Err(ColumnError::Private("Particle", "speed"))
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The query reads no component of this column; and the nearest name of one that it reads.
    NotRead(String, Option<&'static str>),
    /// Several components that the query reads have this name: their full names.
    Ambiguous(String, Vec<&'static str>),
    /// The component has no column of this name; and the nearest name of a column.
    NoColumn(&'static str, String, Option<&'static str>),
    /// The component is stored as a whole, so this field of it is no slice.
    Whole(&'static str, String),
    /// The component is stored in columns, so whole values are no slice; and the name of its first column.
    InColumns(&'static str, &'static str),
    /// The field of the component is private, and a chunk lends public fields.
    Private(&'static str, &'static str),
    /// The values of this column are of another type: the type, and the requested one.
    OtherType(String, &'static str, &'static str),
    /// The component of this name is not written by the query, or is a relation or unique.
    NotWritten(&'static str),
    /// The column was lent by this chunk already, and one of both is written.
    Lent(String),
    /// The entities of this chunk lack the optional component of this name.
    Missing(&'static str),
}

impl fmt::Display for ColumnError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRead(path, near) => {
                write!(f, "the query reads no component of the column `{path}`{}", Nearest(*near))
            }
            Self::Ambiguous(name, all) => {
                write!(
                    f,
                    "the query reads several components that are called `{name}`; name one in full:"
                )?;
                all.iter().try_for_each(|name| write!(f, " `{name}`"))
            }
            Self::NoColumn(component, field, near) => {
                write!(f, "`{component}` has no column `{field}`{}", Nearest(*near))
            }
            Self::Whole(component, field) => write!(
                f,
                "`{component}` is stored as a whole, so its field `{field}` is no slice: ask for `{component}`, or add \
                 `#[component(layout = \"soa\")]` to it"
            ),
            Self::InColumns(component, field) => write!(
                f,
                "`{component}` is stored in columns: ask for one of them, such as `{component}.{field}`"
            ),
            Self::Private(component, field) => {
                write!(f, "the field `{field}` of `{component}` is private: write `pub` before it")
            }
            Self::OtherType(path, is, asked) => {
                write!(f, "the values of `{path}` are of the type `{is}`, not `{asked}`")
            }
            Self::NotWritten(component) => write!(
                f,
                "`{component}` is not written here: `KindQuery::chunks_mut` lends components that the query writes, \
                 and a relation or a unique component is inserted anew"
            ),
            Self::Lent(path) => write!(
                f,
                "the column `{path}` is lent already: a column that is written is lent once by each chunk"
            ),
            Self::Missing(component) => {
                write!(f, "the entities of this chunk have no `{component}`")
            }
        }
    }
}

impl Error for ColumnError {}

/// Neighbouring matches of a [`KindQuery`]: their entities, and the values of each component that is read, as slices.
///
/// The slices have the entities' order and number. See [`KindQuery::chunks_mut`] for an example.
pub struct KindChunk<'a> {
    query: &'a KindQuery,
    entities: &'a [Entity],
    lent: LentColumns<'a>,
}

/// The columns of a chunk, for reading, or each apart from the others.
enum LentColumns<'a> {
    Shared(&'a Pools),
    Apart(Vec<LentColumn<'a>>),
}

/// A column of a pool, without its values.
#[derive(Clone, Copy)]
struct ColumnHead<'a> {
    kind: Kind,
    /// Its position among the columns of the component.
    nth: usize,
    type_name: &'static str,
    keys: &'a Keys<Entity>,
    track: Option<&'a Track>,
}

/// A column of a chunk that may be written.
struct LentColumn<'a> {
    head: ColumnHead<'a>,
    loan: Cell<ColumnLoan<'a>>,
}

/// The state of a column that a chunk lends.
#[derive(Default)]
enum ColumnLoan<'a> {
    Free(&'a mut AnyColumn),
    Read(&'a AnyColumn),
    #[default]
    Gone,
}

impl<'a> KindChunk<'a> {
    /// Returns the entities.
    #[must_use]
    pub const fn entities(&self) -> &'a [Entity] {
        self.entities
    }

    /// Returns the values of a column: of a field of a component in columns, as `"Particle.height"`, or of a component
    /// that is stored as a whole, as `"Health"`. The names are the ones of [`World::kind`]. O(terms).
    ///
    /// # Errors
    /// Returns an error if the query does not read such a column, its values are of another type, or it was lent to be
    /// written. Also returns one if the component is optional, and the entities of this chunk lack it.
    ///
    /// See [`ColumnError`] for an example.
    #[inline]
    pub fn column<T: 'static>(&self, path: &str) -> Result<&'a [T], ColumnError> {
        let (term, nth) = self.query.find_column(path)?;
        let (type_name, column, keys) = match &self.lent {
            LentColumns::Shared(pools) => {
                let pool = pools.of_kind(term.kind);
                let pool = pool.ok_or(ColumnError::Missing(term.kind.name()))?;
                let (type_name, column) = nth_column(nth, |each| pool.values().each_column(each))
                    .ok_or_else(|| no_column(term, path))?;
                (type_name, column, pool.raw_keys())
            }
            LentColumns::Apart(columns) => {
                let lent = find_lent(columns, term, nth, path)?;
                let column = match lent.loan.take() {
                    ColumnLoan::Free(column) => &*column,
                    ColumnLoan::Read(column) => column,
                    ColumnLoan::Gone => return Err(ColumnError::Lent(path.to_owned())),
                };
                lent.loan.set(ColumnLoan::Read(column));
                (lent.head.type_name, column, lent.head.keys)
            }
        };
        let values = column.downcast_ref::<Vec<T>>();
        let values = values.ok_or_else(|| other_type::<T>(path, type_name))?;
        Ok(&values[self.range(term, keys)?])
    }

    /// Returns the values of a column like [`column`](Self::column), to be written. Marks all of them as changed, if the
    /// component is tracked. O(terms), and O(entities) to mark.
    ///
    /// # Errors
    /// Returns an error if `column` does, the query does not write the component, or the column was lent before.
    ///
    /// See [`KindQuery::chunks_mut`] for an example.
    #[inline]
    pub fn column_mut<T: 'static>(&self, path: &str) -> Result<&'a mut [T], ColumnError> {
        let (term, nth) = self.query.find_column(path)?;
        let LentColumns::Apart(columns) = &self.lent else {
            return Err(ColumnError::NotWritten(term.kind.name()));
        };
        if term.access == KindAccess::Read {
            return Err(ColumnError::NotWritten(term.kind.name()));
        }
        let lent = find_lent(columns, term, nth, path)?;
        let range = self.range(term, lent.head.keys)?;
        let column = match lent.loan.take() {
            ColumnLoan::Free(column) => column,
            other => {
                lent.loan.set(other);
                return Err(ColumnError::Lent(path.to_owned()));
            }
        };
        if !column.is::<Vec<T>>() {
            lent.loan.set(ColumnLoan::Free(column));
            return Err(other_type::<T>(path, lent.head.type_name));
        }
        if let Some(track) = lent.head.track {
            self.entities.iter().for_each(|entity| track.mark_one(entity.index()));
        }
        let values = column.downcast_mut::<Vec<T>>();
        Ok(values.map_or(&mut [], |values| &mut values[range]))
    }

    /// Returns the positions of the entities in a pool with these members.
    #[inline]
    fn range(&self, term: KindTerm, keys: &Keys<Entity>) -> Result<Range<usize>, ColumnError> {
        let first = self.entities.first().and_then(|entity| keys.find(*entity));
        let first = first.ok_or(ColumnError::Missing(term.kind.name()))?;
        Ok(first..first + self.entities.len())
    }
}

#[inline]
fn other_type<T>(path: &str, is: &'static str) -> ColumnError {
    ColumnError::OtherType(path.to_owned(), is, type_name::<T>())
}

#[inline]
fn no_column(term: KindTerm, path: &str) -> ColumnError {
    ColumnError::NoColumn(term.kind.name(), path.to_owned(), None)
}

#[inline]
fn find_lent<'c, 'a>(
    columns: &'c [LentColumn<'a>],
    term: KindTerm,
    nth: usize,
    path: &str,
) -> Result<&'c LentColumn<'a>, ColumnError> {
    let mut of_kind = columns.iter().filter(|column| column.head.kind == term.kind).peekable();
    if of_kind.peek().is_none() {
        return Err(ColumnError::Missing(term.kind.name())); // the world has no pool of it
    }
    of_kind.find(|column| column.head.nth == nth).ok_or_else(|| no_column(term, path))
}

impl fmt::Debug for KindChunk<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindChunk").field("entities", &self.entities).finish_non_exhaustive()
    }
}

/// The part of a run whose entities pass the conditions of a query, and the rest of the run.
#[inline]
fn next_passing<'w>(
    query: &KindQuery,
    pools: &Pools,
    run: &'w [Entity],
) -> (&'w [Entity], &'w [Entity]) {
    if query.conditions.is_empty() {
        return (run, &[]);
    }
    let passes = |entity: &Entity| query.passes(pools, *entity);
    let first = run.iter().position(passes).unwrap_or(run.len());
    let run = &run[first..];
    run.split_at(run.iter().position(|entity| !passes(entity)).unwrap_or(run.len()))
}

/// The matches of a [`KindQuery`] in chunks, from [`KindQuery::chunks`].
///
/// ```
/// # use ecs::{Component, World};
/// # use ecs::by_name::KindChunks;
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4)]);
/// let query = world.kinds_query("Health").unwrap();
/// let mut chunks: KindChunks<'_> = query.chunks(&world).unwrap();
/// assert_eq!(chunks.next().unwrap().entities().len(), 2);
/// assert!(chunks.next().is_none());
/// ```
pub struct KindChunks<'a> {
    query: &'a KindQuery,
    pools: &'a Pools,
    runs: EntityRuns<'a>,
    /// The rest of the last run.
    rest: &'a [Entity],
}

impl<'a> Iterator for KindChunks<'a> {
    type Item = KindChunk<'a>;

    #[inline]
    fn next(&mut self) -> Option<KindChunk<'a>> {
        let Self { query, pools, .. } = *self;
        let entities = loop {
            let run = if self.rest.is_empty() { self.runs.next()? } else { self.rest };
            let (entities, rest) = next_passing(query, pools, run);
            self.rest = rest;
            if !entities.is_empty() {
                break entities;
            }
        };
        Some(KindChunk { query, entities, lent: LentColumns::Shared(pools) })
    }
}

impl fmt::Debug for KindChunks<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindChunks").field("query", self.query).finish_non_exhaustive()
    }
}

/// The matches of a [`KindQuery`] in chunks that may be written, from [`KindQuery::chunks_mut`].
///
/// It is no [`Iterator`]: a chunk ends before the next one begins.
pub struct KindChunksMut<'a> {
    query: &'a KindQuery,
    /// The members of the pool in whose order the matches are, and the positions of each run there.
    members: &'a [Entity],
    runs: vec::IntoIter<(u32, u32)>,
    columns: Vec<PoolColumn<'a>>,
}

/// A column of a pool, to be written.
struct PoolColumn<'a> {
    head: ColumnHead<'a>,
    values: &'a mut AnyColumn,
}

impl KindChunksMut<'_> {
    /// Returns the next chunk. O(columns of the components), and allocates a list of these.
    ///
    /// See [`KindQuery::chunks_mut`] for an example.
    #[inline]
    pub fn next_chunk(&mut self) -> Option<KindChunk<'_>> {
        let (first, len) = self.runs.next()?;
        let entities = &self.members[first as usize..][..len as usize];
        let columns = self.columns.iter_mut().map(|PoolColumn { head, values }| LentColumn {
            head: *head,
            loan: Cell::new(ColumnLoan::Free(&mut **values)),
        });
        let lent = LentColumns::Apart(columns.collect());
        Some(KindChunk { query: self.query, entities, lent })
    }
}

impl fmt::Debug for KindChunksMut<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindChunksMut").field("query", self.query).finish_non_exhaustive()
    }
}

/// # Chunks and columns
impl KindQuery {
    /// Returns the matches in chunks, to be read: entities whose values are neighbours in all pools that the query reads.
    /// So loops over their [columns](KindChunk::column) are loops over slices. O(terms) to begin.
    ///
    /// Chunks are as long as in [`View::for_each_chunk`](crate::View::for_each_chunk). A comparison of values ends a
    /// chunk at each entity that fails it.
    ///
    /// # Errors
    /// Returns an error if the query writes by [`write`](Self::write), or requires no component.
    ///
    /// ```
    /// use ecs::{Component, World};
    ///
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// world.spawn_batch([Health(3), Health(4)]);
    /// let query = world.kinds_query("Health").unwrap();
    /// let mut sum = 0;
    /// for chunk in query.chunks(&world).unwrap() {
    ///     sum += chunk.column::<Health>("Health").unwrap().iter().map(|health| health.0).sum::<u32>();
    /// }
    /// assert_eq!(sum, 7);
    /// ```
    #[inline]
    pub fn chunks<'a>(&'a self, world: &'a World) -> Result<KindChunks<'a>, KindError> {
        self.check(&world.pools, false)?;
        let runs = self.numbers.runs(world.stores(), &self.numbers_read(), self.plan);
        let runs = runs.ok_or(KindError::NothingRequired)?;
        Ok(KindChunks { query: self, pools: &world.pools, runs, rest: &[] })
    }

    /// Returns the matches in chunks like [`chunks`](Self::chunks), to be written. Takes 8 bytes for each chunk, and
    /// O(pools) to begin.
    ///
    /// # Errors
    /// Returns an error if the query names a component twice, once to be written, writes a relation, or requires no
    /// component.
    ///
    /// ```
    /// use ecs::{Component, World};
    ///
    /// #[derive(Component)]
    /// #[component(layout = "soa")]
    /// struct Health { pub value: f32, pub most: f32 }
    /// #[derive(Component)]
    /// #[component(layout = "soa")]
    /// struct Poison { pub damage: f32 }
    /// #[derive(Component)]
    /// struct Boss;
    ///
    /// let mut world = World::new();
    /// let health = || Health { value: 9.0, most: 10.0 };
    /// let rat = world.spawn((health(), Poison { damage: 2.5 })).id();
    /// world.spawn((health(), Poison { damage: 2.5 }, Boss));
    ///
    /// let query = world.kinds_query("Poison, Health, !Boss").unwrap();
    /// let mut chunks = query.chunks_mut(&mut world).unwrap();
    /// while let Some(chunk) = chunks.next_chunk() {
    ///     let damage = chunk.column::<f32>("Poison.damage")?;
    ///     let health = chunk.column_mut::<f32>("Health.value")?;
    ///     health.iter_mut().zip(damage).for_each(|(health, damage)| *health -= damage);
    /// }
    /// assert_eq!(*world.get::<Health>(rat).unwrap().value, 6.5);
    /// # Ok::<(), ecs::by_name::ColumnError>(())
    /// ```
    #[inline]
    pub fn chunks_mut<'a>(&'a self, world: &'a mut World) -> Result<KindChunksMut<'a>, KindError> {
        self.check(&world.pools, true)?;
        let order = self.order().ok_or(KindError::NothingRequired)?;
        world.entities.flush();
        world.keep_order();
        let mut runs = Vec::with_capacity(4);
        let stores = world.stores();
        let found = self.numbers.runs(stores, &self.numbers_read(), self.plan);
        let keys = stores.pools.keys_at(order);
        for mut run in found.into_iter().flatten() {
            while !run.is_empty() {
                let (entities, rest) = next_passing(self, stores.pools, run);
                let first = entities.first().and_then(|entity| keys.find(*entity));
                if let (Some(first), Ok(len)) = (first, u32::try_from(entities.len())) {
                    #[expect(clippy::cast_possible_truncation, reason = "a position has 32 bits")]
                    runs.push((first as u32, len));
                }
                run = rest;
            }
        }
        world.pools.watch.set_marking_shared(false);
        let is_tracking = world.pools.watch.is_tracking();
        let mut numbers = Vec::with_capacity(self.terms.len() + 1);
        numbers.extend(self.terms.iter().map(|term| term.kind.number));
        numbers.push(order);
        numbers.sort_unstable();
        numbers.dedup();
        let (pools, tracks, relations) = world.pools.lend(&numbers);
        let mut members: &[Entity] = relations.targets_at(order).map_or(&[], Keys::dense);
        let mut columns: Vec<PoolColumn<'_>> = Vec::with_capacity(4 * numbers.len());
        for pool in pools {
            let kind = pool.kind();
            let track = if is_tracking { tracks.get(kind.number) } else { None };
            let start = columns.len();
            let keys = pool.set_mut().each_column_mut(&mut |type_name, values| {
                let (nth, keys) = (columns.len() - start, &NO_KEYS);
                let head = ColumnHead { kind, nth, type_name, keys, track };
                columns.push(PoolColumn { head, values });
            });
            columns[start..].iter_mut().for_each(|column| column.head.keys = keys);
            if kind.number == order {
                members = keys.dense();
            }
        }
        Ok(KindChunksMut { query: self, members, runs: runs.into_iter(), columns })
    }

    /// Returns the numbers of the components that are read, with `true` beside optional ones.
    #[inline]
    fn numbers_read(&self) -> impl Iterator<Item = (u32, bool)> + Clone {
        self.terms.iter().map(|term| (term.kind.number, term.is_optional))
    }

    /// Returns the number of the pool in whose order the matches of chunks are.
    #[inline]
    fn order(&self) -> Option<u32> {
        let mut read = self.numbers_read().filter(|(_, is_optional)| !is_optional);
        let first = read.next().map(|(number, _)| number);
        first.or_else(|| self.numbers.required.first().copied())
    }

    /// Returns the term with the component of a column, and the rest of the column's name.
    #[inline]
    fn find_term<'p>(&self, path: &'p str) -> Result<(KindTerm, Option<&'p str>), ColumnError> {
        let dots = path.bytes().enumerate().filter(|(_, byte)| *byte == b'.').map(|(at, _)| at);
        for end in dots.chain([path.len()]) {
            let (name, field) = (&path[..end], path.get(end + 1..));
            if let Some(term) = self.terms.iter().find(|term| term.kind.is_called(name)) {
                return Ok((*term, field));
            }
            let mut named = self.terms.iter().filter(|term| term.kind.name() == name);
            if let Some(term) = named.next() {
                if named.any(|other| other.kind != term.kind) {
                    let all = self.terms.iter().map(|term| term.kind);
                    let all = all.filter(|kind| kind.name() == name).map(Kind::type_name);
                    return Err(ColumnError::Ambiguous(name.to_owned(), all.collect()));
                }
                return Ok((*term, field));
            }
        }
        let component = path.split('.').next().unwrap_or_default();
        let near = nearest(component, self.terms.iter().map(|term| term.kind.name()));
        Err(ColumnError::NotRead(path.to_owned(), near))
    }

    /// Returns the term of a column that is read, and its position among the columns of the component.
    #[inline]
    fn find_column(&self, path: &str) -> Result<(KindTerm, usize), ColumnError> {
        let (term, field) = self.find_term(path)?;
        let (name, mut fields) = (term.kind.name(), term.kind.fields());
        let Some(field) = field else {
            let first = fields.next().map_or("..", |(name, _)| name);
            let is_whole = !term.kind.is_in_columns();
            return is_whole.then_some((term, 0)).ok_or(ColumnError::InColumns(name, first));
        };
        if !term.kind.is_in_columns() {
            return Err(ColumnError::Whole(name, field.to_owned()));
        }
        let found = fields.clone().enumerate().find(|(_, (name, _))| *name == field);
        let (nth, (field, is_public)) = found.ok_or_else(|| {
            let near = nearest(field, fields.map(|(name, _)| name));
            ColumnError::NoColumn(name, field.to_owned(), near)
        })?;
        is_public.then_some((term, nth)).ok_or(ColumnError::Private(name, field))
    }
}
