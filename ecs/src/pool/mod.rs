//! The pool of one component type, and its untyped interface.

mod copied;
pub(crate) mod defined;
pub(crate) mod field_columns;
pub(crate) mod kind;
pub(crate) mod list;
pub(crate) mod pools;
pub(crate) mod rules;
#[cfg(feature = "serde")]
mod seen;
mod swept;
pub(crate) mod tiling;
pub(crate) mod track;
pub(crate) mod watch;

#[cfg(feature = "serde")]
use crate::component::data::SavedPool;
use crate::component::data::{AnyIndex, CopiedPool, Loose, UniqueRule};
use crate::component::set::ComponentSet;
use crate::component::{AnyComponent, AtTargetEnd, HookList, index_of};
use crate::entities::Entities;
use crate::entities::chunk::{AHEAD, CHUNK};
use crate::entity::Entity;
use crate::extent::check;
use crate::internal::Internal;
use crate::pool::kind::copying;
#[cfg(feature = "serde")]
use crate::pool::kind::saving;
use crate::pool::kind::{Kind, KindPool};
use crate::pool::track::Track;
use crate::relation::ends::IsTarget;
use crate::storage::keys::Keys;
#[cfg(feature = "serde")]
use crate::storage::keys::Noted;
use crate::storage::memory::MemoryUsage;
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::{Container, EachColumn, EachColumnMut};
use alloc::boxed::Box;
use core::any::Any;
use core::mem;

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

/// The untyped interface of a pool to the world. Some methods leave a pool half changed, and need others to follow.
pub(crate) trait WorldPool: Send + Sync + KindPool {
    /// Returns the kind of its components.
    fn kind(&self) -> Kind;
    /// Returns the name of the component, as declared.
    fn name(&self) -> &'static str {
        self.kind().name()
    }
    /// Returns the number of entities that have the component.
    fn len(&self) -> usize;
    /// Returns `true` if no entity has the component.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns `true` if this entity has the component.
    fn contains(&self, entity: Entity) -> bool;
    /// Returns the entities that have the component, in the order of their values.
    fn keys(&self) -> &[Entity];
    /// Returns the bytes on the heap.
    fn memory_usage(&self) -> MemoryUsage;
    /// Returns `true` if the component has a veto.
    fn is_guarded(&self) -> bool;
    /// Returns the component's hooks, which are called first for insertions and last for removals.
    fn hooks(&self) -> HookList;
    /// Returns the target of this entity's component, if it has one that is a relation.
    fn target(&self, entity: Entity) -> Option<Entity>;
    /// Calls the component's veto, and returns `true` if it permits the removal or the entity has no such component.
    fn permits_removal(&mut self, entity: Entity) -> bool;
    /// Removes the component of the entity, which must be alive, if it has one, and drops it last.
    fn remove(&mut self, entity: Entity);
    /// Removes the components of these entities, which were alive until now, out of `all` that are removed; to be
    /// swept, or one by one.
    fn take_out(&mut self, entities: &[Entity], all: usize, sweep: bool);
    /// Removes the component at position `from`: the one at `by` takes its place, and the last one takes position `by`.
    fn take_out_at(&mut self, from: usize, by: usize);
    /// Removes the components of the living entities among these, to be swept or one by one, and returns their number.
    /// The entities' records contain none of the `forgotten` components then.
    fn take_out_living(
        &mut self,
        of: &[Entity],
        sweep: bool,
        living: &mut Entities,
        forgotten: ComponentSet,
    ) -> usize;
    /// Moves the entities among the first `end` that were taken out behind the others, and returns the number of
    /// the others. The pool must be one that is swept. Calls `exchanged` with each two positions that changed
    /// places.
    fn sweep_front(&mut self, end: usize, exchanged: &mut dyn FnMut(usize, usize)) -> usize;
    /// Drops the values that were taken out, in this way, and the replaced ones.
    fn finish(&mut self, sweep: bool);
    /// Removes all components and drops them last.
    fn clear(&mut self);
    /// Returns the members and their positions.
    fn raw_keys(&self) -> &Keys<Entity>;
    /// Calls `each` with each column: the values of a field, or whole values.
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>);
    /// Calls `each` with each column, to be changed in place, and returns the members.
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>) -> &'a Keys<Entity>;
    /// Exchanges the entity's component, if it is not before position `to`, with the one there. Returns `true` if it is
    /// there now.
    fn move_to(&mut self, entity: Entity, to: usize) -> bool;
    /// Exchanges the components at two positions.
    fn swap_positions(&mut self, a: usize, b: usize);
    /// Begins to note which of the first `len` positions other components take: see [`Keys::keep`].
    fn keep(&mut self, len: usize, band: Option<u8>);
    /// Goes on with an order: see [`Keys::restore_noted`].
    #[cfg(feature = "serde")]
    fn restore_noted(&mut self, noted: Noted<'_, Entity>);
    /// Notes an exchange of members: see [`Keys::note_exchange`].
    fn note_exchange(&mut self, a: usize, b: usize);
    /// Ends the tiling of the keys.
    fn scatter(&mut self);
    /// Exchanges each component from `start` on, one after the other, with the one at `start + with[i]`.
    fn exchange_all(&mut self, start: usize, with: &[u32]);
    /// Restores the forms of pages, as far as their members allow that.
    fn restore_forms(&mut self, forms: &[(usize, [u8; 2])]);
    fn shrink_to_fit(&mut self);
    /// Returns an error if an invariant is broken.
    fn check(&self) -> Result<(), &'static str>;

    /// Returns a pool of this type, without members.
    fn empty(&self) -> Box<dyn WorldPool>;
    /// Returns this pool, so that it can be cast to its type.
    fn as_any(&self) -> &dyn Any;
    /// Returns, for a relation, the effect on sources when their target ends, and `true` if it may not form cycles.
    fn relation(&self) -> Option<(AtTargetEnd, bool)>;
    /// Returns an index for the component, if it is to have one.
    fn index(&self) -> Option<Box<dyn AnyIndex>>;
    /// Returns the rule of the component, if it is unique.
    fn unique(&self) -> Option<UniqueRule>;
    /// Returns the number that stands for the targets of the component, if it is a relation.
    fn targets_number(&self) -> Option<u32>;
    /// This pool, if its values may be copied.
    fn copied(&self) -> Option<&dyn CopiedPool>;
    /// This pool, if its values may be copied.
    fn copied_mut(&mut self) -> Option<&mut dyn CopiedPool>;
    /// Removes all keys, and returns the values.
    fn take_values(&mut self) -> Box<Loose>;
    /// Replaces each handle in untyped values of this type by the result of `map`, which is also called with the
    /// position of the value.
    fn map_loose(&self, values: Box<Loose>, map: MapLoose<'_>) -> Box<Loose>;
    /// This pool, if its values are saved.
    #[cfg(feature = "serde")]
    fn saved(&self) -> Option<&dyn SavedPool>;
    /// This pool, if its values are saved.
    #[cfg(feature = "serde")]
    fn saved_mut(&mut self) -> Option<&mut dyn SavedPool>;
    /// Makes these keys members, with untyped values of this type; no member may have their indices.
    fn take_in(&mut self, keys: &[Entity], values: Box<Loose>);
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
    /// Returns the members, after the changes since the last call were marked, if they are found by comparing values.
    #[cfg_attr(
        not(feature = "serde"),
        expect(unused_variables, reason = "saved values are compared")
    )]
    pub(crate) fn compared(&self, track: &mut Track) -> &Keys<Entity> {
        #[cfg(feature = "serde")]
        if self.kind().is_compared() {
            track.compare(self.raw_keys(), self.as_saved());
        }
        self.raw_keys()
    }

    /// This pool, whose values are saved.
    #[cfg(feature = "serde")]
    pub(crate) fn as_saved(&self) -> &dyn SavedPool {
        self.saved().expect(IS_SAVED)
    }
    /// This pool, whose values are saved.
    #[cfg(feature = "serde")]
    pub(crate) fn as_saved_mut(&mut self) -> &mut dyn SavedPool {
        self.saved_mut().expect(IS_SAVED)
    }
}

