//! Rows of nothing but numbers and handles, spread over columns many at a time.
//!
//! [`Put`] finds the column of each value as it comes, which takes longer than to store the value. Here a row writes its
//! values one behind the other, into a block of memory of fixed size: a derived `Serialize` becomes a load and a store
//! for each. The way that a row took is mixed into a number, so that one which writes other fields than the first row
//! did is found, and goes the usual way.

use crate::error::Fault;
use crate::fill::{Recorder, Values};
use crate::row::Row;
use crate::shape::{Record, Shape};
use crate::write::Put;
use arrow_schema::DataType;
use ecs::Entity;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt;

/// The number of records that are spread at a time.
const ROWS: usize = 256;
/// The most values of a record.
const MOST: usize = 16;

type Block = [[u64; ROWS]; MOST];

fn empty_block() -> Box<Block> {
    vec![[0; ROWS]; MOST].try_into().unwrap_or_else(|_| unreachable!("there are as many"))
}

/// Writes rows of one type, by either way.
pub(crate) trait Rows<R> {
    fn put(row: &R, put: Put<'_, '_>) -> Result<(), Fault>;

    fn spread<const LEARN: bool>(row: &R, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain>;
}

/// Structs that serde takes apart.
pub(crate) enum Records {}

impl<R: Serialize> Rows<R> for Records {
    #[inline]
    fn put(row: &R, put: Put<'_, '_>) -> Result<(), Fault> {
        row.serialize(put)
    }
    #[inline]
    fn spread<const LEARN: bool>(row: &R, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        row.serialize(to)
    }
}

/// Items of views and pools.
pub(crate) enum Tuples {}

impl<R: Row> Rows<R> for Tuples {
    #[inline]
    fn put(row: &R, put: Put<'_, '_>) -> Result<(), Fault> {
        row.put(put)
    }
    #[inline]
    fn spread<const LEARN: bool>(row: &R, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        row.spread(to)
    }
}

/// A step of a row's way.
enum Step {
    Field(&'static str),
    Part(usize),
    Value(&'static DataType),
    Handle,
}

/// Appends rows to columns.
///
/// # Errors
/// When one does not fit: with its row.
pub(crate) fn fill<K: Rows<R>, R>(
    recorder: &mut Recorder<'_>,
    mut rows: impl Iterator<Item = R>,
) -> Result<(), (usize, Fault)> {
    let push = |recorder: &mut Recorder<'_>, row: &R| {
        let at = recorder.rows;
        recorder.push_with(|put| K::put(row, put)).map_err(|fault| (at, fault))
    };
    let first = rows.next();
    let way = first.as_ref().and_then(|first| way_of::<K, R>(recorder.record, first));
    first.iter().try_for_each(|first| push(recorder, first))?;
    let Some(way) = way else {
        return rows.try_for_each(|row| push(recorder, &row));
    };
    let mut block = empty_block();
    let mut some = Vec::with_capacity(ROWS);
    loop {
        some.extend(rows.by_ref().take(ROWS));
        if some.is_empty() {
            return Ok(());
        }
        if spread::<K, R>(&mut block, &some, way) {
            recorder.push_block(&block[..], some.len()).map_err(|fault| (recorder.rows, fault))?;
        } else {
            some.iter().try_for_each(|row| push(recorder, row))?;
        }
        some.clear();
    }
}

/// Writes the values of rows into a block. Returns `false` if one of them takes another way.
fn spread<K: Rows<R>, R>(block: &mut Block, rows: &[R], way: u64) -> bool {
    let mut are_alike = true;
    for (at, row) in (0..ROWS).zip(rows) {
        let mut spread = Spread::<false> { block, row: at, at: 0, way: 0, steps: None };
        are_alike &= K::spread(row, &mut spread).is_ok() && spread.way == way;
    }
    are_alike
}

/// Returns the way of a row, if that is the one of all columns.
fn way_of<K: Rows<R>, R>(columns: &Record, row: &R) -> Option<u64> {
    let mut expected = Vec::new();
    if !steps(columns, &columns.shape, &mut expected) || columns.columns.len() > MOST {
        return None;
    }
    let (mut block, mut steps) = (empty_block(), Vec::new());
    let mut spread =
        Spread::<true> { block: &mut block, row: 0, at: 0, way: 0, steps: Some(&mut steps) };
    K::spread(row, &mut spread).ok()?;
    let way = spread.way;
    let are_equal = steps.len() == expected.len()
        && steps.iter().zip(&expected).all(|(step, expected)| match (step, expected) {
            (Step::Field(name), Expected::Part(part)) => name == part,
            (Step::Part(at), Expected::Part(part)) => *part == at.to_string(),
            (Step::Value(data), Expected::Value(expected)) => data == expected,
            (Step::Handle, Expected::Handle) => true,
            _ => false,
        });
    are_equal.then_some(way)
}

/// A step that a row of these columns takes.
enum Expected<'s> {
    Part(&'s str),
    Value(&'s DataType),
    Handle,
}

/// Appends the steps of a shape. Returns `false` if there is more than numbers and handles in it.
fn steps<'s>(columns: &'s Record, shape: &'s Shape, to: &mut Vec<Expected<'s>>) -> bool {
    match shape {
        Shape::Leaf(at) => {
            let column = &columns.columns[*at];
            if column.is_handle && column.nullable {
                to.push(Expected::Handle);
                return true;
            }
            to.push(Expected::Value(&column.data));
            !column.nullable && (column.data.is_numeric() || column.data == DataType::Boolean)
        }
        Shape::Struct(parts) => parts.iter().all(|part| {
            to.push(Expected::Part(&part.name));
            steps(columns, &part.shape, to)
        }),
        Shape::Nothing | Shape::Option(_) | Shape::Enum(_) => false,
    }
}

impl Recorder<'_> {
    /// Appends the values of a block, which are of the columns' types.
    #[expect(clippy::cast_possible_truncation, reason = "the values were widened before")]
    fn push_block(&mut self, block: &[[u64; ROWS]], rows: usize) -> Result<(), Fault> {
        for (column, cells) in self.columns.iter_mut().zip(block) {
            let cells = &cells[..rows];
            macro_rules! extend {
                ($vec:expr, $cell:ident => $value:expr) => {
                    $vec.extend(cells.iter().map(|&$cell| $value))
                };
            }
            match &mut column.values {
                Values::Bool(bits) => cells.iter().for_each(|&cell| bits.append(cell != 0)),
                Values::I8(vec) => extend!(vec, cell => cell as i8),
                Values::I16(vec) => extend!(vec, cell => cell as i16),
                Values::I32(vec) => extend!(vec, cell => cell as i32),
                Values::I64(vec) => extend!(vec, cell => cell.cast_signed()),
                Values::U8(vec) => extend!(vec, cell => cell as u8),
                Values::U16(vec) => extend!(vec, cell => cell as u16),
                Values::U32(vec) => extend!(vec, cell => cell as u32),
                Values::U64(vec) => vec.extend_from_slice(cells),
                Values::F32(vec) => extend!(vec, cell => f32::from_bits(cell as u32)),
                Values::F64(vec) => extend!(vec, cell => f64::from_bits(cell)),
                Values::Bytes { .. } => {
                    let handles = cells.iter().filter_map(|&cell| Entity::from_bits(cell));
                    handles.into_iter().try_for_each(|handle| column.handle(handle))?;
                }
                Values::Items { .. } => unreachable!("it is neither number nor handle"),
            }
        }
        self.rows += rows;
        Ok(())
    }
}

/// Writes the values of a row into one of a block, and, if it is to `LEARN`, the steps of its way.
pub struct Spread<'a, const LEARN: bool> {
    block: &'a mut Block,
    row: usize,
    at: usize,
    way: u64,
    steps: Option<&'a mut Vec<Step>>,
}

