//! The headers of worlds, deltas and change sets, and of their parts.
//!
//! ```text
//! header    "ecs", the version of the format, the kind: w, d or c
//! part      name, version, fingerprint (4 bytes), length (8 bytes) | content of this length
//! ```
//!
//! In the first version of the format, each kind had its own magic number, and parts had no fingerprint. Before the fourth,
//! worlds had no order of pools. Deltas and change sets are read in the version that is
//! written.

use crate::format::reader::{ReadError, Reader, wrong};
use crate::format::writer::{write_number, write_text};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The version of the format that is written.
//
// A higher one takes four steps. The reader accepts the old one. `docs/format.md` describes both. `BLESS=1`, run twice,
// writes files of it for the test `golden`. Tests that spell the header's bytes follow.
const FORMAT: u8 = 4;

/// The kind of content of some bytes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Content {
    World,
    Delta,
    Changes,
    Values,
}

impl Content {
    /// Returns the letter in the header, the name in messages, the letters before there was a common header, and the
    /// first version that is read.
    const fn about(self) -> (u8, &'static str, [u8; 3], u8) {
        match self {
            Self::World => (b'w', "saved world", *b"ecs", 1),
            Self::Delta => (b'd', "delta", *b"ecd", FORMAT),
            Self::Changes => (b'c', "change set", *b"ecc", FORMAT),
            Self::Values => (b'v', "set of values", *b"ecv", FORMAT),
        }
    }

    /// Appends the header.
    pub(crate) fn write_header(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&[b'e', b'c', b's', FORMAT, self.about().0]);
    }
}

/// The version and fingerprint of a component or resource in bytes or texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schema {
    pub(crate) version: u32,
    /// A hash that differs between types of different fields or variants, or 0 if it is unknown.
    pub(crate) fingerprint: u32,
}

impl Schema {
    /// Returns `true` if values of this schema are of the version of `own`, this program's schema, or an earlier one.
    /// Returns `false` if they are of a later version.
    ///
    /// # Errors
    /// When the type has other fields under the same version.
    pub(crate) fn is_read_by(self, own: Self) -> Result<bool> {
        let are_others = self.fingerprint != 0 && self.fingerprint != own.fingerprint;
        match self.version.cmp(&own.version) {
            Ordering::Equal if are_others => Err(ReadError::new(format!(
                "its fields, their types or its variants differ from the ones saved as version {}: raise the version, \
                 and name the type that it had, by `version = {next}, from({} = Old)`, or by `from({} = Self)` if serde \
                 reads the old values as they are",
                own.version,
                own.version,
                own.version,
                next = own.version.saturating_add(1),
            ))),
            Ordering::Less | Ordering::Equal => Ok(true),
            Ordering::Greater => Ok(false),
        }
    }

    /// Returns `true` if both are of one version, and are known to have different fields.
    pub(crate) const fn differs(self, other: Self) -> bool {
        self.version == other.version
            && self.fingerprint != other.fingerprint
            && self.fingerprint != 0
            && other.fingerprint != 0
    }

    /// Returns the error for values of this schema in a program that has another version or none. `mend` names
    /// another remedy.
    #[cold]
    pub(crate) fn unknown(self, own: Option<Self>, mend: &str) -> ReadError {
        let what = own.map_or_else(
            || {
                "the world has no such component or resource: register it by `World::register`"
                    .to_owned()
            },
            |own| {
                format!(
                    "it is of version {}, and this program has version {}",
                    self.version, own.version
                )
            },
        );
        let between = match (mend, own) {
            ("", _) => "",
            (_, None) => ", or ",
            (_, Some(_)) => ": ",
        };
        ReadError::new(format!("{what}{between}{mend}"))
    }
}

/// Appends the name and the schema with which a part begins.
pub(crate) fn write_part(name: &str, schema: Schema, bytes: &mut Vec<u8>) {
    write_text(name, bytes);
    write_number(schema.version.into(), bytes);
    bytes.extend_from_slice(&schema.fingerprint.to_le_bytes());
}

/// Returns an error unless `name` sorts after the name before it, or is equal to it and `may_repeat`.
pub(crate) fn check_name(before: Option<&str>, name: &str, may_repeat: bool) -> Result {
    match before.map(|before| before.cmp(name)) {
        None | Some(Ordering::Less) => Ok(()),
        Some(Ordering::Equal) if may_repeat => Ok(()),
        Some(Ordering::Equal) => wrong("it is there twice"),
        Some(Ordering::Greater) => wrong("it is not in the order of the names"),
    }
}

impl Reader<'_> {
    /// Reads a header, and returns the version of the format.
    pub(crate) fn header(&mut self, content: Content) -> Result<u8> {
        let (letter, name, early, first) = content.about();
        let refuse = || Err(ReadError::new(format!("these are not the bytes of a {name}")));
        if self.left() < 4 {
            return refuse();
        }
        let [a, b, c, version] = self.array()?;
        if [a, b, c] == *b"ecs" && version > 1 {
            if version > FORMAT {
                return wrong("it was made by a later version of the library");
            } else if self.byte()? != letter {
                return refuse();
            }
        } else if [a, b, c] != early || version == 0 {
            return refuse();
        }
        if [a, b, c] != *b"ecs" || version < first {
            return wrong("it was made by an earlier version of the library: make it again");
        }
        Ok(version)
    }

    /// Reads the version and the fingerprint of a part, which follow its name.
    pub(crate) fn schema(&mut self, format: u8) -> Result<Schema> {
        let Ok(version) = u32::try_from(self.number()?) else {
            return wrong("its version is too large");
        };
        let fingerprint = if format == 1 { 0 } else { u32::from_le_bytes(self.array()?) };
        Ok(Schema { version, fingerprint })
    }
}
