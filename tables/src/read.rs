//! From columns to values: a deserializer of a row.

use crate::error::{Fault, TableError};
use crate::shape::{Optional, Part, Record, Shape};
use crate::spawn::Handles;
use crate::table::spread;
use crate::time;
use arrow_array::cast::AsArray;
use arrow_array::types as arrow;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, GenericListArray, LargeBinaryArray,
    LargeStringArray, OffsetSizeTrait, PrimitiveArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::{DataType, TimeUnit};
use ecs::Entity;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Error as _, IntoDeserializer, Visitor};

/// The values of an array.
pub(crate) enum Cells {
    Null,
    Bool(BooleanArray),
    I8(PrimitiveArray<arrow::Int8Type>),
    I16(PrimitiveArray<arrow::Int16Type>),
    I32(PrimitiveArray<arrow::Int32Type>),
    I64(PrimitiveArray<arrow::Int64Type>),
    U8(PrimitiveArray<arrow::UInt8Type>),
    U16(PrimitiveArray<arrow::UInt16Type>),
    U32(PrimitiveArray<arrow::UInt32Type>),
    U64(PrimitiveArray<arrow::UInt64Type>),
    F32(PrimitiveArray<arrow::Float32Type>),
    F64(PrimitiveArray<arrow::Float64Type>),
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    Binary(BinaryArray),
    LargeBinary(LargeBinaryArray),
    /// In units since 1970, and whether these are of UTC.
    Time(PrimitiveArray<arrow::Int64Type>, TimeUnit, bool),
    Date(PrimitiveArray<arrow::Date32Type>),
    Dictionary {
        /// The position of each row's value; none if there are no values, and so nulls only.
        keys: Vec<usize>,
        array: ArrayRef,
        values: Box<Cells>,
    },
    List {
        array: ArrayRef,
        ends: Vec<usize>,
        items: ArrayRef,
    },
}

/// One value of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Unsigned(u64),
    /// A float of half the width, with a shorter text.
    Single(f32),
    Float(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    /// Nanoseconds since 1970, and whether these are of UTC.
    Time(i128, bool),
    Date(i32),
    /// The positions of the items.
    List(usize, usize),
}