/// A row has more in it than numbers and handles.
#[derive(Debug)]
pub struct NotPlain;

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is more than numbers and handles")
    }
}

impl std::error::Error for NotPlain {}

impl ser::Error for NotPlain {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<const LEARN: bool> Spread<'_, LEARN> {
    #[inline]
    fn step(&mut self, mark: u64, step: impl FnOnce() -> Step) {
        self.way = (self.way.rotate_left(5) ^ mark).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if LEARN && let Some(steps) = &mut self.steps {
            steps.push(step());
        }
    }

    #[inline]
    fn value(&mut self, cell: u64, mark: u64, data: &'static DataType) -> Result<(), NotPlain> {
        self.step(mark, || Step::Value(data));
        self.store(cell)
    }

    #[inline]
    pub(crate) fn handle(&mut self, entity: Entity) -> Result<(), NotPlain> {
        self.step(12, || Step::Handle);
        self.store(entity.to_bits())
    }

    #[inline]
    fn store(&mut self, cell: u64) -> Result<(), NotPlain> {
        let Some(cells) = self.block.get_mut(self.at) else { return Err(NotPlain) };
        cells[self.row] = cell;
        self.at += 1;
        Ok(())
    }

    /// Goes into a part of this name, which `spread` writes.
    #[inline]
    pub(crate) fn part(
        &mut self,
        name: &'static str,
        spread: impl FnOnce(&mut Self) -> Result<(), NotPlain>,
    ) -> Result<(), NotPlain> {
        self.step((name.as_ptr().addr() as u64) << 8 ^ name.len() as u64, || Step::Field(name));
        spread(self)
    }
}

