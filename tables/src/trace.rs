//! The shape of a type, found by its `Deserialize`: it is read from values that this module makes up.
//!
//! Each reading takes one way through the type: one variant of each enum. The type is read again until all ways were
//! taken. Where a type refuses a value, such as zero for a `NonZeroU32`, the next candidate is tried.

use crate::error::Fault;
use arrow_schema::{DataType, TimeUnit};
use core::any::type_name;
use ecs::Entity;
use serde::Deserialize;
use serde::de::value::{StrDeserializer, U64Deserializer};
use serde::de::{self, DeserializeSeed, Error as _, IntoDeserializer, Visitor};

/// The traced facts about a type, or about a part of it.
#[derive(Debug)]
pub(crate) enum Traced {
    Unknown,
    Unit,
    Leaf(Leaf),
    Option(Box<Traced>),
    /// The fields of a struct, or the parts of a tuple by their positions.
    Struct(Vec<(String, Traced)>),
    List(Box<Traced>),
    Map(Box<(Traced, Traced)>),
    Enum(Vec<(String, Traced)>),
}

/// A single value.
#[derive(Debug)]
pub(crate) struct Leaf {
    asked: Asked,
    /// The candidate that is tried.
    candidate: usize,
    /// The time of the last reading, by which a failed reading finds its cause.
    read: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Number(&'static DataType),
    /// A number of 128 bits, which is text in a table.
    Wide,
    Bool,
    Char,
    Text,
    Bytes,
    Time,
}

/// The content of a column of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Written {
    Text,
    Handle,
    Instant,
    LocalTime,
    Date,
}

/// Texts that a type may accept, and what one that accepts them, and none before, is written as.
const TEXTS: [(&str, Written); 12] = [
    ("", Written::Text),
    ("a", Written::Text),
    ("0v1", Written::Handle),
    ("1970-01-01T00:00:00Z", Written::Instant),
    ("1970-01-01T00:00:00", Written::LocalTime),
    ("1970-01-01", Written::Date),
    ("00:00:00", Written::Text),
    ("0", Written::Text),
    ("127.0.0.1", Written::Text),
    ("::1", Written::Text),
    ("127.0.0.1:80", Written::Text),
    ("00000000-0000-0000-0000-000000000001", Written::Text),
];

impl Leaf {
    fn candidates(&self) -> usize {
        match self.asked {
            Asked::Text => TEXTS.len(),
            Asked::Char | Asked::Bytes | Asked::Time => 1,
            Asked::Number(_) | Asked::Wide | Asked::Bool => 2,
        }
    }

    /// Returns the type of its column, and whether handles of entities are in it.
    pub(crate) fn column(&self) -> (DataType, bool) {
        let written = match self.asked {
            Asked::Number(number) => return (number.clone(), false),
            Asked::Bool => return (DataType::Boolean, false),
            Asked::Bytes => return (DataType::LargeBinary, false),
            Asked::Wide | Asked::Char => Written::Text,
            Asked::Time => Written::Instant,
            Asked::Text => TEXTS[self.candidate].1,
        };
        let data = match written {
            Written::Text | Written::Handle => DataType::LargeUtf8,
            Written::Instant => DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
            Written::LocalTime => DataType::Timestamp(TimeUnit::Nanosecond, None),
            Written::Date => DataType::Date32,
        };
        (data, written == Written::Handle)
    }
}

/// The deepest that types nest.
const MOST_DEPTH: usize = 64;
/// The most readings of one type.
const MOST_READINGS: usize = 10_000;

/// Returns the shape of `T`.
pub(crate) fn trace<'de, T: Deserialize<'de>>() -> Result<Traced, Fault> {
    let mut root = Traced::Unknown;
    let mut state = State { clock: 0, depth: 0, fatal: None };
    for _ in 0..MOST_READINGS {
        let start = state.clock;
        state.depth = 0;
        match T::deserialize(Tracer { node: &mut root, state: &mut state }) {
            Ok(_) if root.is_complete() => return Ok(root),
            Ok(_) => {}
            Err(error) => {
                if let Some(fatal) = state.fatal {
                    return Err(Fault::new(fatal.to_owned()));
                }
                let blamed = root.leaf_read_at(state.clock).filter(|_| state.clock > start);
                match blamed {
                    Some(leaf) if leaf.candidate + 1 < leaf.candidates() => leaf.candidate += 1,
                    _ => return Err(error),
                }
            }
        }
    }
    Err(Fault::new("the type has too many variants"))
}