impl Cells {
    /// # Errors
    /// If arrays of this type are not read.
    pub(crate) fn new(name: &str, array: &ArrayRef) -> Result<Self, TableError> {
        use DataType as D;
        let times = |unit: &TimeUnit, zone: bool| {
            let data = array.to_data().into_builder().data_type(D::Int64).build()?;
            Ok::<_, TableError>(Self::Time(PrimitiveArray::from(data), *unit, zone))
        };
        Ok(match array.data_type() {
            D::Null => Self::Null,
            D::Boolean => Self::Bool(array.as_boolean().clone()),
            D::Int8 => Self::I8(array.as_primitive().clone()),
            D::Int16 => Self::I16(array.as_primitive().clone()),
            D::Int32 => Self::I32(array.as_primitive().clone()),
            D::Int64 => Self::I64(array.as_primitive().clone()),
            D::UInt8 => Self::U8(array.as_primitive().clone()),
            D::UInt16 => Self::U16(array.as_primitive().clone()),
            D::UInt32 => Self::U32(array.as_primitive().clone()),
            D::UInt64 => Self::U64(array.as_primitive().clone()),
            D::Float32 => Self::F32(array.as_primitive().clone()),
            D::Float64 => Self::F64(array.as_primitive().clone()),
            D::Utf8 => Self::Text(array.as_string().clone()),
            D::LargeUtf8 => Self::LargeText(array.as_string().clone()),
            D::Utf8View => Self::TextView(array.as_string_view().clone()),
            D::Binary => Self::Binary(array.as_binary().clone()),
            D::LargeBinary => Self::LargeBinary(array.as_binary().clone()),
            D::Timestamp(unit, zone) => times(unit, zone.is_some())?,
            D::Date32 => Self::Date(array.as_primitive().clone()),
            D::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = dictionary.values();
                // Panics without values.
                let keys =
                    if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
                let values = Box::new(Self::new(name, values)?);
                Self::Dictionary { keys, array: array.clone(), values }
            }
            D::List(_) => {
                let list = array.as_list::<i32>();
                Self::List { array: array.clone(), ends: ends(list), items: list.values().clone() }
            }
            D::LargeList(_) => {
                let list = array.as_list::<i64>();
                Self::List { array: array.clone(), ends: ends(list), items: list.values().clone() }
            }
            other => {
                return Err(TableError::Columns(format!(
                    "column `{name}` of {other} is not read: convert it to a number, text, a \
                     Timestamp or Date32"
                )));
            }
        })
    }

    pub(crate) fn cell(&self, row: usize) -> Cell<'_> {
        macro_rules! cell {
            ($array:expr, $variant:ident) => {
                if $array.is_null(row) {
                    Cell::Null
                } else {
                    Cell::$variant($array.value(row).into())
                }
            };
        }
        match self {
            Self::Null => Cell::Null,
            Self::Bool(array) => cell!(array, Bool),
            Self::I8(array) => cell!(array, Int),
            Self::I16(array) => cell!(array, Int),
            Self::I32(array) => cell!(array, Int),
            Self::I64(array) => cell!(array, Int),
            Self::U8(array) => cell!(array, Unsigned),
            Self::U16(array) => cell!(array, Unsigned),
            Self::U32(array) => cell!(array, Unsigned),
            Self::U64(array) => cell!(array, Unsigned),
            Self::F32(array) => cell!(array, Single),
            Self::F64(array) => cell!(array, Float),
            Self::Text(array) => cell!(array, Text),
            Self::LargeText(array) => cell!(array, Text),
            Self::TextView(array) => cell!(array, Text),
            Self::Binary(array) => cell!(array, Bytes),
            Self::LargeBinary(array) => cell!(array, Bytes),
            Self::Time(array, ..) if array.is_null(row) => Cell::Null,
            Self::Time(array, unit, zone) => {
                Cell::Time(time::to_nanos(array.value(row), *unit), *zone)
            }
            Self::Date(array) => cell!(array, Date),
            Self::Dictionary { keys, array, values } => match keys.get(row) {
                Some(&key) if array.is_valid(row) => values.cell(key),
                _ => Cell::Null,
            },
            Self::List { array, .. } if array.is_null(row) => Cell::Null,
            Self::List { ends, .. } => Cell::List(ends[row], ends[row + 1]),
        }
    }
}

/// Returns where the items of each list begin and end.
fn ends<O: OffsetSizeTrait>(list: &GenericListArray<O>) -> Vec<usize> {
    list.value_offsets().iter().map(|end| end.as_usize()).collect()
}

/// The columns of a record, found in a table.
pub(crate) struct Source<'s> {
    record: &'s Record,
    columns: Vec<Found<'s>>,
    /// The replacements of handles, if they change.
    handles: Option<&'s Handles>,
}

struct Found<'s> {
    cells: Cells,
    /// The items of a list.
    items: Option<Source<'s>>,
}

impl<'s> Source<'s> {
    /// Returns the name of a column that has handles of entities in the first `rows` rows. O(cells of such columns).
    pub(crate) fn handle_column(&self, rows: usize) -> Option<&str> {
        self.record.columns.iter().zip(&self.columns).find_map(|(column, found)| {
            let has_any = || (0..rows).any(|row| !matches!(found.cells.cell(row), Cell::Null));
            let within = match (&found.cells, &found.items) {
                (Cells::List { items, .. }, Some(source)) => source.handle_column(items.len()),
                _ => None,
            };
            (within.is_some() || column.is_handle && has_any()).then_some(&*column.name)
        })
    }

    /// # Errors
    /// If a column is missing, or of a type that is not read.
    pub(crate) fn new(
        record: &'s Record,
        batch: &RecordBatch,
        handles: Option<&'s Handles>,
    ) -> Result<Self, TableError> {
        Self::of(record, handles, |name| batch.column_by_name(name).cloned(), &|| {
            let names = batch.schema_ref().fields().iter().map(|field| field.name().as_str());
            names.collect::<Vec<_>>().join(", ")
        })
    }