#[cfg(feature = "serde")]
const IS_SAVED: &str = "only pools that are saved are looked up by names in files";

/// Returns the replacement for a handle, in the value with this position.
pub(crate) type MapLoose<'a> = &'a mut dyn FnMut(usize, Entity) -> Entity;

/// Defines the methods of a [`WorldPool`] that need keys and the storage alone, in terms of its sparse set.
macro_rules! of_set {
    ($self:ident, $set:expr) => {
        #[inline]
        fn len(&$self) -> usize {
            $set.len()
        }
        #[inline]
        fn contains(&$self, entity: Entity) -> bool {
            $set.contains(entity)
        }
        #[inline]
        fn keys(&$self) -> &[Entity] {
            $set.keys()
        }
        #[inline]
        fn memory_usage(&$self) -> MemoryUsage {
            $set.memory_usage()
        }
        #[inline]
        fn remove(&mut $self, entity: Entity) {
            $set.take::<true>(entity); // by P4, no other entity with its index is a member
        }
        #[inline]
        fn take_out(&mut $self, entities: &[Entity], all: usize, sweep: bool) {
            $set.take_out::<true>(entities, all, sweep, pass_all); // by P4 as well
        }
        #[inline]
        fn take_out_at(&mut $self, from: usize, by: usize) {
            $set.take_out_at(from, by);
        }
        #[inline]
        fn take_out_living(
            &mut $self,
            of: &[Entity],
            sweep: bool,
            living: &mut Entities,
            forgotten: ComponentSet,
        ) -> usize {
            let mut count = 0;
            for (chunk, next) in of.chunks(CHUNK).zip((AHEAD..).step_by(CHUNK)) {
                let later = of.get(next..).unwrap_or_default();
                let pass = pass_living(later, living, forgotten, &mut count);
                $set.take_out::<false>(chunk, of.len(), sweep, pass);
            }
            count
        }
        #[inline]
        fn sweep_front(&mut $self, end: usize, exchanged: &mut dyn FnMut(usize, usize)) -> usize {
            $set.sweep_front(end, exchanged)
        }
        #[inline]
        fn finish(&mut $self, sweep: bool) {
            $set.finish(sweep);
        }
        #[inline]
        fn clear(&mut $self) {
            $set.clear();
        }
        #[inline]
        fn raw_keys(&$self) -> &Keys<Entity> {
            $set.raw_keys()
        }
        #[inline]
        fn each_column<'a>(&'a $self, each: EachColumn<'_, 'a>) {
            $set.raw_values().get().each_column(each);
        }
        #[inline]
        fn each_column_mut<'a>(&'a mut $self, each: EachColumnMut<'_, 'a>) -> &'a Keys<Entity> {
            let (keys, values) = $set.keys_and_values();
            values.each_column_mut(each);
            keys
        }
        #[inline]
        fn move_to(&mut $self, entity: Entity, to: usize) -> bool {
            $set.move_to(entity, to)
        }
        #[inline]
        fn swap_positions(&mut $self, a: usize, b: usize) {
            $set.swap_at(a, b);
        }
        #[inline]
        fn keep(&mut $self, len: usize, band: Option<u8>) {
            $set.keep(len, band);
        }
        #[cfg(feature = "serde")]
        #[inline]
        fn restore_noted(&mut $self, noted: Noted<'_, Entity>) {
            $set.restore_noted(noted);
        }
        #[inline]
        fn note_exchange(&mut $self, a: usize, b: usize) {
            $set.note_exchange(a, b);
        }
        #[inline]
        fn scatter(&mut $self) {
            $set.scatter();
        }
        #[inline]
        fn exchange_all(&mut $self, start: usize, with: &[u32]) {
            $set.exchange_all(start, with);
        }
        #[inline]
        fn restore_forms(&mut $self, forms: &[(usize, [u8; 2])]) {
            $set.restore_forms(forms);
        }
        #[inline]
        fn shrink_to_fit(&mut $self) {
            $set.shrink_to_fit();
        }
        #[inline]
        fn as_any(&$self) -> &dyn Any {
            $self
        }
        #[inline]
        fn take_values(&mut $self) -> Box<Loose> {
            Box::new($set.take_values())
        }
    };
}
use of_set;

