//! Values of defined components as serde writes and reads them: like structs in Rust with these fields.
//!
//! A definition in a file has fields alone. Its rules stay out, because a file may come from a stranger. By a rule between a
//! component of the file and a type of the program, the program's own `insert` would panic, and its `remove` would do nothing.
//! A rule also names components, which a program that keeps unknown ones may lack. So a program defines its components, with
//! their rules and indexes, before it loads; then the definition of the file is passed over.

use crate::component::data::{CheckHandles, Late, Loose, SavedValues, Show, Visit, WrittenAs};
use crate::component::defined::{
    Definition, FieldNode, FieldTree, FieldType, FieldValue, Fields, fingerprint_of_fields,
    for_each_plain, read_fields,
};
use crate::component::shape::{FieldShape, Shape};
use crate::format::budget::Budget;
use crate::format::checked::Next;
use crate::format::header::Schema;
use crate::format::limited::read_seed_within;
use crate::format::reader::{ReadError, Reader};
use crate::format::source::Source;
use crate::format::writer::write_value;
use crate::pool::defined::{DefinedPool, DefinedValues, Stated, columns_of, fields_at};
use crate::pool::field_columns::{FieldColumn, FieldColumns, FieldsAt, ListedValue, ListedValues};
use crate::pool::kind::Kind;
use crate::pool::saved::not_read;
use crate::storage::values::Container;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use core::cell::Cell;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

impl Serialize for FieldsAt<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { tree, columns, at } = *self;
        if tree.nodes.is_empty() {
            return serializer.serialize_unit_struct(tree.name);
        }
        let mut fields = serializer.serialize_struct(tree.name, tree.nodes.len())?;
        for (name, (node, first)) in tree.names.iter().zip(&tree.nodes) {
            match node {
                FieldNode::Record(tree) => {
                    fields.serialize_field(name, &FieldsAt { tree, columns, at })?;
                }
                node => {
                    let column = &columns.leaves()[*first];
                    fields.serialize_field(name, &LeafAt { node, column, at })?;
                }
            }
        }
        fields.end()
    }
}

/// A value in a column.
struct LeafAt<'a> {
    node: &'static FieldNode,
    column: &'a FieldColumn,
    at: usize,
}

macro_rules! serialize_plain {
    ($($variant:ident: $ty:ty = $name:literal;)+) => {
        impl Serialize for LeafAt<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match (self.column, self.node) {
                    $((FieldColumn::$variant(values), _) => values[self.at].serialize(serializer),)+
                    (FieldColumn::List(values), FieldNode::List(of)) => {
                        ListedValues(of, &values[self.at]).serialize(serializer)
                    }
                    (FieldColumn::List(_), _) => serializer.serialize_unit(),
                }
            }
        }

        impl Serialize for ListedValue<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match (self.1, self.0) {
                    $((FieldValue::$variant(value), _) => value.serialize(serializer),)+
                    (FieldValue::List(values), FieldNode::List(of)) => {
                        ListedValues(of, values).serialize(serializer)
                    }
                    (FieldValue::Record(values), FieldNode::Record(tree)) => {
                        let mut fields = serializer.serialize_struct(tree.name, tree.nodes.len())?;
                        for ((name, (node, _)), value) in tree.names.iter().zip(&tree.nodes).zip(values) {
                            fields.serialize_field(name, &ListedValue(node, value))?;
                        }
                        fields.end()
                    }
                    _ => serializer.serialize_unit(),
                }
            }
        }

        impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
            type Value = FieldValue;

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<FieldValue, D::Error> {
                match self.node {
                    FieldNode::Plain(ty) => match ty {
                        $(FieldType::$variant => Deserialize::deserialize(from).map(FieldValue::$variant),)+
                        FieldType::List(_) | FieldType::Record(_) => Err(de::Error::custom("no plain type")),
                    },
                    FieldNode::List(of) => {
                        let seed = NodeSeed { node: of, is_listed: true, ..self };
                        from.deserialize_seq(ListVisitor(seed)).map(FieldValue::List)
                    }
                    FieldNode::Record(tree) => {
                        let seed = TreeSeed { tree, room: self.room, is_listed: self.is_listed };
                        seed.deserialize(from).map(FieldValue::Record)
                    }
                }
            }
        }
    };
}
for_each_plain!(serialize_plain);

