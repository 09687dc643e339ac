//! Finding entities by the value of a field of a defined component.

use crate::by_name::kind::KindError;
use crate::component::data::AnyIndex;
use crate::component::defined::{FieldIndexSort, FieldValue, IndexedField};
use crate::entity::Entity;
use crate::index::entity_list::IndexIter;
use crate::index::field::{FieldKey, OfField};
use crate::index::filed::typed;
use crate::index::hashed::Hashed;
use crate::index::ordered::Ordered;
use crate::pool::kind::Kind;
use crate::query::presence::IndexAnswer;
use crate::world::World;
use core::fmt;
use core::ops::{Bound, RangeBounds};

/// The index of a [defined](World::define) component: entities by the values of a field. From [`World::kind_index`].
///
/// Its answers restrict a view, too: see [`View::among`](crate::View::among).
///
/// ```
/// use ecs::by_name::{FieldValue, Fields, KindIndex};
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let score = world.define("Score", Fields::new().i32("points").ordered_index("points"))?;
/// for points in [30, 10, 20] {
///     let entity = world.spawn(Health(5)).id();
///     world.insert_fields(score, entity, &[points.into()])?;
/// }
/// let scores: KindIndex<'_> = world.kind_index(score)?;
/// let best = scores.range(FieldValue::I32(15)..)?;
/// assert_eq!(world.view::<&Health>().among(best).count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct KindIndex<'w> {
    kind: Kind,
    field: &'static IndexedField,
    index: &'w dyn AnyIndex,
}

/// # Indexes of defined components
impl World {
    /// Returns the index of a [defined](Self::define) component, whose [`Fields`](crate::by_name::Fields) state one. It has all
    /// entities with the component, by their values at this moment. Like [`index`](Self::index), it brings the index up
    /// to date first.
    ///
    /// # Errors
    /// Returns an error if the component has no index, or has a type in Rust.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Fields;
    /// let mut world = World::new();
    /// let team = world.define("Team", Fields::new().u8("number").index("number"))?;
    /// let [a, b] = [(); 2].map(|()| world.spawn_empty().id());
    /// world.insert_fields(team, a, &[3_u8.into()])?;
    /// world.insert_fields(team, b, &[4_u8.into()])?;
    /// assert_eq!(world.kind_index(team)?.find(4_u8)?, Some(b));
    /// world.set_field(team, a, "number", 4_u8)?;
    /// assert!(world.kind_index(team)?.get(4_u8)?.eq([a, b]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn kind_index(&self, kind: Kind) -> Result<KindIndex<'_>, KindError> {
        let kind = self.here(kind);
        let field = kind.definition().and_then(|it| it.index.as_ref());
        let found = field.zip(self.pools.index(kind.number));
        let (field, index) = found.ok_or(KindError::NotIndexed(kind.name()))?;
        Ok(KindIndex { kind, field, index })
    }
}

impl<'w> KindIndex<'w> {
    /// Returns the entities with this value, in the order of their indices. O(1), or O(log values) in an ordered index.
    ///
    /// # Errors
    /// Returns an error if the value is not of the type of the field.
    ///
    /// See [`World::kind_index`] for an example.
    #[inline]
    pub fn get(&self, value: impl Into<FieldValue>) -> Result<IndexIter<'w>, KindError> {
        let key = self.key(value.into())?;
        Ok(match self.field.sort {
            FieldIndexSort::Ordered => self.ordered().get(&key),
            FieldIndexSort::Hashed | FieldIndexSort::Unique => {
                typed::<OfField<Hashed<FieldKey>>>(self.index).get(&key)
            }
        })
    }

    /// Returns the first entity with this value, by index. O(1), or O(log values) in an ordered index.
    ///
    /// # Errors
    /// Returns an error if the value is not of the type of the field.
    ///
    /// See [`World::kind_index`] for an example.
    #[inline]
    pub fn find(&self, value: impl Into<FieldValue>) -> Result<Option<Entity>, KindError> {
        Ok(self.get(value)?.next())
    }

    /// Returns the entities whose values are in a range, by value and then by index. A range that ends before it begins is
    /// empty. O(log values).
    ///
    /// # Errors
    /// Returns an error if the index is not ordered, or a value is not of the type of the field.
    ///
    /// See [`KindIndex`] for an example.
    #[inline]
    pub fn range<R: RangeBounds<FieldValue>>(
        &self,
        range: R,
    ) -> Result<impl IndexAnswer + DoubleEndedIterator + use<'w, R>, KindError> {
        if self.field.sort != FieldIndexSort::Ordered {
            return Err(KindError::NotOrdered(self.kind.name()));
        }
        let key = |bound: Bound<&FieldValue>| {
            Ok::<_, KindError>(match bound {
                Bound::Included(value) => Bound::Included(self.key(value.clone())?),
                Bound::Excluded(value) => Bound::Excluded(self.key(value.clone())?),
                Bound::Unbounded => Bound::Unbounded,
            })
        };
        Ok(self.ordered().range((key(range.start_bound())?, key(range.end_bound())?)))
    }

    #[inline]
    fn ordered(&self) -> &'w Ordered<FieldKey> {
        typed::<OfField<Ordered<FieldKey>>>(self.index)
    }

    #[inline]
    fn key(&self, value: FieldValue) -> Result<FieldKey, KindError> {
        let checked = self.field.ty.check(&value);
        let key = checked.map(|()| FieldKey::of(value).expect("the definition checked the type"));
        key.map_err(|what| KindError::WrongKey(self.kind.name(), self.field.path, what))
    }
}

impl fmt::Debug for KindIndex<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KindIndex({}.{})", self.kind, self.field.path)
    }
}
