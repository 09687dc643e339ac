//! The shape of a component, found out from its `Deserialize`.
//!
//! A value is read from a deserializer that answers each request with a sample, and notes what was requested. The value
//! is dropped. An enum takes as many readings as it has variants. A type that refuses samples, or asks for anything
//! (`untagged`, `serde_json::Value`), ends the trace there: that part of the shape is unknown.

use ecs::World;
use ecs::by_name::{Kind, Values};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A type refers to itself so often at most.
const DEEPEST: usize = 8;
/// So many readings find all variants, or the others stay unknown.
const READINGS: usize = 128;

/// The shapes that were found out, by the names of types.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    known: BTreeMap<&'static str, Shape>,
}

impl Shapes {
    /// Returns the shape of a component.
    pub(crate) fn of(&mut self, world: &mut World, kind: Kind) -> &Shape {
        self.known.entry(kind.type_name()).or_insert_with(|| Shape::trace(world, kind))
    }
}

/// The shape of a type, and of the types that it names.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) root: Part,
    pub(crate) types: BTreeMap<&'static str, Named>,
}

/// The shape of a part of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Part {
    #[default]
    Unknown,
    Bool,
    Uint,
    Int,
    Float,
    Text,
    Unit,
    Entity,
    Option(Box<Part>),
    List(Box<Part>),
    Tuple(Vec<Part>),
    Map(Box<Part>),
    Newtype(Box<Part>),
    /// One of the [types](Shape::types).
    Named(&'static str),
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    Struct(Vec<(&'static str, Part)>),
    /// `None` for a variant that was not reached.
    Enum(Vec<(&'static str, Option<Variant>)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Variant {
    Unit,
    Newtype(Part),
    Tuple(Vec<Part>),
    Struct(Vec<(&'static str, Part)>),
}

impl Shape {
    /// Reads samples until all variants were seen.
    fn trace(world: &mut World, kind: Kind) -> Self {
        let state = RefCell::new(State::default());
        let root = RefCell::new(Part::Unknown);
        for _ in 0..READINGS {
            *root.borrow_mut() = Part::Unknown;
            state.borrow_mut().is_complete = true;
            let tracer = Tracer { state: &state, out: &root, depth: 0 };
            drop(Values::new().read(world, kind, tracer));
            if state.borrow().is_complete {
                break;
            }
        }
        Self { root: root.into_inner(), types: state.into_inner().types }
    }

    /// Returns the shape as the inspector reads it.
    pub(crate) fn to_json(&self) -> Value {
        let fields = |fields: &[(&str, Part)]| -> Vec<Value> {
            fields.iter().map(|(name, part)| json!([name, part.to_json()])).collect()
        };
        let variant = |variant: &Option<Variant>| match variant {
            None => json!({ "kind": "unknown" }),
            Some(Variant::Unit) => json!({ "kind": "unit" }),
            Some(Variant::Newtype(part)) => json!({ "kind": "newtype", "of": part.to_json() }),
            Some(Variant::Tuple(parts)) => Part::Tuple(parts.clone()).to_json(),
            Some(Variant::Struct(list)) => json!({ "kind": "struct", "fields": fields(list) }),
        };
        let types: serde_json::Map<String, Value> = self
            .types
            .iter()
            .map(|(name, named)| {
                let shape = match named {
                    Named::Struct(list) => json!({ "kind": "struct", "fields": fields(list) }),
                    Named::Enum(variants) => json!({
                        "kind": "enum",
                        "variants": variants.iter().map(|(name, it)| json!([name, variant(it)])).collect::<Vec<_>>(),
                    }),
                };
                ((*name).to_owned(), shape)
            })
            .collect();
        json!({ "root": self.root.to_json(), "types": types })
    }
}

impl Part {
    fn to_json(&self) -> Value {
        let plain = |kind: &str| json!({ "kind": kind });
        match self {
            Self::Unknown => plain("unknown"),
            Self::Bool => plain("bool"),
            Self::Uint => plain("uint"),
            Self::Int => plain("int"),
            Self::Float => plain("float"),
            Self::Text => plain("text"),
            Self::Unit => plain("unit"),
            Self::Entity => plain("entity"),
            Self::Option(of) => json!({ "kind": "option", "of": of.to_json() }),
            Self::List(of) => json!({ "kind": "list", "of": of.to_json() }),
            Self::Map(of) => json!({ "kind": "map", "of": of.to_json() }),
            Self::Newtype(of) => json!({ "kind": "newtype", "of": of.to_json() }),
            Self::Tuple(parts) => {
                json!({ "kind": "tuple", "of": parts.iter().map(Self::to_json).collect::<Vec<_>>() })
            }
            Self::Named(name) => json!({ "kind": "named", "name": name }),
        }
    }
}

#[derive(Default)]
struct State {
    types: BTreeMap<&'static str, Named>,
    is_complete: bool,
}

/// A deserializer that returns samples, and records the requests in `out`.
#[derive(Clone, Copy)]
struct Tracer<'a> {
    state: &'a RefCell<State>,
    out: &'a RefCell<Part>,
    depth: usize,
}

impl<'a> Tracer<'a> {
    fn note(self, part: Part) {
        *self.out.borrow_mut() = part;
    }

    /// Traces a part of the value into `out`.
    fn within(self, out: &'a RefCell<Part>) -> Self {
        Self { out, depth: self.depth + 1, ..self }
    }
}

macro_rules! samples {
    ($($method:ident $part:ident $visit:ident($sample:expr);)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.note(Part::$part);
            visitor.$visit($sample)
        })*
    };
}

impl<'de> Deserializer<'de> for Tracer<'_> {
    type Error = Error;

    samples! {
        deserialize_bool Bool visit_bool(true);
        deserialize_i8 Int visit_i8(1);
        deserialize_i16 Int visit_i16(1);
        deserialize_i32 Int visit_i32(1);
        deserialize_i64 Int visit_i64(1);
        deserialize_i128 Int visit_i128(1);
        deserialize_u8 Uint visit_u8(1);
        deserialize_u16 Uint visit_u16(1);
        deserialize_u32 Uint visit_u32(1);
        deserialize_u64 Uint visit_u64(1);
        deserialize_u128 Uint visit_u128(1);
        deserialize_f32 Float visit_f32(1.0);
        deserialize_f64 Float visit_f64(1.0);
        deserialize_char Text visit_char('a');
        deserialize_str Text visit_str("a");
        deserialize_string Text visit_str("a");
        deserialize_bytes Unknown visit_bytes(b"a");
        deserialize_byte_buf Unknown visit_bytes(b"a");
        deserialize_any Unknown visit_str("a");
        deserialize_identifier Text visit_str("a");
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.note(Part::Unit);
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
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
        if self.depth >= DEEPEST {
            return visitor.visit_none();
        }
        let of = RefCell::new(Part::Unknown);
        let value = visitor.visit_some(self.within(&of));
        self.note(Part::Option(Box::new(of.into_inner())));
        value
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let of = RefCell::new(Part::Unknown);
        if name == "ecs::Entity" {
            self.note(Part::Entity);
            return visitor
                .visit_newtype_struct(ecs::Entity::PLACEHOLDER.to_bits().into_deserializer());
        }
        let value = visitor.visit_newtype_struct(self.within(&of));
        self.note(Part::Newtype(Box::new(of.into_inner())));
        value
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let parts = RefCell::new(Vec::new());
        let left = usize::from(self.depth < DEEPEST);
        let value = visitor.visit_seq(Items { tracer: self, left, parts: &parts });
        let of = parts.into_inner().into_iter().next().unwrap_or_default();
        self.note(Part::List(Box::new(of)));
        value
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let parts = RefCell::new(Vec::new());
        let value = visitor.visit_seq(Items { tracer: self, left: len, parts: &parts });
        self.note(Part::Tuple(parts.into_inner()));
        value
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
        let (key, of) = (RefCell::new(Part::Unknown), RefCell::new(Part::Unknown));
        let left = usize::from(self.depth < DEEPEST);
        let value = visitor.visit_map(Entries { tracer: self, left, key: &key, of: &of });
        self.note(Part::Map(Box::new(of.into_inner())));
        value
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let parts = RefCell::new(Vec::new());
        let value = visitor.visit_map(Fields { tracer: self, left: fields, parts: &parts });
        self.note(Part::Named(name));
        let parts = parts.into_inner();
        let types = &mut self.state.borrow_mut().types;
        match types.get_mut(name) {
            // A reading that was cut off has fewer parts than another one.
            Some(Named::Struct(known)) if known.len() > parts.len() => {}
            _ => drop(types.insert(name, Named::Struct(parts))),
        }
        value
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(Part::Named(name));
        let at = {
            let state = &mut *self.state.borrow_mut();
            let unseen = || Named::Enum(variants.iter().map(|name| (*name, None)).collect());
            let Named::Enum(known) = state.types.entry(name).or_insert_with(unseen) else {
                return Err(serde::de::Error::custom("two types have this name"));
            };
            let mut unseen = (0..known.len()).filter(|at| known[*at].1.is_none());
            let first = unseen.next();
            state.is_complete &= unseen.next().is_none();
            // An enum within itself ends with its first variant, which is often without fields.
            let Some(at) = first.or_else(|| (!known.is_empty()).then_some(0)) else {
                return Err(serde::de::Error::custom("an enum without variants has no value"));
            };
            known[at].1.get_or_insert(Variant::Unit);
            at
        };
        let found = RefCell::new(None);
        let value =
            visitor.visit_enum(Choice { tracer: self, variant: variants[at], found: &found });
        if let (Some(found), Some(Named::Enum(known))) =
            (found.into_inner(), self.state.borrow_mut().types.get_mut(name))
        {
            known[at].1 = Some(found);
        }
        value
    }

    /// In text formats a handle accepts any value, and otherwise one by its name.
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The elements of a list or a tuple.
struct Items<'a> {
    tracer: Tracer<'a>,
    left: usize,
    parts: &'a RefCell<Vec<Part>>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let out = RefCell::new(Part::Unknown);
        let value = seed.deserialize(self.tracer.within(&out));
        self.parts.borrow_mut().push(out.into_inner());
        value.map(Some)
    }
}

/// The fields of a struct.
struct Fields<'a> {
    tracer: Tracer<'a>,
    left: &'static [&'static str],
    parts: &'a RefCell<Vec<(&'static str, Part)>>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(name) = self.left.first() else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = (*name).into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Some((name, left)) = self.left.split_first() else {
            return Err(serde::de::Error::custom("no field is left"));
        };
        self.left = left;
        let out = RefCell::new(Part::Unknown);
        let value = seed.deserialize(self.tracer.within(&out));
        self.parts.borrow_mut().push((*name, out.into_inner()));
        value
    }
}

/// The entries of a map.
struct Entries<'a> {
    tracer: Tracer<'a>,
    left: usize,
    key: &'a RefCell<Part>,
    of: &'a RefCell<Part>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.tracer.within(self.key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.tracer.within(self.of))
    }
}

/// A variant of an enum.
struct Choice<'a> {
    tracer: Tracer<'a>,
    variant: &'static str,
    found: &'a RefCell<Option<Variant>>,
}

impl<'de> EnumAccess<'de> for Choice<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        *self.found.borrow_mut() = Some(Variant::Unit);
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let out = RefCell::new(Part::Unknown);
        let value = seed.deserialize(self.tracer.within(&out));
        *self.found.borrow_mut() = Some(Variant::Newtype(out.into_inner()));
        value
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let parts = RefCell::new(Vec::new());
        let value = visitor.visit_seq(Items { tracer: self.tracer, left: len, parts: &parts });
        *self.found.borrow_mut() = Some(Variant::Tuple(parts.into_inner()));
        value
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let parts = RefCell::new(Vec::new());
        let value = visitor.visit_map(Fields { tracer: self.tracer, left: fields, parts: &parts });
        *self.found.borrow_mut() = Some(Variant::Struct(parts.into_inner()));
        value
    }
}
