//! The shapes of components, for clients.

use ecs::by_name::Kind;
use ecs::{Entity, World};
use ecs_shape::{Number, Shape, Text};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The shapes that were found out, by the names of types.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    known: BTreeMap<&'static str, Shape>,
}

impl Shapes {
    /// Returns the shape of a component.
    pub(crate) fn of(&mut self, world: &mut World, kind: Kind) -> &Shape {
        self.known.entry(kind.type_name()).or_insert_with(|| Shape::of_kind(world, kind))
    }
}

/// The fields of a time.
pub(crate) const TIME: [(&str, Shape); 2] = [
    ("secs_since_epoch", Shape::Number(Number::U64)),
    ("nanos_since_epoch", Shape::Number(Number::U32)),
];

/// Returns a shape as the inspector reads it, which makes controls of it, with a value to begin with.
pub(crate) fn to_json(shape: &Shape) -> Value {
    let named = |parts: &[(&str, Shape)]| -> Value {
        parts.iter().map(|(name, part)| json!([name, to_json(part)])).collect()
    };
    let (kind, of) = match shape {
        Shape::Bool => ("bool", Value::Null),
        Shape::Number(Number::F32 | Number::F64) => ("float", Value::Null),
        Shape::Number(number) if number.name().starts_with('u') => ("uint", Value::Null),
        Shape::Number(_) => ("int", Value::Null),
        Shape::Char | Shape::Text(_) => ("text", Value::Null),
        Shape::Unit => ("unit", Value::Null),
        Shape::Entity => ("entity", Value::Null),
        Shape::Option(of) => ("option", to_json(of)),
        Shape::List(of) => ("list", to_json(of)),
        Shape::Map(both) => ("map", to_json(&both.1)),
        Shape::Newtype(_, of) => ("newtype", to_json(of)),
        Shape::Tuple(parts) => ("tuple", parts.iter().map(to_json).collect()),
        Shape::Time => ("struct", named(&TIME)),
        Shape::Struct(_, fields) => ("struct", named(fields)),
        Shape::Enum(_, variants) => ("enum", named(variants)),
        _ => ("unknown", Value::Null),
    };
    json!({ "kind": kind, "of": of, "sample": sample(shape) })
}

/// Returns a value of a shape.
fn sample(shape: &Shape) -> Value {
    let fields = |parts: &[(&str, Shape)]| -> Value {
        parts.iter().map(|(name, part)| ((*name).to_owned(), sample(part))).collect()
    };
    match shape {
        Shape::Bool => false.into(),
        Shape::Number(_) => 0.into(),
        Shape::Char => "a".into(),
        Shape::Text(Text::Any) => "".into(),
        Shape::Text(Text::Instant) => "1970-01-01T00:00:00Z".into(),
        Shape::Text(Text::LocalTime) => "1970-01-01T00:00:00".into(),
        Shape::Text(Text::Date) => "1970-01-01".into(),
        Shape::Entity => json!(Entity::PLACEHOLDER),
        Shape::List(_) | Shape::Bytes => json!([]),
        Shape::Map(_) => json!({}),
        Shape::Newtype(_, of) => sample(of),
        Shape::Tuple(parts) => parts.iter().map(sample).collect(),
        Shape::Time => fields(&TIME),
        Shape::Struct(_, parts) => fields(parts),
        Shape::Enum(_, variants) => match variants.first() {
            Some((name, Shape::Unit | Shape::Unknown(_))) => (*name).into(),
            Some((name, part)) => json!({ *name: sample(part) }),
            None => Value::Null,
        },
        _ => Value::Null,
    }
}
