//! Columns that are being filled, row by row.

use crate::error::{Fault, TableError};
use crate::shape::{ColumnType, Record};
use crate::time;
use crate::write::Put;
use arrow_array::types as arrow;
use arrow_array::{
    ArrayRef, BooleanArray, GenericBinaryArray, GenericStringArray, LargeListArray, PrimitiveArray,
    RecordBatch, StructArray,
};
use arrow_buffer::{BooleanBufferBuilder, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, FieldRef, Schema, TimeUnit};
use ecs::Entity;
use serde::ser::{Error as _, Serialize};
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// Columns that are being filled.
pub(crate) struct Recorder<'s> {
    pub(crate) record: &'s Record,
    pub(crate) columns: Vec<Building<'s>>,
    pub(crate) rows: usize,
}

/// One of them.
pub struct Building<'s> {
    pub(crate) column: &'s ColumnType,
    pub(crate) values: Values<'s>,
    /// Which of the values are there, if the column may hold nulls.
    valid: Option<NullBufferBuilder>,
}

pub(crate) enum Values<'s> {
    Bool(BooleanBufferBuilder),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bytes { ends: Vec<i64>, bytes: Vec<u8> },
    Items { ends: Vec<i64>, items: Recorder<'s> },
}

impl<'s> Recorder<'s> {
    /// # Errors
    /// If a column is of a type that is not written.
    pub(crate) fn new(record: &'s Record, room: usize) -> Result<Self, TableError> {
        let columns = record.columns.iter().map(|column| Building::new(column, room));
        Ok(Self { record, columns: columns.collect::<Result<_, _>>()?, rows: 0 })
    }

    /// Appends a row. After an error the recorder is of no use any more.
    #[inline]
    pub(crate) fn push<R: Serialize>(&mut self, record: &R) -> Result<(), Fault> {
        self.push_with(|put| record.serialize(put))
    }