impl Serialize for ListedValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.1.len()))?;
        self.1.iter().try_for_each(|value| list.serialize_element(&ListedValue(self.0, value)))?;
        list.end()
    }
}

/// Reads the value of a field.
#[derive(Clone, Copy)]
struct NodeSeed<'a> {
    node: &'static FieldNode,
    /// The bytes that records in lists may still take: the readers of formats pay for texts and for lists.
    room: &'a Cell<usize>,
    is_listed: bool,
}

/// Reads the values of fields, in their order.
#[derive(Clone, Copy)]
struct TreeSeed<'a> {
    tree: &'static FieldTree,
    room: &'a Cell<usize>,
    is_listed: bool,
}

impl<'a> TreeSeed<'a> {
    fn of(self, node: &'static FieldNode) -> NodeSeed<'a> {
        NodeSeed { node, room: self.room, is_listed: self.is_listed }
    }
}

impl<'de> DeserializeSeed<'de> for TreeSeed<'_> {
    type Value = Vec<FieldValue>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Vec<FieldValue>, D::Error> {
        let FieldTree { name, names, nodes } = self.tree;
        if nodes.is_empty() {
            return from.deserialize_unit_struct(name, self);
        }
        if self.is_listed {
            let left = self.room.get().checked_sub(nodes.len() * size_of::<FieldValue>());
            let too_much = || de::Error::custom("it takes more memory than the limit");
            self.room.set(left.ok_or_else(too_much)?);
        }
        from.deserialize_struct(name, names, self)
    }
}

impl<'de> Visitor<'de> for TreeSeed<'_> {
    type Value = Vec<FieldValue>;

    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.tree.nodes.is_empty() { "unit struct" } else { "struct" };
        write!(f, "{what} {}", self.tree.name)
    }
    fn visit_unit<E>(self) -> Result<Vec<FieldValue>, E> {
        Ok(Vec::new())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<FieldValue>, A::Error> {
        let mut values = Vec::with_capacity(self.tree.nodes.len());
        for (at, (node, _)) in self.tree.nodes.iter().enumerate() {
            let value = all.next_element_seed(self.of(node))?;
            values.push(value.ok_or_else(|| de::Error::invalid_length(at, &self))?);
        }
        Ok(values)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<Vec<FieldValue>, A::Error> {
        let FieldTree { names, nodes, .. } = self.tree;
        let mut found: Vec<Option<FieldValue>> = nodes.iter().map(|_| None).collect();
        while let Some(at) = all.next_key_seed(NameSeed(names))? {
            let Some(at) = at else {
                all.next_value::<IgnoredAny>()?;
                continue;
            };
            if found[at].is_some() {
                return Err(de::Error::duplicate_field(names[at]));
            }
            found[at] = Some(all.next_value_seed(self.of(&nodes[at].0))?);
        }
        let value = |((found, (node, _)), name): (
            (Option<FieldValue>, &(FieldNode, usize)),
            &&'static str,
        )| {
            match (found, node) {
                (Some(value), _) => Ok(value),
                (None, FieldNode::Plain(FieldType::Entity)) => Ok(FieldValue::Entity(None)),
                (None, _) => Err(de::Error::missing_field(name)),
            }
        };
        IntoIterator::into_iter(found).zip(nodes).zip(names).map(value).collect()
    }
}

/// Reads the name of a field, or its number, and returns its place; `None` for an unknown one.
struct NameSeed(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameSeed {
    type Value = Option<usize>;

    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }
    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|own| *own == name))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Option<usize>, E> {
        Ok(usize::try_from(number).ok().filter(|at| *at < self.0.len()))
    }
}

struct ListVisitor<'a>(NodeSeed<'a>);

impl<'de> Visitor<'de> for ListVisitor<'_> {
    type Value = Vec<FieldValue>;

    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<FieldValue>, A::Error> {
        let mut values = Vec::with_capacity(all.size_hint().unwrap_or(0));
        while let Some(value) = all.next_element_seed(self.0)? {
            values.push(value);
        }
        Ok(values)
    }
}

