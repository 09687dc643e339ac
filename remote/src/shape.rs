//! The shapes of components, for clients.

use ecs::by_name::{self, FieldShape, Kind, ResourceKind};
use ecs::{Entity, World};
use ecs_shape::{Number, Shape, Text};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The shapes that were found out, by the names of types. The fields of a defined component may change.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    known: BTreeMap<&'static str, (Kind, Shape)>,
    resources: BTreeMap<&'static str, Shape>,
}

impl Shapes {
    /// Returns the shape of a component.
    pub(crate) fn of(&mut self, world: &mut World, kind: Kind) -> &Shape {
        let make = |world: &mut World| (kind, Shape::of_kind(world, kind));
        let (of, shape) = self.known.entry(kind.type_name()).or_insert_with(|| make(world));
        if *of != kind {
            (*of, *shape) = make(world);
        }
        shape
    }

    /// Returns the shape of a resource.
    pub(crate) fn of_resource(&mut self, world: &mut World, kind: ResourceKind) -> &Shape {
        let make = || Shape::of_resource(world, kind);
        self.resources.entry(kind.type_name()).or_insert_with(make)
    }
}

/// The fields of a time.
pub(crate) const TIME: [(&str, Shape); 2] = [
    ("secs_since_epoch", Shape::Number(Number::U64)),
    ("nanos_since_epoch", Shape::Number(Number::U32)),
];

/// Returns the shape of a component as the inspector reads it, with the declared ranges and units.
pub(crate) fn of_component(shape: &Shape, kind: Kind) -> Value {
    let mut json = to_json(shape);
    declare(&mut json, &kind.shape());
    json
}

/// Adds the declared ranges and units to the fields of a shape.
fn declare(json: &mut Value, declared: &by_name::Shape) {
    match declared {
        by_name::Shape::Struct(fields) | by_name::Shape::Tuple(fields) => match fields.as_slice() {
            [only] if !json["of"].is_array() => add_numbers(json, only),
            fields => fields.iter().for_each(|field| {
                if let Some(part) = part(json, field.name) {
                    add_numbers(part, field);
                }
            }),
        },
        by_name::Shape::Enum(variants) => {
            for (name, variant) in variants {
                if let Some(part) = part(json, name) {
                    declare(part, variant);
                }
            }
        }
        _ => {}
    }
}

/// Returns the field or the variant of this name, or the field at this position.
fn part<'v>(json: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    let is_tuple = json["kind"] == "tuple";
    let parts = json.get_mut("of")?.as_array_mut()?;
    if is_tuple {
        return parts.get_mut(name.parse::<usize>().ok()?);
    }
    parts.iter_mut().find(|part| part[0] == name)?.get_mut(1)
}

/// Adds a field's range and unit to all numbers in it.
fn add_numbers(json: &mut Value, field: &FieldShape) {
    if json.get("number").is_some() {
        if let Some(unit) = field.unit {
            json["unit"] = unit.into();
        }
        if let Some(range) = field.range {
            json["range"] = json!({
                "from": range.from,
                "to": range.to,
                "is_end_excluded": range.to.is_some() && !range.includes_end,
                "text": range.to_string(),
            });
        }
        return;
    }
    match json.get_mut("of") {
        Some(Value::Object(of)) => {
            let mut inner = Value::Object(std::mem::take(of));
            add_numbers(&mut inner, field);
            json["of"] = inner;
        }
        Some(Value::Array(parts)) => parts.iter_mut().for_each(|part| match part {
            Value::Array(named) => named.iter_mut().skip(1).for_each(|it| add_numbers(it, field)),
            part => add_numbers(part, field),
        }),
        _ => {}
    }
}

/// Returns a shape as the inspector reads it, which makes controls of it, with a value to begin with.
pub(crate) fn to_json(shape: &Shape) -> Value {
    let named = |parts: &[(&str, Shape)]| -> Value {
        parts.iter().map(|(name, part)| json!([name, to_json(part)])).collect()
    };
    let (kind, of) = match shape {
        Shape::Bool => ("bool", Value::Null),
        Shape::Number(number) => {
            let kind = match number.name().as_bytes().first() {
                Some(b'f') => "float",
                Some(b'u') => "uint",
                _ => "int",
            };
            return json!({ "kind": kind, "of": null, "number": number.name(), "sample": 0 });
        }
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
