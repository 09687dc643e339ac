//! The components of `components.json`: a map from their names to their fields.
//!
//! A field has a type: `bool`, `text`, `entity`, a number such as `i32` or `f32`, a list such as `["f32"]`, or an object with
//! fields. `{"type": "i32", "default": 3, "was": "harm"}` stands in the place of a type: it gives entities that exist a value, or
//! has the field's earlier name.

use crate::folder::json_error;
use ecs::World;
use ecs::by_name::{FieldType, FieldValue, Fields, Redefinition};
use serde_json::{Map, Value};

/// The fields of each component, as they were read last.
pub(crate) type Schema = Map<String, Value>;

/// A field of a component.
struct Field<'a> {
    name: &'a str,
    ty: FieldType,
    default: Option<(FieldType, FieldValue)>,
    /// Its earlier name.
    was: Option<&'a str>,
}

/// Defines the components of a text that are new, and changes the other ones with all their values. Returns the mistakes,
/// without the name of the file. A component with a mistake stays as it was.
pub(crate) fn change(world: &mut World, schema: &mut Schema, text: &str) -> Vec<String> {
    let all: Schema = match serde_json::from_str(text) {
        Ok(all) => all,
        Err(error) => return vec![json_error(&error)],
    };
    let mut errors = Vec::new();
    for (name, component) in all {
        let before = schema.get(&name);
        if before != Some(&component) {
            match change_one(world, &name, before, &component) {
                Ok(()) => _ = schema.insert(name, component),
                Err(error) => errors.push(format!(": `{name}`: {error}")),
            }
        }
    }
    errors
}

fn change_one(
    world: &mut World,
    name: &str,
    before: Option<&Value>,
    after: &Value,
) -> Result<(), String> {
    let after = fields(after)?;
    match before {
        None => {
            let all =
                after.into_iter().fold(Fields::new(), |all, field| all.field(field.name, field.ty));
            world.define(name, all).map_err(|it| it.to_string())?;
        }
        Some(before) => {
            let changes = changes(&fields(before)?, &after);
            let kind = world.kind(name).map_err(|it| it.to_string())?;
            world.redefine(kind, &changes).map_err(|it| it.to_string())?;
        }
    }
    Ok(())
}

/// Returns the changes that make the second fields of the first ones.
fn changes(before: &[Field<'_>], after: &[Field<'_>]) -> Redefinition {
    let is_now = |old: &Field<'_>, new: &Field<'_>| {
        old.name == new.name
            || new.was == Some(old.name) && after.iter().all(|other| other.name != old.name)
    };
    let dropped = before.iter().filter(|old| !after.iter().any(|new| is_now(old, new)));
    let mut changes = dropped.fold(Redefinition::new(), |changes, old| changes.drop(old.name));
    for new in after {
        let Some(old) = before.iter().find(|old| is_now(old, new)) else {
            let (ty, default) =
                new.default.clone().unwrap_or_else(|| (new.ty.clone(), new.ty.default_value()));
            changes = changes.add(new.name, ty, default).convert(new.name, new.ty.clone());
            continue;
        };
        if old.ty != new.ty {
            changes = changes.convert(old.name, new.ty.clone());
        }
        if old.name != new.name {
            changes = changes.rename(old.name, new.name);
        }
    }
    changes
}

fn fields(component: &Value) -> Result<Vec<Field<'_>>, String> {
    let Value::Object(fields) = component else {
        return Err("write the fields in braces".to_owned());
    };
    fields
        .iter()
        .map(|(name, field)| field_of(name, field).map_err(|it| format!("`{name}`: {it}")))
        .collect()
}

fn field_of<'a>(name: &'a str, field: &'a Value) -> Result<Field<'a>, String> {
    let Some(ty) = field.get("type") else {
        return Ok(Field { name, ty: field_type(field)?, default: None, was: None });
    };
    let ty = field_type(ty)?;
    let wrong =
        |value| format!("`{value}` is no default: write a number, a text, `true` or `false`");
    let default = field
        .get("default")
        .map(|value| default_value(value).ok_or_else(|| wrong(value)))
        .transpose()?;
    Ok(Field { name, ty, default, was: field.get("was").and_then(Value::as_str) })
}

fn field_type(field: &Value) -> Result<FieldType, String> {
    Ok(match field {
        Value::String(name) => match &**name {
            "bool" => FieldType::Bool,
            "text" => FieldType::Text,
            "entity" => FieldType::Entity,
            "i8" => FieldType::I8,
            "i16" => FieldType::I16,
            "i32" => FieldType::I32,
            "i64" => FieldType::I64,
            "u8" => FieldType::U8,
            "u16" => FieldType::U16,
            "u32" => FieldType::U32,
            "u64" => FieldType::U64,
            "f32" => FieldType::F32,
            "f64" => FieldType::F64,
            _ => return Err(format!("`{name}` is no type of a field")),
        },
        Value::Array(of) if of.len() == 1 => FieldType::List(Box::new(field_type(&of[0])?)),
        Value::Object(_) => {
            let parts = fields(field)?.into_iter();
            FieldType::Record(parts.fold(Fields::new(), |all, part| all.field(part.name, part.ty)))
        }
        other => return Err(format!("`{other}` is no type of a field")),
    })
}

/// Returns the type and value of a default, which is then converted to the type of its field.
fn default_value(value: &Value) -> Option<(FieldType, FieldValue)> {
    match value {
        Value::Bool(value) => Some((FieldType::Bool, (*value).into())),
        Value::String(text) => Some((FieldType::Text, (&**text).into())),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Some((FieldType::I64, whole.into())),
            None => Some((FieldType::F64, number.as_f64()?.into())),
        },
        _ => None,
    }
}
