//! The shapes of components, for clients.

use ecs::World;
use ecs::by_name::Kind;
use ecs_shape::{Number, Shape};
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

/// Returns a shape as the inspector reads it, which makes controls of it.
pub(crate) fn to_json(shape: &Shape) -> Value {
    let named = |parts: &[(&str, Shape)]| -> Vec<Value> {
        parts.iter().map(|(name, part)| json!([name, to_json(part)])).collect()
    };
    let kind = match shape {
        Shape::Bool => "bool",
        Shape::Number(Number::F32 | Number::F64) => "float",
        Shape::Number(number) if number.name().starts_with('u') => "uint",
        Shape::Number(_) => "int",
        Shape::Char | Shape::Text(_) => "text",
        Shape::Unit => "unit",
        Shape::Entity => "entity",
        Shape::Option(of) => return json!({ "kind": "option", "of": to_json(of) }),
        Shape::List(of) => return json!({ "kind": "list", "of": to_json(of) }),
        Shape::Map(both) => return json!({ "kind": "map", "of": to_json(&both.1) }),
        Shape::Newtype(_, of) => return json!({ "kind": "newtype", "of": to_json(of) }),
        Shape::Tuple(parts) => {
            let parts: Vec<Value> = parts.iter().map(to_json).collect();
            return json!({ "kind": "tuple", "of": parts });
        }
        Shape::Time => return json!({ "kind": "struct", "fields": named(&TIME) }),
        Shape::Struct(_, fields) => return json!({ "kind": "struct", "fields": named(fields) }),
        Shape::Enum(_, variants) => return json!({ "kind": "enum", "variants": named(variants) }),
        _ => "unknown",
    };
    json!({ "kind": kind })
}