    fn of(
        record: &'s Record,
        handles: Option<&'s Handles>,
        column: impl Fn(&str) -> Option<ArrayRef>,
        all: &dyn Fn() -> String,
    ) -> Result<Self, TableError> {
        let columns = record.columns.iter().map(|wanted| {
            let array = column(&wanted.name).ok_or_else(|| {
                TableError::Columns(format!("there is no column `{}` among {}", wanted.name, all()))
            })?;
            let cells = Cells::new(&wanted.name, &array)?;
            let items = match (&cells, &wanted.items) {
                (Cells::List { items, .. }, Some(record)) => {
                    Some(Source::items(record, handles, items)?)
                }
                _ => None,
            };
            Ok(Found { cells, items })
        });
        Ok(Self { record, columns: columns.collect::<Result<_, TableError>>()?, handles })
    }

    fn items(
        record: &'s Record,
        handles: Option<&'s Handles>,
        items: &ArrayRef,
    ) -> Result<Self, TableError> {
        match items.as_struct_opt() {
            Some(parts) if !record.is_single() => {
                let (mut fields, mut arrays) = (Vec::new(), Vec::new());
                for (field, array) in parts.fields().iter().zip(parts.columns()) {
                    spread(field, array, parts.nulls(), &mut fields, &mut arrays)?;
                }
                let names: Vec<&str> = fields.iter().map(|it| it.name().as_str()).collect();
                let column = |name: &str| {
                    names.iter().position(|it| *it == name).map(|at| ArrayRef::clone(&arrays[at]))
                };
                Self::of(record, handles, column, &|| names.join(", "))
            }
            _ => Self::of(record, handles, |name| name.is_empty().then(|| items.clone()), &|| {
                format!("items of {}", items.data_type())
            }),
        }
    }

    /// Returns the row, to be read.
    pub(crate) const fn row(&self, row: usize) -> Get<'_> {
        Get { shape: &self.record.shape, source: self, row }
    }

    /// Returns the part of each row that has this name, to be read.
    pub(crate) fn part(&self, row: usize, at: usize) -> Get<'_> {
        match &self.record.shape {
            Shape::Struct(parts) => Get { shape: &parts[at].shape, source: self, row },
            _ => self.row(row),
        }
    }

    fn cell(&self, column: usize, row: usize) -> Cell<'_> {
        self.columns[column].cells.cell(row)
    }
}

/// Reads the value of a shape in a row.
#[derive(Clone, Copy)]
pub(crate) struct Get<'a> {
    shape: &'a Shape,
    source: &'a Source<'a>,
    row: usize,
}

impl<'a> Get<'a> {
    fn of(self, part: &'a Part) -> Self {
        Self { shape: &part.shape, ..self }
    }

    /// Returns the part to be read, unless it is not required, and missing.
    pub(crate) fn some_of(self, is_required: bool) -> Option<Self> {
        match self.shape {
            Shape::Option(optional) if !is_required => {
                self.is_some(optional).then(|| self.of(&optional.some))
            }
            _ => Some(self),
        }
    }

    /// Reads a part. Its errors name its first column.
    fn read<'de, S: DeserializeSeed<'de>>(self, part: &Part, seed: S) -> Result<S::Value, Fault> {
        let column = self.source.record.columns.get(part.columns.start);
        let name = column.map_or("", |column| &column.name);
        let get = Get { shape: &part.shape, ..self };
        seed.deserialize(get).map_err(|fault| fault.in_column(name))
    }

    /// Returns the column of a single value, and the value.
    fn leaf(self) -> Result<(&'a str, Cell<'a>), Fault> {
        match self.shape {
            Shape::Leaf(at) => {
                let column = &self.source.record.columns[*at];
                Ok((&column.name, self.source.cell(*at, self.row)))
            }
            _ => Err(Fault::new("the type reads one value where it wrote several")),
        }
    }

