//! Messages: one byte for their kind, the number of the collective call, the content, and a checksum.

use crate::ShardError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The collective call that a message belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Gather = 1,
    Migrate = 2,
    Refresh = 3,
}

const CHECKSUM: usize = 4;

/// Returns a message of these parts. `call` counts the collective calls of a rank, which are the same on all ranks.
pub(crate) fn encode(kind: Kind, call: u32, content: &impl Serialize) -> Result<Vec<u8>, String> {
    let bytes = vec![kind as u8];
    let bytes = postcard::to_extend(&call, bytes).map_err(|error| error.to_string())?;
    let mut bytes = postcard::to_extend(content, bytes).map_err(|error| error.to_string())?;
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Returns the content of a message from this rank, which must be of this kind and call.
pub(crate) fn decode<T: DeserializeOwned>(
    from: usize,
    kind: Kind,
    call: u32,
    bytes: &[u8],
) -> Result<T, ShardError> {
    let malformed = |what: String| ShardError::Malformed { from, what };
    let checked = bytes.split_last_chunk::<CHECKSUM>();
    let Some((bytes, checksum)) = checked.filter(|(bytes, _)| !bytes.is_empty()) else {
        return Err(malformed(format!("it has {} bytes, too few for any", bytes.len())));
    };
    if crc32fast::hash(bytes).to_le_bytes() != *checksum {
        return Err(malformed("its checksum is wrong".to_owned()));
    }
    let (found, rest) = (bytes[0], &bytes[1..]);
    let (found_call, content) =
        postcard::take_from_bytes::<u32>(rest).map_err(|error| malformed(error.to_string()))?;
    if (found, found_call) != (kind as u8, call) {
        let what = format!(
            "it is of kind {found} and call {found_call}, not of kind {} and call {call}: all ranks \
             must make the same collective calls in the same order",
            kind as u8
        );
        return Err(malformed(what));
    }
    let (content, rest) =
        postcard::take_from_bytes(content).map_err(|error| malformed(error.to_string()))?;
    if !rest.is_empty() {
        return Err(malformed(format!("bytes are left over: {}", rest.len())));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Vec<u8> {
        encode(Kind::Migrate, 300, &vec![(7_u32, "a".to_owned())]).unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Vec<(u32, String)>, ShardError> {
        decode(4, Kind::Migrate, 300, bytes)
    }

    #[test]
    fn a_message_that_is_whole_is_read() {
        assert_eq!(read(&message()).unwrap(), [(7, "a".to_owned())]);
    }

    #[test]
    fn a_message_with_any_changed_or_missing_byte_is_refused() {
        let whole = message();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                assert!(matches!(read(&bytes), Err(ShardError::Malformed { from: 4, .. })));
            }
            assert!(matches!(read(&whole[..at]), Err(ShardError::Malformed { from: 4, .. })));
        }
    }

    #[test]
    fn a_message_of_another_call_is_refused() {
        let error = decode::<u8>(1, Kind::Refresh, 2, &encode(Kind::Gather, 2, &3_u8).unwrap());
        let text = error.unwrap_err().to_string();
        assert!(text.starts_with("refused a message from rank 1: it is of kind 1"), "{text}");
        assert!(
            decode::<u8>(1, Kind::Gather, 3, &encode(Kind::Gather, 2, &3_u8).unwrap()).is_err()
        );
        let error =
            decode::<u8>(1, Kind::Gather, 2, &encode(Kind::Gather, 2, &(3_u8, 4_u8)).unwrap());
        assert!(error.unwrap_err().to_string().ends_with("bytes are left over: 1"));
    }
}
