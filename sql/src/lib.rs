//! SQL over saved worlds of [`ecs`], by [DataFusion](https://datafusion.apache.org).
//!
//! Each component is a table: a row an entity, with the handle as column `entity` and a column a field. A component of
//! one unnamed field has the column `value`; so a relation is a table of `entity` and `value`, by which others are joined.
//!
//! ```
//! use ecs::{Component, Entity, World};
//! use ecs_sql::Saved;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! #[component(save = "ship")]
//! struct Ship { name: String, tons: u32 }
//! #[derive(Component, Serialize, Deserialize)]
//! #[component(relation, save = "docked_at")]
//! struct DockedAt(Entity);
//! #[derive(Component, Serialize, Deserialize)]
//! #[component(save = "port")]
//! struct Port { city: String }
//!
//! let mut world = World::new();
//! let port = world.spawn(Port { city: "Genoa".into() }).id();
//! world.spawn((Ship { name: "Argo".into(), tons: 50 }, DockedAt(port)));
//! world.spawn((Ship { name: "Nina".into(), tons: 60 }, DockedAt(port)));
//! let mut bytes = Vec::new();
//! world.save().to_bytes(&mut bytes)?;
//!
//! let saved = Saved::new(bytes)
//!     .table::<Ship>("ships")?
//!     .table::<Port>("ports")?
//!     .table::<DockedAt>("docked_at")?;
//! let answer = saved.ask(
//!     "select city, sum(tons) as tons from ships
//!      join docked_at on docked_at.entity = ships.entity
//!      join ports on ports.entity = docked_at.value
//!      group by city",
//! )?;
//! assert_eq!(
//!     answer.to_string(),
//!     "+-------+------+\n\
//!      | city  | tons |\n\
//!      +-------+------+\n\
//!      | Genoa | 110  |\n\
//!      +-------+------+"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A component [without a Rust type](ecs::World::define) is a table by [`Saved::table_by`].
//!
//! A column whose name is taken has the component's name before it: `"Cargo.value"`. So a variant may be named `value`, and
//! a field `entity`.
//!
//! # Sums
//!
//! No `sum` and no `avg` wraps around. `DataFusion`'s own let sums of 64 bits do so in silence, so each [`Saved`] has others:
//!
//! | of | `sum` | `avg` |
//! |---|---|---|
//! | whole numbers of any width | a decimal, exact | a float of 64 bits |
//! | decimals | a decimal, exact; of more than 63 digits an error of the plan | the same, with 4 digits more behind the point |
//! | floats | a float of 64 bits | a float of 64 bits |
//! | durations, intervals | an error if it is out of range | exact; none of intervals |
//!
//! Other arithmetic is `DataFusion`'s: `a + b`, `a - b` and `a * b` of whole numbers wrap around. Cast one side to a decimal
//! where they may: `sum(price::decimal(20) * count)`. Its API of data frames has its own `sum`, too: use SQL.
//!
//! A query reads the components that it names, and no others: the rest of the file is passed over. Rows are made in
//! batches, as the query takes them.