    /// Passes the value of a column to a visitor.
    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let (name, cell) = self.leaf()?;
        let read = match cell {
            Cell::Null => {
                let Shape::Leaf(at) = self.shape else { unreachable!("it is a leaf") };
                if !self.source.record.columns[*at].is_handle {
                    return Err(Fault::of_column(name, "is null, and the type holds no null"));
                }
                visitor.visit_string(Entity::PLACEHOLDER.to_string())
            }
            Cell::Bool(value) => visitor.visit_bool(value),
            Cell::Int(value) => visitor.visit_i64(value),
            Cell::Unsigned(value) => visitor.visit_u64(value),
            Cell::Single(value) => visitor.visit_f32(value),
            Cell::Float(value) => visitor.visit_f64(value),
            Cell::Text(value) => match self.handle(value) {
                Some(handle) => visitor.visit_string(handle.to_string()),
                None => visitor.visit_str(value),
            },
            Cell::Bytes(value) => visitor.visit_bytes(value),
            Cell::Time(nanos, is_utc) => {
                time::write(nanos, is_utc).and_then(|text| visitor.visit_string(text))
            }
            Cell::Date(days) => time::write_date(days).and_then(|text| visitor.visit_string(text)),
            Cell::List(start, end) => {
                let Shape::Leaf(at) = self.shape else { unreachable!("it is a leaf") };
                match &self.source.columns[*at].items {
                    Some(items) => return visitor.visit_seq(GetItems { items, rows: start..end }),
                    None => Err(Fault::new("a list is no single value")),
                }
            }
        };
        read.map_err(|fault: Fault| fault.in_column(name))
    }

    /// Returns the new handle, if this is a handle that does not stay as it is.
    fn handle(self, text: &str) -> Option<Entity> {
        let Shape::Leaf(at) = self.shape else { return None };
        let handles = self.source.handles.filter(|_| self.source.record.columns[*at].is_handle)?;
        let handle: Entity = text.parse().ok()?;
        Some(handles.get(&handle).copied().unwrap_or(Entity::PLACEHOLDER))
    }

    /// Passes a whole number to a visitor; some tables store it as a float.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "a number that is not cast back to itself is not taken"
    )]
    fn whole<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let float = match self.leaf()?.1 {
            Cell::Float(value) => value,
            Cell::Single(value) => value.into(),
            _ => return self.visit(visitor),
        };
        let whole = float as i64;
        if whole as f64 == float && whole != i64::MAX {
            visitor.visit_i64(whole)
        } else {
            self.visit(visitor)
        }
    }

    fn wide<'de, V: Visitor<'de>, N: std::str::FromStr>(
        self,
        visitor: V,
        visit: impl FnOnce(V, N) -> Result<V::Value, Fault>,
    ) -> Result<V::Value, Fault> {
        match self.leaf()? {
            (name, Cell::Text(text)) => match text.parse() {
                Ok(number) => visit(visitor, number),
                Err(_) => Err(Fault::new(format!("\"{text}\" is no number")).in_column(name)),
            },
            _ => self.visit(visitor),
        }
    }

    fn is_some(self, optional: &Optional) -> bool {
        if let Some(mark) = optional.mark {
            return matches!(self.source.cell(mark, self.row), Cell::Bool(true));
        }
        let is_there = |at| !matches!(self.source.cell(at, self.row), Cell::Null);
        optional.some.columns.clone().any(is_there)
    }

    fn parts(self) -> Result<GetParts<'a>, Fault> {
        match self.shape {
            Shape::Struct(parts) => Ok(GetParts { parts: parts.iter(), next: None, get: self }),
            _ => Err(Fault::new("the type reads fields where it wrote none")),
        }
    }
}

