//! The handle of an entity: a recycled index and a generation that distinguishes its users.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::num::{NonZeroU32, NonZeroU64};
use core::str::FromStr;

/// A handle to one entity: 64 bits, a 32-bit index and a generation of 31 bits that is never zero.
///
/// Indices are recycled, but generations of an index never are: a handle stays dead after its entity was despawned.
/// Handles are plain values: copying one costs nothing and borrows nothing, and `Option<Entity>` is as small as
/// `Entity`.
///
/// A handle does not contain its world. In another world it may be dead, or identify an entity of that world: all
/// worlds count from one start, so their first entities have equal handles. Errors about handles of another world
/// report only the first case.
///
/// Handles order by index, then by generation, and are displayed as `12v3`.
///
/// A handle is not [`UnwindSafe`](core::panic::UnwindSafe), and neither is a type that holds one. Derives use that to
/// find handles within the types of fields: see [`MapEntities`](crate::MapEntities). A closure that captures a handle
/// is passed to `catch_unwind` in an [`AssertUnwindSafe`](core::panic::AssertUnwindSafe).
///
/// ```
/// # use ecs::{Entity, World};
/// let mut world = World::new();
/// let entity = world.spawn_empty().id();
/// assert_eq!(entity.to_string(), "0v1");
/// assert_eq!(Entity::from_bits(entity.to_bits()), Some(entity));
/// assert_eq!(size_of::<Option<Entity>>(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Entity(NonZeroU64, PhantomData<IsHandle>); // one number, read and compared by one instruction

/// A type with the auto traits of a number, except for `UnwindSafe` and `RefUnwindSafe`.
type IsHandle = dyn Handle + Send + Sync + Unpin;

/// Names the reason where `rustc` reports that a handle is not `UnwindSafe`.
trait Handle {}

impl Entity {
    /// A handle that is dead in every world. Handles of dead entities become this when they enter another world, in
    /// which they could identify another entity.
    ///
    /// ```
    /// # use ecs::{Entity, World};
    /// assert!(!World::new().is_alive(Entity::PLACEHOLDER));
    /// assert_eq!(Entity::from_bits(Entity::PLACEHOLDER.to_bits()), Some(Entity::PLACEHOLDER));
    /// ```
    pub const PLACEHOLDER: Self = match Self::from_bits(u64::MAX >> 1) {
        Some(dead) => dead, // no entity has the greatest index
        None => unreachable!(),
    };

    /// The last generation of an index. The bit above it marks orders of pages that are not complete.
    pub(crate) const MAX_GENERATION: u32 = u32::MAX >> 1;

    /// Returns the handle with these two halves.
    #[inline]
    pub(crate) const fn new(index: u32, generation: NonZeroU32) -> Self {
        match NonZeroU64::new((generation.get() as u64) << 32 | index as u64) {
            Some(bits) => Self(bits, PhantomData),
            None => unreachable!(),
        }
    }

    /// Returns a handle like [`new`](Self::new), without a branch, so that many are made by wide registers. With
    /// generation 0, returns any handle.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn joined(index: u32, generation: u32) -> Self {
        let bits = u64::from(generation) << 32 | u64::from(index);
        Self(NonZeroU64::new(bits).unwrap_or(NonZeroU64::MIN), PhantomData)
    }

    /// Returns the index: small, recycled, and unique among living entities.
    ///
    /// ```
    /// # use ecs::World;
    /// assert_eq!(World::new().spawn_empty().id().index(), 0);
    /// ```
    #[must_use]
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is the index")]
    pub const fn index(self) -> u32 {
        self.0.get() as u32
    }

    /// Returns the generation, which distinguishes the users of an index; from 1.
    ///
    /// ```
    /// # use ecs::World;
    /// assert_eq!(World::new().spawn_empty().id().generation().get(), 1);
    /// ```
    #[must_use]
    #[inline]
    pub const fn generation(self) -> NonZeroU32 {
        match NonZeroU32::new((self.0.get() >> 32) as u32) {
            Some(generation) => generation,
            None => unreachable!(),
        }
    }

    /// Returns the handle with the next generation of this index.
    #[inline(always)]
    pub(crate) const fn next(self) -> Self {
        Self(self.0.saturating_add(1 << 32), PhantomData)
    }

    /// Returns the handle as one number, with the generation in the upper half; never zero.
    ///
    /// ```
    /// # use ecs::World;
    /// assert_eq!(World::new().spawn_empty().id().to_bits(), 1 << 32);
    /// ```
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// Returns the handle with the bits that [`to_bits`](Self::to_bits) returned, or `None` if no handle has these
    /// bits.
    ///
    /// Any bits are safe: a handle that no world gave out is dead in every world.
    ///
    /// ```
    /// # use ecs::Entity;
    /// assert_eq!(Entity::from_bits(7), None); // a generation is never zero
    /// assert_eq!(Entity::from_bits(u64::MAX), None); // and has 31 bits
    /// ```
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are taken apart")]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU32::new((bits >> 32) as u32) {
            Some(generation) if generation.get() <= Self::MAX_GENERATION => {
                Some(Self::new(bits as u32, generation))
            }
            _ => None,
        }
    }
}