macro_rules! values {
    ($($method:ident $type:ty, $mark:literal $data:ident, $value:ident => $cell:expr;)*) => {
        $(#[inline]
        fn $method(self, $value: $type) -> Result<(), NotPlain> {
            self.value($cell, $mark, &DataType::$data)
        })*
    };
}

macro_rules! not_plain {
    ($($method:ident($($of:ty),*) -> $made:ty;)*) => {
        $(#[inline]
        fn $method(self, $(_: $of),*) -> Result<$made, NotPlain> {
            Err(NotPlain)
        })*
    };
}

type Never = Impossible<(), NotPlain>;

impl<'b, 'a, const LEARN: bool> Serializer for &'b mut Spread<'a, LEARN> {
    type Ok = ();
    type Error = NotPlain;
    type SerializeSeq = Never;
    type SerializeTuple = Parts<'b, 'a, LEARN>;
    type SerializeTupleStruct = Parts<'b, 'a, LEARN>;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Parts<'b, 'a, LEARN>;
    type SerializeStructVariant = Never;

    values! {
        serialize_bool bool, 1 Boolean, value => value.into();
        serialize_i8 i8, 2 Int8, value => i64::from(value).cast_unsigned();
        serialize_i16 i16, 3 Int16, value => i64::from(value).cast_unsigned();
        serialize_i32 i32, 4 Int32, value => i64::from(value).cast_unsigned();
        serialize_i64 i64, 5 Int64, value => value.cast_unsigned();
        serialize_u8 u8, 6 UInt8, value => value.into();
        serialize_u16 u16, 7 UInt16, value => value.into();
        serialize_u32 u32, 8 UInt32, value => value.into();
        serialize_u64 u64, 9 UInt64, value => value;
        serialize_f32 f32, 10 Float32, value => value.to_bits().into();
        serialize_f64 f64, 11 Float64, value => value.to_bits();
    }
    not_plain! {
        serialize_i128(i128) -> ();
        serialize_u128(u128) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), NotPlain> {
        Err(NotPlain)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), NotPlain> {
        Err(NotPlain)
    }
    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), NotPlain> {
        Err(NotPlain)
    }
    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotPlain> {
        value.serialize(self)
    }
    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Parts<'b, 'a, LEARN>, NotPlain> {
        Ok(Parts { spread: self, at: 0 })
    }
    #[inline]
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'b, 'a, LEARN>, NotPlain> {
        Ok(Parts { spread: self, at: 0 })
    }
    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'b, 'a, LEARN>, NotPlain> {
        Ok(Parts { spread: self, at: 0 })
    }
}

/// Writes the fields of a struct, or the parts of a tuple.
pub struct Parts<'b, 'a, const LEARN: bool> {
    spread: &'b mut Spread<'a, LEARN>,
    at: usize,
}

impl<const LEARN: bool> ser::SerializeStruct for Parts<'_, '_, LEARN> {
    type Ok = ();
    type Error = NotPlain;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), NotPlain> {
        self.spread.part(name, |spread| value.serialize(spread))
    }
    #[inline]
    fn end(self) -> Result<(), NotPlain> {
        Ok(())
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident)*) => {
        $(impl<const LEARN: bool> ser::$trait for Parts<'_, '_, LEARN> {
            type Ok = ();
            type Error = NotPlain;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotPlain> {
                let at = self.at;
                self.at += 1;
                self.spread.step(at as u64, || Step::Part(at));
                value.serialize(&mut *self.spread)
            }
            #[inline]
            fn end(self) -> Result<(), NotPlain> {
                Ok(())
            }
        })*
    };
}
parts!(SerializeTuple serialize_element SerializeTupleStruct serialize_field);
