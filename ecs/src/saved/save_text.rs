//! Saving in text formats, by any crate of serde: JSON, RON and the like.
//!
//! ```text
//! { entities: ["0v2", "1v1"], retired: [3], free: ["2v7"],
//!   components: { health: { version: 1, fingerprint: 7, values: [["0v2", 10]] },
//!                 ecs::ChildOf: { version: 1, fingerprint: 8, values: [["1v1", "0v2"]], order: [["1v1"]] } },
//!   resources: { score: { version: 1, fingerprint: 9, value: 3 } } }
//! ```

use crate::component::data::SavingName;
use crate::entity::Entity;
use crate::format::counter::check_named;
use crate::format::error::ReadError;
use crate::format::header::Schema;
use crate::pool::WorldPool;
use crate::saved::error::SaveError;
use crate::saved::resource::SavedResource;
use crate::saved::save::{Save, SavedPart};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use serde::ser::{Error as _, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// Writes formats for people: see [`World::read_from`](crate::World::read_from). Unsaved components are an error, like
/// for [`to_bytes`](Save::to_bytes), unless they are [left out](Save::leave_out_rest).
impl Serialize for Save<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut parts, _) = self.parts().map_err(S::Error::custom)?;
        self.unknown(false).map_err(S::Error::custom)?;
        let (resources, _) = self.resources().map_err(S::Error::custom)?;
        parts.retain(|part| part.all_positions().next().is_some());
        let (alive, free, retired) = self.handles();
        let components = parts.iter().map(|part| (part.name, self.component(part))).collect();
        let named = resources.iter().map(|it| (it.saving.name, resource(it))).collect();
        let world = [
            ("entities", Some(TextNode::Handles(alive))),
            ("retired", (!retired.is_empty()).then_some(TextNode::Indices(retired))),
            ("free", Some(TextNode::Handles(free))),
            ("components", Some(TextNode::Named(components))),
            ("resources", (!resources.is_empty()).then_some(TextNode::Named(named))),
        ];
        TextNode::Struct("World", world.into()).serialize(serializer)
    }
}

impl Save<'_> {
    /// Returns a component: its values, and for a relation the sources of each target, in order.
    #[inline]
    fn component<'a>(&self, part: &'a SavedPart<'a>) -> TextNode<'a> {
        let keys = part.pool.keys();
        let order = self.lists(part).map(|lists| {
            let positions: Vec<usize> = part.all_positions().collect();
            let entities = |list: Vec<usize>| list.into_iter().map(|at| keys[positions[at]]);
            TextNode::Lists(lists.into_iter().map(|list| entities(list).collect()).collect())
        });
        let required = part.pool.kind().required_names();
        let fields = vec![
            ("version", Some(TextNode::Number(part.schema.version))),
            ("fingerprint", Some(TextNode::Number(part.schema.fingerprint))),
            ("fields", self.fields_of(part).map(TextNode::Text)),
            ("requires", (!required.is_empty()).then_some(TextNode::Names(required))),
            ("values", Some(TextNode::Values(part))),
            ("order", order),
        ];
        TextNode::Struct("Component", fields)
    }
}

#[inline]
fn resource<'a>(resource: &'a SavedResource<'a>) -> TextNode<'a> {
    let Schema { version, fingerprint } = resource.saving.schema();
    let fields = vec![
        ("version", Some(TextNode::Number(version))),
        ("fingerprint", Some(TextNode::Number(fingerprint))),
        ("value", Some(TextNode::Resource(resource))),
    ];
    TextNode::Struct("Resource", fields)
}

/// A part of a saved world, or of a saved entity.
pub(super) enum TextNode<'a> {
    Number(u32),
    Text(String),
    Handle(Entity),
    Indices(Vec<u32>),
    Names(Vec<String>),
    Handles(Vec<Entity>),
    Lists(Vec<Vec<Entity>>),
    /// The values of a component, each with its entity.
    Values(&'a SavedPart<'a>),
    /// The value of a component at a position of its pool.
    Value(SavingName, &'a dyn WorldPool, usize),
    Resource(&'a SavedResource<'a>),
    /// The name of a struct, and its fields; those without a value are left out.
    Struct(&'static str, Vec<(&'static str, Option<Self>)>),
    /// Components or resources, by name.
    Named(Vec<(SavingName, Self)>),
    List(Vec<Self>),
}

impl Serialize for TextNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::Handle(entity) => entity.serialize(serializer),
            Self::Indices(indices) => indices.serialize(serializer),
            Self::Names(names) => names.serialize(serializer),
            Self::Handles(handles) => handles.serialize(serializer),
            Self::Lists(lists) => lists.serialize(serializer),
            Self::Values(part) => {
                // Some formats require the length beforehand.
                let all: Vec<usize> = part.all_positions().collect();
                serializer.collect_seq(
                    all.iter().map(|at| {
                        (part.pool.keys()[*at], TextNode::Value(part.name, part.pool, *at))
                    }),
                )
            }
            Self::Value(name, pool, at) => {
                let (pool, at, entity) = (pool.as_saved(), *at, Some(pool.keys()[*at]));
                let show = |show: Look<'_>| pool.show(at, show);
                let check = || pool.check_handles(at);
                SavedValue { name: *name, entity, show: &show, check: &check }.serialize(serializer)
            }
            Self::List(list) => list.serialize(serializer),
            Self::Resource(resource) => {
                let show = |show: Look<'_>| resource.show(show);
                let name = resource.saving.name;
                SavedValue { name, entity: None, show: &show, check: &|| Ok(()) }
                    .serialize(serializer)
            }
            Self::Struct(name, fields) => {
                // Some formats write the number of fields beforehand, without skipped ones.
                let len = fields.iter().filter(|(_, value)| value.is_some()).count();
                // Formats that are not for people may write the fields of a struct without names.
                if !serializer.is_human_readable() {
                    let mut map = serializer.serialize_map(Some(len))?;
                    for (name, value) in fields {
                        value.iter().try_for_each(|value| map.serialize_entry(name, value))?;
                    }
                    return map.end();
                }
                let mut all = serializer.serialize_struct(name, len)?;
                for (name, value) in fields {
                    match value {
                        Some(value) => all.serialize_field(name, value)?,
                        None => all.skip_field(name)?,
                    }
                }
                all.end()
            }
            Self::Named(all) => {
                serializer.collect_map(all.iter().map(|(name, node)| (name.to_string(), node)))
            }
        }
    }
}

/// A function that looks at a value.
type Look<'a> = &'a mut dyn FnMut(&dyn erased_serde::Serialize);

/// A value that a function shows. If it cannot be written, the error names its component and entity.
struct SavedValue<'a> {
    name: SavingName,
    entity: Option<Entity>,
    show: &'a dyn Fn(Look<'_>),
    /// Returns an error if the value has handles that nothing replaces.
    check: &'a dyn Fn() -> Result<(), ReadError>,
}

impl Serialize for SavedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let error = |what: String| {
            let component = self.name.to_string();
            S::Error::custom(SaveError { component, entity: self.entity, what })
        };
        let (serializer, written) = (Cell::new(Some(serializer)), Cell::new(None));
        (self.show)(&mut |value| {
            written.set(serializer.take().map(|serializer| {
                let is_readable = check_named(value, serializer.is_human_readable());
                let checked = is_readable.and_then(|()| (self.check)());
                checked.map_err(ReadError::into_text).map_err(error)?;
                value.serialize(serializer).map_err(|cause| error(cause.to_string()))
            }));
        });
        written.take().unwrap_or_else(|| Err(error("it has no value".to_string())))
    }
}