/// A handle to an entity that had a `T` when the handle was made: an [`Entity`] that states its kind.
///
/// [`World::handle_of`](crate::World::handle_of) makes one, and so does a view with the term `EntityOf<T>`. A function or a
/// field that takes an `EntityOf<Mass>` is passed no other entity by mistake, as that does not compile.
///
/// The component may leave later, and the entity may end: then [`World::get_of`](crate::World::get_of) returns `None`. In
/// components it is replaced and saved like an `Entity`. A loaded one is not checked before it is used. But the target of a
/// [relation](trait@crate::Relation) with such a field always has a `T`: that is a
/// [rule](crate::guide::rules#targets-of-relations).
///
/// It takes as much memory as an `Entity`, and so does an `Option` of it.
///
/// ```
/// use ecs::{Component, EntityOf, World};
///
/// #[derive(Component)]
/// struct Mass(f32);
/// #[derive(Component)]
/// struct Spring { ends: [EntityOf<Mass>; 2] }
///
/// let mut world = World::new();
/// world.spawn_batch([Mass(1.0), Mass(2.0)]);
/// let ends: Vec<EntityOf<Mass>> = world.view::<EntityOf<Mass>>().iter().collect();
/// let spring = world.spawn(Spring { ends: [ends[0], ends[1]] }).id();
///
/// let [a, b] = world.get::<Spring>(spring).unwrap().ends;
/// assert_eq!(world.get_of(a).unwrap().0 + world.get_of(b).unwrap().0, 3.0);
/// world.despawn(a.entity()).unwrap();
/// assert!(world.get_of(a).is_none());
/// ```
#[repr(transparent)]
pub struct EntityOf<T>(Entity, PhantomData<fn() -> T>);

impl<T> EntityOf<T> {
    /// A handle that is dead in every world, like [`Entity::PLACEHOLDER`].
    ///
    /// ```
    /// # use ecs::{Entity, EntityOf, Name};
    /// assert_eq!(EntityOf::<Name>::PLACEHOLDER.entity(), Entity::PLACEHOLDER);
    /// ```
    pub const PLACEHOLDER: Self = Self::new(Entity::PLACEHOLDER);

    #[inline]
    pub(crate) const fn new(entity: Entity) -> Self {
        Self(entity, PhantomData)
    }

    /// Returns the handle without the kind.
    ///
    /// ```
    /// # use ecs::{EntityOf, Name, World};
    /// let mut world = World::new();
    /// let bob = world.spawn(Name::new("Bob")).id();
    /// let named: EntityOf<Name> = world.handle_of(bob).unwrap();
    /// assert_eq!(named.entity(), bob);
    /// ```
    #[must_use]
    #[inline]
    pub const fn entity(self) -> Entity {
        self.0
    }

    /// Replaces the entity, when the handle enters another world.
    pub(crate) fn map(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.0 = map(self.0);
    }
}

impl<T> Clone for EntityOf<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for EntityOf<T> {}

impl<T> PartialEq for EntityOf<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for EntityOf<T> {}

impl<T> Hash for EntityOf<T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> Ord for EntityOf<T> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> PartialOrd for EntityOf<T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> fmt::Debug for EntityOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> From<EntityOf<T>> for Entity {
    #[inline]
    fn from(handle: EntityOf<T>) -> Self {
        handle.0
    }
}

impl Ord for Entity {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        // The lower half is compared first.
        self.0.get().rotate_left(32).cmp(&other.0.get().rotate_left(32))
    }
}

impl PartialOrd for Entity {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Sorts entities by their indices. Sorts are long, and are compiled for each type and order; this one is shared.
pub(crate) fn sort_by_index(entities: &mut [Entity]) {
    entities.sort_unstable_by_key(|entity| entity.index());
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index(), self.generation())
    }
}

