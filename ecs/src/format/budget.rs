//! The memory that reading may take, and how deep values may be nested.
//!
//! Memory is paid for before it is allocated: elements of lists, texts, and values in boxes. A box is known by what does
//! not fit into its owner: a budget keeps how many bytes of each value its parts have not taken yet, and a part that is
//! larger than that is elsewhere. Depth is limited as each level takes some of the stack; and so is how large the values
//! are together that are being read.

use crate::format::error::ReadError;
use alloc::format;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Values may be nested so deep.
const DEEPEST: usize = 128;
/// Values that are being read and are elsewhere may have so many bytes together: each is on the stack several times
/// until it is complete.
const LARGEST: usize = 1 << 17;
/// A value of at most so many bytes is not taken from its owner. So boxes are seen that are larger than what holds
/// them; of small ones not all. But options and enums are always taken, as types that are within themselves go by these.
const SMALL: usize = 32;
/// A list may make room for so many elements before the first of them is read.
pub(crate) const AT_FIRST: usize = 16;
/// A map may make room for so many pairs.
pub(crate) const PAIRS_AT_FIRST: usize = 3;
/// A list that grows may have twice the room that it needs, beside what it had.
pub(crate) const GROWING: usize = 3;
/// A list makes room for so many elements at least, a set of few for three times as many.
const FEWEST: usize = 4;
/// A tree has nodes for 11 pairs, a table of hashes is at most half full when it grew: so the first pair is counted as
/// so many, and the next ones as so many each.
const FIRST_PAIR: usize = 12;
const NEXT_PAIR: usize = 4;
/// What a pair may take beside its key and value.
const PADDING: usize = size_of::<u64>();

/// What reading may still take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// How many bytes of memory may still be allocated.
    room: usize,
    /// How many bytes of the value that is being read are not taken by its parts so far.
    own: usize,
    /// How deep the value is that is being read.
    depth: usize,
    /// How many bytes the values have that are being read, and are elsewhere.
    large: usize,
}

impl Budget {
    /// A budget of so many bytes.
    pub(crate) const fn new(room: usize) -> Self {
        Self { room, own: 0, depth: 0, large: 0 }
    }

    /// Pays for so many things of this size.
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

    /// Takes a value of type `T` without parts from its owner, or pays for it.
    #[inline(always)]
    pub(crate) fn take<T>(&mut self) -> Result {
        self.take_of(size_of::<T>())
    }

    /// Takes a value of this size, like [`take`](Self::take).
    #[inline(always)]
    pub(crate) fn take_of(&mut self, size: usize) -> Result {
        if self.own < size {
            return self.pay(1, size);
        }
        if size > SMALL {
            self.own -= size;
        }
        Ok(())
    }

    /// Enters a value of type `T`, which is paid for if it is not in its owner: until the reader [leaves](Self::leave)
    /// it. These are two calls around what reads the value, and not one that is given it: so that is compiled where it
    /// is used, and what it returns stays in registers.
    #[inline(always)]
    pub(crate) fn enter<T>(&mut self) -> Result<Outside> {
        self.enter_of(size_of::<T>())
    }

    /// Enters a value of this size, like [`enter`](Self::enter).
    #[inline(always)]
    pub(crate) fn enter_of(&mut self, size: usize) -> Result<Outside> {
        if size > SMALL {
            return self.enter_any_of(size);
        }
        let outside = self.outside();
        self.go_deeper()?;
        if self.own < size {
            self.pay(1, size)?;
            self.own = size;
        }
        Ok(outside)
    }

    /// Enters a value by which types may be within themselves: it is taken from its owner whatever its size.
    #[inline(always)]
    pub(crate) fn enter_any<T>(&mut self) -> Result<Outside> {
        self.enter_any_of(size_of::<T>())
    }

    /// Enters a value of this size, like [`enter_any`](Self::enter_any).
    #[inline(always)]
    pub(crate) fn enter_any_of(&mut self, size: usize) -> Result<Outside> {
        let outside = self.outside();
        self.go_deeper()?;
        let own = match self.own.checked_sub(size) {
            Some(left) => left,
            None => self.go_elsewhere(size)?,
        };
        self.own = size;
        Ok(Outside { own, ..outside })
    }

    /// Enters a list of type `T`, whose elements are their own owners.
    #[inline(always)]
    pub(crate) fn enter_list<T>(&mut self) -> Result<Outside> {
        self.enter_list_of(size_of::<T>())
    }

    /// Enters a list of this size, like [`enter_list`](Self::enter_list).
    #[inline(always)]
    pub(crate) fn enter_list_of(&mut self, size: usize) -> Result<Outside> {
        let own = self.own;
        Ok(Outside { own, ..self.enter_of(size)? })
    }

    /// Leaves a value that was entered.
    #[inline(always)]
    pub(crate) fn leave(&mut self, Outside { own, depth, large }: Outside) {
        (self.own, self.depth, self.large) = (own, depth, large);
    }

    /// Enters an element of this size, which is paid for. Returns what [`leave_element`](Self::leave_element) needs.
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

    /// Goes to a value of this size that is in a box. Returns what its owner has left.
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
    /// For how many elements the list makes room when it grows next.
    room: usize,
    /// How many elements are paid for, and not read so far.
    paid: usize,
}

impl Growth {
    /// Those of a list that may make room for so many elements before the first of them is read: for none where that
    /// could be more than is left.
    #[inline(always)]
    pub(crate) fn new(budget: &Budget, at_first: usize) -> Self {
        let room = if budget.room < AT_FIRST * LARGEST { 0 } else { at_first };
        Self { room, paid: 0 }
    }

    /// For how many elements the list may make room.
    #[inline]
    pub(crate) const fn room(&self) -> usize {
        self.room
    }

    /// Pays for the next element of this size, if it is not paid for. At most `most` follow, with this one.
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

/// How deep the value is nested that is being written: no deeper than a [`Budget`] lets it be read.
///
/// Levels are `fixed` by the type, as those of structs, or `open`, as those of options, variants and lists, without which
/// no type is within itself. Where only a bound is needed, not an `EXACT` depth, the fixed ones cost nothing.
#[derive(Debug, Default)]
pub(crate) struct Depth<const EXACT: bool> {
    now: usize,
    /// Whether the bound does not tell that a value may be read.
    pub(crate) is_doubtful: bool,
}

/// Of a value with so few open levels it is not asked how many fixed ones there are.
const SHALLOW: usize = 8;

impl<const EXACT: bool> Depth<EXACT> {
    const fn levels(fixed: usize, open: usize) -> usize {
        if EXACT { fixed + open } else { open }
    }

    /// Enters so many levels.
    ///
    /// # Errors
    /// When that is deeper than values may be nested.
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
