//! Values that are read back when they are written: some attributes of serde write values that only a format with
//! field names can read.

use crate::format::reader::{ReadError, Reader};
use alloc::format;
use alloc::vec::Vec;

/// The number of values of a component that are read back: enough to find mistakes in its type, at a small part of
/// the cost of all. The writer itself checks every value as far as it can.
const CHECKED: usize = 32;

/// Returns the position of the next value to write. Called with the number of bytes before each value, and once behind
/// the last.
pub(crate) type Next<'a> = &'a mut dyn FnMut(usize) -> Option<usize>;

/// Writes the values at these positions. Returns the position of a value that cannot be written, with the error.
pub(crate) type WriteValues<'a> =
    &'a dyn Fn(Next<'_>, &mut Vec<u8>) -> Result<(), (usize, ReadError)>;

/// Writes the values at these positions, and reads the first [`CHECKED`] of them back.
pub(crate) fn write_checked(
    next: Next<'_>,
    bytes: &mut Vec<u8>,
    write: WriteValues<'_>,
    read: &dyn Fn(&mut Reader) -> Result<(), ReadError>,
) -> Result<(), (usize, ReadError)> {
    for _ in 0..CHECKED {
        let start = bytes.len();
        let Some(at) = next(start) else { return Ok(()) };
        let mut only = Some(at);
        write(&mut |_| only.take(), bytes)?;
        check(&bytes[start..], read).map_err(|error| (at, error))?;
    }
    write(next, bytes)
}

/// Returns an error unless `read` reads a value from exactly these bytes.
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
        "it cannot be read back ({what}): its `Deserialize` does not accept the output of its `Serialize`, as with \
         serde's `untagged`, `tag` or `skip_deserializing`; remove the attribute, or save in a format for people, \
         such as JSON"
    )))
}
