//! The pool of one component type, and its untyped interface.

mod copied;
pub(crate) mod defined;
pub(crate) mod field_columns;
pub(crate) mod kind;
pub(crate) mod list;
pub(crate) mod pools;
pub(crate) mod rules;
#[cfg(feature = "serde")]
pub(crate) mod saved;
#[cfg(feature = "serde")]
mod seen;
mod swept;
pub(crate) mod tiling;
pub(crate) mod track;
pub(crate) mod watch;

use crate::component::data::{AnyIndex, Loose, UniqueRule};
use crate::component::set::ComponentSet;
use crate::component::{AnyComponent, AtTargetEnd};
use crate::entities::Entities;
use crate::entities::chunk::{AHEAD, CHUNK};
use crate::entity::Entity;
use crate::extent::check;
#[cfg(feature = "serde")]
use crate::format::checked::Next;
use crate::internal::Internal;
use crate::pool::kind::Kind;
use crate::pool::track::Track;
use crate::storage::keys::Keys;
use crate::storage::memory::MemoryUsage;
use crate::storage::sparse_set::SparseSet;
use crate::storage::untyped::{SetMut, UntypedValues};
use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// All components of one type in a world: a [`SparseSet`] keyed by entity. Among entities with one index, only the one
/// inserted last is a member.
///
/// Outside a world, it is a map from entities that does not test if they are alive:
///
/// ```
/// # use ecs::{Component, EntityMap, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// # let mut world = World::new();
/// let entity = world.spawn_empty().id();
/// let mut saved = EntityMap::<Health>::default();
/// saved.insert(entity, Health(3));
/// world.despawn(entity).unwrap();
/// assert_eq!(saved.get(entity), Some(&Health(3)));
/// assert_eq!(saved.get(world.spawn_empty().id()), None); // the same index, another generation
/// ```
pub type Pool<T> = SparseSet<T, Entity, <T as AnyComponent>::Storage>;

/// The untyped interface of a pool to the world: the operations that depend on the type of its components.
pub(crate) trait WorldPool: Send + Sync {
    /// Returns the kind of its components.
    fn kind(&self) -> Kind;
    /// Returns the members and their positions.
    fn raw_keys(&self) -> &Keys<Entity>;
    /// Returns the values.
    fn values(&self) -> &dyn UntypedValues;
    /// Returns the pool as a set, to be edited.
    fn set_mut(&mut self) -> SetMut<'_, Entity>;
    /// Removes the component of the entity, which must be alive, if it has one, and drops it last. A despawn calls this for
    /// each pool, so it is one call.
    fn remove(&mut self, entity: Entity);
    /// Returns `true` if the component has a veto.
    fn is_guarded(&self) -> bool;
    /// Returns the target of this entity's component, if it has one that is a relation.
    fn target(&self, entity: Entity) -> Option<Entity>;
    /// Calls the component's veto, and returns `true` if it permits the removal or the entity has no such component.
    fn permits_removal(&mut self, entity: Entity) -> bool;
    /// Returns an error if an invariant is broken.
    fn check(&self) -> Result<(), &'static str>;

    /// Returns a pool of this type, without members.
    fn empty(&self) -> Box<dyn WorldPool>;
    /// Returns this pool, so that it can be cast to its type.
    fn as_any(&self) -> &dyn Any;
    /// Returns this pool, so that it can be cast to its type.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Returns `true` if untyped values of this kind have the fields that the pool has, or are converted to have them.
    fn takes(&self, _: &Loose) -> bool {
        true
    }
    /// Returns untyped values as ones with the fields that the pool has, if they were made with other ones and are
    /// converted.
    fn adapted_loose(&self, _: &Loose) -> Option<Box<Loose>> {
        None
    }
    /// Takes the earlier definitions of another pool of this kind.
    fn take_history(&mut self, _: &dyn Any) {}
}

impl dyn WorldPool + '_ {
    /// Returns the address of this pool, which must be one of `T`. Panics in a checked build if it is not (P1).
    #[inline(always)]
    pub(crate) fn address_of<T: AnyComponent>(&self) -> *const Pool<T> {
        check!(self.as_any().is::<Pool<T>>(), "the entry is a pool of another type");
        core::ptr::from_ref(self).cast()
    }

    /// Returns the address of this pool like [`address_of`](Self::address_of), for writing.
    #[inline(always)]
    pub(crate) fn address_mut_of<T: AnyComponent>(&mut self) -> *mut Pool<T> {
        check!(self.as_any().is::<Pool<T>>(), "the entry is a pool of another type");
        core::ptr::from_mut(self).cast()
    }
}

