//! Shapes: how values are spread over columns.

use crate::error::Fault;
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use ecs_shape::{NoShape, Number, Shape as Found, Text};
use std::ops::Range;
use std::sync::Arc;

/// A shape, and its columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) shape: Shape,
    pub(crate) columns: Vec<ColumnType>,
}

/// A column of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnType {
    pub(crate) name: String,
    pub(crate) data: DataType,
    pub(crate) nullable: bool,
    /// Handles of entities: [`Entity::PLACEHOLDER`](ecs::Entity::PLACEHOLDER) is null.
    pub(crate) is_handle: bool,
    /// The items of a list.
    pub(crate) items: Option<Box<Record>>,
}

/// The parts of a value: columns are positions in the record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// In one column. A list is one, too.
    Leaf(usize),
    /// Nowhere: a variant that holds nothing.
    Nothing,
    Option(Box<Optional>),
    /// The fields of a struct, or the parts of a tuple.
    Struct(Vec<Part>),
    Enum(Box<Choice>),
}

/// A field or a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) columns: Range<usize>,
}

/// A value that may be missing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Optional {
    /// The column that says whether there is a value, if the columns of the value do not.
    pub(crate) mark: Option<usize>,
    pub(crate) some: Part,
}

/// One of several variants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// The column of the variants' names.
    pub(crate) tag: usize,
    pub(crate) variants: Vec<Part>,
    /// The columns of all variants.
    pub(crate) columns: Range<usize>,
}

impl Choice {
    pub(crate) fn find(&self, variant: &str) -> Option<&Part> {
        self.variants.iter().find(|part| part.name == variant)
    }
}

pub(crate) fn join(name: &str, field: &str) -> String {
    if name.is_empty() { field.to_owned() } else { format!("{name}.{field}") }
}

impl ColumnType {
    pub(crate) fn new(name: &str, data: DataType, nullable: bool) -> Self {
        Self { name: name.to_owned(), data, nullable, is_handle: false, items: None }
    }

    pub(crate) fn field(&self) -> Field {
        Field::new(&self.name, self.data.clone(), self.nullable)
    }
}

impl Record {
    pub(crate) fn fields(&self) -> Fields {
        self.columns.iter().map(ColumnType::field).collect()
    }

    /// Returns `true` if an item is one value, and no struct of columns.
    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.columns[..], [only] if only.name.is_empty())
    }

    /// Returns the column of a list of such records.
    fn list(self, name: &str, nullable: bool) -> ColumnType {
        let item = match &self.columns[..] {
            [only] if self.is_single() => only.field().with_name("item"),
            _ => Field::new("item", DataType::Struct(self.fields()), false),
        };
        let data = DataType::LargeList(Arc::new(item));
        ColumnType { items: Some(Box::new(self)), ..ColumnType::new(name, data, nullable) }
    }

    /// Adds the columns of a part.
    pub(crate) fn part(
        columns: &mut Vec<ColumnType>,
        found: &Found,
        part: &str,
        name: &str,
        nullable: bool,
    ) -> Result<Part, Fault> {
        let start = columns.len();
        let shape = shape(columns, found, name, nullable)?;
        Ok(Part { name: part.to_owned(), shape, columns: start..columns.len() })
    }

    /// # Errors
    /// If two columns have one name.
    pub(crate) fn check_names(&self) -> Result<(), Fault> {
        check_names(self.columns.iter().map(|column| &column.name))
    }
}

/// # Errors
/// If two columns have one name.
pub(crate) fn check_names<'n>(names: impl Iterator<Item = &'n String>) -> Result<(), Fault> {
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    match names.array_windows().find(|[a, b]| a == b) {
        Some([name, _]) => Err(Fault::new(format!("two columns are named `{name}`: rename one"))),
        None => Ok(()),
    }
}

/// Returns the columns' type of a single value, and whether it is a handle of an entity.
fn single(found: &Found) -> Option<(DataType, bool)> {
    let data = match found {
        Found::Bool => DataType::Boolean,
        Found::Bytes => DataType::LargeBinary,
        Found::Char | Found::Entity | Found::Text(Text::Any) => DataType::LargeUtf8,
        Found::Time | Found::Text(Text::Instant) => {
            DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()))
        }
        Found::Text(Text::LocalTime) => DataType::Timestamp(TimeUnit::Nanosecond, None),
        Found::Text(Text::Date) => DataType::Date32,
        Found::Number(number) => match number {
            Number::I8 => DataType::Int8,
            Number::I16 => DataType::Int16,
            Number::I32 => DataType::Int32,
            Number::I64 => DataType::Int64,
            Number::U8 => DataType::UInt8,
            Number::U16 => DataType::UInt16,
            Number::U32 => DataType::UInt32,
            Number::U64 => DataType::UInt64,
            Number::F32 => DataType::Float32,
            Number::F64 => DataType::Float64,
            Number::I128 | Number::U128 => DataType::LargeUtf8,
        },
        _ => return None,
    };
    Some((data, *found == Found::Entity))
}

