//! Indexes of a field of a defined component: one sort of keys for all types of fields.

use crate::component::data::IndexRule;
use crate::component::defined::{FieldIndexSort, FieldValue};
use crate::entity::Entity;
use crate::index::filed::Keyed;
use crate::index::hashed::Hashed;
use crate::index::kind::IndexKind;
use crate::index::ordered::Ordered;
use crate::pool::defined::DefinedPool;
use crate::pool::field_columns::{FieldColumn, FieldColumns};
use crate::storage::keys::Keys;
use alloc::string::String;
use core::marker::PhantomData;

/// A value of an indexed field. All keys of an index are of one variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FieldKey {
    Number(i128),
    Entity(Option<Entity>),
    Text(String),
}

impl FieldKey {
    /// Returns the key of a value, whose type is one of keys.
    #[inline]
    pub(crate) fn of(value: FieldValue) -> Option<Self> {
        Some(match value {
            FieldValue::I8(number) => Self::Number(number.into()),
            FieldValue::I16(number) => Self::Number(number.into()),
            FieldValue::I32(number) => Self::Number(number.into()),
            FieldValue::I64(number) => Self::Number(number.into()),
            FieldValue::U8(number) => Self::Number(number.into()),
            FieldValue::U16(number) => Self::Number(number.into()),
            FieldValue::U32(number) => Self::Number(number.into()),
            FieldValue::U64(number) => Self::Number(number.into()),
            FieldValue::Bool(is_true) => Self::Number(is_true.into()),
            FieldValue::Entity(entity) => Self::Entity(entity),
            FieldValue::Text(text) => Self::Text(text),
            FieldValue::F32(_)
            | FieldValue::F64(_)
            | FieldValue::List(_)
            | FieldValue::Record(_) => return None,
        })
    }
}

/// All definitions with an index of this kind.
pub(crate) struct OfField<I>(PhantomData<fn() -> I>);

impl<I: IndexKind<Key = FieldKey>> Keyed for OfField<I> {
    type Key = FieldKey;
    type Index = I;
    type Pool = DefinedPool;
    type Values = FieldColumns;
    type Value<'a> = (&'a FieldColumn, usize);

    fn parts(pool: &DefinedPool) -> (&Keys<Entity>, &FieldColumns) {
        (pool.set.raw_keys(), pool.set.raw_values().get())
    }
    fn value(values: &FieldColumns, at: usize) -> Option<(&FieldColumn, usize)> {
        values.indexed().filter(|_| at < values.count()).map(|column| (column, at))
    }
    fn read_key<R>((column, at): (&FieldColumn, usize), read: impl FnOnce(&FieldKey) -> R) -> R {
        let key = FieldKey::of(column.get(at)).expect("the definition checked the type");
        read(&key)
    }
}

impl IndexRule {
    /// Returns the rule of a definition with such an index.
    #[inline]
    pub(crate) fn of_field(sort: FieldIndexSort) -> Self {
        match sort {
            FieldIndexSort::Hashed => Self::by::<OfField<Hashed<FieldKey>>>(),
            FieldIndexSort::Ordered => Self::by::<OfField<Ordered<FieldKey>>>(),
            FieldIndexSort::Unique => Self::unique_by::<OfField<Hashed<FieldKey>>, FieldKey>(),
        }
    }
}
