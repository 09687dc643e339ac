//! Writes values and numbers in the format of postcard.

use alloc::vec::Vec;
use postcard::ser_flavors::Flavor;
use postcard::{Error, Serializer};
use serde::Serialize;

/// What has been written.
struct Bytes<'a>(&'a mut Vec<u8>);

impl Flavor for Bytes<'_> {
    type Output = ();

    #[inline]
    fn try_extend(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.extend_from_slice(data);
        Ok(())
    }
    #[inline]
    fn try_push(&mut self, data: u8) -> Result<(), Error> {
        self.0.push(data);
        Ok(())
    }
    fn finalize(self) -> Result<(), Error> {
        Ok(())
    }
}

/// Appends a value.
#[inline]
pub(crate) fn write_value<T: Serialize + ?Sized>(
    value: &T,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    value.serialize(&mut Serializer { output: Bytes(bytes) })
}

/// Appends a number: seven bits a byte, the lowest first; the bit above says that more follow.
#[inline]
pub(crate) fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Appends a text, its length first.
pub(crate) fn write_text(text: &str, bytes: &mut Vec<u8>) {
    write_number(text.len() as u64, bytes);
    bytes.extend_from_slice(text.as_bytes());
}

/// Appends what `write` does, behind the number of its bytes.
pub(crate) fn write_block<E>(
    bytes: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let start = begin_block(bytes);
    write(bytes)?;
    end_block(bytes, start);
    Ok(())
}

/// Makes room for the number of the bytes that follow until the [end](end_block): where they start.
pub(crate) fn begin_block(bytes: &mut Vec<u8>) -> usize {
    bytes.extend_from_slice(&[0; 8]);
    bytes.len()
}

/// Writes the number of bytes from `start` on before them.
pub(crate) fn end_block(bytes: &mut [u8], start: usize) {
    let len = (bytes.len() - start) as u64;
    bytes[start - 8..start].copy_from_slice(&len.to_le_bytes());
}
