//! The bits of the components of a bundle or a query, at compile time.

use core::fmt;

/// A set of component bits: 64 of them, shared by all component types of the process.
///
/// Bundles and queries combine the bits of their components at compile time. Types may share a bit: signatures without
/// a common bit have no common component, but others may have none either. Every operation is O(1).
///
/// ```
/// use ecs::{AnyComponent, Component, Signature};
///
/// #[derive(Component)]
/// #[component(bit = 5)]
/// struct Health(u32);
///
/// assert_eq!(Health::BIT, Signature::bit(5));
/// assert!(Signature::bit(5).union(Signature::bit(7)).contains(Health::BIT));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Signature(u64);

impl Signature {
    /// The number of bits.
    /// ```
    /// # use ecs::Signature;
    /// assert_eq!(Signature::bit(Signature::BITS - 1).bits().next(), Some(63));
    /// ```
    pub const BITS: u32 = u64::BITS;
    /// No bit.
    /// ```
    /// # use ecs::Signature;
    /// assert!(Signature::EMPTY.is_empty() && Signature::bit(9).contains(Signature::EMPTY));
    /// ```
    pub const EMPTY: Self = Self(0);
    /// All bits.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// Returns the signature of one bit.
    ///
    /// # Panics
    /// Panics if `bit` is not below [`Signature::BITS`].
    /// ```
    /// # use ecs::Signature;
    /// assert_eq!(Signature::bit(5).bits().collect::<Vec<_>>(), [5]);
    /// ```
    #[must_use]
    pub const fn bit(bit: u32) -> Self {
        assert!(bit < Self::BITS, "a component bit is 0 to 63");
        Self(1 << bit)
    }

    /// Returns the bits of both.
    /// ```
    /// # use ecs::Signature;
    /// let both = Signature::bit(3).union(Signature::bit(60));
    /// assert_eq!(both.count(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the bits of `self` that `other` lacks.
    /// ```
    /// # use ecs::Signature;
    /// let both = Signature::bit(3).union(Signature::bit(60));
    /// assert_eq!(both.difference(Signature::bit(3)), Signature::bit(60));
    /// ```
    #[must_use]
    #[inline]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns `true` if all bits of `other` are set.
    /// ```
    /// # use ecs::Signature;
    /// let both = Signature::bit(3).union(Signature::bit(60));
    /// assert!(both.contains(Signature::bit(3)) && !Signature::bit(3).contains(both));
    /// ```
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns `true` if any bit of `other` is set.
    /// ```
    /// # use ecs::Signature;
    /// let both = Signature::bit(3).union(Signature::bit(60));
    /// assert!(Signature::bit(3).intersects(both) && !both.intersects(Signature::bit(4)));
    /// ```
    #[must_use]
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if no bit is set.
    /// ```
    /// # use ecs::Signature;
    /// assert!(Signature::bit(3).difference(Signature::bit(3)).is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of bits that are set.
    /// ```
    /// # use ecs::Signature;
    /// assert_eq!(Signature::bit(3).union(Signature::bit(3)).count(), 1);
    /// ```
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the numbers of the set bits, ascending.
    ///
    /// ```
    /// # use ecs::Signature;
    /// let both = Signature::bit(3).union(Signature::bit(60));
    /// assert_eq!(both.bits().collect::<Vec<_>>(), [3, 60]);
    /// ```
    pub fn bits(self) -> impl Iterator<Item = u32> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros());
            left &= left.wrapping_sub(1);
            bit
        })
    }
}

impl fmt::Debug for Signature {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.bits()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations() {
        let (a, b) = (Signature::bit(0), Signature::bit(63));
        let both = a.union(b);
        assert!(both.contains(a) && both.contains(b) && both.contains(Signature::EMPTY));
        assert!(!a.contains(both) && both.intersects(a) && !a.intersects(b));
        assert_eq!(both.difference(a), b);
        assert!(both.difference(both).is_empty());
        assert_eq!(format!("{both:?}"), "{0, 63}");
    }

    #[test]
    #[should_panic(expected = "a component bit is 0 to 63")]
    fn a_bit_beyond_the_last_is_refused() {
        let _ = Signature::bit(64);
    }
}
