//! The components of `components.json`: a map from their names to their fields.
//!
//! A field has a type: `bool`, `text`, `entity`, a number such as `i32` or `f32`, a list such as `["f32"]`, or an object with
//! fields. `{"type": "i32", "default": 3, "was": "harm"}` stands in the place of a type: it gives entities that exist a value, or
//! has the field's earlier name.

use crate::folder::json_error;
use ecs::World;
use ecs::by_name::{FieldType, Fields};
use serde_json::{Map, Value};

/// The fields of each component, as they were read last.
pub(crate) type Schema = Map<String, Value>;

/// Defines the components of a text that are new or changed. Returns the mistakes, without the name of the file.
pub(crate) fn change(world: &mut World, schema: &mut Schema, text: &str) -> Vec<String> {
    let all: Schema = match serde_json::from_str(text) {
        Ok(all) => all,
        Err(error) => return vec![json_error(&error)],
    };
    let mut errors = Vec::new();
    for (name, component) in all {
        if schema.get(&name) == Some(&component) {
            continue;
        }
        let changed = fields(&component)
            .and_then(|fields| world.define(&name, fields).map_err(|it| it.to_string()));
        match changed {
            Ok(_) => _ = schema.insert(name, component),
            Err(error) => errors.push(format!(": `{name}`: {error}")),
        }
    }
    errors
}

fn fields(component: &Value) -> Result<Fields, String> {
    let Value::Object(fields) = component else {
        return Err("write the fields in braces".to_owned());
    };
    fields
        .iter()
        .try_fold(Fields::new(), |all, (name, field)| Ok(all.field(name, field_type(field)?)))
}

fn field_type(field: &Value) -> Result<FieldType, String> {
    match field {
        Value::String(name) => {
            let all = [
                ("bool", FieldType::Bool),
                ("text", FieldType::Text),
                ("entity", FieldType::Entity),
                ("i8", FieldType::I8),
                ("i16", FieldType::I16),
                ("i32", FieldType::I32),
                ("i64", FieldType::I64),
                ("u8", FieldType::U8),
                ("u16", FieldType::U16),
                ("u32", FieldType::U32),
                ("u64", FieldType::U64),
                ("f32", FieldType::F32),
                ("f64", FieldType::F64),
            ];
            let found = all.into_iter().find(|(it, _)| it == name);
            found.map(|(_, ty)| ty).ok_or_else(|| format!("`{name}` is no type of a field"))
        }
        Value::Array(of) => match &of[..] {
            [of] => Ok(FieldType::List(Box::new(field_type(of)?))),
            _ => Err("a list has one type, such as `[\"f32\"]`".to_owned()),
        },
        Value::Object(parts) if parts.contains_key("type") => field_type(&parts["type"]),
        Value::Object(_) => fields(field).map(FieldType::Record),
        other => Err(format!("`{other}` is no type of a field")),
    }
}
