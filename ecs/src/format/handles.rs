//! A serializer that writes nothing: it lists the handles of entities in a value, with the path of each.

use crate::entity::{Entity, HANDLE};
use crate::format::error::ReadError;
use crate::text::MEND_HANDLES;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;
use serde::ser::{self, Serialize, Serializer};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Returns the handles that a value writes, each with its path within the value: `members[2].to`.
pub(crate) fn handles_in(value: &(impl Serialize + ?Sized)) -> Vec<(String, Entity)> {
    let mut list = FoundHandles {
        path: String::new(),
        is_handle: false,
        text: String::new(),
        found: Vec::new(),
    };
    // If a part of the value cannot be written, its handles are not listed.
    let _ = value.serialize(&mut list);
    list.found
}

/// Returns an error that names the first of these handles that is not visited, in a value of this type, a `component` or
/// a `resource`. Returns none if a field within the value [keeps](crate::MapEntities::visit_entities) its handles.
pub(crate) fn refuse_unvisited(
    name: &str,
    attribute: &str,
    mut visited: Vec<Entity>,
    list: Vec<(String, Entity)>,
) -> Result<(), ReadError> {
    let mut first = None;
    for (path, entity) in list {
        match visited.iter().position(|it| *it == entity) {
            Some(place) => drop(visited.swap_remove(place)),
            None => first = first.or(Some((path, entity))),
        }
    }
    match first {
        Some((path, entity)) if !visited.contains(&Entity::PLACEHOLDER) => {
            Err(unvisited(name, attribute, &path, entity))
        }
        _ => Ok(()),
    }
}

#[cold]
fn unvisited(name: &str, attribute: &str, path: &str, entity: Entity) -> ReadError {
    ReadError::new(format!(
        "`{name}.{path}` is the handle {entity}, and nothing replaces it in another world{MEND_HANDLES}it, or let it stay as it is by \
         `#[{attribute}(entities = ignore)]` on the field of `{name}`"
    ))
}

struct FoundHandles {
    /// The path of the part that is being written.
    path: String,
    /// `true` if the next number is a handle.
    is_handle: bool,
    /// The text that was written last, which may be a key.
    text: String,
    found: Vec<(String, Entity)>,
}

impl FoundHandles {
    /// Writes a part with this name behind the path.
    fn part(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result {
        let len = self.path.len();
        if !name.starts_with('[') && len > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let written = value.serialize(&mut *self);
        self.path.truncate(len);
        written
    }

    /// Returns the parts of a value, behind the name of its variant, if it has one.
    fn parts(&mut self, variant: &str, is_list: bool) -> PartsWithHandles<'_> {
        let len = self.path.len();
        if !variant.is_empty() {
            self.path.push_str(if len > 0 { "." } else { "" });
            self.path.push_str(variant);
        }
        PartsWithHandles { list: self, len, next: 0, is_list }
    }
}

/// The parts of a list, a map, a struct or a tuple.
struct PartsWithHandles<'l> {
    list: &'l mut FoundHandles,
    /// The length of the path without the variant.
    len: usize,
    /// The position of the next part.
    next: usize,
    /// `true` if the parts have positions in brackets.
    is_list: bool,
}

impl PartsWithHandles<'_> {
    fn next(&mut self, value: &(impl Serialize + ?Sized)) -> Result {
        let name = if self.is_list { format!("[{}]", self.next) } else { format!("{}", self.next) };
        self.next += 1;
        self.list.part(&name, value)
    }
}

impl Drop for PartsWithHandles<'_> {
    fn drop(&mut self) {
        self.list.path.truncate(self.len);
    }
}

macro_rules! leaves {
    ($($serialize:ident($($ty:ty),*);)+) => {
        $(fn $serialize(self, $(_: $ty),*) -> Result {
            Ok(())
        })+
    };
}

impl<'l> Serializer for &'l mut FoundHandles {
    type Ok = ();
    type Error = ReadError;
    type SerializeSeq = PartsWithHandles<'l>;
    type SerializeTuple = PartsWithHandles<'l>;
    type SerializeTupleStruct = PartsWithHandles<'l>;
    type SerializeTupleVariant = PartsWithHandles<'l>;
    type SerializeMap = PartsWithHandles<'l>;
    type SerializeStruct = PartsWithHandles<'l>;
    type SerializeStructVariant = PartsWithHandles<'l>;

    fn is_human_readable(&self) -> bool {
        false
    }

