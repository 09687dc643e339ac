//! The shape of a type, found by its `Deserialize`: it is read from samples.
//!
//! Each reading takes one way through the type: one variant of each enum. The type is read again until all ways were
//! taken. Where a type refuses a sample, such as zero for a `NonZeroU32`, the next one is tried.

use crate::{NoShape, Number, Shape, Text};
use ecs::Entity;
use serde::Deserialize;
use serde::de::value::{self, StrDeserializer, U64Deserializer, UnitDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Unexpected, Visitor};
use std::fmt;

/// A part of a type, as far as it is known.
#[derive(Debug)]
enum Node {
    Unknown,
    Unit,
    Leaf(Leaf),
    Option(Box<Node>),
    List(Box<Node>),
    Map(Box<(Node, Node)>),
    Newtype(&'static str, Box<Node>),
    Tuple(Vec<Node>),
    Struct(&'static str, Vec<(&'static str, Node)>),
    Enum(&'static str, Vec<(&'static str, Node)>),
}

/// A single value.
#[derive(Debug)]
struct Leaf {
    request: Request,
    /// The sample that is tried.
    sample: usize,
    /// When it was last read: the last one of a reading that failed is to blame.
    read: u64,
}

/// A request of a type to its deserializer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Request {
    Number(Number),
    Bool,
    Char,
    Text,
    Bytes,
    Time,
    Entity,
    Any,
    /// A type with this name within itself.
    Within(&'static str),
}

/// Texts that a type may accept, and the shape of a text that accepts them, and none before.
const TEXTS: [(&str, Shape); 12] = [
    ("", Shape::Text(Text::Any)),
    ("a", Shape::Text(Text::Any)),
    ("0v1", Shape::Entity),
    ("1970-01-01T00:00:00Z", Shape::Text(Text::Instant)),
    ("1970-01-01T00:00:00", Shape::Text(Text::LocalTime)),
    ("1970-01-01", Shape::Text(Text::Date)),
    ("00:00:00", Shape::Text(Text::Any)),
    ("0", Shape::Text(Text::Any)),
    ("127.0.0.1", Shape::Text(Text::Any)),
    ("::1", Shape::Text(Text::Any)),
    ("127.0.0.1:80", Shape::Text(Text::Any)),
    ("00000000-0000-0000-0000-000000000001", Shape::Text(Text::Any)),
];

impl Request {
    /// Returns the number of samples.
    fn samples(self) -> usize {
        match self {
            Self::Text => TEXTS.len(),
            Self::Number(_) | Self::Bool => 2,
            Self::Any => 3,
            Self::Within(_) => 16,
            Self::Char | Self::Bytes | Self::Time | Self::Entity => 1,
        }
    }
}

/// The deepest that types nest.
const MOST_DEPTH: usize = 64;
/// The most readings of one type.
const MOST_READINGS: usize = 10_000;
/// The name and the fields of `std::time::SystemTime`, for serde.
const SYSTEM_TIME: (&str, &[&str]) = ("SystemTime", &["secs_since_epoch", "nanos_since_epoch"]);

