//! Values of any type as trees, and values that are read over them: a format gives some fields, the tree the others.
//!
//! ```text
//! prefab   (now: 10, most: 10)   written as a tree
//! text     (now: 4)              a key of the tree that the text has comes from the text
//! value    (now: 4, most: 10)
//! ```

use crate::format::error::ReadError;
use crate::format::source::{
    Elements, Receive, Request, Sink, Source, Token, VariantSource, missing,
};
use crate::text::{Nearest, nearest};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::slice;
use serde::ser::{self, Serialize, Serializer};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// A value as serde writes it, with its structure.
pub(crate) enum ValueTree {
    Bool(bool),
    I64(i64),
    I128(i128),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    None,
    Unit,
    Some(Box<Self>),
    Newtype(Box<Self>),
    List(Vec<Self>),
    Map(Vec<(Self, Self)>),
    Struct(Vec<(&'static str, Self)>),
    /// The name of a variant, and its content: [`Unit`](Self::Unit), [`Newtype`](Self::Newtype), a list or a struct.
    Variant(&'static str, Box<Self>),
}

impl ValueTree {
    /// Returns a value as a tree, written for people or not.
    pub(crate) fn of(value: &(impl Serialize + ?Sized), is_human_readable: bool) -> Result<Self> {
        value.serialize(TreeSerializer { is_human_readable })
    }

    #[inline]
    fn field(&self, name: &str) -> Option<&Self> {
        let Self::Struct(fields) = self else { return None };
        fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }
}

/// Writes a value as a tree.
#[derive(Clone, Copy)]
struct TreeSerializer {
    is_human_readable: bool,
}

impl TreeSerializer {
    /// Returns the tree of a value with parts, to which they are added.
    fn open(self, whole: ValueTree, variant: Option<&'static str>) -> TreeParts {
        TreeParts { to: self, whole, variant, key: None }
    }
}

macro_rules! leaves {
    ($($serialize:ident $ty:ty => $tree:ident;)+) => {
        $(fn $serialize(self, value: $ty) -> Result<ValueTree> {
            Ok(ValueTree::$tree(value.into()))
        })+
    };
}

macro_rules! wholes {
    ($($serialize:ident($($argument:ident: $ty:ty),*) $tree:ident $variant:expr;)+) => {
        $(fn $serialize(self, $($argument: $ty),*) -> Result<TreeParts> {
            Ok(self.open(ValueTree::$tree(Vec::new()), $variant))
        })+
    };
}

impl Serializer for TreeSerializer {
    type Ok = ValueTree;
    type Error = ReadError;
    type SerializeSeq = TreeParts;
    type SerializeTuple = TreeParts;
    type SerializeTupleStruct = TreeParts;
    type SerializeTupleVariant = TreeParts;
    type SerializeMap = TreeParts;
    type SerializeStruct = TreeParts;
    type SerializeStructVariant = TreeParts;

    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }

    leaves! {
        serialize_bool bool => Bool;
        serialize_i8 i8 => I64;
        serialize_i16 i16 => I64;
        serialize_i32 i32 => I64;
        serialize_i64 i64 => I64;
        serialize_i128 i128 => I128;
        serialize_u8 u8 => U64;
        serialize_u16 u16 => U64;
        serialize_u32 u32 => U64;
        serialize_u64 u64 => U64;
        serialize_u128 u128 => U128;
        serialize_f32 f32 => F32;
        serialize_f64 f64 => F64;
        serialize_char char => Char;
        serialize_str &str => Text;
        serialize_bytes &[u8] => Bytes;
    }
    wholes! {
        serialize_seq(_len: Option<usize>) List None;
        serialize_tuple(_len: usize) List None;
        serialize_tuple_struct(_name: &'static str, _len: usize) List None;
        serialize_tuple_variant(_name: &'static str, _at: u32, variant: &'static str, _len: usize) List Some(variant);
        serialize_map(_len: Option<usize>) Map None;
        serialize_struct(_name: &'static str, _len: usize) Struct None;
        serialize_struct_variant(_name: &'static str, _at: u32, variant: &'static str, _len: usize) Struct Some(variant);
    }

    fn serialize_none(self) -> Result<ValueTree> {
        Ok(ValueTree::None)
    }
    fn serialize_unit(self) -> Result<ValueTree> {
        Ok(ValueTree::Unit)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<ValueTree> {
        Ok(ValueTree::Unit)
    }
    #[inline]
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<ValueTree> {
        Ok(ValueTree::Variant(variant, Box::new(ValueTree::Unit)))
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<ValueTree> {
        Ok(ValueTree::Some(Box::new(value.serialize(self)?)))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<ValueTree> {
        Ok(ValueTree::Newtype(Box::new(value.serialize(self)?)))
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<ValueTree> {
        Ok(ValueTree::Variant(variant, Box::new(self.serialize_newtype_struct(name, value)?)))
    }
}

/// A list, a map or a struct that is being written.
struct TreeParts {
    to: TreeSerializer,
    whole: ValueTree,
    variant: Option<&'static str>,
    key: Option<ValueTree>,
}

impl TreeParts {
    fn add(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result {
        let value = value.serialize(self.to)?;
        match &mut self.whole {
            ValueTree::List(list) => list.push(value),
            ValueTree::Map(pairs) => pairs.push((self.key.take().ok_or_else(missing)?, value)),
            ValueTree::Struct(fields) => fields.push((name, value)),
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn finish(self) -> ValueTree {
        match self.variant {
            Some(variant) => ValueTree::Variant(variant, Box::new(self.whole)),
            None => self.whole,
        }
    }
}

macro_rules! tree_parts {
    ($($whole:ident $part:ident($($name:ident)?) $($key:ident)?;)+) => {
        $(impl ser::$whole for TreeParts {
            type Ok = ValueTree;
            type Error = ReadError;

            $(fn $key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result {
                self.key = Some(key.serialize(self.to)?);
                Ok(())
            })?
            fn $part<T: Serialize + ?Sized>(&mut self, $($name: &'static str,)? value: &T) -> Result {
                self.add(tree_parts!(@ $($name)?), value)
            }
            #[inline]
            fn end(self) -> Result<ValueTree> {
                Ok(self.finish())
            }
        })+
    };
    (@) => { "" };
    (@ $name:ident) => { $name };
}
tree_parts! {
    SerializeSeq serialize_element();
    SerializeTuple serialize_element();
    SerializeTupleStruct serialize_field();
    SerializeTupleVariant serialize_field();
    SerializeMap serialize_value() serialize_key;
    SerializeStruct serialize_field(name);
    SerializeStructVariant serialize_field(name);
}

/// Reads a tree.
struct TreeSource<'t> {
    tree: &'t ValueTree,
    is_human_readable: bool,
}

impl<'t> TreeSource<'t> {
    const fn of(&self, tree: &'t ValueTree) -> Self {
        Self { tree, is_human_readable: self.is_human_readable }
    }

    fn parts(&self, tree: &'t ValueTree) -> TreeElements<'t> {
        let rest = match tree {
            ValueTree::List(list) => TreeRest::List(list.iter()),
            ValueTree::Map(pairs) => TreeRest::Map(pairs.iter()),
            ValueTree::Struct(fields) => TreeRest::Struct(fields.iter()),
            _ => TreeRest::List([].iter()),
        };
        TreeElements { rest, value: None, is_human_readable: self.is_human_readable }
    }
}

impl<'de> Source<'de> for TreeSource<'_> {
    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }

    #[inline]
    fn read(&mut self, request: Request, receiver: &mut dyn Receive<'de>) -> Result {
        receiver.receive(match self.tree {
            ValueTree::Bool(value) => Token::Bool(*value),
            ValueTree::I64(value) => Token::I64(*value),
            ValueTree::I128(value) => Token::I128(*value),
            ValueTree::U64(value) => Token::U64(*value),
            ValueTree::U128(value) => Token::U128(*value),
            ValueTree::F32(value) => Token::F64(f64::from(*value)),
            ValueTree::F64(value) => Token::F64(*value),
            ValueTree::Char(value) => Token::Char(*value),
            ValueTree::Text(text) => Token::Str(text),
            ValueTree::Bytes(bytes) => Token::Bytes(bytes),
            ValueTree::None => Token::None,
            ValueTree::Unit => Token::Unit,
            ValueTree::Some(inner) => return receiver.receive(Token::Some(&mut self.of(inner))),
            ValueTree::Newtype(inner) if matches!(request, Request::NewtypeStruct(_)) => {
                return receiver.receive(Token::Newtype(&mut self.of(inner)));
            }
            ValueTree::Newtype(inner) => return self.of(inner).read(request, receiver),
            ValueTree::List(_) => return receiver.receive(Token::Seq(&mut self.parts(self.tree))),
            ValueTree::Map(_) | ValueTree::Struct(_) => {
                return receiver.receive(Token::Map(&mut self.parts(self.tree)));
            }
            ValueTree::Variant(..) => {
                return receiver.receive(Token::Enum(&mut self.of(self.tree)));
            }
        })
    }
}

impl<'de> VariantSource<'de> for TreeSource<'_> {
    #[inline]
    fn variant(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        let ValueTree::Variant(name, content) = self.tree else { return Err(missing()) };
        self.tree = content;
        send(&mut KeySource { name, is_human_readable: self.is_human_readable })
    }
    fn unit(&mut self) -> Result {
        Ok(())
    }
    #[inline]
    fn newtype(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        let ValueTree::Newtype(inner) = self.tree else { return Err(missing()) };
        send(&mut self.of(inner))
    }
    #[inline]
    fn tuple(&mut self, _: usize, receiver: &mut dyn Receive<'de>) -> Result {
        receiver.receive(Token::Seq(&mut self.parts(self.tree)))
    }
    #[inline]
    fn fields(&mut self, _: &'static [&'static str], receiver: &mut dyn Receive<'de>) -> Result {
        receiver.receive(Token::Map(&mut self.parts(self.tree)))
    }
}

/// Reads the name of a field or a variant.
struct KeySource {
    name: &'static str,
    is_human_readable: bool,
}

impl<'de> Source<'de> for KeySource {
    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }
    #[inline]
    fn read(&mut self, _: Request, receiver: &mut dyn Receive<'de>) -> Result {
        receiver.receive(Token::Str(self.name))
    }
}

/// The parts of a tree that are not read yet.
struct TreeElements<'t> {
    rest: TreeRest<'t>,
    /// The value of the last key.
    value: Option<&'t ValueTree>,
    is_human_readable: bool,
}

enum TreeRest<'t> {
    List(slice::Iter<'t, ValueTree>),
    Map(slice::Iter<'t, (ValueTree, ValueTree)>),
    Struct(slice::Iter<'t, (&'static str, ValueTree)>),
}

impl<'de> Elements<'de> for TreeElements<'_> {
    #[inline]
    fn next(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        let is_human_readable = self.is_human_readable;
        match &mut self.rest {
            TreeRest::List(list) => match list.next() {
                Some(tree) => send(&mut TreeSource { tree, is_human_readable }),
                None => Ok(()),
            },
            TreeRest::Map(pairs) => match pairs.next() {
                Some((tree, value)) => {
                    self.value = Some(value);
                    send(&mut TreeSource { tree, is_human_readable })
                }
                None => Ok(()),
            },
            TreeRest::Struct(fields) => match fields.next() {
                Some((name, value)) => {
                    self.value = Some(value);
                    send(&mut KeySource { name, is_human_readable })
                }
                None => Ok(()),
            },
        }
    }
    #[inline]
    fn next_value(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        let tree = self.value.take().ok_or_else(missing)?;
        send(&mut TreeSource { tree, is_human_readable: self.is_human_readable })
    }
    fn size_hint(&self) -> Option<usize> {
        None
    }
}

/// Reads a value from a format, and its missing fields from a tree. A key of a struct that names no field is an error.
pub(crate) struct OverTree<'a, 'de> {
    pub(crate) source: &'a mut dyn Source<'de>,
    /// The value below, if there is one.
    pub(crate) below: Option<&'a ValueTree>,
}

impl<'de> Source<'de> for OverTree<'_, 'de> {
    #[inline]
    fn is_human_readable(&self) -> bool {
        self.source.is_human_readable()
    }

    #[inline]
    fn read(&mut self, request: Request, receiver: &mut dyn Receive<'de>) -> Result {
        let fields = if let Request::Struct(_, fields) = request { Some(fields) } else { None };
        let is_human_readable = self.source.is_human_readable();
        let below = self.below;
        self.source.read(request, &mut ReceiveOver { receiver, fields, below, is_human_readable })
    }
}

/// Passes on tokens whose parts are read over a tree.
struct ReceiveOver<'a, 'de> {
    receiver: &'a mut dyn Receive<'de>,
    /// The fields of a struct that is requested.
    fields: Option<&'static [&'static str]>,
    below: Option<&'a ValueTree>,
    is_human_readable: bool,
}

impl<'de> Receive<'de> for ReceiveOver<'_, 'de> {
    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.receiver.expecting(f)
    }

    #[inline]
    fn receive(&mut self, token: Token<'_, 'de>) -> Result {
        let Self { receiver, fields, below, is_human_readable } = self;
        let inner = match below {
            Some(ValueTree::Some(inner) | ValueTree::Newtype(inner)) => Some(&**inner),
            _ => None,
        };
        match token {
            Token::Some(source) => {
                receiver.receive(Token::Some(&mut OverTree { source, below: inner }))
            }
            Token::Newtype(source) => {
                receiver.receive(Token::Newtype(&mut OverTree { source, below: inner }))
            }
            Token::Seq(list) => {
                let mut over = OverElements::new(list, None, None, *is_human_readable);
                receiver.receive(Token::Seq(&mut over))
            }
            Token::Map(map) => {
                let mut over = OverElements::new(map, *fields, *below, *is_human_readable);
                receiver.receive(Token::Map(&mut over))
            }
            Token::Enum(inner) => {
                let is_human_readable = *is_human_readable;
                receiver.receive(Token::Enum(&mut OverVariant { inner, is_human_readable }))
            }
            other => receiver.receive(other),
        }
    }
}

/// The parts of a value of a format; behind the fields of a struct, the other fields of a tree.
struct OverElements<'a, 'de> {
    elements: &'a mut dyn Elements<'de>,
    /// The fields of the struct, if it is one.
    fields: Option<&'static [&'static str]>,
    below: Option<&'a ValueTree>,
    /// The fields that the format gave, the last one last.
    keys: Vec<String>,
    /// The fields of the tree, once the format has no more.
    rest: Option<slice::Iter<'a, (&'static str, ValueTree)>>,
    /// The value of the last field of the tree.
    value: Option<&'a ValueTree>,
    is_human_readable: bool,
}

impl<'a, 'de> OverElements<'a, 'de> {
    #[inline]
    fn new(
        elements: &'a mut dyn Elements<'de>,
        fields: Option<&'static [&'static str]>,
        below: Option<&'a ValueTree>,
        is_human_readable: bool,
    ) -> Self {
        let below = below.filter(|_| fields.is_some());
        Self {
            elements,
            fields,
            below,
            keys: Vec::new(),
            rest: None,
            value: None,
            is_human_readable,
        }
    }
}