/// Returns the fields of a component as files define them, if they can.
pub(super) fn written_fields(kind: Kind) -> Option<String> {
    if let Some(definition) = kind.definition() {
        return Some(definition.fields.to_string());
    }
    let (_, Schema { fingerprint, .. }) = kind.saving().filter(|_| !kind.is_relation())?;
    let text = match kind.shape() {
        Shape::Unit => String::from("{}"),
        Shape::Struct(fields) => {
            let field = |field: &FieldShape| format!("{}:{};", field.name, field.type_text);
            format!("{{{}}}", fields.iter().map(field).collect::<String>())
        }
        _ => return None,
    };
    // Attributes of serde may change the written fields.
    let is_theirs = |fields: &Fields| fingerprint_of_fields(fields) == fingerprint;
    read_fields(&text).filter(is_theirs).map(|_| text)
}

/// The number of definitions that files may add to the process, which keeps them all.
const MOST_READ: u32 = 10_000;

/// Returns the kind of the component of this name and schema, which has these fields in a file; `None` if it cannot be
/// defined, or has others.
pub(super) fn read_kind(name: &str, schema: Schema, fields: &str) -> Option<Kind> {
    static READ: AtomicU32 = AtomicU32::new(0);
    let fields = read_fields(fields)?.version(schema.version);
    Definition::check(name, &fields).ok()?;
    if fingerprint_of_fields(&fields) != schema.fingerprint {
        return None;
    }
    let may_be_new = |may_be_new| Kind::find_defined(name, &fields, Stated::NOTHING, may_be_new);
    may_be_new(false).or_else(|| {
        let is_one_of_few = READ.fetch_add(1, Ordering::Relaxed) < MOST_READ;
        may_be_new(is_one_of_few)
    })
}