mod sums;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::SessionContext;
use ecs::by_name::{Kind, KindQuery};
use ecs::save::{Limits, Unknown};
use ecs::{Component, Entity, World};
use ecs_tables::{Column, Columns, Table, TableError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

pub use datafusion;

/// The number of rows that are made at a time.
const ROWS: usize = 8192;
/// The name of a column that has the component's name.
const OWN: &str = "value";

/// A saved world, whose components are tables.
///
/// See the [crate] for an example.
#[derive(Clone)]
pub struct Saved {
    bytes: Arc<[u8]>,
    limits: Limits,
    context: SessionContext,
}

impl Saved {
    /// Returns the world of these bytes, with no tables yet. They are looked at when a query reads them.
    #[must_use]
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let context = SessionContext::new();
        sums::register(&context);
        Self { bytes: bytes.into(), limits: Limits::default(), context }
    }

    /// Returns the world that is saved in a file, with no tables yet. The bytes are read, and no values made of them.
    ///
    /// # Errors
    /// When the file cannot be read.
    ///
    /// ```
    /// assert!(ecs_sql::Saved::open("no such file").is_err());
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::new(std::fs::read(path)?))
    }

    /// Sets how much memory the components of one table may take, in each query: see [`Limits`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a table of the entities that have a component, which is not in columns (`layout = "soa"`). A world without the component has an empty table.
    ///
    /// # Errors
    /// When the component has no [columns](Columns::of), or there is a table of this name.
    ///
    /// See the [crate] for an example.
    pub fn table<T>(self, name: &str) -> Result<Self>
    where
        T: Component + Serialize + DeserializeOwned,
    {
        let columns = Columns::of_rows::<(Entity, &T)>().map_err(external)?;
        self.add(name, T::NAME, columns, Typed::<T>(PhantomData))
    }

    /// Adds a table of the entities that have a component by its [`Kind`], such as one [without a Rust
    /// type](World::define). `define` makes an empty world know the component, and returns its kind. It is called now, and
    /// by each query that reads the table.
    ///
    /// Worlds that were saved before a [redefinition](World::redefine) are read if `define` makes it, too.
    ///
    /// # Errors
    /// The errors of [`table`](Self::table), and of `define`.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::{DefineError, Fields, Kind};
    /// use ecs_sql::Saved;
    ///
    /// fn poison(world: &mut World) -> Result<Kind, DefineError> {
    ///     world.define("Poison", Fields::new().f32("damage").entity("by"))
    /// }
    ///
    /// let mut world = World::new();
    /// let kind = poison(&mut world)?;
    /// let snake = world.spawn_empty().id();
    /// world.insert_fields(kind, snake, &[2.5_f32.into(), snake.into()])?;
    /// let saved = Saved::new(world.save().to_vec()?).table_by("poisons", poison)?;
    /// let answer = saved.ask("select sum(damage) as all from poisons where by = entity")?;
    /// assert!(answer.to_string().contains("| 2.5 |"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table_by<E>(
        self,
        name: &str,
        define: impl Fn(&mut World) -> std::result::Result<Kind, E> + Send + Sync + 'static,
    ) -> Result<Self>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let kind = define(&mut World::new()).map_err(external)?;
        let columns = Columns::of_kinds(&KindQuery::new().read(kind)).map_err(external)?;
        let define = move |world: &mut World| define(world).map_err(external);
        self.add(name, kind.name(), columns, ByKind(define))
    }

    fn add(
        self,
        name: &str,
        component: &str,
        columns: Columns,
        of: impl Tabled + 'static,
    ) -> Result<Self> {
        let schema = short_names(&columns.schema(), component);
        let part = Part {
            bytes: self.bytes.clone(),
            limits: self.limits,
            columns: Arc::new(columns),
            schema: schema.clone(),
            component: Arc::new(of),
        };
        let table = StreamingTable::try_new(schema, vec![Arc::new(part)])?;
        if self.context.table_exist(name)? {
            return Err(DataFusionError::Plan(format!("there is a table `{name}` already")));
        }
        self.context.register_table(name, Arc::new(table))?;
        Ok(self)
    }

    /// Returns the session that has the tables: for tables of other sources beside them, functions of one's own, or
    /// queries within a runtime of `tokio`.
    ///
    /// ```
    /// # use ecs_sql::Saved;
    /// let context = Saved::new([]).context().clone();
    /// assert_eq!(context.catalog_names(), ["datafusion"]);
    /// ```
    #[must_use]
    pub const fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Runs a query, and returns its rows.
    ///
    /// # Errors
    /// When the query is not valid, or names unknown tables or columns; when a component that it reads
    /// cannot be loaded.
    ///
    /// # Panics
    /// If it is called within a runtime of `tokio`.
    ///
    /// See the [crate] for an example.
    pub fn ask(&self, sql: &str) -> Result<Answer> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let frame = self.context.sql(sql).await?;
            let schema = Arc::new(frame.schema().as_arrow().clone());
            Ok(Answer { schema, batches: frame.collect().await? })
        })
    }
}

