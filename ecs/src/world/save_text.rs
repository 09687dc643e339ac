//! Saving in text formats, by any crate of serde: JSON, RON and the like.
//!
//! ```text
//! { entities: ["0v2", "1v1"], retired: [3], free: ["2v7"],
//!   components: { health: { version: 1, fingerprint: 7, values: [["0v2", 10]] },
//!                 ecs::ChildOf: { version: 1, fingerprint: 8, values: [["1v1", "0v2"]], order: [["1v1"]] } },
//!   resources: { score: { version: 1, fingerprint: 9, value: 3 } } }
//! ```

use crate::entity::Entity;
use crate::format::header::Schema;
use crate::resource::saved::SavedResource;
use crate::world::kind::{Shown, Value};
use crate::world::save::{Part, Save};
use alloc::string::ToString;
use alloc::vec::Vec;
use serde::ser::{Error as _, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// For formats for people: see [`World::read_from`](crate::World::read_from). What is not saved is an error, as for
/// [`to_bytes`](Save::to_bytes), unless it is [left out](Save::leave_out_rest).
impl Serialize for Save<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut parts, _) = self.parts().map_err(S::Error::custom)?;
        self.kept(false).map_err(S::Error::custom)?;
        let resources = self.resources().map_err(S::Error::custom)?;
        parts.retain(|part| part.all_positions().next().is_some());
        let (alive, free, retired) = self.handles();
        // Some formats say beforehand how many fields follow: not one that is skipped.
        let more = [!retired.is_empty(), !resources.is_empty()].into_iter().filter(|it| *it);
        let mut world = serializer.serialize_struct("World", 3 + more.count())?;
        world.serialize_field("entities", &alive)?;
        if retired.is_empty() {
            world.skip_field("retired")?;
        } else {
            world.serialize_field("retired", &retired)?;
        }
        world.serialize_field("free", &free)?;
        world.serialize_field("components", &Parts(&parts, self))?;
        if resources.is_empty() {
            world.skip_field("resources")?;
        } else {
            world.serialize_field("resources", &AllResources(&resources))?;
        }
        world.end()
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
        let Schema { version, fingerprint } = self.0.saving.schema();
        let mut map = serializer.serialize_struct("Resource", 3)?;
        map.serialize_field("version", &version)?;
        map.serialize_field("fingerprint", &fingerprint)?;
        map.serialize_field("value", &Shown(|show| self.0.show(show)))?;
        map.end()
    }
}

/// The components, by name.
struct Parts<'a>(&'a [Part<'a>], &'a Save<'a>);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for part in self.0 {
            map.serialize_entry(&part.name.to_string(), &OnePart(part, self.1))?;
        }
        map.end()
    }
}

/// A component: its values, and of a relation who points to one entity, in order.
struct OnePart<'a>(&'a Part<'a>, &'a Save<'a>);

impl Serialize for OnePart<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(part, save) = *self;
        let keys = part.pool.keys();
        let value = |at| (keys[at], Value::at(part.pool, at));
        let values: Vec<_> = part.all_positions().map(value).collect();
        let order = save.lists(part).map(|lists| -> Vec<Vec<Entity>> {
            let positions: Vec<usize> = part.all_positions().collect();
            let entities = |list: Vec<usize>| list.into_iter().map(|at| keys[positions[at]]);
            lists.into_iter().map(|list| entities(list).collect()).collect()
        });
        let mut map = serializer.serialize_struct("Component", 3 + usize::from(order.is_some()))?;
        map.serialize_field("version", &part.schema.version)?;
        map.serialize_field("fingerprint", &part.schema.fingerprint)?;
        map.serialize_field("values", &values)?;
        if let Some(order) = order {
            map.serialize_field("order", &order)?;
        }
        map.end()
    }
}
