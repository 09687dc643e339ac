//! Discovery: the methods of the server, and the shapes of types.

use crate::error::Error;
use crate::methods::{ALL, Method, done};
use crate::protocol::{Call, Outcome};
use crate::shape::{Named, Part, Shape, Variant};
use ecs::by_name::{ErasedPool, Kind, ResourceKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(super) fn discover(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let options = &call.protocol.options;
    let is_there = |method: &&Method| {
        options.allowed.as_ref().is_none_or(|allowed| allowed.contains(method.name))
            && !(options.is_read_only && method.writes)
    };
    // Clients of Bevy read the schema of a parameter in Bevy's own form, and validators as JSON Schema. No schema is
    // both, so parameters are named beside.
    let describe = |method: &Method| {
        json!({
            "name": method.name,
            "summary": method.summary,
            "params": [],
            "x-params": method.params,
            "result": { "name": "result", "schema": true },
        })
    };
    let methods: Vec<Value> = ALL.iter().filter(is_there).map(describe).collect();
    let own = options.methods.iter().map(|(name, _)| {
        json!({ "name": name, "params": [], "result": { "name": "result", "schema": true } })
    });
    let methods: Vec<Value> = methods.into_iter().chain(own).collect();
    done(&json!({
        "openrpc": "1.3.2",
        "info": { "title": "ecs_remote", "version": env!("CARGO_PKG_VERSION") },
        "servers": [{ "name": "ecs_remote", "url": format!("http://{}:{}", options.host, options.port) }],
        "methods": methods,
    }))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct SchemaFilter {
    with_crates: Vec<String>,
    without_crates: Vec<String>,
    type_limit: TypeLimit,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TypeLimit {
    #[serde(alias = "with_types")]
    with: Vec<String>,
    #[serde(alias = "without_types")]
    without: Vec<String>,
}

pub(super) fn schema(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let SchemaFilter { with_crates, without_crates, type_limit } = call.params()?;
    let is_of = |type_name: &str, crates: &[String]| {
        let own = type_name.split("::").next().unwrap_or(type_name);
        crates.iter().any(|name| name == own)
    };
    let has_all =
        |traits: &[&str], wanted: &[String]| wanted.iter().all(|it| traits.contains(&&**it));
    let has_any =
        |traits: &[&str], wanted: &[String]| wanted.iter().any(|it| traits.contains(&&**it));
    let is_wanted = |type_name: &str, traits: &[&str]| {
        (with_crates.is_empty() || is_of(type_name, &with_crates))
            && !is_of(type_name, &without_crates)
            && has_all(traits, &type_limit.with)
            && !has_any(traits, &type_limit.without)
    };
    let mut types = Map::new();
    let kinds: Vec<Kind> = call.world.pools().map(ErasedPool::kind).collect();
    for kind in kinds {
        let traits = traits_of(kind);
        if is_wanted(kind.type_name(), &traits) {
            let shape = call.protocol.shapes.of(call.world, kind);
            add_component(&mut types, kind, shape, &traits);
        }
    }
    for resource in ResourceKind::all(call.world) {
        let mut traits = vec!["Resource", "Component"];
        if resource.saved_name().is_some() {
            traits.extend(["Serialize", "Deserialize"]);
        }
        if is_wanted(resource.type_name(), &traits) {
            let mut schema = head(resource.type_name(), &traits);
            schema.insert("kind".into(), "Value".into());
            schema.insert("type".into(), "object".into());
            types.insert(resource.type_name().into(), schema.into());
        }
    }
    done(&types)
}

fn traits_of(kind: Kind) -> Vec<&'static str> {
    let has = [
        (true, "Component"),
        (kind.saved_as().is_some(), "Serialize"),
        (kind.saved_as().is_some(), "Deserialize"),
        (kind.has_default(), "Default"),
        (kind.is_copied(), "Clone"),
        (kind.is_shown(), "Debug"),
    ];
    has.into_iter().filter_map(|(has, name)| has.then_some(name)).collect()
}

/// Returns what a schema of Bevy says of any type.
fn head(type_name: &str, traits: &[&str]) -> Map<String, Value> {
    let base = type_name.find('<').unwrap_or(type_name.len());
    let (module, short) = match type_name[..base].rfind("::") {
        Some(at) => (&type_name[..at], &type_name[at + 2..]),
        None => ("", type_name),
    };
    let mut schema = Map::new();
    schema.insert("typePath".into(), type_name.into());
    schema.insert("shortPath".into(), short.into());
    if !module.is_empty() {
        schema.insert("modulePath".into(), module.into());
        schema.insert("crateName".into(), module.split("::").next().unwrap_or(module).into());
    }
    schema.insert("reflectTypes".into(), traits.into());
    schema
}

/// Adds the schemas of a component, and of the types that it names. Modules of these are not
/// available: they are named as in the component's module.
fn add_component(types: &mut Map<String, Value>, kind: Kind, shape: &Shape, traits: &[&str]) {
    let type_name = kind.type_name();
    let base = type_name.find('<').unwrap_or(type_name.len());
    let module = type_name[..base].rfind("::").map_or("", |at| &type_name[..at]);
    let writer = Writer { module, root: (&shape.root, type_name) };
    for (name, named) in &shape.types {
        let path = writer.path(name);
        if path != type_name && !types.contains_key(&path) {
            let mut schema = head(&path, &["Serialize", "Deserialize"]);
            schema.append(&mut writer.named(named));
            types.insert(path, schema.into());
        }
    }
    let mut schema = head(type_name, traits);
    let mut body = match &shape.root {
        Part::Named(name) => shape.types.get(name).map(|named| writer.named(named)),
        Part::Tuple(parts) => Some(writer.tuple(parts)),
        Part::Newtype(of) => Some(writer.tuple(std::slice::from_ref(of))),
        Part::Unit => Some(writer.fields(&[])),
        Part::Unknown => None,
        other => Some(writer.tuple(std::slice::from_ref(other))),
    };
    match &mut body {
        Some(body) => schema.append(body),
        None => drop(schema.insert("kind".into(), "Value".into())),
    }
    types.insert(type_name.into(), schema.into());
}

/// Writes schemas in Bevy's form.
struct Writer<'a> {
    module: &'a str,
    root: (&'a Part, &'a str),
}

impl Writer<'_> {
    fn path(&self, name: &str) -> String {
        match self.root {
            (Part::Named(root), path) if *root == name => path.to_owned(),
            _ => format!("{}::{name}", self.module),
        }
    }

    fn type_of(&self, part: &Part) -> String {
        let name = match part {
            Part::Unknown => "unknown",
            Part::Bool => "bool",
            Part::Uint => "u64",
            Part::Int => "i64",
            Part::Float => "f64",
            Part::Text => "alloc::string::String",
            Part::Unit => "()",
            Part::Entity => "bevy_ecs::entity::Entity",
            Part::Option(of) => return format!("core::option::Option<{}>", self.type_of(of)),
            Part::List(of) => return format!("alloc::vec::Vec<{}>", self.type_of(of)),
            Part::Map(of) => {
                return format!(
                    "std::collections::HashMap<alloc::string::String, {}>",
                    self.type_of(of)
                );
            }
            Part::Newtype(of) => return self.type_of(of),
            Part::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.type_of(part)).collect();
                return format!("({})", parts.join(", "));
            }
            Part::Named(name) => return self.path(name),
        };
        name.to_owned()
    }

    fn reference(&self, part: &Part) -> Value {
        json!({ "type": { "$ref": format!("#/$defs/{}", self.type_of(part)) } })
    }

    fn named(&self, named: &Named) -> Map<String, Value> {
        match named {
            Named::Struct(fields) => self.fields(fields),
            Named::Enum(variants) => {
                let all: Vec<Value> =
                    variants.iter().map(|(name, it)| self.variant(name, it.as_ref())).collect();
                let is_plain = variants.iter().all(|(_, it)| matches!(it, Some(Variant::Unit)));
                object(
                    json!({ "kind": "Enum", "type": if is_plain { "string" } else { "object" }, "oneOf": all }),
                )
            }
        }
    }

    fn variant(&self, name: &str, variant: Option<&Variant>) -> Value {
        let body = match variant {
            None | Some(Variant::Unit) => return name.into(),
            Some(Variant::Newtype(part)) => self.tuple(std::slice::from_ref(part)),
            Some(Variant::Tuple(parts)) => self.tuple(parts),
            Some(Variant::Struct(fields)) => self.fields(fields),
        };
        let mut schema = body;
        schema.insert("shortPath".into(), name.into());
        schema.insert("typePath".into(), name.into());
        schema.into()
    }

    fn fields(&self, fields: &[(&str, Part)]) -> Map<String, Value> {
        let properties: Map<String, Value> =
            fields.iter().map(|(name, part)| ((*name).to_owned(), self.reference(part))).collect();
        let required: Vec<&str> = fields
            .iter()
            .filter(|(_, part)| !matches!(part, Part::Option(_)))
            .map(|(name, _)| *name)
            .collect();
        object(json!({
            "kind": "Struct",
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }))
    }

    fn tuple(&self, parts: &[Part]) -> Map<String, Value> {
        let items: Vec<Value> = parts.iter().map(|part| self.reference(part)).collect();
        object(
            json!({ "kind": "TupleStruct", "type": "array", "prefixItems": items, "items": false }),
        )
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