impl fmt::Debug for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saved").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The rows of a query. They print as a table.
///
/// See the [crate] for an example.
#[derive(Clone, Debug)]
pub struct Answer {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Answer {
    /// Returns the rows, in batches.
    #[must_use]
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// Returns the columns.
    #[must_use]
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns how many rows there are.
    #[must_use]
    pub fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match pretty_format_batches(&self.batches) {
            Ok(table) => table.fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Returns the columns of a component without the component's name. The first one is the handle's, and keeps its name; so
/// do the ones whose short name it or the component's own column has.
fn short_names(schema: &Schema, component: &str) -> SchemaRef {
    let fields = schema.fields();
    let has_own = fields.iter().skip(1).any(|field| field.name() == component);
    let within = |name: &'_ str| Some(name.strip_prefix(component)?.strip_prefix('.')?.to_owned());
    // Also of a field that has the component's name, whose short name would be the long one of another column.
    let is_taken = |short: &str| {
        let mut short = short.to_owned();
        while let Some(rest) = within(&short) {
            short = rest;
        }
        short == <Entity as Column>::NAME || has_own && short == OWN
    };
    let short = |(at, field): (usize, &Arc<Field>)| {
        let name = field.name();
        let short = match within(name) {
            _ if at == 0 => name.clone(),
            _ if name == component => OWN.to_owned(),
            Some(short) if !is_taken(&short) => short,
            _ => name.clone(),
        };
        field.as_ref().clone().with_name(short)
    };
    Arc::new(Schema::new(fields.iter().enumerate().map(short).collect::<Vec<_>>()))
}

/// A component that is a table.
trait Tabled: Send + Sync {
    /// Makes a world know the component, and returns its kind.
    fn know(&self, world: &mut World) -> Result<Kind>;

    /// Returns a table of some rows, from a position on; `None` if there are none.
    fn rows(
        &self,
        world: &World,
        kind: Kind,
        columns: &Columns,
        at: usize,
    ) -> std::result::Result<Option<Table>, TableError>;
}

/// A component by its type.
struct Typed<T>(PhantomData<fn() -> T>);

impl<T: Component + Serialize + DeserializeOwned> Tabled for Typed<T> {
    fn know(&self, world: &mut World) -> Result<Kind> {
        world.register::<T>();
        Ok(Kind::of::<T>())
    }
    fn rows(
        &self,
        world: &World,
        _: Kind,
        columns: &Columns,
        at: usize,
    ) -> std::result::Result<Option<Table>, TableError> {
        let rows = world.view::<&T>().into_iter().skip(at).take(ROWS);
        columns.row_batches(rows, ROWS).next().transpose()
    }
}

/// A component by the function that defines it.
struct ByKind<F>(F);

impl<F: Fn(&mut World) -> Result<Kind> + Send + Sync> Tabled for ByKind<F> {
    fn know(&self, world: &mut World) -> Result<Kind> {
        (self.0)(world)
    }
    fn rows(
        &self,
        world: &World,
        kind: Kind,
        columns: &Columns,
        at: usize,
    ) -> std::result::Result<Option<Table>, TableError> {
        let query = KindQuery::new().read(kind);
        let rows =
            world.kind_rows(&query).map_err(|error| TableError::Columns(error.to_string()))?;
        columns.kind_batches(rows.skip(at).take(ROWS), ROWS).next().transpose()
    }
}

/// The rows of a component.
struct Part {
    bytes: Arc<[u8]>,
    limits: Limits,
    columns: Arc<Columns>,
    schema: SchemaRef,
    component: Arc<dyn Tabled>,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let rows = Rows {
            bytes: self.bytes.clone(),
            limits: self.limits,
            columns: self.columns.clone(),
            schema: self.schema.clone(),
            component: self.component.clone(),
            world: None,
            at: 0,
        };
        let stream = futures::stream::iter(rows);
        Box::pin(RecordBatchStreamAdapter::new(self.schema.clone(), stream))
    }
}

/// Makes the rows of a component, as they are taken.
struct Rows {
    bytes: Arc<[u8]>,
    limits: Limits,
    columns: Arc<Columns>,
    schema: SchemaRef,
    component: Arc<dyn Tabled>,
    /// A world that has this component only, once it is loaded, and its kind.
    world: Option<(World, Kind)>,
    at: usize,
}

impl Rows {
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        if self.world.is_none() {
            let mut world = World::new();
            let kind = self.component.know(&mut world)?;
            let limits = self.limits.skip_unknown();
            let loaded = world.load(&self.bytes, &limits).map_err(external)?;
            // All others are skipped, but values of a later version are not an empty table.
            let name = kind.saved_name();
            let is_own = |other: &&Unknown| name.as_deref() == Some(other.name());
            if let Some(later) = loaded.unknown().iter().find(is_own) {
                return Err(DataFusionError::Execution(format!(
                    "`{}` is saved in version {}, which is later than the program's: query it by a later program",
                    later.name(),
                    later.version()
                )));
            }
            self.world = Some((world, kind));
        }
        let Some((world, kind)) = &self.world else { return Ok(None) };
        let table = self.component.rows(world, *kind, &self.columns, self.at).map_err(external)?;
        let Some(table) = table else { return Ok(None) };
        self.at += ROWS;
        let columns = table.batch().columns().to_vec();
        Ok(Some(RecordBatch::try_new(self.schema.clone(), columns)?))
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}