impl<'de> Elements<'de> for OverElements<'_, 'de> {
    #[inline]
    fn next(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        if self.rest.is_none() {
            let (mut is_last, keys) = (true, &mut self.keys);
            let fields = self.fields;
            self.elements.next(&mut |source| {
                is_last = false;
                match fields {
                    Some(fields) => send(&mut FieldSource { source, fields, keys }),
                    None => send(&mut OverTree { source, below: None }),
                }
            })?;
            if !is_last {
                return Ok(());
            }
            let fields =
                if let Some(ValueTree::Struct(fields)) = self.below { &fields[..] } else { &[] };
            self.rest = Some(fields.iter());
        }
        let keys = &self.keys;
        let mut rest = self.rest.iter_mut().flatten();
        match rest.find(|(name, _)| !keys.iter().any(|key| key == name)) {
            Some((name, value)) => {
                self.value = Some(value);
                send(&mut KeySource { name, is_human_readable: self.is_human_readable })
            }
            None => Ok(()),
        }
    }
    #[inline]
    fn next_value(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        if let Some(tree) = self.value.take() {
            return send(&mut TreeSource { tree, is_human_readable: self.is_human_readable });
        }
        let below = self.below.and_then(|tree| tree.field(self.keys.last()?));
        self.elements.next_value(&mut |source| send(&mut OverTree { source, below }))
    }
    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.elements.size_hint()
    }
}

