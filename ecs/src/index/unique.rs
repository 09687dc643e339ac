//! Unique components: no two entities have equal keys.

use crate::component::AnyComponent;
use crate::component::data::{
    AnyIndex, EqualPair, Giving, IndexRule, Together, UniqueRule, UniqueValueRule, WholePool,
};
use crate::entity::Entity;
use crate::index::filed::{Filed, Keyed, typed};
use crate::index::hashed::Hashed;
use crate::index::kind::{HashedKey, IndexKind, Indexed};
use crate::internal::Internal;
use alloc::vec::Vec;
use core::any::Any;

fn world_index<T: Keyed>(index: Option<&dyn AnyIndex>) -> Option<&T::Index> {
    index.map(typed::<T>)
}

fn filed<T: Keyed>(index: &mut dyn AnyIndex) -> &mut Filed<T> {
    let index: &mut dyn Any = index;
    index.downcast_mut().expect("the rule of a component is its own")
}

fn holder<T, K>(index: &dyn AnyIndex, value: &dyn Any) -> Option<Entity>
where
    T: AnyComponent<Storage = Vec<T>> + Indexed<Key = K, Index = Hashed<K>>,
    K: HashedKey,
{
    let value = value.downcast_ref::<T>()?;
    T::with_key(Internal::CALL, value, |key| typed::<T>(index).find(key))
}

fn give<T, K>(giving: Giving<'_>, given: &mut dyn AnyIndex) -> Option<Entity>
where
    T: AnyComponent<Storage = Vec<T>> + Indexed<Key = K, Index = Hashed<K>>,
    K: HashedKey,
{
    let Giving { world, entity, value } = giving;
    let (value, given) = (value.downcast_ref::<T>()?, filed::<T>(given));
    T::with_key(Internal::CALL, value, |key| {
        let is_other = |other: &Entity| entity != Some(*other);
        let holder = given.index.find(key).filter(is_other).or_else(|| {
            let holder = world_index::<T>(world)?.find(key).filter(is_other)?;
            (!given.has(holder)).then_some(holder) // otherwise it was given another key
        });
        if holder.is_none() {
            match entity {
                Some(entity) => given.file_at(entity, key),
                None => _ = given.index.insert(Entity::PLACEHOLDER, key),
            }
        }
        holder
    })
}

fn check<T, K>(together: Together<'_>, checked: &mut dyn AnyIndex) -> Result<(), EqualPair>
where
    T: Keyed<Key = K, Index = Hashed<K>>,
    K: HashedKey,
{
    let Together { world, entities, values, lose } = together;
    let Some(values) = values.downcast_ref::<T::Values>() else { return Ok(()) };
    let (world, checked) = (world_index::<T>(world), &mut filed::<T>(checked).index);
    entities.iter().enumerate().try_for_each(|(at, entity)| {
        let Some(value) = T::value(values, at) else { return Ok(()) };
        T::read_key(value, |key| {
            let in_world = || world?.find(key).filter(|holder| !lose(*holder));
            add(checked, *entity, key, in_world)
        })
    })
}

fn check_pool<T, K>(whole: WholePool<'_>) -> Result<(), EqualPair>
where
    T: Keyed<Key = K, Index = Hashed<K>>,
    K: HashedKey,
{
    let WholePool { world, pool, members, patch } = whole;
    let (world, mut checked) = (world_index::<T>(world), Hashed::<K>::default());
    let Some(pool) = pool.downcast_ref::<T::Pool>() else { return Ok(()) };
    let (_, values) = T::parts(pool);
    let (positions, others) = patch.unzip();
    let others = others.and_then(|others| others.downcast_ref::<T::Values>());
    let mut others_at = positions.unwrap_or_default().iter().zip(0..).peekable();
    for (at, entity) in members.iter().enumerate() {
        let other = others_at.next_if(|(position, _)| **position == at);
        let value = match (other, others) {
            (Some((_, nth)), Some(others)) => T::value(others, nth),
            _ => T::value(values, at),
        };
        let Some(value) = value else { continue };
        T::read_key(value, |key| add(&mut checked, *entity, key, || world?.find(key)))?;
    }
    Ok(())
}

/// Adds a key to the checked ones, unless one of them or one in the world is equal.
fn add<K: HashedKey>(
    checked: &mut Hashed<K>,
    entity: Entity,
    key: &K,
    in_world: impl FnOnce() -> Option<Entity>,
) -> Result<(), EqualPair> {
    if let Some(other) = checked.find(key).or_else(in_world) {
        return Err((entity, other));
    }
    checked.insert(entity, key);
    Ok(())
}

impl IndexRule {
    /// Returns the rule of a component with unique keys: no two entities have equal ones.
    #[must_use]
    pub const fn unique<T, K>() -> Self
    where
        T: AnyComponent<Storage = Vec<T>> + Indexed<Key = K, Index = Hashed<K>>,
        K: HashedKey,
    {
        let unique_value = UniqueValueRule { holder: holder::<T, K>, give: give::<T, K> };
        Self { unique_value: Some(unique_value), ..Self::unique_by::<T, K>() }
    }

    /// Returns the rule of a component with unique keys, whose values are checked in their storage.
    pub(super) const fn unique_by<T, K>() -> Self
    where
        T: Keyed<Key = K, Index = Hashed<K>>,
        K: HashedKey,
    {
        let unique = UniqueRule { check: check::<T, K>, check_pool: check_pool::<T, K> };
        Self { unique: Some(unique), ..Self::by::<T>() }
    }
}