/// Returns the named parts of a struct or a tuple.
pub(crate) fn parts_of(found: &Found) -> Option<Vec<(String, &Found)>> {
    match found.bare() {
        Found::Struct(_, parts) => {
            Some(parts.iter().map(|(name, part)| ((*name).to_owned(), part)).collect())
        }
        Found::Tuple(parts) => {
            Some(parts.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect())
        }
        _ => None,
    }
}

/// Returns `true` if each value of this shape has a value in a column of its own.
fn is_certain(found: &Found) -> bool {
    match found.bare() {
        Found::Struct(_, parts) => parts.is_empty() || parts.iter().any(|it| is_certain(&it.1)),
        Found::Tuple(parts) => parts.is_empty() || parts.iter().any(is_certain),
        Found::Option(_) => false,
        _ => true,
    }
}

/// Appends `_` to the name of the column at `own` while a column behind it has this name. The columns behind it are of
/// fields or variants, which may have any name.
fn avoid_names_behind(columns: &mut [ColumnType], own: usize) {
    if let [own, behind @ ..] = &mut columns[own..] {
        while behind.iter().any(|other| other.name == own.name) {
            own.name.push('_');
        }
    }
}

fn shape(
    columns: &mut Vec<ColumnType>,
    found: &Found,
    name: &str,
    nullable: bool,
) -> Result<Shape, Fault> {
    let (at, found) = (columns.len(), found.bare());
    let push = |columns: &mut Vec<ColumnType>, column| {
        columns.push(column);
        Ok(Shape::Leaf(at))
    };
    if let Some((data, is_handle)) = single(found) {
        let column = ColumnType::new(name, data, nullable || is_handle);
        return push(columns, ColumnType { is_handle, ..column });
    }
    if let Some(parts) = parts_of(found) {
        if parts.is_empty() {
            return push(columns, ColumnType::new(name, DataType::Boolean, nullable));
        }
        let parts = parts
            .iter()
            .map(|(part, found)| Record::part(columns, found, part, &join(name, part), nullable));
        return Ok(Shape::Struct(parts.collect::<Result<_, _>>()?));
    }
    match found {
        Found::Unit => push(columns, ColumnType::new(name, DataType::Boolean, nullable)),
        Found::Option(inner) => {
            let mark = (!is_certain(inner)).then_some(at);
            if mark.is_some() {
                let own = if name.is_empty() { "some" } else { name };
                columns.push(ColumnType::new(own, DataType::Boolean, true));
            }
            let is_nested = matches!(inner.bare(), Found::Option(_));
            let name = if is_nested { &join(name, "Some") } else { name };
            let some = Record::part(columns, inner, "Some", name, true)?;
            if let Some(mark) = mark {
                avoid_names_behind(columns, mark);
            }
            Ok(Shape::Option(Box::new(Optional { mark, some })))
        }
        Found::List(item) => {
            let mut items = Vec::new();
            let shape = shape(&mut items, item, "", false)?;
            let items = Record { shape, columns: items };
            items.check_names()?;
            push(columns, items.list(name, nullable))
        }
        Found::Map(both) => {
            let mut items = Vec::new();
            let key = Record::part(&mut items, &both.0, "0", "key", false)?;
            let value = Record::part(&mut items, &both.1, "1", "value", false)?;
            let items = Record { shape: Shape::Struct(vec![key, value]), columns: items };
            items.check_names()?;
            push(columns, items.list(name, nullable))
        }
        Found::Enum(_, variants) => {
            let is_plain = variants.iter().all(|it| *it.1.bare() == Found::Unit);
            let tag = if name.is_empty() && !is_plain { "variant" } else { name };
            columns.push(ColumnType::new(tag, DataType::LargeUtf8, nullable));
            let variants = variants.iter().map(|(variant, found)| match found.bare() {
                Found::Unit => Ok(Part {
                    name: (*variant).to_owned(),
                    shape: Shape::Nothing,
                    columns: columns.len()..columns.len(),
                }),
                _ => Record::part(columns, found, variant, &join(name, variant), true),
            });
            let variants = variants.collect::<Result<_, _>>()?;
            avoid_names_behind(columns, at);
            let columns = at + 1..columns.len();
            Ok(Shape::Enum(Box::new(Choice { tag: at, variants, columns })))
        }
        Found::Within(_) => Err(Fault::of_type(&NoShape::TooDeep)),
        _ => Err(Fault::new(format!("the type of `{name}` was not found"))),
    }
}