/// Calls `read` with a deserializer until the shape of the value that it reads is found. Returns the shape, and an error if
/// parts of it are not found.
pub(crate) fn trace<E: fmt::Display>(
    mut read: impl FnMut(Tracer<'_>) -> Result<(), E>,
) -> (Shape, Option<NoShape>) {
    let mut root = Node::Unknown;
    let mut state = State { clock: 0, sample: None, open: Vec::new(), fatal: None };
    let mut error = Some(NoShape::TooLarge);
    for _ in 0..MOST_READINGS {
        let start = state.clock;
        (state.sample, state.open) = (None, Vec::new());
        match read(Tracer { node: &mut root, state: &mut state, depth: 0 }) {
            Ok(()) if root.is_complete() => {
                error = None;
                break;
            }
            Ok(()) => {}
            Err(refused) => {
                let blamed = root.leaf_read_at(state.clock).filter(|_| state.clock > start);
                match blamed {
                    Some(leaf) if leaf.sample + 1 < leaf.request.samples() => leaf.sample += 1,
                    _ => {
                        error = Some(NoShape::Refused(refused.to_string()));
                        break;
                    }
                }
            }
        }
    }
    (root.into_shape(), state.fatal.or(error))
}

impl Node {
    fn parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Unknown | Self::Unit | Self::Leaf(_) => Box::new([].into_iter()),
            Self::Option(of) | Self::List(of) | Self::Newtype(_, of) => {
                Box::new([&**of].into_iter())
            }
            Self::Map(both) => Box::new([&both.0, &both.1].into_iter()),
            Self::Tuple(parts) => Box::new(parts.iter()),
            Self::Struct(_, parts) | Self::Enum(_, parts) => {
                Box::new(parts.iter().map(|(_, part)| part))
            }
        }
    }

    fn is_complete(&self) -> bool {
        !matches!(self, Self::Unknown) && self.parts().all(Self::is_complete)
    }

    /// Returns the leaf that was read at this time of the clock.
    fn leaf_read_at(&mut self, time: u64) -> Option<&mut Leaf> {
        match self {
            Self::Unknown | Self::Unit => None,
            Self::Leaf(leaf) => (leaf.read == time).then_some(leaf),
            Self::Option(of) | Self::List(of) | Self::Newtype(_, of) => of.leaf_read_at(time),
            Self::Map(both) => {
                let (key, value) = &mut **both;
                key.leaf_read_at(time).or_else(|| value.leaf_read_at(time))
            }
            Self::Tuple(parts) => parts.iter_mut().find_map(|it| it.leaf_read_at(time)),
            Self::Struct(_, parts) | Self::Enum(_, parts) => {
                parts.iter_mut().find_map(|it| it.1.leaf_read_at(time))
            }
        }
    }

    fn into_shape(self) -> Shape {
        let boxed = |of: Box<Self>| Box::new(of.into_shape());
        let named = |parts: Vec<(&'static str, Self)>| {
            parts.into_iter().map(|(name, part)| (name, part.into_shape())).collect()
        };
        match self {
            Self::Unknown => Shape::Unknown(None),
            Self::Unit => Shape::Unit,
            Self::Leaf(leaf) => match leaf.request {
                Request::Number(number) => Shape::Number(number),
                Request::Bool => Shape::Bool,
                Request::Char => Shape::Char,
                Request::Text => TEXTS[leaf.sample].1.clone(),
                Request::Bytes => Shape::Bytes,
                Request::Time => Shape::Time,
                Request::Entity => Shape::Entity,
                Request::Any => Shape::Unknown(None),
                Request::Within(name) => Shape::Within(name),
            },
            Self::Option(of) => Shape::Option(boxed(of)),
            Self::List(of) => Shape::List(boxed(of)),
            Self::Map(both) => Shape::Map(Box::new((both.0.into_shape(), both.1.into_shape()))),
            Self::Newtype(name, of) => Shape::Newtype(name, boxed(of)),
            Self::Tuple(parts) => Shape::Tuple(parts.into_iter().map(Self::into_shape).collect()),
            Self::Struct(name, parts) => Shape::Struct(name, named(parts)),
            Self::Enum(name, variants) => Shape::Enum(name, named(variants)),
        }
    }
}

struct State {
    /// Counts the leaves that are read.
    clock: u64,
    /// The sample to take of each leaf and enum within a type that is within itself. Its lists are empty.
    sample: Option<usize>,
    /// The types that are being read, with their fields or variants.
    open: Vec<(&'static str, &'static [&'static str])>,
    /// The reason why the type has no shape, if no sample can help.
    fatal: Option<NoShape>,
}

/// A deserializer of samples, which notes in `node` the requests that it gets.
pub(crate) struct Tracer<'a> {
    node: &'a mut Node,
    state: &'a mut State,
    depth: usize,
}

type Error = value::Error;

impl<'a> Tracer<'a> {
    fn fail<T>(self, why: NoShape) -> Result<T, Error> {
        let error = de::Error::custom(&why);
        // Within a type that is within itself another sample may do.
        if self.state.sample.is_none() {
            self.state.fatal = Some(why);
        }
        Err(error)
    }

    /// Reads a leaf. Returns the sample to try.
    fn leaf(self, request: Request) -> usize {
        if let Some(sample) = self.state.sample {
            return sample % request.samples();
        }
        self.state.clock += 1;
        let read = self.state.clock;
        match self.node {
            Node::Leaf(leaf) if leaf.request == request => {
                leaf.read = read;
                leaf.sample
            }
            node => {
                *node = Node::Leaf(Leaf { request, sample: 0, read });
                0
            }
        }
    }