macro_rules! forward {
    ($to:ident: $($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.$to(visitor)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Get<'_> {
    type Error = Fault;

    forward! { whole: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 }
    forward! { visit: deserialize_f32 deserialize_f64 deserialize_bool deserialize_char
    deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_seq
    deserialize_any deserialize_identifier }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.wide(visitor, V::visit_i128)
    }
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.wide(visitor, V::visit_u128)
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape {
            Shape::Option(optional) if self.is_some(optional) => {
                visitor.visit_some(self.of(&optional.some))
            }
            Shape::Option(_) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Shape::Leaf(_) = self.shape {
            match self.leaf()? {
                (_, Cell::Bool(true)) => {}
                (name, _) => {
                    return Err(Fault::of_column(name, "is not true, as a tag is"));
                }
            }
        }
        visitor.visit_unit()
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_seq(self.parts()?)
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_seq(self.parts()?)
    }
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let (Shape::Leaf(at), (_, Cell::List(start, end))) = (self.shape, self.leaf()?)
            && let Some(items) = &self.source.columns[*at].items
        {
            return visitor.visit_map(GetItems { items, rows: start..end });
        }
        self.visit(visitor)
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.shape {
            Shape::Leaf(_) if fields.is_empty() => {
                visitor.visit_map(GetParts { parts: [].iter(), next: None, get: self })
            }
            Shape::Leaf(_) if (name, fields) == time::SYSTEM_TIME => {
                let (name, Cell::Time(nanos, _)) = self.leaf()? else { return self.visit(visitor) };
                let second = 1_000_000_000;
                let parts = [nanos.div_euclid(second), nanos.rem_euclid(second)];
                let parts = parts.map(i64::try_from);
                let [Ok(seconds), Ok(rest)] = parts else {
                    let what = format!("{nanos} ns since 1970 are out of range");
                    return Err(Fault::new(what).in_column(name));
                };
                visitor.visit_seq(SeqDeserializer::new([seconds, rest].into_iter()))
            }
            _ => visitor.visit_map(self.parts()?),
        }
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let Shape::Enum(choice) = self.shape else {
            return Err(Fault::new("the type reads a variant where it wrote none"));
        };
        let column = &self.source.record.columns[choice.tag].name;
        let Cell::Text(tag) = self.source.cell(choice.tag, self.row) else {
            return Err(Fault::of_column(column, "has no variant's name"));
        };
        let Some(part) = choice.find(tag) else {
            let names: Vec<&str> = choice.variants.iter().map(|it| it.name.as_str()).collect();
            let what = format!("\"{tag}\" is none of the variants {}", names.join(", "));
            return Err(Fault::new(what).in_column(column));
        };
        visitor.visit_enum(GetVariant { name: tag, get: self.of(part) })
    }
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

/// Reads fields, or the parts of a tuple.
struct GetParts<'a> {
    parts: std::slice::Iter<'a, Part>,
    next: Option<&'a Part>,
    get: Get<'a>,
}

impl<'de> de::SeqAccess<'de> for GetParts<'_> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        self.parts.next().map(|part| self.get.read(part, seed)).transpose()
    }
}

impl<'de> de::MapAccess<'de> for GetParts<'_> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        self.next = self.parts.next();
        let Some(part) = self.next else { return Ok(None) };
        let name: StrDeserializer<'_, Fault> = part.name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let part = self.next.take().ok_or_else(|| Fault::custom("a value without a key"))?;
        self.get.read(part, seed)
    }
}

/// Reads the items of a list, or the entries of a map.
struct GetItems<'a> {
    items: &'a Source<'a>,
    rows: std::ops::Range<usize>,
}

impl<'de> de::SeqAccess<'de> for GetItems<'_> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        self.rows.next().map(|row| seed.deserialize(self.items.row(row))).transpose()
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.rows.len())
    }
}

impl<'de> de::MapAccess<'de> for GetItems<'_> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        seed.deserialize(self.items.part(self.rows.start, 0)).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let row = self.rows.next().ok_or_else(|| Fault::custom("a value without a key"))?;
        seed.deserialize(self.items.part(row, 1))
    }
}

/// Reads a variant of an enum.
struct GetVariant<'a> {
    name: &'a str,
    get: Get<'a>,
}

impl<'de, 'a> de::EnumAccess<'de> for GetVariant<'a> {
    type Error = Fault;
    type Variant = Get<'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Get<'a>), Fault> {
        let name: StrDeserializer<'_, Fault> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self.get))
    }
}

impl<'de> de::VariantAccess<'de> for Get<'_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Ok(())
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(self)
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        de::Deserializer::deserialize_tuple(self, len, visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(self.parts()?)
    }
}
