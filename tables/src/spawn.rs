//! From rows to entities.

use crate::columns::Columns;
use crate::error::{Fault, TableError};
use crate::read::{Cell, Cells, Source};
use crate::row::{Column, Row};
use crate::table::Table;
use ecs::{AnyComponent, Entity, World};
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// The entities that handles in a table become.
pub type Handles = HashMap<Entity, Entity>;

/// Inserts the values of a column into the entities of the rows.
pub type Insert = Box<dyn FnOnce(&mut World, &[Entity]) -> Result<(), TableError>>;

impl Table {
    /// Reads each row as a struct: for [`World::spawn_batch`], or to be looked at. Columns that the struct has no field for are passed over. O(values).
    ///
    /// # Errors
    /// When a column is missing; when a value does not fit its field, or is null where the field holds no null;
    /// when the type has no [columns](Columns::of).
    ///
    /// ```
    /// # use ecs_tables::{Columns, Table};
    /// #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
    /// struct Line { number: u8 }
    ///
    /// let table = Table::of_records(&Columns::of::<Line>()?, [Line { number: 3 }])?;
    /// assert_eq!(table.records::<Line>()?, [Line { number: 3 }]);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn records<T: DeserializeOwned>(&self) -> Result<Vec<T>, TableError> {
        let columns = Columns::of::<T>()?;
        let source = Source::new(&columns.record, &self.batch, None)?;
        let read = |row| T::deserialize(source.row(row)).map_err(|fault: Fault| fault.at(row));
        (0..self.num_rows()).map(read).collect()
    }

    /// Spawns an entity for each row, with the components that [`Table::of`] wrote: of the columns that have their names. Returns the entities, in the order of the rows. O(values).
    ///
    /// Components are read as the query of a view has them: `&Position`, or `Option<&Health>`. Handles in components name the table's
    /// rows, by its column `entity`, and become handles of the new entities; a handle of none of them becomes [`Entity::PLACEHOLDER`].
    ///
    /// # Errors
    /// When a column is missing, or a value does not fit. When there are handles and no column `entity`. When two rows have one
    /// handle, or a relation points to none of the rows. The world then has none of the entities, except the ones that a veto keeps.
    ///
    /// # Panics
    /// When a relation closes a circle that it may not close. The entities stay then.
    ///
    /// ```
    /// use ecs::{ChildOf, Name, World};
    /// use ecs_tables::Table;
    ///
    /// let mut world = World::new();
    /// let ship = world.spawn_named("ship").id();
    /// world.spawn((Name::new("gun"), ChildOf(ship)));
    /// let table = Table::of(world.view::<(&Name, Option<&ChildOf>)>())?;
    ///
    /// let mut other = World::new();
    /// other.spawn_named("tree");
    /// let entities = table.spawn::<(&Name, Option<&ChildOf>)>(&mut other)?;
    /// assert_eq!(other.parent(entities[1]), Some(entities[0]));
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn spawn<R: Row>(&self, world: &mut World) -> Result<Vec<Entity>, TableError> {
        self.spawn_with(world, |world, entities, handles| {
            let inserts = R::read(self, handles)?;
            inserts.into_iter().try_for_each(|insert| insert(world, entities))
        })
    }

    /// Spawns an entity for each row, which `fill` gives components. After an error there are none of them.
    pub(crate) fn spawn_with(
        &self,
        world: &mut World,
        fill: impl FnOnce(&mut World, &[Entity], Option<&Handles>) -> Result<(), TableError>,
    ) -> Result<Vec<Entity>, TableError> {
        let entities: Vec<Entity> =
            (0..self.num_rows()).map(|_| world.spawn_empty().id()).collect();
        let handles = self.handles(&entities);
        if let Err(error) = handles.and_then(|handles| fill(world, &entities, handles.as_ref())) {
            world.despawn_batch(&entities);
            return Err(error);
        }
        Ok(entities)
    }

    /// Returns the new handles of the rows, if there are any.
    fn handles(&self, entities: &[Entity]) -> Result<Option<Handles>, TableError> {
        let name = <Entity as Column>::NAME;
        let Some(array) = self.batch.column_by_name(name) else { return Ok(None) };
        let cells = Cells::new(name, array)?;
        let mut handles = Handles::with_capacity(entities.len());
        for (row, &entity) in entities.iter().enumerate() {
            let handle = match cells.cell(row) {
                Cell::Text(text) => text.parse().ok(),
                _ => None,
            };
            let fault = |what: &str| Fault::new(format!("column `{name}` {what}")).at(row);
            let handle = handle.ok_or_else(|| fault("holds no handle such as `12v3`"))?;
            if handles.insert(handle, entity).is_some() {
                return Err(fault("has the handle of another row, too"));
            }
        }
        Ok(Some(handles))
    }

    /// Returns the columns of a component, to be read.
    ///
    /// # Errors
    /// If a column is missing, or has handles that name no rows.
    pub(crate) fn source<'s>(
        &self,
        columns: &'s Columns,
        handles: Option<&'s Handles>,
    ) -> Result<Source<'s>, TableError> {
        let source = Source::new(&columns.record, &self.batch, handles)?;
        if handles.is_none()
            && let Some(name) = source.handle_column(self.num_rows())
        {
            return Err(TableError::Columns(format!(
                "column `{name}` has handles of entities, and the table has no column `{}` that says which rows \
                 they name: write the table of rows with `Entity`, or read the column as `records`",
                <Entity as Column>::NAME
            )));
        }
        Ok(source)
    }

    /// Returns the function that inserts a component: of each row, or of the rows that have it.
    pub(crate) fn component<T: AnyComponent + DeserializeOwned>(
        &self,
        columns: &Columns,
        handles: Option<&Handles>,
        read: impl Fn(crate::read::Get<'_>) -> Result<Option<T>, Fault>,
    ) -> Result<Insert, TableError> {
        let source = self.source(columns, handles)?;
        let read =
            |row| read(source.part(row, 0)).map_err(|fault| fault.in_column(T::NAME).at(row));
        let values: Vec<Option<T>> = (0..self.num_rows()).map(read).collect::<Result<_, _>>()?;
        Ok(Box::new(move |world, entities| {
            let all = entities.iter().zip(values);
            let all = all.filter_map(|(&entity, value)| Some((entity, value?)));
            world.insert_batch(all).map_err(|_| no_rows(T::NAME))
        }))
    }
}

/// Returns the error of a relation whose target is no row.
pub(crate) fn no_rows(relation: &str) -> TableError {
    TableError::Columns(format!("`{relation}` points to entities that are no rows of the table"))
}