    fn number(self, number: Number) -> U64Deserializer<Error> {
        (self.leaf(Request::Number(number)) as u64).into_deserializer()
    }

    /// Begins to read the parts of this node, which becomes a container if it is none.
    fn begin(self, is_one: fn(&Node) -> bool, new: fn() -> Node) -> Result<Self, Error> {
        if self.depth > MOST_DEPTH {
            return self.fail(NoShape::TooDeep);
        }
        if !is_one(self.node) {
            *self.node = new();
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    /// Reads a type that has a name, and these fields or variants.
    fn named<T>(
        self,
        name: &'static str,
        parts: &'static [&'static str],
        read: impl FnOnce(Tracer<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Self { node, state, depth } = self.begin(|_| true, || Node::Unknown)?;
        if state.sample.is_some() {
            return read(Tracer { node, state, depth });
        }
        // Records of a defined component may have no name, and be within others with the same fields.
        if !name.is_empty() && state.open.contains(&(name, parts)) {
            let sample = Tracer { node, state: &mut *state, depth }.leaf(Request::Within(name));
            state.sample = Some(sample);
            let value = read(Tracer { node: &mut Node::Unknown, state: &mut *state, depth });
            state.sample = None;
            return value;
        }
        state.open.push((name, parts));
        let value = read(Tracer { node, state: &mut *state, depth });
        state.open.pop();
        value
    }

    /// Returns the tracer of the only field of this node.
    fn newtype(self, name: &'static str) -> Self {
        let Self { node, state, depth } = self;
        if !matches!(node, Node::Newtype(..)) {
            *node = Node::Newtype(name, Box::new(Node::Unknown));
        }
        let Node::Newtype(_, node) = node else { unreachable!("it was just made") };
        Self { node, state, depth }
    }

    fn fields<'de, V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Self { node, state, depth } = self;
        if !matches!(node, Node::Struct(..)) {
            *node = Node::Struct(name, fields.iter().map(|name| (*name, Node::Unknown)).collect());
        }
        let Node::Struct(_, parts) = node else { unreachable!("it was just made") };
        visitor.visit_map(Fields { left: parts.iter_mut(), next: None, state, depth })
    }
}

macro_rules! numbers {
    ($($method:ident $number:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.number(Number::$number).deserialize_any(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Tracer<'_> {
    type Error = Error;

    numbers! {
        deserialize_i8 I8 deserialize_i16 I16 deserialize_i32 I32 deserialize_i64 I64
        deserialize_u8 U8 deserialize_u16 U16 deserialize_u32 U32 deserialize_u64 U64
        deserialize_f32 F32 deserialize_f64 F64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i128(self.leaf(Request::Number(Number::I128)) as i128)
    }
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u128(self.leaf(Request::Number(Number::U128)) as u128)
    }
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.leaf(Request::Bool) == 1)
    }
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Request::Char);
        visitor.visit_char('a')
    }
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(TEXTS[self.leaf(Request::Text)].0)
    }
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Request::Bytes);
        visitor.visit_bytes(&[])
    }
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        *self.node = Node::Unit;
        visitor.visit_unit()
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let is_one = |node: &Node| matches!(node, Node::Option(_));
        let Self { node, state, depth } =
            self.begin(is_one, || Node::Option(Box::new(Node::Unknown)))?;
        let Node::Option(node) = node else { unreachable!("it was just made") };
        if state.sample.is_some() {
            return visitor.visit_none();
        }
        visitor.visit_some(Tracer { node, state, depth })
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.named(name, &[], |tracer| visitor.visit_newtype_struct(tracer.newtype(name)))
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let is_one = |node: &Node| matches!(node, Node::List(_));
        let Self { node, state, depth } =
            self.begin(is_one, || Node::List(Box::new(Node::Unknown)))?;
        let Node::List(item) = node else { unreachable!("it was just made") };
        let count = usize::from(state.sample.is_none());
        visitor.visit_seq(Items {
            left: std::slice::from_mut(&mut **item)[..count].iter_mut(),
            state,
            depth,
        })
    }
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let Self { node, state, depth } = self.begin(|_| true, || Node::Unknown)?;
        if !matches!(node, Node::Tuple(_)) {
            *node = Node::Tuple((0..len).map(|_| Node::Unknown).collect());
        }
        let Node::Tuple(parts) = node else { unreachable!("it was just made") };
        visitor.visit_seq(Items { left: parts.iter_mut(), state, depth })
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let is_one = |node: &Node| matches!(node, Node::Map(_));
        let new = || Node::Map(Box::new((Node::Unknown, Node::Unknown)));
        let Self { node, state, depth } = self.begin(is_one, new)?;
        let Node::Map(both) = node else { unreachable!("it was just made") };
        let (key, value) = &mut **both;
        let key = state.sample.is_none().then_some(key);
        visitor.visit_map(Entries { key, value: Some(value), state, depth })
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if (name, fields) == SYSTEM_TIME {
            self.leaf(Request::Time);
            return visitor.visit_seq(value::SeqDeserializer::new([0_u32, 0].into_iter()));
        }
        self.named(name, fields, |tracer| tracer.fields(name, fields, visitor))
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.named(name, variants, |tracer| {
            let Tracer { node, state, depth } = tracer;
            if !matches!(node, Node::Enum(..)) {
                *node =
                    Node::Enum(name, variants.iter().map(|name| (*name, Node::Unknown)).collect());
            }
            let Node::Enum(_, parts) = node else { unreachable!("it was just made") };
            let at = match state.sample {
                Some(sample) => sample.checked_rem(parts.len()).unwrap_or(0),
                None => parts.iter().position(|it| !it.1.is_complete()).unwrap_or(0),
            };
            match parts.get_mut(at) {
                Some((name, node)) => {
                    visitor.visit_enum(Variant { name, tracer: Tracer { node, state, depth } })
                }
                None => Err(de::Error::custom("an enum without variants has no value")),
            }
        })
    }
    /// A handle is recognized by the message of its errors: it requests a text or a number, and no type of its own.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let error: Error = de::Error::invalid_type(Unexpected::Unit, &visitor);
        let of_entity = Entity::deserialize(UnitDeserializer::<Error>::new());
        if of_entity.is_err_and(|it| it.to_string() == error.to_string()) {
            self.leaf(Request::Entity);
            return visitor.visit_u64(Entity::PLACEHOLDER.to_bits());
        }
        self.state.fatal = Some(NoShape::AnyForm);
        match self.leaf(Request::Any) {
            0 => visitor.visit_str("a"),
            1 => visitor.visit_u64(1),
            _ => visitor.visit_unit(),
        }
    }
    /// Only a struct whose fields are not listed requests its keys of a map.
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.fail(NoShape::AnyForm)
    }
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

