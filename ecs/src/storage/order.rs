//! The order of a page: one number that gives the positions of all its members.

use crate::entity::Entity;

/// `key.bits() - dense_index`, if that is equal for all members of a page.
///
/// So a subtraction finds a key. For a key of another generation, and without an order, the result is 2^32 or more. The
/// page's bits decide if an index is a member. If an order is marked as *complete*, all indices that it puts below the
/// pool's length are members, so a read skips the bits. A processor keeps a limited number of loads under way. Random
/// reads of far memory therefore run as fast as each read has few loads, even of cached data.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageOrder(u64);

/// The bits of an order that is not complete; no key has them.
const PARTIAL: u64 = (Entity::MAX_GENERATION as u64 + 1) << 32;

impl PageOrder {
    pub(super) const NONE: Self = Self(PARTIAL);

    /// Returns the order of a member with these bits, not complete.
    #[inline(always)]
    pub(super) fn of(bits: u64, dense_index: u32) -> Self {
        Self(bits.wrapping_sub(dense_index.into()) | PARTIAL)
    }

    #[inline(always)]
    pub(super) fn complete(self) -> Self {
        Self(self.0 & !PARTIAL)
    }

    #[inline(always)]
    pub(super) fn partial(self) -> Self {
        Self(self.0 | PARTIAL)
    }

    #[inline(always)]
    pub(super) fn is_complete(self) -> bool {
        self.0 & PARTIAL == 0
    }

    /// Returns `true` if this is an order.
    #[inline(always)]
    pub(super) fn is_some(self) -> bool {
        !self.is_same(Self::NONE)
    }

    /// Returns `true` if a key with these bits continues this order, and the order is complete.
    #[inline(always)]
    pub(super) fn goes_on(self, bits: u64, dense_index: u32) -> bool {
        self.0 == bits.wrapping_sub(dense_index.into())
    }

    /// Returns `true` if both are one order, complete or not, or both none.
    #[inline(always)]
    pub(super) fn is_same(self, other: Self) -> bool {
        self.partial().0 == other.partial().0
    }

    /// Returns the bits of the member with this dense index.
    #[inline(always)]
    pub(super) fn bits_at(self, dense_index: u32) -> u64 {
        self.complete().0.wrapping_add(dense_index.into())
    }

    /// Returns the dense index of a key with these bits, if this order alone proves that it is one of `len` members.
    #[inline(always)]
    pub(super) fn find(self, bits: u64, len: usize) -> Option<usize> {
        below(bits.wrapping_sub(self.0), len)
    }

    /// Returns the dense index of a key that has the index of a member, also if the order is not complete.
    #[inline(always)]
    pub(super) fn find_member(self, bits: u64, len: usize) -> Option<usize> {
        below(bits.wrapping_sub(self.0) ^ PARTIAL, len)
    }
}

#[inline(always)]
fn below(dense_index: u64, len: usize) -> Option<usize> {
    if dense_index < len as u64 { usize::try_from(dense_index).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_GENERATION: u32 = Entity::MAX_GENERATION;
    const LEN: usize = 1 << 32;

    const fn bits(generation: u32, index: u32) -> u64 {
        (generation as u64) << 32 | index as u64
    }

    #[test]
    fn an_order_finds_keys_of_its_generation_only() {
        for generation in [1, 2, MAX_GENERATION - 1, MAX_GENERATION] {
            for (index, at) in [(0, 0), (7, 3), (3, 7), (u32::MAX, 0), (0, u32::MAX)] {
                let order = PageOrder::of(bits(generation, index), at);
                for other in [1, 2, 3, MAX_GENERATION - 1, MAX_GENERATION] {
                    let key = bits(other, index);
                    let found = (other == generation).then_some(at as usize);
                    assert_eq!((order.find_member(key, LEN), order.find(key, LEN)), (found, None));
                    let order = order.complete();
                    assert_eq!((order.find(key, LEN), order.find_member(key, LEN)), (found, None));
                    assert_eq!(order.find(key, at as usize), None, "that many are before it");
                    let none = PageOrder::NONE;
                    assert_eq!((none.find(key, LEN), none.find_member(key, LEN)), (None, None));
                }
            }
        }
    }

    #[test]
    fn appended_keys_continue_an_order() {
        let order = PageOrder::of(bits(2, 1_030), 4);
        assert_eq!(
            (order.bits_at(5), order.complete().bits_at(5)),
            (bits(2, 1_031), bits(2, 1_031))
        );
        assert!(order.complete().goes_on(bits(2, 1_031), 5) && !order.goes_on(bits(2, 1_031), 5));
        assert!(!order.complete().goes_on(bits(3, 1_031), 5));
        assert!(!order.complete().goes_on(bits(2, 1_032), 5));
        assert!(order.is_same(order.complete()) && order.complete().partial().is_same(order));
        assert!(order.is_some() && !PageOrder::NONE.is_some() && !PageOrder::NONE.is_complete());
    }
}
