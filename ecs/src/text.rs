//! Messages that are put together at compile time.

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
