//! Keys of rows: from a column that names rows of another table to a relation.

use crate::error::{Fault, TableError};
use crate::read::{Cell, Cells};
use crate::table::Table;
use ecs::{AnyComponent, Entity, World};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The entities of a table's rows, found by the values of some columns.
///
/// ```
/// use ecs::{Component, Entity, World};
/// use ecs_tables::{Columns, Keys, Table};
/// use serde::Deserialize;
///
/// #[derive(Component, Deserialize)]
/// struct Airport { faa: String }
/// #[derive(Component, Deserialize)]
/// struct Flight { number: u16 }
/// #[derive(Component)]
/// #[component(relation)]
/// struct From(Entity);
///
/// # #[derive(Deserialize)] #[expect(dead_code)] struct Line { number: u16, origin: String }
/// let airports = Table::read_csv("faa\nEWR\nJFK\n".as_bytes(), &Columns::of::<Airport>()?, &[])?;
/// let columns = Columns::of::<Flight>()?.with::<String>("origin")?;
/// let flights = Table::read_csv("number,origin\n1,JFK\n2,LGA\n3,JFK\n".as_bytes(), &columns, &[])?;
///
/// let mut world = World::new();
/// let from = world.spawn_batch(airports.records::<Airport>()?);
/// let keys = Keys::new(&airports, &["faa"], &from)?;
/// let entities = world.spawn_batch(flights.records::<Flight>()?);
/// let links = keys.find(&flights, &["origin"])?;
/// links.insert(&mut world, &entities, From);
/// assert!(world.related::<From>(from[1]).eq([entities[0], entities[2]]));
/// assert_eq!(links.unknown(), [1]); // row 1 names no airport of the table
/// # Ok::<(), ecs_tables::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    entities: HashMap<Box<[Key]>, Entity>,
    /// The types of the columns.
    types: Vec<&'static str>,
}

/// A value that a key is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Bool(bool),
    Int(i128),
    Text(String),
    Bytes(Vec<u8>),
    Time(i128),
}

impl Keys {
    /// Returns the entities of rows by the values of these columns; `entities` are the entities of the rows, in their order.
    /// O(rows).
    ///
    /// # Errors
    /// When a column is missing or holds floats or lists. When two rows have equal keys, or a part of a key is null. When there are
    /// more or fewer entities than rows.
    ///
    /// See [`Keys`] for an example.
    pub fn new(table: &Table, columns: &[&str], entities: &[Entity]) -> Result<Self, TableError> {
        if entities.len() != table.num_rows() {
            let (rows, entities) = (table.num_rows(), entities.len());
            return Err(TableError::Columns(format!(
                "there are {rows} rows, and {entities} entities"
            )));
        }
        let found = cells(table, columns)?;
        let types = found.iter().map(Cells::comparable).map(Option::unwrap_or_default).collect();
        let mut keys = HashMap::with_capacity(entities.len());
        for (row, &entity) in entities.iter().enumerate() {
            let fault =
                |why: &str| Fault::new(format!("the key of {} {why}", columns.join(", "))).at(row);
            let key = key(&found, row).ok_or_else(|| fault("is null"))?;
            match keys.entry(key) {
                Entry::Vacant(vacant) => vacant.insert(entity),
                Entry::Occupied(_) => return Err(fault("belongs to another row, too")),
            };
        }
        Ok(Self { entities: keys, types })
    }

    /// Finds the entity that each row of a table names by these columns. O(rows).
    ///
    /// # Errors
    /// When a column is missing, or holds other values than the column of the keys.
    ///
    /// See [`Keys`] for an example.
    pub fn find(&self, table: &Table, columns: &[&str]) -> Result<Links, TableError> {
        let found = cells(table, columns)?;
        let types: Vec<&str> = found.iter().map(|it| it.comparable().unwrap_or_default()).collect();
        if types != self.types {
            return Err(TableError::Columns(format!(
                "the columns {} hold {}, and the keys {}",
                columns.join(", "),
                types.join(", "),
                self.types.join(", ")
            )));
        }
        let (mut targets, mut unknown) = (Vec::with_capacity(table.num_rows()), Vec::new());
        for row in 0..table.num_rows() {
            let key = key(&found, row);
            let target = key.as_ref().and_then(|key| self.entities.get(key)).copied();
            if key.is_some() && target.is_none() {
                unknown.push(row);
            }
            targets.push(target);
        }
        Ok(Links { targets, unknown })
    }
}