/// Parses a handle in the form of [`Display`](fmt::Display).
///
/// ```
/// # use ecs::Entity;
/// let entity: Entity = "12v3".parse().unwrap();
/// assert_eq!((entity.index(), entity.generation().get(), entity.to_string()), (12, 3, "12v3".into()));
/// assert!("12v0".parse::<Entity>().is_err() && "12".parse::<Entity>().is_err());
/// ```
impl FromStr for Entity {
    type Err = ParseEntityError;

    #[inline]
    fn from_str(text: &str) -> Result<Self, ParseEntityError> {
        // By bytes, as a text of a world has a handle for each value.
        let number = |digits: &[u8]| {
            let add = |number: u32, byte: &u8| match byte.wrapping_sub(b'0') {
                digit @ 0..=9 => number.checked_mul(10)?.checked_add(digit.into()),
                _ => None, // no sign either
            };
            digits.iter().try_fold(0, add).filter(|_| !digits.is_empty())
        };
        let middle = text.bytes().position(|byte| byte == b'v');
        let halves = middle.and_then(|at| {
            let (index, generation) = (&text.as_bytes()[..at], &text.as_bytes()[at + 1..]);
            Some((number(index)?, number(generation).and_then(NonZeroU32::new)?))
        });
        match halves {
            Some((index, generation)) if generation.get() <= Self::MAX_GENERATION => {
                Ok(Self::new(index, generation))
            }
            _ => Err(ParseEntityError(())),
        }
    }
}

/// The error for a text that is not a handle of an entity.
///
/// ```
/// let error = "Bob".parse::<ecs::Entity>().unwrap_err();
/// assert_eq!(error.to_string(), "an entity is written as its index and its generation, `12v3`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseEntityError(());

impl fmt::Display for ParseEntityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an entity is written as its index and its generation, `12v3`")
    }
}

impl core::error::Error for ParseEntityError {}

impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The name under which serde reads and writes a handle, by which handles are counted.
#[cfg(feature = "serde")]
pub(crate) const HANDLE: &str = "ecs::Entity";

/// Written as text in human-readable formats, `12v3`, and as one number otherwise. Human-readable formats are read in
/// both forms.
#[cfg(feature = "serde")]
mod with_serde {
    use super::{Entity, EntityOf, HANDLE};
    use core::fmt;
    use serde::de::{Error, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Entity {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if serializer.is_human_readable() {
                return serializer.collect_str(self);
            }
            serializer.serialize_newtype_struct(HANDLE, &self.to_bits())
        }
    }

    impl<'de> Deserialize<'de> for Entity {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            if deserializer.is_human_readable() {
                return deserializer.deserialize_any(TextOrBits);
            }
            deserializer.deserialize_newtype_struct(HANDLE, BitsVisitor)
        }
    }

    impl<T> Serialize for EntityOf<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.entity().serialize(serializer)
        }
    }

    impl<'de, T> Deserialize<'de> for EntityOf<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Entity::deserialize(deserializer).map(Self::new)
        }
    }

    /// Reads a handle that is written as `12v3`, or as its bits.
    struct TextOrBits;

    impl Visitor<'_> for TextOrBits {
        type Value = Entity;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an entity, as `12v3` or as its bits")
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Entity, E> {
            text.parse().map_err(E::custom)
        }
        fn visit_u64<E: Error>(self, bits: u64) -> Result<Entity, E> {
            BitsVisitor.visit_u64(bits)
        }
    }

    /// Reads the handle with some bits.
    struct BitsVisitor;

    impl<'de> Visitor<'de> for BitsVisitor {
        type Value = Entity;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the bits of an entity's handle")
        }
        fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Entity, D::Error> {
            self.visit_u64(u64::deserialize(from)?)
        }
        fn visit_u64<E: Error>(self, bits: u64) -> Result<Entity, E> {
            Entity::from_bits(bits)
                .ok_or_else(|| E::custom(format_args!("no entity has the bits {bits}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip_for_every_pattern() {
        let no_handles = [0, 1, u64::from(u32::MAX), 1 << 63, (1 << 63) | 5, u64::MAX];
        assert!(no_handles.iter().all(|&bits| Entity::from_bits(bits).is_none()));
        for bits in [1 << 32, (1 << 32) | 5, 3 << 40, u64::MAX >> 1] {
            assert_eq!(Entity::from_bits(bits).map(Entity::to_bits), Some(bits));
        }
    }

    #[test]
    fn order_is_index_then_generation() {
        let entity = |index, generation| Entity::new(index, NonZeroU32::new(generation).unwrap());
        assert!(entity(1, 9) < entity(2, 1));
        assert!(entity(2, 1) < entity(2, 2));
        assert_eq!(format!("{:?} {}", entity(12, 3), entity(12, 3)), "12v3 12v3");
    }
}