/// Reads a key of a struct, and adds it to the keys.
struct FieldSource<'a, 'de> {
    source: &'a mut dyn Source<'de>,
    fields: &'static [&'static str],
    keys: &'a mut Vec<String>,
}

impl<'de> Source<'de> for FieldSource<'_, 'de> {
    #[inline]
    fn is_human_readable(&self) -> bool {
        self.source.is_human_readable()
    }
    #[inline]
    fn read(&mut self, request: Request, receiver: &mut dyn Receive<'de>) -> Result {
        let Self { source, fields, keys } = self;
        source.read(request, &mut ReceiveField { receiver, fields, keys })
    }
}

struct ReceiveField<'a, 'de> {
    receiver: &'a mut dyn Receive<'de>,
    fields: &'static [&'static str],
    keys: &'a mut Vec<String>,
}

impl<'de> Receive<'de> for ReceiveField<'_, 'de> {
    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.receiver.expecting(f)
    }
    #[inline]
    fn receive(&mut self, token: Token<'_, 'de>) -> Result {
        if let Some(name) = token.name(&mut [0; 4]) {
            if !self.fields.contains(&name) {
                let near = Nearest(nearest(name, self.fields.iter().copied()));
                return Err(ReadError::new(format!("it has no field `{name}`{near}")));
            }
            self.keys.push(name.into());
        }
        self.receiver.receive(token)
    }
}