impl dyn WorldPool + '_ {
    /// Returns the name of the component, as declared.
    pub(crate) fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Returns the number of entities that have the component.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.raw_keys().len()
    }

    /// Returns `true` if no entity has the component.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if this entity has the component.
    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.raw_keys().find(entity).is_some()
    }

    /// Returns the entities that have the component, in the order of their values.
    #[inline]
    pub(crate) fn keys(&self) -> &[Entity] {
        self.raw_keys().dense()
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let (sparse, dense) = self.raw_keys().memory();
        MemoryUsage { sparse, dense, values: self.values().memory() }
    }

    /// Returns, for a relation, the effect on sources when their target ends, and `true` if it may not form cycles.
    pub(crate) fn relation(&self) -> Option<(AtTargetEnd, bool)> {
        self.kind().relation()
    }

    /// Returns an index for the component, if it is to have one.
    pub(crate) fn index(&self) -> Option<Box<dyn AnyIndex>> {
        let kind = self.kind();
        Some((kind.index_rule()?.make)(kind.number, kind.name()))
    }

    /// Returns the rule of the component, if it is unique.
    pub(crate) fn unique(&self) -> Option<UniqueRule> {
        self.kind().index_rule()?.unique
    }

    /// Calls `look` with the value at this position, if values are shown.
    #[inline]
    pub(crate) fn look_at(&self, at: usize, look: &mut dyn FnMut(&dyn fmt::Debug)) {
        if let Some(look_at) = self.kind().operations().look_at {
            look_at(self.values().as_loose(), at, look);
        }
    }

    /// Makes these entities members, with untyped values of this type; no member may have their indices.
    #[inline]
    pub(crate) fn take_in(&mut self, entities: &[Entity], values: Box<Loose>) {
        let values = self.adapted_loose(&*values).unwrap_or(values);
        self.set_mut().append(entities, values);
    }

    /// Inserts untyped values of this type into these entities, one for each. Returns the replaced values.
    #[inline]
    pub(crate) fn put_loose(&mut self, entities: &[Entity], values: Box<Loose>) -> Box<Loose> {
        let values = self.adapted_loose(&*values).unwrap_or(values);
        self.set_mut().put_all(entities, values)
    }

    /// Returns the members, after the changes since the last call were marked, if they are found by comparing values.
    #[cfg_attr(
        not(feature = "serde"),
        expect(unused_variables, reason = "saved values are compared")
    )]
    pub(crate) fn compared(&self, track: &mut Track) -> &Keys<Entity> {
        #[cfg(feature = "serde")]
        if self.kind().is_compared() {
            let write = &|next: Next<'_>, bytes: &mut Vec<u8>| self.as_saved().write(next, bytes);
            track.compare(self.raw_keys(), write);
        }
        self.raw_keys()
    }
}

impl SetMut<'_, Entity> {
    /// Removes the components of these entities, which were alive until now, out of `all` that are removed; to be
    /// swept, or one by one.
    #[inline]
    pub(crate) fn take_out_members(&mut self, entities: &[Entity], all: usize, sweep: bool) {
        // By P4, no other entity with such an index is a member.
        self.take_out::<true>(entities, all, sweep, |_, _| true);
    }

    /// Removes the components of the living entities among these, to be swept or one by one, and returns their number.
    /// The entities' records contain none of the `forgotten` components then.
    pub(crate) fn take_out_living(
        &mut self,
        of: &[Entity],
        sweep: bool,
        living: &mut Entities,
        forgotten: ComponentSet,
    ) -> usize {
        let mut count = 0;
        for (chunk, next) in of.chunks(CHUNK).zip((AHEAD..).step_by(CHUNK)) {
            let later = of.get(next..).unwrap_or_default();
            let pass = pass_living(later, living, forgotten, &mut count);
            self.take_out::<false>(chunk, of.len(), sweep, pass);
        }
        count
    }
}

impl<T: AnyComponent> WorldPool for Pool<T> {
    fn kind(&self) -> Kind {
        Kind::of::<T>()
    }
    fn raw_keys(&self) -> &Keys<Entity> {
        self.raw_keys()
    }
    fn values(&self) -> &dyn UntypedValues {
        self.raw_values()
    }
    fn set_mut(&mut self) -> SetMut<'_, Entity> {
        self.untyped()
    }
    fn remove(&mut self, entity: Entity) {
        self.take::<true>(entity); // by P4, no other entity with its index is a member
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn check(&self) -> Result<(), &'static str> {
        Self::check(self)
    }
    fn is_guarded(&self) -> bool {
        T::GUARDED
    }
    fn target(&self, entity: Entity) -> Option<Entity> {
        if const { T::RELATION.is_none() } {
            return None;
        }
        self.get(entity).map(T::RELATION?.target_at)
    }
    fn permits_removal(&mut self, entity: Entity) -> bool {
        !T::GUARDED
            || self.get_mut(entity).is_none_or(|value| T::permits_removal(Internal::CALL, value))
    }
    fn empty(&self) -> Box<dyn WorldPool> {
        Box::new(Self::default())
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Passes entities that are alive, and counts them. Their records name none of the `forgotten` components then.
fn pass_living<'a>(
    later: &'a [Entity],
    living: &'a mut Entities,
    forgotten: ComponentSet,
    count: &'a mut usize,
) -> impl FnMut(Entity, bool) -> bool + 'a {
    let mut later = later.iter();
    move |entity, is_member| {
        if !is_member {
            if let Some(&later) = later.next() {
                living.prefetch(later);
            }
            // A member is alive (P4): so the living entity is the member with its index.
            if !living.is_alive(entity) {
                return false;
            }
        }
        if !forgotten.is_empty() {
            living.remove_all(entity, forgotten);
        }
        *count += 1;
        true
    }
}
