//! Limits of reading: the memory that it may take, and the depth of nested values.
//!
//! Memory is paid for before it is allocated: elements of lists, texts, and values in boxes. A box is recognised by
//! its size. A budget keeps the number of bytes of each value that its parts have not taken; a larger part lies
//! outside its owner. Depth is limited because each level takes some of the stack. The total size of the values
//! being read is limited, too.

use crate::format::error::ReadError;
use alloc::format;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The greatest depth of nested values.
const DEEPEST: usize = 128;
/// The greatest total size, in bytes, of values being read outside their owners. Each is on the stack several times
/// until it is complete.
const LARGEST: usize = 1 << 17;
/// The greatest size of a value that is not taken from its owner. So the budget recognises boxes that are larger than
/// their owners, but not all small ones. Options and enums are always taken, because recursive types contain them.
const SMALL: usize = 32;
/// The number of elements for which a list may make room before it reads the first.
pub(crate) const AT_FIRST: usize = 16;
/// The number of pairs for which a map may make room before it reads the first.
pub(crate) const PAIRS_AT_FIRST: usize = 3;
/// The multiple of its elements that a growing list pays for: twice the room that it needs, beside its old room.
pub(crate) const GROWING: usize = 3;
/// The smallest number of elements for which a list makes room. A small set makes room for three times as many.
const FEWEST: usize = 4;
/// The number of pairs paid for with the first pair of a map: a tree has nodes for 11 pairs.
const FIRST_PAIR: usize = 12;
/// The number of pairs paid for with each later pair of a map: a hash table that grew is at most half full.
const NEXT_PAIR: usize = 4;
/// The number of bytes that a pair may take beside its key and value.
const PADDING: usize = size_of::<u64>();

/// A budget: the memory and the depth that reading may still take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The number of bytes that may still be allocated.
    room: usize,
    /// The number of bytes of the value being read that its parts have not taken.
    own: usize,
    /// The depth of the value being read.
    depth: usize,
    /// The total size of the values being read that lie outside their owners.
    large: usize,
}

impl Budget {
    /// Returns a budget of `room` bytes.
    pub(crate) const fn new(room: usize) -> Self {
        Self { room, own: 0, depth: 0, large: 0 }
    }

    /// Returns the number of bytes that may still be allocated.
    pub(crate) const fn room(&self) -> usize {
        self.room
    }

    /// Pays for `count` things of this size.
    ///
    /// # Errors
    /// When they take more memory than is left.
    #[inline]
    pub(crate) fn pay(&mut self, count: usize, size: usize) -> Result {
        let room = count.checked_mul(size).and_then(|bytes| self.room.checked_sub(bytes));
        match room {
            Some(room) => {
                self.room = room;
                Ok(())
            }
            None => Err(too_much()),
        }
    }

    /// Begins a value of this size, whose own bytes are paid for.
    #[inline(always)]
    pub(crate) fn begin(&mut self, size: usize) {
        self.own = size;
    }

    /// Takes a value of this size, without parts, from its owner, or pays for it.
    #[inline(always)]
    pub(crate) fn take(&mut self, size: usize) -> Result {
        if self.own < size {
            return self.pay(1, size);
        }
        if size > SMALL {
            self.own -= size;
        }
        Ok(())
    }

    /// Enters a value of this size, and pays for it if it lies outside its owner. The reader [leaves](Self::leave) it
    /// later.
    ///
    /// Entering and leaving are two calls, not one that takes a closure. So the code between them is compiled in its
    /// place, and its result stays in registers.
    #[inline(always)]
    pub(crate) fn enter(&mut self, size: usize) -> Result<Outside> {
        if size > SMALL {
            return self.enter_any(size);
        }
        let outside = self.outside();
        self.go_deeper()?;
        if self.own < size {
            self.pay(1, size)?;
            self.own = size;
        }
        Ok(outside)
    }