/// The entities that the rows of a table name: from [`Keys::find`].
///
/// See [`Keys`] for an example.
#[derive(Clone, Debug)]
pub struct Links {
    targets: Vec<Option<Entity>>,
    unknown: Vec<usize>,
}

impl Links {
    /// Returns the entity that each row names; `None` if it names none, because its key is null or no row has
    /// it.
    #[must_use]
    pub fn targets(&self) -> &[Option<Entity>] {
        &self.targets
    }

    /// Returns the rows with a key that no row has.
    #[must_use]
    pub fn unknown(&self) -> &[usize] {
        &self.unknown
    }

    /// Inserts into the entity of each row a component that is made of the entity it names; rows that name none get none. O(rows).
    ///
    /// # Panics
    /// If there are more or fewer entities than rows, or one of them is not alive; if a relation would close a circle that it may not close.
    ///
    /// See [`Keys`] for an example.
    pub fn insert<C: AnyComponent>(
        &self,
        world: &mut World,
        entities: &[Entity],
        component: impl Fn(Entity) -> C,
    ) {
        assert_eq!(entities.len(), self.targets.len(), "there are as many entities as rows");
        let pairs = entities.iter().zip(&self.targets);
        let all = pairs.filter_map(|(&entity, target)| Some((entity, component((*target)?))));
        world.insert_batch(all).expect("the entities of rows are alive");
    }
}

fn cells(table: &Table, columns: &[&str]) -> Result<Vec<Cells>, TableError> {
    let cells = columns.iter().map(|&name| {
        let Some(array) = table.batch.column_by_name(name) else {
            let names = table.column_names().join(", ");
            return Err(TableError::Columns(format!("there is no column `{name}` among {names}")));
        };
        let cells = Cells::new(name, array)?;
        if cells.comparable().is_none() {
            let data = array.data_type();
            return Err(TableError::Columns(format!("column `{name}` of {data} is no key")));
        }
        Ok(cells)
    });
    cells.collect()
}

/// Returns the key of a row, or `None` if a part of it is null.
fn key(columns: &[Cells], row: usize) -> Option<Box<[Key]>> {
    let parts = columns.iter().map(|cells| {
        Some(match cells.cell(row) {
            Cell::Bool(value) => Key::Bool(value),
            Cell::Int(value) => Key::Int(value.into()),
            Cell::Unsigned(value) => Key::Int(value.into()),
            Cell::Date(value) => Key::Int(value.into()),
            Cell::Text(value) => Key::Text(value.to_owned()),
            Cell::Bytes(value) => Key::Bytes(value.to_owned()),
            Cell::Time(value, _) => Key::Time(value),
            Cell::Null | Cell::Single(_) | Cell::Float(_) | Cell::List(..) => return None,
        })
    });
    parts.collect()
}

impl Cells {
    /// Returns the kind of these values, if they can be keys.
    fn comparable(&self) -> Option<&'static str> {
        Some(match self {
            Self::Bool(_) => "booleans",
            Self::I8(_)
            | Self::I16(_)
            | Self::I32(_)
            | Self::I64(_)
            | Self::U8(_)
            | Self::U16(_)
            | Self::U32(_)
            | Self::U64(_) => "whole numbers",
            Self::Text(_) | Self::LargeText(_) | Self::TextView(_) => "text",
            Self::Binary(_) | Self::LargeBinary(_) => "bytes",
            Self::Time(..) => "times",
            Self::Date(_) => "dates",
            Self::Dictionary { values, .. } => return values.comparable(),
            Self::Null | Self::F32(_) | Self::F64(_) | Self::List { .. } => return None,
        })
    }
}