impl DefinedPool {
    /// Reads a value by `read`, with the memory that records in its lists may take, and adds it. Returns the memory that
    /// they took.
    fn read_one(
        &self,
        room: usize,
        values: &mut FieldColumns,
        read: impl FnOnce(TreeSeed<'_>) -> Result<Vec<FieldValue>, ReadError>,
    ) -> Result<usize, ReadError> {
        let tree = &values.definition().unwrap_or(self.definition).tree;
        let left = Cell::new(room);
        let value = read(TreeSeed { tree, room: &left, is_listed: false })?;
        values.push_value(tree, value);
        Ok(room - left.get())
    }

    /// Reads values whose own bytes are paid for, and adds them.
    #[inline]
    fn read_all(
        &self,
        reader: &mut Reader<'_>,
        count: usize,
        values: &mut FieldColumns,
    ) -> Result<(), ReadError> {
        for _ in 0..count {
            reader.budget.begin(own_size(values.definition().unwrap_or(self.definition)));
            let room = reader.budget.room();
            let taken = self.read_one(room, values, |seed| seed.deserialize(&mut *reader))?;
            reader.pay(taken, 1)?;
        }
        Ok(())
    }

    /// Returns the definition of values of this version; and, if that is not the present one, its place in the history.
    #[inline]
    fn version(&self, version: u32) -> Option<(&'static Definition, Option<usize>)> {
        if version == self.definition.version() {
            return Some((self.definition, None));
        }
        let first = self.history.iter().position(|step| step.from.version() == version)?;
        Some((self.history[first].from, Some(first)))
    }
}

/// Returns the number of bytes that a value takes while it is read, without memory that it owns.
#[inline]
fn own_size(definition: &Definition) -> usize {
    definition.size.max(size_of::<Vec<FieldValue>>())
}

#[cold]
#[inline]
fn unreadable_version(version: u32) -> ReadError {
    ReadError::new(format!(
        "version {version} is not readable: define the fields that it had, and change them by `World::redefine`"
    ))
}

#[cold]
#[inline]
fn not_converted(path: &str, what: &str) -> ReadError {
    ReadError::new(format!("its field `{path}` of an earlier version cannot be converted: {what}"))
}

/// Returns a pool of a definition.
#[inline]
fn pool_of(pool: &dyn Any) -> &DefinedPool {
    pool.downcast_ref().expect("the pool is of a definition")
}

impl SavedValues for DefinedValues {
    #[inline]
    fn no_values(&self, pool: &dyn Any) -> Box<Loose> {
        Box::new(FieldColumns::new(pool_of(pool).definition))
    }
    #[inline]
    fn len(&self, values: &Loose) -> usize {
        columns_of(values).len()
    }
    #[inline]
    fn write(
        &self,
        values: &Loose,
        next: Next<'_>,
        bytes: &mut Vec<u8>,
        _: CheckHandles<'_>, // all are replaced
    ) -> Result<(), (usize, ReadError)> {
        while let Some(at) = next(bytes.len()) {
            write_value(&fields_at(values, at), bytes).map_err(|error| (at, error))?;
        }
        Ok(())
    }
    #[inline]
    fn read_back(&self, pool: &dyn Any, reader: &mut Reader) -> Result<(), ReadError> {
        let pool = pool_of(pool);
        pool.read_all(reader, 1, &mut FieldColumns::new(pool.definition))
    }
    fn is_saved_as_bytes(&self) -> bool {
        false
    }
    fn write_bytes(&self, _: &Loose, _: Option<&[usize]>, _: &mut Vec<u8>) {}
    #[inline]
    fn show(&self, values: &Loose, at: usize, show: Show<'_>) {
        show(&fields_at(values, at));
    }
    #[inline]
    fn visit(&self, values: &Loose, at: usize, visit: Visit<'_>) {
        columns_of(values).visit_entities(at, visit);
    }
    #[inline]
    fn changed(&self, old: &Loose, new: &Loose, len: usize) -> Vec<usize> {
        let (old, new) = (columns_of(old), columns_of(new));
        let of = |columns: &FieldColumns| columns.definition().map(core::ptr::from_ref);
        if of(old) != of(new) {
            return (0..len).collect();
        }
        (0..len).filter(|at| !new.same_at(old, *at)).collect()
    }
    #[inline]
    fn parse(
        &self,
        pool: &dyn Any,
        version: u32,
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut Loose,
        _: &mut Vec<Late>,
    ) -> Result<(), ReadError> {
        let (pool, values) = (pool_of(pool), values.downcast_mut::<FieldColumns>());
        let Some(values) = values else { return Ok(()) };
        let (of, first) = pool.version(version).ok_or_else(|| unreadable_version(version))?;
        let mut old = FieldColumns::new(of);
        let read_into = if first.is_some() { &mut old } else { &mut *values };
        let room = budget.room();
        let read = |seed: TreeSeed<'_>| read_seed_within(seed, own_size(of), from, &mut *budget);
        let taken = pool.read_one(room, read_into, read)?;
        budget.pay(taken, 1)?;
        if let Some(first) = first {
            let new =
                pool.renewed(&old, first).map_err(|(_, path, what)| not_converted(&path, &what))?;
            IntoIterator::into_iter(Container::into_iter(new)).for_each(|value| values.push(value));
        }
        Ok(())
    }
    #[inline]
    fn read(
        &self,
        pool: &dyn Any,
        WrittenAs { version, as_bytes }: WrittenAs,
        count: usize,
        reader: &mut Reader,
        _: &mut Vec<Late>,
    ) -> Result<Box<Loose>, (usize, ReadError)> {
        let pool = pool_of(pool);
        let Some((of, first)) = pool.version(version) else {
            return Err((count, unreadable_version(version)));
        };
        let mut values = FieldColumns::new(of);
        if as_bytes && !values.are_plain() {
            return Err((count, not_read(version, true)));
        }
        reader.begin_values(count);
        let size = of.size + if first.is_some() { pool.definition.size } else { 0 };
        let read = reader.pay(count, size).and_then(|()| {
            values.reserve(count);
            if as_bytes {
                return values.read_plain(count, &mut |len| reader.bytes(len));
            }
            pool.read_all(reader, count, &mut values)
        });
        read.map_err(|error| (values.len(), error))?;
        if let Some(first) = first {
            let renewed = pool.renewed(&values, first);
            values = renewed.map_err(|(at, path, what)| (at, not_converted(&path, &what)))?;
        }
        Ok(Box::new(values))
    }
}