/// A variant whose fields are checked.
struct OverVariant<'a, 'de> {
    inner: &'a mut dyn VariantSource<'de>,
    is_human_readable: bool,
}

impl<'a, 'de> OverVariant<'a, 'de> {
    fn receive<'b>(
        &self,
        receiver: &'b mut dyn Receive<'de>,
        fields: Option<&'static [&'static str]>,
    ) -> ReceiveOver<'b, 'de> {
        ReceiveOver { receiver, fields, below: None, is_human_readable: self.is_human_readable }
    }
}

impl<'de> VariantSource<'de> for OverVariant<'_, 'de> {
    #[inline]
    fn variant(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        self.inner.variant(send)
    }
    #[inline]
    fn unit(&mut self) -> Result {
        self.inner.unit()
    }
    #[inline]
    fn newtype(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        self.inner.newtype(&mut |source| send(&mut OverTree { source, below: None }))
    }
    #[inline]
    fn tuple(&mut self, len: usize, receiver: &mut dyn Receive<'de>) -> Result {
        let mut over = self.receive(receiver, None);
        self.inner.tuple(len, &mut over)
    }
    #[inline]
    fn fields(
        &mut self,
        fields: &'static [&'static str],
        receiver: &mut dyn Receive<'de>,
    ) -> Result {
        let mut over = self.receive(receiver, Some(fields));
        self.inner.fields(fields, &mut over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::budget::Budget;
    use crate::format::limited::read_within;
    use crate::format::source::Erased;
    use serde::{Deserialize, de};
    use std::collections::BTreeMap;
    use std::string::ToString;
    use std::vec;

    #[derive(serde::Serialize, Deserialize, Debug, PartialEq)]
    struct All {
        numbers: (i8, i16, i32, i64, i128, u8, u16, u32, u64, u128),
        floats: (f32, f64),
        texts: (char, String, bool),
        bytes: Raw,
        options: (Option<u8>, Option<Unit>),
        unit: Unit,
        newtype: Newtype,
        map: BTreeMap<(u8, char), Vec<Variant>>,
    }
    #[derive(serde::Serialize, Deserialize, Debug, PartialEq)]
    struct Unit;
    #[derive(serde::Serialize, Deserialize, Debug, PartialEq)]
    struct Newtype(u8);
    #[derive(serde::Serialize, Deserialize, Debug, PartialEq)]
    enum Variant {
        Unit,
        Newtype(Newtype),
        Tuple(u8, f32),
        Struct { a: u8, b: Option<u8> },
    }
    #[derive(Debug, PartialEq)]
    struct Raw(Vec<u8>);

    impl Serialize for Raw {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_bytes(&self.0)
        }
    }
    impl<'de> Deserialize<'de> for Raw {
        fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Bytes;
            impl de::Visitor<'_> for Bytes {
                type Value = Raw;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Raw, E> {
                    Ok(Raw(bytes.to_vec()))
                }
            }
            from.deserialize_bytes(Bytes)
        }
    }

    fn all() -> All {
        All {
            numbers: (
                i8::MIN,
                i16::MIN,
                i32::MIN,
                i64::MIN,
                i128::MIN,
                u8::MAX,
                u16::MAX,
                u32::MAX,
                u64::MAX,
                u128::MAX,
            ),
            floats: (0.1, f64::MIN_POSITIVE),
            texts: ('ö', "text".to_string(), true),
            bytes: Raw(vec![0, 255]),
            options: (None, Some(Unit)),
            unit: Unit,
            newtype: Newtype(7),
            map: BTreeMap::from([(
                (1, 'a'),
                vec![
                    Variant::Unit,
                    Variant::Newtype(Newtype(3)),
                    Variant::Tuple(1, 0.5),
                    Variant::Struct { a: 1, b: Some(2) },
                ],
            )]),
        }
    }

    fn read<T: for<'de> Deserialize<'de>>(source: &mut dyn Source<'_>) -> Result<T> {
        read_within(source, &mut Budget::new(1 << 20))
    }

    #[test]
    fn values_of_all_kinds_are_read_from_their_trees() {
        for is_human_readable in [false, true] {
            let tree = ValueTree::of(&all(), is_human_readable).unwrap();
            assert_eq!(
                read::<All>(&mut TreeSource { tree: &tree, is_human_readable }).unwrap(),
                all()
            );
        }
    }

    #[test]
    fn a_field_that_a_format_lacks_is_the_one_of_the_tree() {
        let tree = ValueTree::of(&all(), true).unwrap();
        let over = |text: &str| {
            let mut from = serde_json::Deserializer::from_str(text);
            let mut source = Erased::new(&mut from);
            read::<All>(&mut OverTree { source: &mut source, below: Some(&tree) })
        };
        assert_eq!(over("{}").unwrap(), all());
        assert_eq!(over(r#"{"newtype":9}"#).unwrap(), All { newtype: Newtype(9), ..all() });
        let error = over(r#"{"newtpe":9}"#).unwrap_err().to_string();
        assert!(
            error.starts_with("it has no field `newtpe` (the nearest is `newtype`)"),
            "{error}"
        );
        let error = over(r#"{"newtype":9,"newtype":8}"#).unwrap_err().to_string();
        assert!(error.contains("duplicate field"), "{error}");
        // Without a tree below, all fields are there, and variants have no other fields.
        let alone = |text: &str| {
            let mut from = serde_json::Deserializer::from_str(text);
            let mut source = Erased::new(&mut from);
            read::<Vec<Variant>>(&mut OverTree { source: &mut source, below: None })
        };
        let all = alone(r#"["Unit",{"Newtype":3},{"Tuple":[1,0.5]},{"Struct":{"a":1,"b":2}}]"#);
        assert_eq!(all.unwrap(), self::all().map[&(1, 'a')]);
        assert!(
            alone(r#"[{"Struct":{"a":1,"c":2}}]"#).unwrap_err().to_string().contains("field `c`")
        );
    }
}
