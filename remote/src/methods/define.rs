//! Components that clients define: their fields, and changes of these.

use crate::budget::Stop;
use crate::error::Error;
use crate::measure::measure;
use crate::methods::{check_count, edited, kind};
use crate::protocol::{Call, Outcome, weigh};
use ecs::by_name::{DefineError, FieldType, FieldValue, Fields, Kind, Redefinition};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most changes of a request.
const MOST_CHANGES: usize = 1_000;

#[derive(Deserialize)]
struct Define {
    component: String,
    #[serde(default)]
    fields: Vec<Field>,
}

/// A field: its name and its type.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    r#type: Type,
}

macro_rules! types {
    ($($variant:ident: $ty:ty = $name:literal;)+) => {
        /// The type of a field, by its name; a list is `{"list": type}`, and a record `{"record": [fields]}`.
        #[derive(Deserialize)]
        enum Type {
            $(#[serde(rename = $name)] $variant,)+
            #[serde(rename = "list")]
            List(Box<Self>),
            #[serde(rename = "record")]
            Record(Vec<Field>),
        }

        impl From<Type> for FieldType {
            fn from(ty: Type) -> Self {
                match ty {
                    $(Type::$variant => Self::$variant,)+
                    Type::List(of) => Self::List(Box::new((*of).into())),
                    Type::Record(fields) => Self::Record(fields_of(fields)),
                }
            }
        }

        /// Reads the value of a field.
        fn value(ty: &FieldType, json: &Value) -> Result<FieldValue, Error> {
            let wrong = |error: serde_json::Error| Error::invalid_params(format_args!("no `{ty}`: {error}"));
            match ty {
                $(FieldType::$variant => <$ty>::deserialize(json).map(FieldValue::$variant).map_err(wrong),)+
                FieldType::List(of) => {
                    let all = <Vec<Value>>::deserialize(json).map_err(wrong)?;
                    all.iter().map(|json| value(of, json)).collect::<Result<_, _>>().map(FieldValue::List)
                }
                FieldType::Record(fields) => {
                    let part = |(name, of): (&str, &FieldType)| match json.get(name) {
                        Some(json) => value(of, json),
                        None => Err(Error::invalid_params(format_args!("no `{ty}`: missing field `{name}`"))),
                    };
                    fields.iter().map(part).collect::<Result<_, _>>().map(FieldValue::Record)
                }
                _ => Err(Error::invalid_params(format_args!("no value of the type `{ty}` is read"))),
            }
        }
    };
}

types! {
    I8: i8 = "i8";
    I16: i16 = "i16";
    I32: i32 = "i32";
    I64: i64 = "i64";
    U8: u8 = "u8";
    U16: u16 = "u16";
    U32: u32 = "u32";
    U64: u64 = "u64";
    F32: f32 = "f32";
    F64: f64 = "f64";
    Bool: bool = "bool";
    Entity: Option<ecs::Entity> = "entity";
    Text: String = "text";
}

fn fields_of(list: Vec<Field>) -> Fields {
    let add = |fields: Fields, Field { name, r#type }| fields.field(&name, r#type.into());
    list.into_iter().fold(Fields::new(), add)
}

pub(super) fn define(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Define { component, fields } = call.params()?;
    let fields = fields_of(fields);
    call.budget.take_values(call.world.kinds().count())?; // each name is compared
    let has_it = |kind: Kind| kind.name() == component && kind.defined_fields() == Some(&fields);
    if let Some(kind) = call.world.kinds().find(|kind| has_it(*kind)) {
        return edited(call, &described(kind));
    }
    check_room(call)?;
    let kind = call.world.define(&component, fields)?;
    call.protocol.defined += 1;
    edited(call, &described(kind))
}

#[derive(Deserialize)]
struct Redefine {
    component: String,
    changes: Vec<Change>,
}

/// A change of a field, which is named by its path.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Change {
    Add {
        field: String,
        r#type: Type,
        /// The value of entities that have the component; the default of the type if there is none.
        #[serde(default)]
        value: Value,
    },
    Rename {
        field: String,
        to: String,
    },
    Drop {
        field: String,
    },
    Convert {
        field: String,
        r#type: Type,
    },
}

pub(super) fn redefine(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Redefine { component, changes } = call.params()?;
    check_count(changes.len(), "changes", MOST_CHANGES)?;
    let kind = kind(call, &component)?;
    if kind.defined_fields().is_none() {
        return Err(DefineError::NotDefined(kind.name()).into());
    }
    // All values are changed at once, so the price of the values, and of the ones that are added, is found out first.
    let (world, budget) = (&*call.world, call.budget);
    let entities = world.kind_entities(kind);
    for entity in entities {
        if let Some(value) = world.kind_value(kind, *entity) {
            measure(&value, budget)?;
        }
    }
    budget.take_values(entities.len() * changes.len())?;
    let mut redefinition = Redefinition::new();
    for change in changes {
        redefinition = match change {
            Change::Add { field, r#type, value: json } => {
                let ty = FieldType::from(r#type);
                let value = if json.is_null() { ty.default_value() } else { value(&ty, &json)? };
                let each = weigh(&json);
                budget.take_bytes(entities.len().saturating_mul(each.bytes))?;
                budget.take_values(entities.len().saturating_mul(each.values))?;
                redefinition.add(&field, ty, value)
            }
            Change::Rename { field, to } => redefinition.rename(&field, &to),
            Change::Drop { field } => redefinition.drop(&field),
            Change::Convert { field, r#type } => redefinition.convert(&field, r#type.into()),
        };
    }
    check_room(call)?;
    let redefined = call.world.redefine(kind, &redefinition);
    // The fields of one whose values cannot be converted are kept, too.
    if matches!(redefined, Ok(_) | Err(DefineError::NotConverted(..))) {
        call.protocol.defined += 1;
    }
    edited(call, &described(redefined?))
}

/// Returns an error if clients may define nothing more.
fn check_room(call: &Call<'_>) -> Result<(), Error> {
    let most = call.protocol.options.definitions;
    if call.protocol.defined < most {
        return Ok(());
    }
    Err(Error::invalid_params(format_args!(
        "clients of this server defined components {most} times, which the process keeps: raise `Options::definitions`"
    )))
}

/// Returns a definition as an answer shows it.
fn described(kind: Kind) -> Value {
    let fields = kind.defined_fields().map(ToString::to_string);
    json!({ "component": kind.name(), "version": kind.saved_as().map(|it| it.1), "fields": fields })
}
