//! Components by name: tables of a query that is put together while the program runs.

use crate::columns::{Batches, Columns, about};
use crate::error::{Fault, TableError};
use crate::plain::{NotPlain, Rows, Spread};
use crate::row::Column;
use crate::spawn::{Handles, no_rows};
use crate::table::Table;
use crate::write::Put;
use ecs::by_name::{Kind, KindError, KindQuery, Row, Values};
use ecs::{Entity, RelateError, World};
use ecs_shape::Shape;
use serde::de::Error as _;
use serde::{Serialize, Serializer};

/// Matches of a query.
enum Matches {}

impl Rows<Row<'_>> for Matches {
    fn put(row: &Row<'_>, put: Put<'_, '_>) -> Result<(), Fault> {
        let query = row.query();
        let mut parts = put.parts(&"a row")?;
        parts.put_with(<Entity as Column>::NAME, |put| put.handle(row.entity()))?;
        for kind in query.kinds() {
            parts.put_with(kind.name(), |put| match row.get(kind) {
                Some(value) if query.requires(kind) => value.serialize(put),
                Some(value) => put.serialize_some(&value),
                None => put.serialize_none(),
            })?;
        }
        parts.finish()
    }
    fn spread<const LEARN: bool>(_: &Row<'_>, _: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        Err(NotPlain) // a value is written without its type, one after another
    }
}

impl Columns {
    /// Returns the columns of the matches of a query: the entity, and the components that the query reads.
    ///
    /// They are the columns that [`of_rows`](Self::of_rows) returns for types of these shapes. A record of a
    /// component without a Rust type is a struct.
    ///
    /// # Errors
    /// When a component is not saved, as its values are then not read without their type; when it has no
    /// [columns](Self::of).
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::{Fields, KindQuery};
    /// use ecs_tables::Columns;
    ///
    /// let mut world = World::new();
    /// let place = Fields::new().f32("x").f32("y");
    /// let poison = world.define("Poison", Fields::new().f32("damage").entity("by").record("at", place))?;
    /// let columns = Columns::of_kinds(&KindQuery::new().read(poison))?;
    /// let schema = columns.schema();
    /// let names: Vec<&str> = schema.fields().iter().map(|it| it.name().as_str()).collect();
    /// assert_eq!(names, ["entity", "Poison.damage", "Poison.by", "Poison.at.x", "Poison.at.y"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_kinds(query: &KindQuery) -> Result<Self, TableError> {
        let columns = Self::new().with::<Entity>(<Entity as Column>::NAME)?;
        query.kinds().try_fold(columns, |columns, kind| columns.with_term(query, kind))
    }

    /// Adds the columns of a component, with this name: as [`with`](Self::with), for a component by its
    /// [`Kind`].
    ///
    /// # Errors
    /// When the component is not saved, or has no [columns](Self::of).
    ///
    /// ```
    /// use ecs::by_name::Kind;
    /// use ecs_tables::Columns;
    ///
    /// let columns = Columns::new().with_kind("name", Kind::of::<ecs::Name>())?;
    /// assert_eq!(columns, Columns::new().with::<ecs::Name>("name")?);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn with_kind(self, name: &str, kind: Kind) -> Result<Self, TableError> {
        self.with_shape_of(name, kind, |shape| shape)
    }

    /// Adds the columns of a component that a query reads.
    fn with_term(self, query: &KindQuery, kind: Kind) -> Result<Self, TableError> {
        let is_required = query.requires(kind);
        self.with_shape_of(kind.name(), kind, |shape| {
            if is_required { shape } else { Shape::Option(Box::new(shape)) }
        })
    }

    fn with_shape_of(
        self,
        name: &str,
        kind: Kind,
        change: impl FnOnce(Shape) -> Shape,
    ) -> Result<Self, TableError> {
        if kind.saved_as().is_none() {
            let error = KindError::NotAllowed(kind.name(), "save = \"name\"");
            return Err(TableError::Columns(error.to_string()));
        }
        let shape = change(Shape::of_kind(&mut World::new(), kind));
        self.with_shape(name, &shape).map_err(|fault| about(kind.type_name(), &fault))
    }

    /// Returns tables of at most `rows` records each, like [`row_batches`](Self::row_batches): of the matches of a query,
    /// whose columns these are.
    ///
    /// # Panics
    /// If `rows` is zero.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::{Fields, KindQuery};
    /// # use ecs_tables::Columns;
    /// let mut world = World::new();
    /// let level = world.define("Level", Fields::new().u8("number"))?;
    /// for number in 0..10_u8 {
    ///     let entity = world.spawn_empty().id();
    ///     world.insert_fields(level, entity, &[number.into()])?;
    /// }
    /// let query = KindQuery::new().read(level);
    /// let columns = Columns::of_kinds(&query)?;
    /// let batches = columns.kind_batches(world.kind_rows(&query)?, 4).collect::<Result<Vec<_>, _>>()?;
    /// assert!(batches.iter().map(|batch| batch.num_rows()).eq([4, 4, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kind_batches<'w, I: IntoIterator<Item = Row<'w>>>(
        &self,
        rows_of: I,
        rows: usize,
    ) -> Batches<'_, I::IntoIter> {
        self.batches_of::<Matches, _>(rows_of.into_iter(), rows)
    }
}

