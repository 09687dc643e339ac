//! Discovery: the methods of the server, and the shapes of types.

use crate::budget::Stop;
use crate::methods::{ALL, MOST_NAMES, Method, check_count, done};
use crate::parts::{Part, parts};
use crate::protocol::{Call, Outcome};
use crate::shape::TIME;
use ecs::by_name::{Kind, ResourceKind};
use ecs_shape::{Number, Shape};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(super) fn discover(call: &mut Call<'_>) -> Result<Outcome, Stop> {
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
    done(
        call,
        &json!({
            "openrpc": "1.3.2",
            "info": { "title": "ecs_remote", "version": env!("CARGO_PKG_VERSION") },
            "servers": [{ "name": "ecs_remote", "url": format!("http://{}:{}", options.host, options.port) }],
            "methods": methods,
        }),
    )
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

impl SchemaFilter {
    fn is_wanted(&self, type_name: &str, traits: &[&str]) -> bool {
        let own = type_name.split("::").next().unwrap_or(type_name);
        let is_in = |crates: &[String]| crates.iter().any(|name| name == own);
        let has = |wanted: &String| traits.contains(&&**wanted);
        (self.with_crates.is_empty() || is_in(&self.with_crates))
            && !is_in(&self.without_crates)
            && self.type_limit.with.iter().all(has)
            && !self.type_limit.without.iter().any(has)
    }
}

pub(super) fn schema(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let filter: SchemaFilter = call.params()?;
    let TypeLimit { with, without } = &filter.type_limit;
    for names in [&filter.with_crates, &filter.without_crates, with, without] {
        check_count(names.len(), "names", MOST_NAMES)?;
    }
    let kinds: Vec<Kind> = call.world.kinds().collect();
    let resources = call.world.resource_kinds();
    let mut types = Map::new();
    // Types have types within them, so all are described before the first one is written.
    Ok(parts("{", move |call, at, out| {
        let described = kinds.len() + resources.len();
        if let Some(kind) = kinds.get(at).copied() {
            let traits = traits_of(kind);
            if filter.is_wanted(kind.type_name(), &traits) {
                let shape = call.protocol.shapes.of(call.world, kind);
                add_component(&mut types, kind, shape, &traits);
            }
        } else if let Some(resource) = resources.get(at - kinds.len()) {
            add_resource(&mut types, *resource, &filter);
        } else if let Some((name, schema)) = types.iter().nth(at - described) {
            out.write_or_fail(name, call.budget)?;
            out.push(":");
            out.write_or_fail(schema, call.budget)?;
            return Ok(Part::Written);
        } else {
            return Ok(Part::End("}".into()));
        }
        Ok(Part::Skipped)
    }))
}

fn add_resource(types: &mut Map<String, Value>, resource: ResourceKind, filter: &SchemaFilter) {
    let mut traits = vec!["Resource", "Component"];
    if resource.saved_name().is_some() {
        traits.extend(["Serialize", "Deserialize"]);
    }
    if filter.is_wanted(resource.type_name(), &traits) {
        let mut schema = head(resource.type_name(), &traits);
        schema.insert("kind".into(), "Value".into());
        schema.insert("type".into(), "object".into());
        types.insert(resource.type_name().into(), schema.into());
    }
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

/// Returns the part of a schema of Bevy that any type has.
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

/// Adds the schemas of a component, and of the types within it. Modules of these are not known: they are named as in the
/// component's module.
fn add_component(types: &mut Map<String, Value>, kind: Kind, shape: &Shape, traits: &[&str]) {
    let type_name = kind.type_name();
    let base = type_name.find('<').unwrap_or(type_name.len());
    let module = type_name[..base].rfind("::").map_or("", |at| &type_name[..at]);
    let root = match shape {
        Shape::Struct(name, _) | Shape::Enum(name, _) => name,
        _ => "",
    };
    let mut writer = Writer { types, module, root: (root, type_name) };
    let mut schema = head(type_name, traits);
    schema.append(&mut match shape {
        Shape::Unknown(_) => object(json!({ "kind": "Value" })),
        Shape::Unit => writer.fields(&[]),
        other => writer.body(other),
    });
    types.insert(type_name.into(), schema.into());
}

/// Writes schemas in Bevy's form.
struct Writer<'a> {
    types: &'a mut Map<String, Value>,
    module: &'a str,
    /// The name of the component in its shape, and its full name.
    root: (&'a str, &'a str),
}

impl Writer<'_> {
    fn path(&self, name: &str) -> String {
        let (root, type_name) = self.root;
        if name == root { type_name.to_owned() } else { self.within(name) }
    }

    /// Returns the full name of another type. Records of defined components may have none.
    fn within(&self, name: &str) -> String {
        let name = if name.is_empty() { "Record" } else { name };
        if self.module.is_empty() { name.to_owned() } else { format!("{}::{name}", self.module) }
    }

    /// Returns the name of a type, which is added to the schemas: a struct or an enum under a number if another one has its
    /// name.
    fn type_of(&mut self, shape: &Shape) -> String {
        let (path, body) = match shape {
            Shape::Bool => ("bool".to_owned(), value("boolean")),
            Shape::Char => ("char".to_owned(), value("string")),
            Shape::Number(number) => {
                let kind = match number.name().as_bytes().first() {
                    Some(b'f') => "float",
                    Some(b'u') => "uint",
                    _ => "int",
                };
                (number.name().to_owned(), value(kind))
            }
            Shape::Text(_) => ("alloc::string::String".to_owned(), value("string")),
            Shape::Unit => ("()".to_owned(), self.tuple("Tuple", &[])),
            Shape::Entity => ("bevy_ecs::entity::Entity".to_owned(), value("uint")),
            Shape::Bytes => return self.type_of(&Shape::List(Box::new(Shape::Number(Number::U8)))),
            Shape::Option(of) => {
                let path = format!("core::option::Option<{}>", self.type_of(of));
                let some = self.variant("Some", &Shape::Tuple(vec![(**of).clone()]));
                let all = json!({ "kind": "Enum", "type": "object", "oneOf": ["None", some] });
                (path, object(all))
            }
            Shape::List(of) => {
                let path = format!("alloc::vec::Vec<{}>", self.type_of(of));
                let items = self.reference(of);
                (path, object(json!({ "kind": "List", "type": "array", "items": items })))
            }
            Shape::Map(both) => {
                let (key, of) = (self.type_of(&both.0), self.type_of(&both.1));
                let path = format!("std::collections::HashMap<{key}, {of}>");
                let (key, of) = (self.reference(&both.0), self.reference(&both.1));
                let map =
                    json!({ "kind": "Map", "type": "object", "keyType": key, "valueType": of });
                (path, object(map))
            }
            Shape::Newtype(_, of) => return self.type_of(of),
            Shape::Tuple(parts) => {
                let names: Vec<String> = parts.iter().map(|part| self.type_of(part)).collect();
                (format!("({})", names.join(", ")), self.tuple("Tuple", parts))
            }
            Shape::Time => return self.add("std::time::SystemTime".to_owned(), shape),
            Shape::Struct(name, _) | Shape::Enum(name, _) => {
                return self.add(self.within(name), shape);
            }
            Shape::Within(name) => return self.path(name),
            Shape::Unknown(Some(written)) => return written.clone(),
            _ => return "unknown".to_owned(),
        };
        self.insert(&path, body);
        path
    }

    fn insert(&mut self, path: &str, mut body: Map<String, Value>) {
        if !self.types.contains_key(path) {
            let mut schema = head(path, &["Serialize", "Deserialize"]);
            schema.append(&mut body);
            self.types.insert(path.to_owned(), schema.into());
        }
    }

    fn add(&mut self, path: String, shape: &Shape) -> String {
        let body = self.body(shape);
        let is_free = |path: &String| match self.types.get(path) {
            None => path != self.root.1,
            Some(other) => body.iter().all(|(key, value)| other.get(key) == Some(value)),
        };
        let numbered = (2..).map(|number| format!("{path}{number}"));
        let found = std::iter::once(path.clone()).chain(numbered).find(is_free);
        let path = found.unwrap_or(path);
        self.insert(&path, body);
        path
    }

    fn reference(&mut self, part: &Shape) -> Value {
        json!({ "type": { "$ref": format!("#/$defs/{}", self.type_of(part)) } })
    }

    fn body(&mut self, shape: &Shape) -> Map<String, Value> {
        match shape {
            Shape::Struct(_, fields) => self.fields(fields),
            Shape::Time => self.fields(&TIME),
            Shape::Enum(_, variants) => {
                let all: Vec<Value> =
                    variants.iter().map(|(name, part)| self.variant(name, part)).collect();
                let is_plain = variants.iter().all(|(_, part)| *part == Shape::Unit);
                object(
                    json!({ "kind": "Enum", "type": if is_plain { "string" } else { "object" }, "oneOf": all }),
                )
            }
            Shape::Newtype(_, of) => self.tuple("TupleStruct", std::slice::from_ref(of)),
            Shape::Tuple(parts) => self.tuple("TupleStruct", parts),
            other => self.tuple("TupleStruct", std::slice::from_ref(other)),
        }
    }

    fn variant(&mut self, name: &str, shape: &Shape) -> Value {
        if matches!(shape, Shape::Unit | Shape::Unknown(_)) {
            return name.into();
        }
        let mut schema = self.body(shape);
        schema.insert("shortPath".into(), name.into());
        schema.insert("typePath".into(), name.into());
        schema.into()
    }

    fn fields(&mut self, fields: &[(&str, Shape)]) -> Map<String, Value> {
        let properties: Map<String, Value> =
            fields.iter().map(|(name, part)| ((*name).to_owned(), self.reference(part))).collect();
        let required: Vec<&str> = fields
            .iter()
            .filter(|(_, part)| !matches!(part, Shape::Option(_)))
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

    fn tuple(&mut self, kind: &str, parts: &[Shape]) -> Map<String, Value> {
        let items: Vec<Value> = parts.iter().map(|part| self.reference(part)).collect();
        object(json!({ "kind": kind, "type": "array", "prefixItems": items, "items": false }))
    }
}

/// Returns the schema of a type without parts.
fn value(kind: &str) -> Map<String, Value> {
    object(json!({ "kind": "Value", "type": kind }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
