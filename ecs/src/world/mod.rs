//! The world: joins entities, pools, groups and resources, and gives access to them.
//!
//! ```text
//!                           World
//!   entities   pools   groups   resources   order              parts, each with its own folder
//!       │        │       │          │         │
//!       │        │     group     resource   order              their methods on the world
//!       └───┬────┘
//!   handle  │  query                                           one entity, or all matches of a query
//!   name    │  pool                                            entities by name, one pool
//!        inspect                                               all of it: memory, invariants
//! ```
//!
//! Other methods of the world are in folders of their own:
//!
//! ```text
//! edit/ ──> notify/                        edits, and their listeners
//! relation/   copy/   by_name/   saved/    built on edits
//! ```
//!
//! * `handle`: `EntityRef` and `EntityMut`. `query`: views and lookups. `pool`: the pool of one type, as users see it.
//! * `group`: declared groups. `order`: pools in one order.
//! * `resource`, `name`, `inspect`. `error`: the errors of edits, one small type for each operation.

use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::notify::calls::Calls;
use crate::notify::observe::Observers;
use crate::order::PoolOrder;
use crate::pool::pools::Pools;
use crate::resource::Resources;
use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::sync::Arc;
use core::fmt;

/// Entities and their components.
///
/// | task | methods |
/// |---|---|
/// | create a world | [`new`](Self::new) |
/// | spawn an entity, or many | [`spawn`](Self::spawn), [`spawn_empty`](Self::spawn_empty), [`spawn_with`](Self::spawn_with), [`spawn_named`](Self::spawn_named), [`spawn_at`](Self::spawn_at), [`spawn_batch`](Self::spawn_batch), [`reserve_entity`](Self::reserve_entity) |
/// | despawn entities | [`despawn`](Self::despawn), [`despawn_batch`](Self::despawn_batch), [`clear`](Self::clear) |
/// | insert components into an entity | [`insert`](Self::insert), [`try_insert`](Self::try_insert), [`insert_if_absent`](Self::insert_if_absent), [`replace`](Self::replace), [`get_or_insert_with`](Self::get_or_insert_with) |
/// | change one, so that observers see it | [`patch`](Self::patch) |
/// | remove components from an entity | [`remove`](Self::remove), [`take`](Self::take), [`try_remove`](Self::try_remove), [`remove_except`](Self::remove_except) |
/// | insert into or remove from many | [`insert_batch`](Self::insert_batch), [`remove_batch`](Self::remove_batch) |
/// | read and write one entity | [`get`](Self::get), [`get_mut`](Self::get_mut), [`has`](Self::has), [`entity`](Self::entity), [`entity_mut`](Self::entity_mut), [`get_entity`](Self::get_entity), [`get_entity_mut`](Self::get_entity_mut), [`is_alive`](Self::is_alive) |
/// | keep a handle with its component's type | [`handle_of`](Self::handle_of), [`get_of`](Self::get_of), [`get_mut_of`](Self::get_mut_of), [`get_needed`](Self::get_needed) |
/// | loop over all matches | [`view`](Self::view), [`view_mut`](Self::view_mut), [`split_mut`](Self::split_mut) |
/// | loop over a set of entities | [`entity_set`](Self::entity_set), [`entities_in`](Self::entities_in) |
/// | use all components of one type | [`pool`](Self::pool), [`pool_mut`](Self::pool_mut) |
/// | find by name or value | [`entity_named`](Self::entity_named), [`name`](Self::name), [`find`](Self::find), [`index`](Self::index) |
/// | resources: values without an entity | [`insert_resource`](Self::insert_resource), [`resource`](Self::resource), [`resource_mut`](Self::resource_mut), [`get_resource`](Self::get_resource), [`get_resource_mut`](Self::get_resource_mut), [`resource_or_insert_with`](Self::resource_or_insert_with), [`resource_scope`](Self::resource_scope), [`resource_version`](Self::resource_version), [`remove_resource`](Self::remove_resource) |
/// | parents and children | [`attach`](Self::attach), [`detach`](Self::detach), [`parent`](Self::parent), [`children`](Self::children) |
/// | other relations | [`relate`](Self::relate), [`target_of`](Self::target_of), [`related`](Self::related), [`ancestors_of`](Self::ancestors_of), [`descendants_of`](Self::descendants_of), [`roots_of`](Self::roots_of), [`by_depth`](Self::by_depth) |
/// | order the sources of a relation | [`move_related`](Self::move_related), [`swap_related`](Self::swap_related), [`sort_related_by`](Self::sort_related_by) |
/// | be notified of changes | [`on_insert`](Self::on_insert), [`on_update`](Self::on_update), [`on_remove`](Self::on_remove), [`on_batch`](Self::on_batch), [`unobserve`](Self::unobserve) |
/// | send events of your own | [`send`](Self::send), [`send_to`](Self::send_to), [`on`](Self::on), [`on_entity`](Self::on_entity) |
/// | list changes later | [`changes`](Self::changes), [`advance`](Self::advance), [`collector`](Self::collector), [`drain`](Self::drain) |
/// | run a system | [`run`](Self::run) |
/// | copy entities or the world | [`spawn_copies`](Self::spawn_copies), [`spawn_copies_with`](Self::spawn_copies_with), [`spawn_copies_of`](Self::spawn_copies_of), [`copy_from`](Self::copy_from), [`try_clone`](Self::try_clone) |
/// | copy without some components | [`spawn_copies_by`](Self::spawn_copies_by), [`spawn_copies_with_by`](Self::spawn_copies_with_by), [`spawn_copies_of_by`](Self::spawn_copies_of_by), [`copy_from_by`](Self::copy_from_by), [`try_clone_by`](Self::try_clone_by) |
/// | prefabs | [`spawn_prefab`](Self::spawn_prefab), [`spawn_prefabs`](Self::spawn_prefabs) |
/// | move another world into this one | [`merge`](Self::merge) |
/// | undo | [`take_kind`](Self::take_kind), [`insert_value`](Self::insert_value), [`take_entity`](Self::take_entity), [`check_restore`](Self::check_restore), [`restore`](Self::restore), [`discard`](Self::discard) |
/// | use components by name | [`kind`](Self::kind), [`kinds`](Self::kinds), [`kind_value`](Self::kind_value), [`kind_values`](Self::kind_values), [`insert_values`](Self::insert_values), [`spawn_values`](Self::spawn_values), [`insert_kind_default`](Self::insert_kind_default), [`copy_kind`](Self::copy_kind), [`remove_kind`](Self::remove_kind), [`declare`](Self::declare) |
/// | members, relations and changes of a kind | [`kind_entities`](Self::kind_entities), [`kind_memory_usage`](Self::kind_memory_usage), [`kind_target`](Self::kind_target), [`kind_targets`](Self::kind_targets), [`kind_related`](Self::kind_related), [`kind_changes`](Self::kind_changes), [`advance_kind`](Self::advance_kind) |
/// | components without a Rust type | [`define`](Self::define), [`define_all`](Self::define_all), [`redefine`](Self::redefine), [`insert_fields`](Self::insert_fields), [`kind_inserter`](Self::kind_inserter), [`set_field`](Self::set_field), [`kind_index`](Self::kind_index), [`set_kind_veto`](Self::set_kind_veto) |
/// | be notified of changes by name | [`on_insert_kind`](Self::on_insert_kind), [`on_update_kind`](Self::on_update_kind), [`on_remove_kind`](Self::on_remove_kind) |
/// | queries by name | [`kinds_query`](Self::kinds_query), [`kind_rows`](Self::kind_rows), [`kind_rows_from`](Self::kind_rows_from), [`for_each_row`](Self::for_each_row) |
/// | look at the whole world | [`len`](Self::len), [`is_empty`](Self::is_empty), [`entities`](Self::entities), [`entities_from`](Self::entities_from), [`components`](Self::components), [`memory_usage`](Self::memory_usage), [`shrink_to_fit`](Self::shrink_to_fit) |
/// | groups | [`declare_group`](Self::declare_group), [`drop_group`](Self::drop_group), [`group`](Self::group), [`group_mut`](Self::group_mut), [`groups`](Self::groups) |
/// | order of pools | [`set_ordering`](Self::set_ordering), [`is_ordering`](Self::is_ordering), [`order_pools`](Self::order_pools) |
#[cfg_attr(
    feature = "serde",
    doc = " | save and load | [`save`](Self::save), [`register`](Self::register), [`load`](Self::load), [`read`](Self::read), [`read_from`](Self::read_from), [`spawn_from`](Self::spawn_from) |"
)]
#[cfg_attr(
    feature = "serde",
    doc = " | send changes to other worlds | [`change_sets`](Self::change_sets), [`apply_change_set`](Self::apply_change_set), [`apply_values`](Self::apply_values), [`apply_delta`](Self::apply_delta) |"
)]
#[cfg_attr(
    feature = "serde",
    doc = " | components and resources by name, with serde | [`insert_kind`](Self::insert_kind), [`resource_kinds`](Self::resource_kinds), [`resource_kind`](Self::resource_kind), [`has_resource_kind`](Self::has_resource_kind), [`resource_kind_value`](Self::resource_kind_value), [`insert_resource_kind`](Self::insert_resource_kind), [`remove_resource_kind`](Self::remove_resource_kind) |"
)]
///
/// Ids, readers, buffers and values that a program keeps belong to their world, wherever it is moved. In another one, ids
/// of observers and collectors find nothing, commands are dropped and counted, values and followers are errors, sets of
/// entities panic, and readers and cursors begin anew. Only a handle, an [`Entity`](crate::Entity), does not say to which
/// world it belongs. A copy is another world. A world that is loaded, or becomes a copy of a stranger, has other
/// entities.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component, Default)]
/// struct Proximity { distance: f32 }
/// #[derive(Component, Default)]
/// struct Audio { volume: f32 }
///
/// let mut world = World::new();
/// let mut entity = world.spawn_empty();
/// entity.add::<Proximity>();
/// entity.insert(Audio { volume: 4.0 });
/// let entity = entity.id();
///
/// for (_, proximity, audio) in world.view_mut::<(&mut Proximity, &Audio)>() {
///     proximity.distance += audio.volume;
/// }
/// assert_eq!(world.get::<Proximity>(entity).unwrap().distance, 4.0);
/// ```
pub struct World {
    pub(crate) entities: Entities,
    pub(crate) pools: Pools,
    pub(crate) groups: Groups,
    pub(crate) resources: Resources,
    pub(crate) observers: Observers,
    pub(crate) calls: Calls,
    /// The journal of the innermost call under way that takes entities out.
    pub(crate) taking: Option<Box<crate::by_name::undo::Journal>>,
    /// The upkeep of the order of pools.
    pub(crate) order: PoolOrder,
    /// Unknown components and resources of a file; copies of the world share them.
    #[cfg(feature = "serde")]
    pub(crate) unknown: Option<Arc<crate::saved::unknown::UnknownParts>>,
}

/// # Creating a world
impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints counts, and the names of resources: a world of a million entities is still a line.
#[expect(clippy::missing_fields_in_debug, reason = "observers are no content of the world")]
impl fmt::Debug for World {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("entities", &self.entities.len())
            .field("pools", &self.pools)
            .field("groups", &self.groups().count())
            .field("resources", &self.resources)
            .finish()
    }
}

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.

mod query;

pub(crate) mod resource;

pub(crate) mod name;

mod order;

pub(crate) mod group;

pub(crate) mod inspect;

pub(crate) mod pool;

pub(crate) mod handle;

pub(crate) mod error;