    leaves! {
        serialize_bool(bool); serialize_char(char); serialize_bytes(&[u8]);
        serialize_u8(u8); serialize_u16(u16); serialize_u32(u32); serialize_u128(u128);
        serialize_i8(i8); serialize_i16(i16); serialize_i32(i32); serialize_i64(i64); serialize_i128(i128);
        serialize_f32(f32); serialize_f64(f64); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str); serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_str(self, text: &str) -> Result {
        self.text = text.into();
        Ok(())
    }
    fn serialize_u64(self, bits: u64) -> Result {
        if core::mem::take(&mut self.is_handle) {
            let path = self.path.clone();
            self.found.extend(Entity::from_bits(bits).map(|entity| (path, entity)));
        }
        Ok(())
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        if name == HANDLE {
            self.is_handle = true;
            return value.serialize(self);
        }
        self.part("0", value)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        self.parts(variant, false).next(value)
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts("", true))
    }
    fn serialize_tuple(self, _: usize) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts("", false))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts("", false))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts(variant, false))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts("", true))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts("", false))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<PartsWithHandles<'l>> {
        Ok(self.parts(variant, false))
    }
    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result {
        Ok(())
    }
}

/// Implements serde's traits for values whose parts have positions, or names.
macro_rules! parts {
    ($($whole:ident $part:ident($($name:ident)?);)+) => {
        $(impl ser::$whole for PartsWithHandles<'_> {
            type Ok = ();
            type Error = ReadError;

            fn $part<T: Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> Result {
                parts!(@one self, value, $($name)?)
            }
            fn end(self) -> Result {
                Ok(())
            }
        })+
    };
    (@one $this:ident, $value:ident,) => { $this.next($value) };
    (@one $this:ident, $value:ident, $name:ident) => { $this.list.part($name, $value) };
}
parts! {
    SerializeSeq serialize_element();
    SerializeTuple serialize_element();
    SerializeTupleStruct serialize_field();
    SerializeTupleVariant serialize_field();
    SerializeStruct serialize_field(name);
    SerializeStructVariant serialize_field(name);
}

impl ser::SerializeMap for PartsWithHandles<'_> {
    type Ok = ();
    type Error = ReadError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result {
        self.list.text.clear();
        self.list.part(&format!("[{}]", self.next), key)
    }
    /// A key that is a word is the name of the value: as of a field that serde flattens.
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        let key = core::mem::take(&mut self.list.text);
        if key.is_empty() || !key.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            return self.next(value);
        }
        self.next += 1;
        self.list.part(&key, value)
    }
    fn end(self) -> Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use std::collections::BTreeMap;
    use std::string::ToString;
    use std::vec;

    #[derive(Serialize)]
    struct Link {
        to: Option<Entity>,
        weight: u64,
    }

    #[derive(Serialize)]
    enum Order {
        Wait,
        Attack(Entity),
        Follow { leader: Entity },
        Swap(u64, Entity),
    }

    #[derive(Serialize)]
    struct Whole(Vec<Link>, [Order; 4], BTreeMap<u8, (u8, Entity)>, BTreeMap<&'static str, Entity>);

    #[test]
    fn each_handle_has_its_path() {
        let handle = |index: u64| Entity::from_bits(1 << 32 | index).unwrap();
        let links =
            vec![Link { to: None, weight: 1 << 32 }, Link { to: Some(handle(1)), weight: 0 }];
        let orders = [
            Order::Wait,
            Order::Attack(handle(2)),
            Order::Follow { leader: handle(3) },
            Order::Swap(1 << 32, handle(4)),
        ];
        let by_number = BTreeMap::from([(7, (0, handle(5)))]);
        let by_name = BTreeMap::from([("a word", handle(6)), ("word", handle(7))]);
        let whole = Whole(links, orders, by_number, by_name);
        let found = handles_in(&whole);
        let found: Vec<_> = found.iter().map(|(path, it)| (&**path, it.to_string())).collect();
        let expected = [
            ("0[1].to", "1v1"),
            ("1.1.Attack.0", "2v1"),
            ("1.2.Follow.leader", "3v1"),
            ("1.3.Swap.1", "4v1"),
            ("2[0].1", "5v1"),
            ("3[0]", "6v1"),
            ("3.word", "7v1"),
        ];
        assert_eq!(found, expected.map(|(path, it)| (path, it.to_string())));
    }
}