/// The item of a list, or the parts of a tuple.
struct Items<'a> {
    left: std::slice::IterMut<'a, Node>,
    state: &'a mut State,
    depth: usize,
}

impl<'de> de::SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(node) = self.left.next() else { return Ok(None) };
        seed.deserialize(Tracer { node, state: self.state, depth: self.depth }).map(Some)
    }
}

/// The fields of a struct.
struct Fields<'a> {
    left: std::slice::IterMut<'a, (&'static str, Node)>,
    next: Option<&'a mut Node>,
    state: &'a mut State,
    depth: usize,
}

impl<'de> de::MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((name, node)) = self.left.next() else { return Ok(None) };
        self.next = Some(node);
        let name: StrDeserializer<'_, Error> = (*name).into_deserializer();
        seed.deserialize(name).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let node = self.next.take().ok_or_else(no_key)?;
        seed.deserialize(Tracer { node, state: self.state, depth: self.depth })
    }
}

/// The entry of a map.
struct Entries<'a> {
    key: Option<&'a mut Node>,
    value: Option<&'a mut Node>,
    state: &'a mut State,
    depth: usize,
}

impl<'de> de::MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(node) = self.key.take() else { return Ok(None) };
        seed.deserialize(Tracer { node, state: self.state, depth: self.depth }).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let node = self.value.take().ok_or_else(no_key)?;
        seed.deserialize(Tracer { node, state: self.state, depth: self.depth })
    }
}

fn no_key() -> Error {
    de::Error::custom("a value without a key")
}

/// A variant of an enum.
struct Variant<'a> {
    name: &'static str,
    tracer: Tracer<'a>,
}

impl<'de, 'a> de::EnumAccess<'de> for Variant<'a> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        *self.tracer.node = Node::Unit;
        Ok(())
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.tracer.newtype(self.name))
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.tracer.deserialize_tuple(len, visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.tracer.fields(self.name, fields, visitor)
    }
}
