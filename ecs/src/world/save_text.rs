//! Saving in text formats, by any crate of serde: JSON, RON and the like.
//!
//! ```text
//! { entities: ["0v2", "1v1"], retired: [3], free: ["2v7"],
//!   components: { health: { version: 1, fingerprint: 7, values: [["0v2", 10]] },
//!                 ecs::ChildOf: { version: 1, fingerprint: 8, values: [["1v1", "0v2"]], order: [["1v1"]] } },
//!   resources: { score: { version: 1, fingerprint: 9, value: 3 } } }
//! ```

use crate::entity::Entity;
use crate::format::counter::check_named;
use crate::format::error::ReadError;
use crate::format::header::Schema;
use crate::pool::WorldPool;
use crate::resource::saved::SavedResource;
use crate::saved::error::SaveError;
use crate::world::save::{Save, SavedPart};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt::Display;
use serde::ser::{Error as _, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// Writes formats for people: see [`World::read_from`](crate::World::read_from). Unsaved components are an error, like
/// for [`to_bytes`](Save::to_bytes), unless they are [left out](Save::leave_out_rest).
impl Serialize for Save<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut parts, _) = self.parts().map_err(S::Error::custom)?;
        self.unknown(false).map_err(S::Error::custom)?;
        let resources = self.resources().map_err(S::Error::custom)?;
        parts.retain(|part| part.all_positions().next().is_some());
        let (alive, free, retired) = self.handles();
        // Some formats write the number of fields beforehand, without skipped ones.
        let more = [!retired.is_empty(), !resources.is_empty()].into_iter().filter(|it| *it);
        let mut world = Fields::begin(serializer, "World", 3 + more.count())?;
        world.field("entities", &alive)?;
        world.optional("retired", (!retired.is_empty()).then_some(&retired))?;
        world.field("free", &free)?;
        world.field("components", &SavedParts(&parts, self))?;
        let resources = (!resources.is_empty()).then_some(AllResources(&resources));
        world.optional("resources", resources.as_ref())?;
        world.end()
    }
}

/// The fields of a struct with their names: formats that are not for people may write those of a struct without names.
enum Fields<S: Serializer> {
    Struct(S::SerializeStruct),
    Map(S::SerializeMap),
}

impl<S: Serializer> Fields<S> {
    fn begin(serializer: S, name: &'static str, len: usize) -> Result<Self, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_struct(name, len).map(Self::Struct)
        } else {
            serializer.serialize_map(Some(len)).map(Self::Map)
        }
    }

    fn field(&mut self, name: &'static str, value: &impl Serialize) -> Result<(), S::Error> {
        match self {
            Self::Struct(fields) => fields.serialize_field(name, value),
            Self::Map(fields) => fields.serialize_entry(name, value),
        }
    }

    fn optional(
        &mut self,
        name: &'static str,
        value: Option<&impl Serialize>,
    ) -> Result<(), S::Error> {
        match (value, &mut *self) {
            (Some(value), _) => self.field(name, value),
            (None, Self::Struct(fields)) => fields.skip_field(name),
            (None, Self::Map(_)) => Ok(()),
        }
    }

    fn schema(&mut self, schema: Schema) -> Result<(), S::Error> {
        self.field("version", &schema.version)?;
        self.field("fingerprint", &schema.fingerprint)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        match self {
            Self::Struct(fields) => fields.end(),
            Self::Map(fields) => fields.end(),
        }
    }
}

/// A function that looks at a value.
type Look<'a> = &'a mut dyn FnMut(&dyn erased_serde::Serialize);

/// A value that a function shows. If it cannot be written, the error names its component and entity.
struct Saved<'a> {
    name: &'a dyn Display,
    entity: Option<Entity>,
    show: &'a dyn Fn(Look<'_>),
}

impl Serialize for Saved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let error = |what: String| {
            let component = self.name.to_string();
            S::Error::custom(SaveError { component, entity: self.entity, what })
        };
        let (serializer, written) = (Cell::new(Some(serializer)), Cell::new(None));
        (self.show)(&mut |value| {
            written.set(serializer.take().map(|serializer| {
                let is_readable = check_named(value, serializer.is_human_readable());
                is_readable.map_err(ReadError::into_text).map_err(error)?;
                value.serialize(serializer).map_err(|cause| error(cause.to_string()))
            }));
        });
        written.take().unwrap_or_else(|| Err(error("it has no value".to_string())))
    }
}

/// The resources, by name.
struct AllResources<'a>(&'a [SavedResource<'a>]);

impl Serialize for AllResources<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = self.0.iter().map(|it| (it.saving.name.to_string(), OneResource(it)));
        serializer.collect_map(named)
    }
}

struct OneResource<'a>(&'a SavedResource<'a>);

impl Serialize for OneResource<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saving = self.0.saving;
        let mut fields = Fields::begin(serializer, "Resource", 3)?;
        fields.schema(saving.schema())?;
        let show = |show: Look<'_>| self.0.show(show);
        fields.field("value", &Saved { name: &saving.name, entity: None, show: &show })?;
        fields.end()
    }
}

/// The components, by name.
struct SavedParts<'a>(&'a [SavedPart<'a>], &'a Save<'a>);

impl Serialize for SavedParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for part in self.0 {
            map.serialize_entry(&part.name.to_string(), &OnePart(part, self.1))?;
        }
        map.end()
    }
}

/// A component: its values, and for a relation the sources of each target, in order.
struct OnePart<'a>(&'a SavedPart<'a>, &'a Save<'a>);

impl Serialize for OnePart<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(part, save) = *self;
        let keys = part.pool.keys();
        let order = save.lists(part).map(|lists| -> Vec<Vec<Entity>> {
            let positions: Vec<usize> = part.all_positions().collect();
            let entities = |list: Vec<usize>| list.into_iter().map(|at| keys[positions[at]]);
            lists.into_iter().map(|list| entities(list).collect()).collect()
        });
        let required = part.pool.kind().required_names();
        let more = [!required.is_empty(), order.is_some()].into_iter().filter(|it| *it);
        let mut fields = Fields::begin(serializer, "Component", 3 + more.count())?;
        fields.schema(part.schema)?;
        fields.optional("requires", (!required.is_empty()).then_some(&required))?;
        fields.field("values", &Values(part))?;
        fields.optional("order", order.as_ref())?;
        fields.end()
    }
}

/// The values of a component, each with its entity.
struct Values<'a>(&'a SavedPart<'a>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SavedPart { name, pool, .. } = self.0;
        // Some formats require the length beforehand.
        let all: Vec<usize> = self.0.all_positions().collect();
        serializer.collect_seq(all.iter().map(|at| Pair { name, pool: *pool, at: *at }))
    }
}

struct Pair<'a> {
    name: &'a dyn Display,
    pool: &'a dyn WorldPool,
    at: usize,
}

impl Serialize for Pair<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entity = self.pool.keys()[self.at];
        let show = |show: Look<'_>| self.pool.as_saved().show(self.at, show);
        (entity, Saved { name: self.name, entity: Some(entity), show: &show }).serialize(serializer)
    }
}