    /// Enters a value of this size through which types may be recursive: it is taken from its owner whatever its size.
    #[inline(always)]
    pub(crate) fn enter_any(&mut self, size: usize) -> Result<Outside> {
        let outside = self.outside();
        self.go_deeper()?;
        let own = match self.own.checked_sub(size) {
            Some(left) => left,
            None => self.go_elsewhere(size)?,
        };
        self.own = size;
        Ok(Outside { own, ..outside })
    }

    /// Enters a list of this size, whose elements are their own owners.
    #[inline(always)]
    pub(crate) fn enter_list(&mut self, size: usize) -> Result<Outside> {
        let own = self.own;
        Ok(Outside { own, ..self.enter(size)? })
    }

    /// Leaves a value that was entered.
    #[inline(always)]
    pub(crate) fn leave(&mut self, Outside { own, depth, large }: Outside) {
        (self.own, self.depth, self.large) = (own, depth, large);
    }

    /// Enters an element of this size that is paid for. Returns the argument for
    /// [`leave_element`](Self::leave_element).
    #[inline(always)]
    pub(crate) fn enter_element(&mut self, size: usize) -> usize {
        let large = self.large;
        self.own = size;
        if size > SMALL {
            self.large += size;
        }
        large
    }

    #[inline(always)]
    pub(crate) fn leave_element(&mut self, large: usize) {
        self.large = large;
    }

    #[inline(always)]
    fn outside(&self) -> Outside {
        Outside { own: self.own, depth: self.depth, large: self.large }
    }