    #[inline]
    pub(crate) fn push_with(
        &mut self,
        put: impl FnOnce(Put<'_, 's>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        put(Put::new(&self.record.shape, &mut self.columns))?;
        self.rows += 1;
        Ok(())
    }

    /// Appends a row of texts, `None` for null: one for each column.
    pub(crate) fn push_texts<'t>(
        &mut self,
        texts: impl Iterator<Item = Option<&'t str>>,
    ) -> Result<(), Fault> {
        for (column, text) in self.columns.iter_mut().zip(texts) {
            match text {
                Some(text) => column.parse(text)?,
                None => column.null()?,
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Returns the filled rows, and is empty again.
    pub(crate) fn finish(&mut self, schema: &Arc<Schema>) -> Result<RecordBatch, TableError> {
        let arrays = self.arrays()?;
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.rows = 0;
        Ok(RecordBatch::try_new_with_options(schema.clone(), arrays, &options)?)
    }

    fn arrays(&mut self) -> Result<Vec<ArrayRef>, TableError> {
        self.columns.iter_mut().map(Building::finish).collect()
    }
}

macro_rules! each_number {
    ($values:expr, $vec:ident => $then:expr, $($other:tt)*) => {
        match $values {
            Values::I8($vec) => $then,
            Values::I16($vec) => $then,
            Values::I32($vec) => $then,
            Values::I64($vec) => $then,
            Values::U8($vec) => $then,
            Values::U16($vec) => $then,
            Values::U32($vec) => $then,
            Values::U64($vec) => $then,
            $($other)*
        }
    };
}

impl<'s> Building<'s> {
    fn new(column: &'s ColumnType, room: usize) -> Result<Self, TableError> {
        let ends = || {
            let mut ends = Vec::with_capacity(room + 1);
            ends.push(0);
            ends
        };
        let values = match &column.data {
            DataType::Boolean => Values::Bool(BooleanBufferBuilder::new(room)),
            DataType::Int8 => Values::I8(Vec::with_capacity(room)),
            DataType::Int16 => Values::I16(Vec::with_capacity(room)),
            DataType::Int32 | DataType::Date32 => Values::I32(Vec::with_capacity(room)),
            DataType::Int64 | DataType::Timestamp(..) => Values::I64(Vec::with_capacity(room)),
            DataType::UInt8 => Values::U8(Vec::with_capacity(room)),
            DataType::UInt16 => Values::U16(Vec::with_capacity(room)),
            DataType::UInt32 => Values::U32(Vec::with_capacity(room)),
            DataType::UInt64 => Values::U64(Vec::with_capacity(room)),
            DataType::Float32 => Values::F32(Vec::with_capacity(room)),
            DataType::Float64 => Values::F64(Vec::with_capacity(room)),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary => {
                Values::Bytes { ends: ends(), bytes: Vec::with_capacity(room) }
            }
            _ => match &column.items {
                Some(items) => Values::Items { ends: ends(), items: Recorder::new(items, 0)? },
                None => return Err(not_written(&column.name, &column.data)),
            },
        };
        let valid = column.nullable.then(|| NullBufferBuilder::new(room));
        Ok(Self { column, values, valid })
    }

    #[cold]
    pub(crate) fn misfit(&self, what: impl fmt::Display) -> Fault {
        let ColumnType { name, data, nullable, .. } = self.column;
        let or_null = if *nullable { " or null" } else { "" };
        let name = if name.is_empty() { "item" } else { name };
        Fault::new(format!("{what} does not fit column `{name}` of {data}{or_null}"))
    }

    #[inline]
    pub(crate) fn is_there(&mut self) {
        if let Some(valid) = &mut self.valid {
            valid.append_non_null();
        }
    }

    /// # Errors
    /// If the column holds no nulls.
    pub(crate) fn null(&mut self) -> Result<(), Fault> {
        let Some(valid) = &mut self.valid else { return Err(self.misfit("null")) };
        valid.append_null();
        each_number!(&mut self.values, vec => vec.push(0),
            Values::Bool(bits) => bits.append(false),
            Values::F32(vec) => vec.push(0.0),
            Values::F64(vec) => vec.push(0.0),
            Values::Bytes { ends, .. } | Values::Items { ends, .. } => ends.extend_from_within(ends.len() - 1..),
        );
        Ok(())
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) -> Result<(), Fault> {
        match &mut self.values {
            Values::Bool(bits) => bits.append(value),
            _ => return Err(self.misfit(value)),
        }
        self.is_there();
        Ok(())
    }

    /// A number of another type than the column's.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a number that is not cast back to itself is refused"
    )]
    #[cold]
    pub(crate) fn other_int(&mut self, value: i128) -> Result<(), Fault> {
        if self.is_text() {
            return self.text(&value.to_string());
        }
        let is_pushed = each_number!(&mut self.values,
            vec => value.try_into().map(|value| vec.push(value)).is_ok(),
            Values::F32(vec) => exact(value, value as f32, |it| it as i128).map(|it| vec.push(it)).is_some(),
            Values::F64(vec) => exact(value, value as f64, |it| it as i128).map(|it| vec.push(it)).is_some(),
            _ => false,
        );
        if !is_pushed {
            return Err(self.misfit(value));
        }
        self.is_there();
        Ok(())
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "a number that is not cast back to itself is refused"
    )]
    #[cold]
    pub(crate) fn other_float(&mut self, value: f64) -> Result<(), Fault> {
        match &mut self.values {
            Values::F64(vec) => vec.push(value),
            Values::F32(vec) if value.is_nan() || f64::from(value as f32) == value => {
                vec.push(value as f32);
            }
            _ if value.fract() == 0.0 && value.abs() <= EXACT => {
                return self.other_int(value as i128);
            }
            _ => return Err(self.misfit(value)),
        }
        self.is_there();
        Ok(())
    }

    const fn is_text(&self) -> bool {
        matches!(self.column.data, DataType::Utf8 | DataType::LargeUtf8)
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), Fault> {
        self.display(format_args!("{text}"), Some(text))
    }