impl Traced {
    fn is_complete(&self) -> bool {
        match self {
            Self::Unknown => false,
            Self::Unit | Self::Leaf(_) => true,
            Self::Option(inner) | Self::List(inner) => inner.is_complete(),
            Self::Map(both) => both.0.is_complete() && both.1.is_complete(),
            Self::Struct(parts) | Self::Enum(parts) => parts.iter().all(|it| it.1.is_complete()),
        }
    }

    /// Returns the leaf that was read at this time of the clock.
    fn leaf_read_at(&mut self, time: u64) -> Option<&mut Leaf> {
        match self {
            Self::Unknown | Self::Unit => None,
            Self::Leaf(leaf) => (leaf.read == time).then_some(leaf),
            Self::Option(inner) | Self::List(inner) => inner.leaf_read_at(time),
            Self::Map(both) => {
                let (key, value) = &mut **both;
                key.leaf_read_at(time).or_else(|| value.leaf_read_at(time))
            }
            Self::Struct(parts) | Self::Enum(parts) => {
                parts.iter_mut().find_map(|it| it.1.leaf_read_at(time))
            }
        }
    }
}

struct State {
    /// Counts the leaves that are read.
    clock: u64,
    depth: usize,
    /// Why the type has no shape, whatever it is read from.
    fatal: Option<&'static str>,
}

struct Tracer<'a> {
    node: &'a mut Traced,
    state: &'a mut State,
}

impl<'a> Tracer<'a> {
    fn fail<T>(self, why: &'static str) -> Result<T, Fault> {
        self.state.fatal = Some(why);
        Err(Fault::new(why.to_owned()))
    }

    /// Reads a leaf. Returns the candidate to be tried.
    fn leaf(self, asked: Asked) -> usize {
        self.state.clock += 1;
        let read = self.state.clock;
        match self.node {
            Traced::Leaf(leaf) if leaf.asked == asked => {
                leaf.read = read;
                leaf.candidate
            }
            node => {
                *node = Traced::Leaf(Leaf { asked, candidate: 0, read });
                0
            }
        }
    }

    fn number(self, number: &'static DataType) -> U64Deserializer<Fault> {
        (self.leaf(Asked::Number(number)) as u64).into_deserializer()
    }

    /// Begins to read the parts of this node.
    fn enter(self) -> Result<Self, Fault> {
        self.state.depth += 1;
        if self.state.depth > MOST_DEPTH {
            return self.fail("the type holds itself: give its columns by `Columns::from_schema`");
        }
        Ok(self)
    }

    fn parts(self, names: impl Iterator<Item = String>) -> Result<Parts<'a>, Fault> {
        let Self { node, state } = self.enter()?;
        if !matches!(node, Traced::Struct(_)) {
            *node = Traced::Struct(names.map(|name| (name, Traced::Unknown)).collect());
        }
        let Traced::Struct(parts) = node else { unreachable!("it was just made") };
        Ok(Parts { left: parts.iter_mut(), next: None, state })
    }
}

const NO_SHAPE: &str = "the type does not say what it is made of (it uses `flatten`, `untagged` or `tag` of \
                        serde): give its columns by `Columns::from_schema`";

