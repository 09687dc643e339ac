//! Pages of Parquet whose lengths are packed. Their number is in the page, and the library below allocates memory for that
//! many before it reads them. A failed allocation ends the process.

use bytes::Bytes;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length, SerializedPageReader};
use std::sync::Arc;

/// The most lengths of a page. Writers use a few thousand.
const MOST: usize = 1 << 26;
/// The most bytes of a number.
const NUMBER: usize = 10;

/// A reader of a file that is read twice.
pub(crate) struct Shared<R>(pub(crate) Arc<R>);

impl<R: ChunkReader> Length for Shared<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Shared<R> {
    type T = R::T;

    fn get_read(&self, start: u64) -> Result<R::T> {
        self.0.get_read(start)
    }
    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// Checks the pages of texts and bytes. O(bytes of these).
///
/// # Errors
/// If a page has more lengths than values, or is malformed.
pub(crate) fn check<R: ChunkReader + 'static>(
    file: &Arc<R>,
    metadata: &ParquetMetaData,
) -> Result<()> {
    for group in metadata.row_groups() {
        let rows = usize::try_from(group.num_rows()).unwrap_or_default();
        for column in group.columns() {
            if matches!(column.column_type(), Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY) {
                let mut pages = SerializedPageReader::new(file.clone(), column, rows, None)?;
                while let Some(page) = pages.get_next_page()? {
                    check_page(column, &page)?;
                }
            }
        }
    }
    Ok(())
}

fn check_page(column: &ColumnChunkMetaData, page: &Page) -> Result<()> {
    let lists = match page.encoding() {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2, // of prefixes and of suffixes
        _ => return Ok(()),
    };
    let description = column.column_descr();
    let levels = [description.max_rep_level(), description.max_def_level()];
    let mut values = match page {
        Page::DataPage { buf, num_values, rep_level_encoding, def_level_encoding, .. } => {
            let mut left = &buf[..];
            for (most, encoding) in levels.into_iter().zip([rep_level_encoding, def_level_encoding])
            {
                left = behind_levels(left, most, *encoding, *num_values).ok_or_else(malformed)?;
            }
            left
        }
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
            buf.get(levels..).ok_or_else(malformed)?
        }
        Page::DictionaryPage { .. } => return Ok(()),
    };
    let most = MOST.min(page.num_values() as usize);
    for _ in 0..lists {
        values = behind_lengths(values, most)?;
    }
    Ok(())
}

fn malformed() -> ParquetError {
    ParquetError::General("malformed page".to_owned())
}

/// Returns the bytes behind the levels that a page begins with.
fn behind_levels(bytes: &[u8], most: i16, encoding: Encoding, values: u32) -> Option<&[u8]> {
    if most <= 0 {
        return Some(bytes);
    }
    if encoding == Encoding::RLE {
        let (len, rest) = bytes.split_first_chunk::<4>()?;
        return rest.get(usize::try_from(i32::from_le_bytes(*len)).ok()?..);
    }
    // Or they are packed, without their number.
    let bits = most.unsigned_abs().ilog2() as usize + 1;
    bytes.get((values as usize * bits).div_ceil(8)..)
}

/// Returns the bytes behind lengths, packed as [`Encoding::DELTA_BINARY_PACKED`].
fn behind_lengths(bytes: &[u8], most: usize) -> Result<&[u8]> {
    let mut left = bytes;
    let mut number = || number(&mut left).ok_or_else(malformed);
    let [block, parts, count, _first] = [number()?, number()?, number()?, number()?];
    if count > most {
        let what = format!("malformed page: it has {count} lengths, for at most {most} values");
        return Err(ParquetError::General(what));
    }
    let of_part = block.checked_div(parts).filter(|len| *len > 0).ok_or_else(malformed)?;
    let mut count = count.saturating_sub(1);
    while count > 0 {
        behind_block(&mut left, parts, of_part, &mut count).ok_or_else(malformed)?;
    }
    Ok(left)
}

fn behind_block(left: &mut &[u8], parts: usize, of_part: usize, count: &mut usize) -> Option<()> {
    number(left)?; // the least difference
    let (widths, rest) = left.split_at_checked(parts)?;
    *left = rest;
    for width in widths.iter().take(count.div_ceil(of_part)) {
        let bytes = usize::from(*width).checked_mul(of_part)? / 8;
        *left = left.get(bytes..)?;
        *count = count.saturating_sub(of_part);
    }
    Some(())
}

/// Takes a number of seven bits a byte.
fn number(left: &mut &[u8]) -> Option<usize> {
    let mut number = 0_u64;
    for (at, shift) in (0..NUMBER).zip((0..).step_by(7)) {
        let byte = *left.get(at)?;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            *left = &left[at + 1..];
            return usize::try_from(number).ok();
        }
    }
    None
}