impl Table {
    /// Returns a table of the matches of a query that is put together while the program runs: the entity, and the
    /// components that the query reads, by their names. O(values).
    ///
    /// So components [without a Rust type](ecs::World::define) are in tables, and all others that are saved, also
    /// ones in columns. The table is equal to the one that [`of`](Self::of) makes of types of the same shapes.
    ///
    /// # Errors
    /// When the query has no [columns](Columns::of_kinds), or writes; when a component that it reads has other fields in this
    /// world.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::Fields;
    /// use ecs_tables::Table;
    ///
    /// let mut world = World::new();
    /// let poison = world.define("Poison", Fields::new().f32("damage").entity("by").text("source"))?;
    /// let snake = world.spawn_named("Kaa").id();
    /// world.insert_fields(poison, snake, &[2.5_f32.into(), snake.into(), "bite".into()])?;
    ///
    /// let table = Table::of_kinds(&world, &world.kinds_query("Poison, ?Name")?)?;
    /// let mut csv = Vec::new();
    /// table.write_csv(&mut csv)?;
    /// assert_eq!(
    ///     String::from_utf8(csv)?,
    ///     "entity,Poison.damage,Poison.by,Poison.source,Name\n\
    ///      0v1,2.5,0v1,bite,Kaa\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_kinds(world: &World, query: &KindQuery) -> Result<Self, TableError> {
        let rows = world.kind_rows(query);
        let rows = rows.map_err(|error| TableError::Columns(error.to_string()))?;
        Columns::of_kinds(query)?.fill::<Matches, _>(rows)
    }

    /// Spawns an entity for each row, with the components that a query reads, as [`spawn`](Self::spawn) does for types:
    /// optional ones where the row has them. Returns the entities, in the order of the rows. O(values).
    ///
    /// A component of the query that the world lacks comes with its kind, like a type. A table of the fields
    /// before a [redefinition](World::redefine) is read by the kind before it: the values are changed like the ones of
    /// older files.
    ///
    /// # Errors
    /// When a row is refused, like by [`spawn`](Self::spawn); when a relation would close a circle, or a rule between
    /// components forbids a row. The world then has none of the entities, except the ones that a veto keeps.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::{Fields, KindQuery, Redefinition};
    /// use ecs_tables::Table;
    /// use ecs_tables::arrow_array::record_batch;
    ///
    /// let batch = record_batch!(("Poison.damage", Float32, [1.0, 2.5]))?;
    /// let table = Table::from_batch(&batch)?;
    ///
    /// let mut world = World::new();
    /// let old = world.define("Poison", Fields::new().f32("damage"))?;
    /// let poison = world.redefine(old, &Redefinition::new().rename("damage", "harm"))?;
    /// let entities = table.spawn_kinds(&mut world, &KindQuery::new().read(old))?;
    /// let value = world.kind_value(poison, entities[1]).unwrap();
    /// assert_eq!(format!("{value:?}"), "Poison { harm: 2.5 }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_kinds(
        &self,
        world: &mut World,
        query: &KindQuery,
    ) -> Result<Vec<Entity>, TableError> {
        self.spawn_with(world, |world, entities, handles| {
            let rows = self.values(world, query, handles)?;
            for (row, (&entity, values)) in entities.iter().zip(rows).enumerate() {
                world.insert_values(entity, values).map_err(|error| match error {
                    KindError::Relation(RelateError::NoSuchTarget(name, _)) => no_rows(name),
                    error => Fault::new(error.to_string()).at(row),
                })?;
            }
            Ok(())
        })
    }

    /// Reads the components of each row that a query reads.
    fn values(
        &self,
        world: &mut World,
        query: &KindQuery,
        handles: Option<&Handles>,
    ) -> Result<Vec<Values>, TableError> {
        let mut rows: Vec<Values> = (0..self.num_rows()).map(|_| Values::new()).collect();
        for kind in query.kinds() {
            let columns = Columns::new().with_term(query, kind)?;
            let source = self.source(&columns, handles)?;
            for (row, values) in rows.iter_mut().enumerate() {
                let Some(get) = source.part(row, 0).some_of(query.requires(kind)) else { continue };
                values.read(world, kind, get).map_err(|error| fault(kind, error).at(row))?;
            }
        }
        Ok(rows)
    }
}

/// Returns the error of a value that was not read, which names its column.
fn fault(kind: Kind, error: KindError) -> Fault {
    match error {
        KindError::NotRead(_, what) => Fault::custom(what).in_column(kind.name()),
        error => Fault::new(error.to_string()),
    }
}
