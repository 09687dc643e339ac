//! The order of a page: one number that tells where all its members are.

use crate::entity::Entity;

/// `key.bits() - dense_index`, where that is the same for all members of a page.
///
/// So a subtraction tells where a key is: for one of another generation, and where there is no order,
/// it gives 2^32 and more. The page's bits tell whether an index is a member's. But where an order is
/// known to be *complete*, all that it puts below the pool's length are members: then a read does not ask
/// the bits. Random reads of far memory are as many at a time as the processor keeps loads under way, so
/// what counts is how many loads one takes, be they from the caches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order(u64);

/// What an order has that is not complete, and no key.
const PARTIAL: u64 = (Entity::MAX_GENERATION as u64 + 1) << 32;

impl Order {
    pub(super) const NONE: Self = Self(PARTIAL);

    /// That of a member with these bits, not complete.
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

    /// Returns `true` if there is one.
    #[inline(always)]
    pub(super) fn is_some(self) -> bool {
        !self.is_same(Self::NONE)
    }

    /// Returns `true` if a key of these bits goes on in it, and it is complete.
    #[inline(always)]
    pub(super) fn goes_on(self, bits: u64, dense_index: u32) -> bool {
        self.0 == bits.wrapping_sub(dense_index.into())
    }

    /// Returns `true` if both are one order, complete or not, or both none.
    #[inline(always)]
    pub(super) fn is_same(self, other: Self) -> bool {
        self.partial().0 == other.partial().0
    }

    /// The bits of the member with this dense index.
    #[inline(always)]
    pub(super) fn bits_at(self, dense_index: u32) -> u64 {
        self.complete().0.wrapping_add(dense_index.into())
    }

    /// The dense index of a key of these bits, if this tells that it is one of `len` members.
    #[inline(always)]
    pub(super) fn find(self, bits: u64, len: usize) -> Option<usize> {
        below(bits.wrapping_sub(self.0), len)
    }

    /// The same of a key whose index is a member's, where the order is not complete.
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
                let order = Order::of(bits(generation, index), at);
                for other in [1, 2, 3, MAX_GENERATION - 1, MAX_GENERATION] {
                    let key = bits(other, index);
                    let found = (other == generation).then_some(at as usize);
                    assert_eq!((order.find_member(key, LEN), order.find(key, LEN)), (found, None));
                    let order = order.complete();
                    assert_eq!((order.find(key, LEN), order.find_member(key, LEN)), (found, None));
                    assert_eq!(order.find(key, at as usize), None, "that many are before it");
                    let none = Order::NONE;
                    assert_eq!((none.find(key, LEN), none.find_member(key, LEN)), (None, None));
                }
            }
        }
    }

    #[test]
    fn what_goes_on_in_an_order() {
        let order = Order::of(bits(2, 1_030), 4);
        assert_eq!(
            (order.bits_at(5), order.complete().bits_at(5)),
            (bits(2, 1_031), bits(2, 1_031))
        );
        assert!(order.complete().goes_on(bits(2, 1_031), 5) && !order.goes_on(bits(2, 1_031), 5));
        assert!(!order.complete().goes_on(bits(3, 1_031), 5));
        assert!(!order.complete().goes_on(bits(2, 1_032), 5));
        assert!(order.is_same(order.complete()) && order.complete().partial().is_same(order));
        assert!(order.is_some() && !Order::NONE.is_some() && !Order::NONE.is_complete());
    }
}