impl<T: AnyComponent> WorldPool for Pool<T> {
    of_set!(self, self);

    fn kind(&self) -> Kind {
        Kind::of::<T>()
    }
    fn check(&self) -> Result<(), &'static str> {
        Self::check(self)
    }
    fn is_guarded(&self) -> bool {
        T::GUARDED
    }
    fn hooks(&self) -> HookList {
        T::HOOKS.list
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
    fn relation(&self) -> Option<(AtTargetEnd, bool)> {
        const {
            match T::RELATION {
                Some(rule) => Some((rule.at_end, rule.acyclic)),
                None => None,
            }
        }
    }
    fn index(&self) -> Option<Box<dyn AnyIndex>> {
        match T::INDEX {
            Some(rule) => Some((rule.make)(index_of::<T>().get(), T::NAME)),
            None => None,
        }
    }
    fn unique(&self) -> Option<UniqueRule> {
        match T::INDEX {
            Some(rule) => rule.unique,
            None => None,
        }
    }
    fn targets_number(&self) -> Option<u32> {
        // Not a closure: it would be compiled, with the type of the targets, for each component.
        if const { T::RELATION.is_some() } { Some(IsTarget::<T>::number()) } else { None }
    }
    fn copied(&self) -> Option<&dyn CopiedPool> {
        Some((copying::<T>()?.pool)(self))
    }
    fn copied_mut(&mut self) -> Option<&mut dyn CopiedPool> {
        Some((copying::<T>()?.pool_mut)(self))
    }
    fn map_loose(&self, mut values: Box<Loose>, map: MapLoose<'_>) -> Box<Loose> {
        if const { T::HOLDS_ENTITIES }
            && let Some(values) = values.downcast_mut::<T::Storage>()
        {
            let old = mem::take(values);
            values.reserve(old.len());
            for (at, mut value) in Container::into_iter(old).enumerate() {
                T::map_entities(Internal::CALL, &mut value, &mut |entity| map(at, entity));
                values.push(value);
            }
        }
        values
    }
    #[cfg(feature = "serde")]
    fn saved(&self) -> Option<&dyn SavedPool> {
        Some((saving::<T>()?.pool)(self))
    }
    #[cfg(feature = "serde")]
    fn saved_mut(&mut self) -> Option<&mut dyn SavedPool> {
        Some((saving::<T>()?.pool_mut)(self))
    }
    fn take_in(&mut self, keys: &[Entity], mut values: Box<Loose>) {
        if let Some(values) = values.downcast_mut::<T::Storage>() {
            self.append(keys, mem::take(values));
        }
    }
}

// The choice of entities does not depend on the type, so code that needs keys alone is compiled once.

fn pass_all(_: Entity, _: bool) -> bool {
    true
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
