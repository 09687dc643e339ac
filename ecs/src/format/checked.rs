//! Values that are read again when they are written: some attributes of serde write what only a format with names of
//! fields can be read from.

use crate::format::reader::{ReadError, Reader};
use alloc::format;
use alloc::vec::Vec;

/// So many values of a component are read again: they tell of mistakes in a type, and take little of what all take.
/// The writer itself refuses, of every value, what it can see.
const CHECKED: usize = 32;

/// Writes the values at these positions; where one cannot be, which, and why.
pub(crate) type Write<'a> =
    &'a dyn Fn(&mut dyn Iterator<Item = usize>, &mut Vec<u8>) -> Result<(), (usize, ReadError)>;

/// Writes the values at these positions, and reads the first of them.
pub(crate) fn write_checked(
    positions: &mut dyn Iterator<Item = usize>,
    bytes: &mut Vec<u8>,
    write: Write<'_>,
    read: &dyn Fn(&mut Reader) -> Result<(), ReadError>,
) -> Result<(), (usize, ReadError)> {
    for at in positions.take(CHECKED) {
        let start = bytes.len();
        write(&mut core::iter::once(at), bytes)?;
        check(&bytes[start..], read).map_err(|error| (at, error))?;
    }
    write(positions, bytes)
}

/// Refuses the bytes of a value that is not read from them again.
pub(crate) fn check(
    bytes: &[u8],
    read: impl FnOnce(&mut Reader) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut reader = Reader::own(bytes);
    let what = match read(&mut reader) {
        Ok(()) if reader.left() == 0 => return Ok(()),
        Ok(()) => format!("{} of its {} bytes are left over", reader.left(), bytes.len()),
        Err(error) => format!("{error}"),
    };
    Err(ReadError::new(format!(
        "it could not be read again, {what}: what it reads is not what it writes, as by `untagged`, `tag` or \
         `skip_deserializing` of serde; take that away, or save in a format for people, such as JSON"
    )))
}