macro_rules! numbers {
    ($($method:ident $data:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            de::Deserializer::deserialize_any(self.number(&DataType::$data), visitor)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Tracer<'_> {
    type Error = Fault;

    numbers! {
        deserialize_i8 Int8 deserialize_i16 Int16 deserialize_i32 Int32 deserialize_i64 Int64
        deserialize_u8 UInt8 deserialize_u16 UInt16 deserialize_u32 UInt32 deserialize_u64 UInt64
        deserialize_f32 Float32 deserialize_f64 Float64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_i128(self.leaf(Asked::Wide) as i128)
    }
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_u128(self.leaf(Asked::Wide) as u128)
    }
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_bool(self.leaf(Asked::Bool) == 1)
    }
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.leaf(Asked::Char);
        visitor.visit_char('a')
    }
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_str(TEXTS[self.leaf(Asked::Text)].0)
    }
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.leaf(Asked::Bytes);
        visitor.visit_bytes(&[])
    }
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_bytes(visitor)
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Self { node, state } = self.enter()?;
        if !matches!(node, Traced::Option(_)) {
            *node = Traced::Option(Box::new(Traced::Unknown));
        }
        let Traced::Option(inner) = node else { unreachable!("it was just made") };
        let depth = state.depth;
        let read = visitor.visit_some(Tracer { node: inner, state: &mut *state });
        state.depth = depth - 1;
        read
    }
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        *self.node = Traced::Unit;
        visitor.visit_unit()
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self.enter()?)
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Self { node, state } = self.enter()?;
        if !matches!(node, Traced::List(_)) {
            *node = Traced::List(Box::new(Traced::Unknown));
        }
        let Traced::List(item) = node else { unreachable!("it was just made") };
        visitor.visit_seq(Items { item: Some(item), state })
    }
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_seq(self.parts((0..len).map(|at| at.to_string()))?)
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(len, visitor)
    }
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Self { node, state } = self.enter()?;
        if !matches!(node, Traced::Map(_)) {
            *node = Traced::Map(Box::new((Traced::Unknown, Traced::Unknown)));
        }
        let Traced::Map(both) = node else { unreachable!("it was just made") };
        let (key, value) = &mut **both;
        visitor.visit_map(Entries { key: Some(key), value: Some(value), state })
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if (name, fields) == crate::time::SYSTEM_TIME {
            self.leaf(Asked::Time);
            return visitor.visit_seq(de::value::SeqDeserializer::new([0_u32, 0].into_iter()));
        }
        visitor.visit_map(self.parts(fields.iter().map(|&name| name.to_owned()))?)
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let Self { node, state } = self.enter()?;
        if !matches!(node, Traced::Enum(_)) {
            let all = variants.iter().map(|&name| (name.to_owned(), Traced::Unknown));
            *node = Traced::Enum(all.collect());
        }
        let Traced::Enum(variants) = node else { unreachable!("it was just made") };
        let at = variants.iter().position(|it| !it.1.is_complete()).unwrap_or(0);
        match variants.get_mut(at) {
            Some((name, node)) => {
                visitor.visit_enum(Variant { name, tracer: Tracer { node, state } })
            }
            None => Err(Fault::new("the enum has no variants")),
        }
    }
    /// A handle accepts a text or a number, and is the only such type that is recognised by its name.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if type_name::<V::Value>() == type_name::<Entity>() {
            return self.deserialize_str(visitor);
        }
        self.fail(NO_SHAPE)
    }
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        self.fail(NO_SHAPE)
    }
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

/// Yields the parts of a struct or a tuple.
struct Parts<'a> {
    left: std::slice::IterMut<'a, (String, Traced)>,
    next: Option<&'a mut Traced>,
    state: &'a mut State,
}

impl Parts<'_> {
    fn read<'de, S: DeserializeSeed<'de>>(
        state: &mut State,
        node: &mut Traced,
        seed: S,
    ) -> Result<S::Value, Fault> {
        let depth = state.depth;
        let read = seed.deserialize(Tracer { node, state: &mut *state });
        state.depth = depth;
        read
    }
}

impl<'de> de::SeqAccess<'de> for Parts<'_> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some((_, node)) = self.left.next() else { return Ok(None) };
        Self::read(self.state, node, seed).map(Some)
    }
}

impl<'de> de::MapAccess<'de> for Parts<'_> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some((name, node)) = self.left.next() else { return Ok(None) };
        self.next = Some(node);
        let name: StrDeserializer<'_, Fault> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let node = self.next.take().ok_or_else(|| Fault::custom("a value without a key"))?;
        Self::read(self.state, node, seed)
    }
}

/// Yields one item of a list.
struct Items<'a> {
    item: Option<&'a mut Traced>,
    state: &'a mut State,
}

impl<'de> de::SeqAccess<'de> for Items<'_> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some(node) = self.item.take() else { return Ok(None) };
        Parts::read(self.state, node, seed).map(Some)
    }
}

/// Yields one entry of a map.
struct Entries<'a> {
    key: Option<&'a mut Traced>,
    value: Option<&'a mut Traced>,
    state: &'a mut State,
}

impl<'de> de::MapAccess<'de> for Entries<'_> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some(node) = self.key.take() else { return Ok(None) };
        Parts::read(self.state, node, seed).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let node = self.value.take().ok_or_else(|| Fault::custom("a value without a key"))?;
        Parts::read(self.state, node, seed)
    }
}

/// Yields a variant of an enum.
struct Variant<'a> {
    name: &'a str,
    tracer: Tracer<'a>,
}

impl<'de, 'a> de::EnumAccess<'de> for Variant<'a> {
    type Error = Fault;
    type Variant = Tracer<'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Tracer<'a>), Fault> {
        let name: StrDeserializer<'_, Fault> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self.tracer))
    }
}

impl<'de> de::VariantAccess<'de> for Tracer<'_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        *self.node = Traced::Unit;
        Ok(())
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(self)
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        de::Deserializer::deserialize_tuple(self, len, visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(self.parts(fields.iter().map(|&name| name.to_owned()))?)
    }
}
