//! Messages that are assembled at compile time, and numbers with their nouns.

use alloc::vec::Vec;
use core::fmt;
use core::mem;

/// A message that is assembled at compile time.
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

    /// Appends the name of a type without the modules of it and its arguments: `Stock<Apple>`.
    pub(crate) const fn push_type(mut self, name: &str) -> Self {
        let name = name.as_bytes();
        // The start of the path that is being appended.
        let (mut start, mut at) = (self.len, 0);
        while at < name.len() && self.len < self.bytes.len() {
            if name[at] == b':' && at + 1 < name.len() && name[at + 1] == b':' {
                self.len = start;
                at += 2;
                continue;
            }
            self.bytes[self.len] = name[at];
            self.len += 1;
            if name[at].is_ascii() && !name[at].is_ascii_alphanumeric() && name[at] != b'_' {
                start = self.len;
            }
            at += 1;
        }
        self
    }

    /// Returns the message.
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        let message = &self.bytes[..self.len];
        // Cut where room ended, perhaps within a character.
        core::str::from_utf8(message).unwrap_or_else(|error| {
            core::str::from_utf8(&message[..error.valid_up_to()]).unwrap_or_default()
        })
    }

    /// Panics with the message.
    #[track_caller]
    #[inline]
    pub(crate) const fn panic(self) -> ! {
        // Cut where room ended, perhaps within a character.
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("two parts of one query or bundle are the same component"),
        }
    }
}

/// The advice about handles of entities that nothing replaces, without its end.
pub(crate) const MEND_HANDLES: &str = ": add `#[derive(MapEntities)]` to the type that holds ";

/// Returns the nearest of these names: the one that needs the fewest letters to be inserted, removed or replaced, at
/// most half of them. O(names × letters²).
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let count = name.chars().count();
    let distances = known.into_iter().map(|known| (distance(name, known), known));
    let near = distances.filter(|(distance, _)| 2 * distance <= count);
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// The end of a message about an unknown name, which suggests the nearest one.
pub(crate) struct Nearest<'a>(pub Option<&'a str>);

impl fmt::Display for Nearest<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, " (the nearest is `{name}`)"))
    }
}

/// Returns the number of letters to insert, remove or replace to convert one text to another, ignoring case.
#[inline]
pub(crate) fn distance(from: &str, to: &str) -> usize {
    // The cost of converting the first letters of `from` to each prefix of `to`.
    let mut costs: Vec<usize> = (0..=to.chars().count()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = mem::replace(&mut costs[0], at + 1);
        for (before, other) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(!letter.eq_ignore_ascii_case(&other));
            diagonal = costs[before + 1];
            costs[before + 1] = replaced.min(diagonal + 1).min(costs[before] + 1);
        }
    }
    costs[to.chars().count()]
}

/// Returns the name of a function without its modules; a closure has the name of the enclosing
/// function.
#[inline]
pub(crate) fn short_name(full: &str) -> &str {
    let base = full.split_once('<').map_or(full, |(base, _)| base);
    let own = base.strip_suffix("::{{closure}}").unwrap_or(base);
    let start = own.rfind("::").map_or(0, |at| at + 2);
    &full[start..]
}

/// A number with its noun: the singular, and the plural.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted(pub usize, pub &'static str, pub &'static str);

impl fmt::Display for Counted {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, one, many) = *self;
        write!(f, "{count} {}", if count == 1 { one } else { many })
    }
}

/// Returns a number of entities.
pub(crate) const fn entities(count: usize) -> Counted {
    Counted(count, "entity", "entities")
}

#[cfg(test)]
mod tests {
    use super::{Text, nearest};

    #[test]
    fn names_of_types_lose_their_modules_and_nothing_else() {
        for (full, short) in [
            ("u32", "u32"),
            ("game::Health", "Health"),
            ("ecs::events::Events<game::combat::Hit>", "Events<Hit>"),
            ("a::B<c::D<e::F, [g::H; 2]>, (i::J,)>", "B<D<F, [H; 2]>, (J,)>"),
            ("größe::Höhe<ä::É>", "Höhe<É>"),
        ] {
            assert_eq!(
                Text::new().push("type ").push_type(full).as_str(),
                ["type ", short].concat()
            );
        }
    }

    #[test]
    fn the_nearest_name_takes_the_fewest_letters_and_a_far_one_is_none() {
        let known = ["Health", "Heat", "Position", "save"];
        for (name, near) in [
            ("Helth", Some("Health")),
            ("health", Some("Health")),
            ("Heart", Some("Heat")),
            ("Postion", Some("Position")),
            ("svae", Some("save")),
            ("sve", Some("save")),
            ("Velocity", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), near, "{name}");
        }
        assert_eq!(nearest("x", []), None);
    }
}
