//! Messages that are put together at compile time, and numbers of things.

use core::fmt;

/// A message put together at compile time.
#[derive(Debug)]
pub(crate) struct Text {
    bytes: [u8; 512],
    len: usize,
}

impl Text {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 512], len: 0 }
    }

    /// Appends `text`, as far as there is room.
    pub(crate) const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    /// Panics with the message.
    #[track_caller]
    pub(crate) const fn panic(self) -> ! {
        // Cut where room ended, perhaps within a character.
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("two parts of one query or bundle are the same component"),
        }
    }
}

/// A number and what it counts: the word for one, and the word for any other number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted(pub usize, pub &'static str, pub &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, one, many) = *self;
        write!(f, "{count} {}", if count == 1 { one } else { many })
    }
}

/// So many entities.
pub(crate) const fn entities(count: usize) -> Counted {
    Counted(count, "entity", "entities")
}