    /// Appends a text, which is written in place unless it is there already.
    pub(crate) fn display(
        &mut self,
        display: impl fmt::Display,
        text: Option<&str>,
    ) -> Result<(), Fault> {
        let (is_text, is_handle) = (self.is_text(), self.column.is_handle);
        match &mut self.values {
            Values::Bytes { ends, bytes } if is_text => {
                let start = bytes.len();
                match text {
                    Some(text) => bytes.extend_from_slice(text.as_bytes()),
                    None => write!(Utf8(bytes), "{display}").map_err(Fault::custom)?,
                }
                if is_handle && bytes[start..] == *PLACEHOLDER {
                    bytes.truncate(start);
                    return self.null();
                }
                ends.push(position(bytes.len()));
            }
            Values::I64(_) | Values::I32(_)
                if matches!(self.column.data, DataType::Timestamp(..) | DataType::Date32) =>
            {
                let value = time::parse(&display.to_string(), &self.column.data);
                let value = value.map_err(|fault| fault.in_column(&self.column.name))?;
                match &mut self.values {
                    Values::I32(days) => days.push(date(value)),
                    Values::I64(units) => units.push(value),
                    _ => unreachable!("looked at above"),
                }
            }
            _ => return Err(self.misfit(format_args!("\"{display}\""))),
        }
        self.is_there();
        Ok(())
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) -> Result<(), Fault> {
        match &mut self.values {
            Values::Bytes { ends, bytes }
                if !matches!(self.column.data, DataType::Utf8 | DataType::LargeUtf8) =>
            {
                bytes.extend_from_slice(value);
                ends.push(position(bytes.len()));
            }
            _ => return Err(self.misfit(format_args!("{} bytes", value.len()))),
        }
        self.is_there();
        Ok(())
    }

    pub(crate) fn nanos(&mut self, nanos: i128) -> Result<(), Fault> {
        let value = match &self.column.data {
            DataType::Timestamp(unit, Some(_)) => time::from_nanos(nanos, *unit),
            _ => None,
        };
        let Values::I64(units) = &mut self.values else { return Err(self.misfit("a time")) };
        let Some(value) = value else {
            return Err(self.misfit(format_args!("{nanos} ns since 1970")));
        };
        units.push(value);
        self.is_there();
        Ok(())
    }

    /// Appends the handle of an entity.
    pub(crate) fn handle(&mut self, entity: Entity) -> Result<(), Fault> {
        match &mut self.values {
            Values::Bytes { ends, bytes } if entity != Entity::PLACEHOLDER => {
                number(entity.index(), bytes);
                bytes.push(b'v');
                number(entity.generation().get(), bytes);
                ends.push(position(bytes.len()));
            }
            _ => return self.display(entity, None),
        }
        self.is_there();
        Ok(())
    }