    #[inline(always)]
    fn go_deeper(&mut self) -> Result {
        if self.depth >= DEEPEST || self.large > LARGEST {
            return Err(too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    /// Enters a value of this size in a box, and pays for it. Returns the number of bytes that its owner has left.
    #[cold]
    #[inline(never)]
    fn go_elsewhere(&mut self, size: usize) -> Result<usize> {
        self.pay(1, size)?;
        if size > SMALL {
            self.large += size;
        }
        Ok(self.own)
    }
}

/// The state of a budget around the value that was entered.
#[derive(Clone, Copy)]
pub(crate) struct Outside {
    own: usize,
    depth: usize,
    large: usize,
}

#[cold]
fn too_much() -> ReadError {
    ReadError::new("it takes more memory than the limit")
}

#[cold]
fn too_deep() -> ReadError {
    ReadError::new(format!(
        "values are nested deeper than {DEEPEST}, or have more than {LARGEST} bytes together"
    ))
}

/// The payments for the elements of one list or map, which are on the heap.
#[derive(Debug)]
pub(crate) struct Growth {
    /// The number of elements for which the list makes room when it grows next.
    room: usize,
    /// The number of elements that are paid for and not read yet.
    paid: usize,
}

impl Growth {
    /// Returns the payments of a list that makes room for `at_first` elements before it reads the first. If the
    /// budget may not suffice for these, the list makes room for none.
    #[inline(always)]
    pub(crate) fn new(budget: &Budget, at_first: usize) -> Self {
        let room = if budget.room < AT_FIRST * LARGEST { 0 } else { at_first };
        Self { room, paid: 0 }
    }

    /// Returns the number of elements for which the list may make room.
    #[inline]
    pub(crate) const fn room(&self) -> usize {
        self.room
    }

    /// Pays for the next element of this size, unless it is paid for. At most `most` elements follow, including this
    /// one.
    #[inline(always)]
    pub(crate) fn next(&mut self, budget: &mut Budget, most: usize, size: usize) -> Result {
        if self.paid == 0 {
            self.pay(budget, most, size)?;
        }
        self.paid -= 1;
        Ok(())
    }

    /// Pays for as many elements as the list makes room for.
    #[inline(never)]
    fn pay(&mut self, budget: &mut Budget, most: usize, size: usize) -> Result {
        let room = self.room.max(FEWEST);
        self.room = room.saturating_mul(2);
        self.paid = room.min(most);
        budget.pay(GROWING * self.paid.max(FEWEST), size)
    }

    /// Pays for the key of the next pair.
    pub(crate) fn next_key(&mut self, budget: &mut Budget, size: usize) -> Result {
        self.paid = if self.paid == 0 { FIRST_PAIR } else { NEXT_PAIR };
        budget.pay(self.paid, size)
    }

    /// Pays for the value whose key was paid for.
    pub(crate) fn next_value(&self, budget: &mut Budget, size: usize) -> Result {
        budget.pay(self.paid, size + PADDING)
    }
}

/// The depth of the value being written: at most the depth at which a [`Budget`] lets it be read.
///
/// The levels of structs are `fixed` by the type. The levels of options, variants and lists are `open`: every
/// recursive type contains one. Unless the depth is `EXACT`, only open levels are counted, and fixed ones cost
/// nothing.
#[derive(Debug, Default)]
pub(crate) struct Depth<const EXACT: bool> {
    now: usize,
    /// `true` if only an exact depth decides whether the value can be read.
    pub(crate) is_doubtful: bool,
}

/// The number of open levels up to which the fixed levels of a value need not be counted.
const SHALLOW: usize = 8;

impl<const EXACT: bool> Depth<EXACT> {
    const fn levels(fixed: usize, open: usize) -> usize {
        if EXACT { fixed + open } else { open }
    }

    /// Enters this many levels.
    ///
    /// # Errors
    /// When values may not be nested as deep.
    #[inline(always)]
    pub(crate) fn enter(&mut self, fixed: usize, open: usize) -> Result {
        self.now += Self::levels(fixed, open);
        if Self::levels(fixed, open) > 0 && self.now > SHALLOW { self.look() } else { Ok(()) }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self, fixed: usize, open: usize) {
        self.now -= Self::levels(fixed, open);
    }

    #[cold]
    fn look(&mut self) -> Result {
        self.is_doubtful = !EXACT;
        if self.now <= DEEPEST {
            return Ok(());
        }
        Err(ReadError::new(format!(
            "values are nested deeper than {DEEPEST}, and would not be loaded: keep them side by side in a list, where \
             each names others by their positions"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a budget of 1,000 bytes in a value of this size.
    fn within(own: usize) -> Budget {
        let mut budget = Budget::new(1_000);
        budget.begin(own);
        budget
    }

    #[test]
    fn parts_are_taken_from_their_owner_or_paid_for() {
        let taken = |own, size| {
            let mut budget = within(own);
            budget.take(size).unwrap();
            (budget.own, budget.room)
        };
        assert_eq!((taken(100, 40), taken(33, 33)), ((60, 1_000), (0, 1_000)));
        // Small ones leave the owner as it is.
        assert_eq!((taken(100, 32), taken(32, 32)), ((100, 1_000), (32, 1_000)));
        assert_eq!((taken(39, 40), taken(0, 1)), ((39, 960), (0, 999)));
        assert!(within(0).take(1_001).is_err());
    }

    #[test]
    fn values_are_entered_in_their_owner_or_elsewhere() {
        // The bytes of the value, the bytes that are left to pay, the depth and the size of large ones; within and
        // after.
        let entered = |own, enter: fn(&mut Budget) -> Result<Outside>| {
            let mut budget = within(own);
            let outside = enter(&mut budget).unwrap();
            let inside = (budget.own, budget.room, budget.depth, budget.large);
            budget.leave(outside);
            assert_eq!((budget.depth, budget.large), (0, 0));
            (inside, budget.own)
        };
        assert_eq!(entered(100, |it| it.enter(32)), ((100, 1_000, 1, 0), 100));
        assert_eq!(entered(32, |it| it.enter(32)), ((32, 1_000, 1, 0), 32));
        assert_eq!(entered(31, |it| it.enter(32)), ((32, 968, 1, 0), 31));
        assert_eq!(entered(33, |it| it.enter(33)), ((33, 1_000, 1, 0), 0));
        assert_eq!(entered(100, |it| it.enter_any(8)), ((8, 1_000, 1, 0), 92));
        assert_eq!(entered(7, |it| it.enter_any(32)), ((32, 968, 1, 0), 7));
        assert_eq!(entered(7, |it| it.enter_any(33)), ((33, 967, 1, 33), 7));
        assert_eq!(entered(100, |it| it.enter_list(40)), ((40, 1_000, 1, 0), 100));
    }

    #[test]
    fn values_may_be_so_deep_and_so_large() {
        let mut budget = Budget::new(usize::MAX);
        (0..DEEPEST).for_each(|_| assert!(budget.enter(1).is_ok()));
        assert!(budget.depth == DEEPEST && budget.enter(1).is_err());
        let mut budget = within(0);
        let first = budget.enter_element(LARGEST);
        assert!(budget.own == LARGEST && budget.enter(1).is_ok());
        let small = budget.enter_element(SMALL);
        assert!(budget.enter(1).is_ok());
        budget.leave_element(small);
        let second = budget.enter_element(SMALL + 1);
        assert_eq!((first, second, budget.large), (0, LARGEST, LARGEST + 33));
        assert!(budget.enter(1).is_err());
        budget.leave_element(second);
        assert!(budget.enter(1).is_ok());
    }

    #[test]
    fn a_list_pays_for_the_elements_that_it_makes_room_for() {
        let enough = Budget::new(AT_FIRST * LARGEST);
        assert_eq!(Growth::new(&enough, 9).room(), 9);
        assert_eq!(Growth::new(&Budget::new(AT_FIRST * LARGEST - 1), 9).room(), 0);
        let (mut growth, mut budget) = (Growth { room: 0, paid: 0 }, Budget::new(10_000));
        let mut pays = |most| {
            let before = budget.room;
            growth.next(&mut budget, most, 8).unwrap();
            before - budget.room
        };
        // Four, then eight or as many as follow, but no fewer than four.
        assert_eq!([10, 9, 8, 7].map(&mut pays), [3 * 4 * 8, 0, 0, 0]);
        assert_eq!([6, 5, 4, 3, 2, 1].map(&mut pays), [3 * 6 * 8, 0, 0, 0, 0, 0]);
        assert_eq!([2, 1].map(&mut pays), [3 * 4 * 8, 0]);
    }

    #[test]
    fn a_map_pays_for_each_pair() {
        let (mut growth, mut budget) = (Growth { room: 0, paid: 0 }, Budget::new(10_000));
        let mut pays = |is_key| {
            let before = budget.room;
            if is_key {
                growth.next_key(&mut budget, 5).unwrap();
            } else {
                growth.next_value(&mut budget, 7).unwrap();
            }
            before - budget.room
        };
        let paid = [true, false, true, false].map(&mut pays);
        assert_eq!(paid, [12 * 5, 12 * (7 + 8), 4 * 5, 4 * (7 + 8)]);
    }

    #[test]
    fn depths_are_doubtful_beyond_a_few_open_levels() {
        let mut open = Depth::<false>::default();
        open.enter(99, SHALLOW).unwrap();
        open.enter(9, 0).unwrap();
        assert!(!open.is_doubtful);
        open.enter(0, 1).unwrap();
        assert!(open.is_doubtful);
        open.is_doubtful = false;
        open.enter(9, 0).unwrap();
        assert!(!open.is_doubtful, "fixed levels are not counted");
        assert!(open.enter(0, DEEPEST).is_err());
        let mut exact = Depth::<true>::default();
        exact.enter(100, 28).unwrap();
        assert!(!exact.is_doubtful && exact.enter(1, 0).is_err());
        exact.leave(1, 1);
        assert!(exact.enter(1, 0).is_ok());
    }
}