    /// Appends the value that a text says.
    fn parse(&mut self, text: &str) -> Result<(), Fault> {
        match &mut self.values {
            Values::Bool(_) if text.eq_ignore_ascii_case("true") => self.bool(true),
            Values::Bool(_) if text.eq_ignore_ascii_case("false") => self.bool(false),
            Values::F32(vec) => match text.parse() {
                Ok(value) => {
                    vec.push(value);
                    self.is_there();
                    Ok(())
                }
                Err(_) => Err(self.misfit(format_args!("\"{text}\""))),
            },
            Values::F64(_) => match text.parse() {
                Ok(value) => self.other_float(value),
                Err(_) => Err(self.misfit(format_args!("\"{text}\""))),
            },
            Values::Bytes { .. } => self.text(text),
            Values::I64(_) | Values::I32(_)
                if matches!(self.column.data, DataType::Timestamp(..) | DataType::Date32) =>
            {
                self.text(text)
            }
            Values::Bool(_) | Values::Items { .. } => Err(self.misfit(format_args!("\"{text}\""))),
            _ => match (text.parse::<i128>(), text.parse::<f64>()) {
                (Ok(value), _) => self.other_int(value),
                (_, Ok(value)) => self.other_float(value), // data frames write 5 as 5.0 beside nulls
                _ => Err(self.misfit(format_args!("\"{text}\""))),
            },
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, TableError> {
        use DataType as D;
        let nulls = self.valid.as_mut().and_then(NullBufferBuilder::finish);
        let data = &self.column.data;
        macro_rules! primitive {
            ($vec:expr, $type:ident) => {
                Arc::new(PrimitiveArray::<arrow::$type>::new(std::mem::take($vec).into(), nulls))
            };
            ($vec:expr, $type:ident, $zone:expr) => {
                Arc::new(
                    PrimitiveArray::<arrow::$type>::new(std::mem::take($vec).into(), nulls)
                        .with_timezone_opt($zone.clone()),
                )
            };
        }
        Ok(match &mut self.values {
            Values::Bool(bits) => Arc::new(BooleanArray::new(bits.finish(), nulls)),
            Values::I8(vec) => primitive!(vec, Int8Type),
            Values::I16(vec) => primitive!(vec, Int16Type),
            Values::I32(vec) if *data == D::Date32 => primitive!(vec, Date32Type),
            Values::I32(vec) => primitive!(vec, Int32Type),
            Values::I64(vec) => match data {
                D::Timestamp(TimeUnit::Second, zone) => {
                    primitive!(vec, TimestampSecondType, zone)
                }
                D::Timestamp(TimeUnit::Millisecond, zone) => {
                    primitive!(vec, TimestampMillisecondType, zone)
                }
                D::Timestamp(TimeUnit::Microsecond, zone) => {
                    primitive!(vec, TimestampMicrosecondType, zone)
                }
                D::Timestamp(TimeUnit::Nanosecond, zone) => {
                    primitive!(vec, TimestampNanosecondType, zone)
                }
                _ => primitive!(vec, Int64Type),
            },
            Values::U8(vec) => primitive!(vec, UInt8Type),
            Values::U16(vec) => primitive!(vec, UInt16Type),
            Values::U32(vec) => primitive!(vec, UInt32Type),
            Values::U64(vec) => primitive!(vec, UInt64Type),
            Values::F32(vec) => primitive!(vec, Float32Type),
            Values::F64(vec) => primitive!(vec, Float64Type),
            Values::Bytes { ends, bytes } => {
                let (name, bytes) = (&self.column.name, std::mem::take(bytes).into());
                match data {
                    D::LargeUtf8 => {
                        Arc::new(GenericStringArray::try_new(large(ends), bytes, nulls)?)
                    }
                    D::Utf8 => {
                        Arc::new(GenericStringArray::try_new(small(name, ends)?, bytes, nulls)?)
                    }
                    D::LargeBinary => {
                        Arc::new(GenericBinaryArray::try_new(large(ends), bytes, nulls)?)
                    }
                    _ => Arc::new(GenericBinaryArray::try_new(small(name, ends)?, bytes, nulls)?),
                }
            }
            Values::Items { ends, items } => {
                let D::LargeList(field) = data else {
                    return Err(not_written(&self.column.name, data));
                };
                let values = items.list_values(field)?;
                Arc::new(LargeListArray::try_new(field.clone(), large(ends), values, nulls)?)
            }
        })
    }
}

impl Recorder<'_> {
    /// Returns the items of a list.
    fn list_values(&mut self, item: &FieldRef) -> Result<ArrayRef, TableError> {
        let (mut arrays, rows) = (self.arrays()?, self.rows);
        self.rows = 0;
        Ok(match item.data_type() {
            DataType::Struct(fields) if !self.record.is_single() => {
                Arc::new(StructArray::try_new_with_length(fields.clone(), arrays, None, rows)?)
            }
            _ => arrays.swap_remove(0),
        })
    }
}

/// The greatest number to which a float holds all whole ones.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The handle that no entity has, as text.
const PLACEHOLDER: &[u8] = b"4294967295v2147483647";

pub(crate) fn not_written(name: &str, data: &DataType) -> TableError {
    TableError::Columns(format!(
        "column `{name}` of {data} is not written: use Boolean, a number, a Timestamp, Date32, \
         text or binary"
    ))
}

/// Returns a position as an offset of Arrow: no list in memory is longer.
#[inline]
pub(crate) const fn position(at: usize) -> i64 {
    (at as u64).cast_signed()
}

fn exact<F: Copy>(value: i128, float: F, back: impl Fn(F) -> i128) -> Option<F> {
    (back(float) == value).then_some(float)
}

/// Returns the ends of values as offsets of 64 bits.
fn large(ends: &mut Vec<i64>) -> OffsetBuffer<i64> {
    OffsetBuffer::new(std::mem::replace(ends, vec![0]).into())
}

/// Returns the ends of values as offsets of 32 bits.
fn small(name: &str, ends: &mut Vec<i64>) -> Result<OffsetBuffer<i32>, TableError> {
    let narrow: Result<Vec<i32>, _> = ends.drain(..).map(i32::try_from).collect();
    ends.push(0);
    let narrow = narrow.map_err(|_| {
        let what = format!("column `{name}` holds more than 2 GiB of text: write it in batches");
        TableError::Columns(what)
    })?;
    Ok(OffsetBuffer::new(narrow.into()))
}

/// Returns a date of chrono in days, which are always fewer.
fn date(days: i64) -> i32 {
    i32::try_from(days).unwrap_or(i32::MAX)
}

/// Appends a number in decimal digits.
fn number(mut number: u32, to: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    to.extend_from_slice(&digits[at..]);
}

/// Writes text into bytes.
struct Utf8<'a>(&'a mut Vec<u8>);

impl fmt::Write for Utf8<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
