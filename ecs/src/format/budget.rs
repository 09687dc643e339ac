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
/// Each level counts as so many of these bytes; of a value that is where its owner is, nothing else is counted.
const LEVEL: usize = LARGEST / DEEPEST;
/// A value of at most so many bytes is not looked for in a box, nor taken from its owner: the byte that it takes in the
/// input pays for it. Boxes within it are seen against its owner then; but options, enums and elements are always
/// counted, as types that are within themselves go by these.
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

/// What reading may still take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// How many bytes of memory may still be allocated.
    room: usize,
    /// How many bytes of the value that is being read are not taken by its parts so far.
    own: usize,
    /// How deep and how large the values are that are being read.
    nest: usize,
}

impl Budget {
    /// A budget of so many bytes.
    pub(crate) const fn new(room: usize) -> Self {
        Self { room, own: 0, nest: 0 }
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

    /// Enters a value of type `T`, which is paid for if it is not in its owner: until the reader [leaves](Self::leave)
    /// it. These are two calls around what reads the value, and not one that is given it: so that is compiled where it
    /// is used, and what it returns stays in registers.
    #[inline(always)]
    pub(crate) fn enter<T>(&mut self) -> Result<Outside> {
        if size_of::<T>() > SMALL {
            return self.enter_any::<T>();
        }
        let outside = Outside { own: self.own, nest: self.nest };
        self.go_deeper()?;
        Ok(outside)
    }

    /// Enters a value by which types may be within themselves: it is looked for in a box whatever its size.
    #[inline(always)]
    pub(crate) fn enter_any<T>(&mut self) -> Result<Outside> {
        let (size, nest) = (size_of::<T>(), self.nest);
        self.go_deeper()?;
        let own = match self.own.checked_sub(size) {
            Some(left) => left,
            None => self.go_elsewhere(size)?,
        };
        self.own = size;
        Ok(Outside { own, nest })
    }

    /// Leaves a value of type `T`.
    #[inline(always)]
    pub(crate) fn leave<T>(&mut self, outside: Outside) {
        self.nest = outside.nest;
        // What is small takes nothing from its owner.
        if size_of::<T>() > SMALL {
            self.own = outside.own;
        }
    }

    /// Leaves a value that was [entered](Self::enter_any) whatever its size.
    #[inline(always)]
    pub(crate) fn leave_any(&mut self, Outside { own, nest }: Outside) {
        (self.own, self.nest) = (own, nest);
    }

    /// Enters a list of type `T`, whose elements are their own owners; to be left by [`leave_any`](Self::leave_any).
    #[inline(always)]
    pub(crate) fn enter_list<T>(&mut self) -> Result<Outside> {
        let own = self.own;
        Ok(Outside { own, ..self.enter::<T>()? })
    }

    /// Enters an element of this size, which is paid for. Returns the nest that [`leave_element`](Self::leave_element)
    /// restores.
    #[inline(always)]
    pub(crate) fn enter_element(&mut self, size: usize) -> usize {
        let nest = self.nest;
        self.own = size;
        if size > SMALL {
            self.nest += size;
        }
        nest
    }

    #[inline(always)]
    pub(crate) fn leave_element(&mut self, nest: usize) {
        self.nest = nest;
    }

    #[inline(always)]
    fn go_deeper(&mut self) -> Result {
        if self.nest > LARGEST - LEVEL {
            return Err(too_deep());
        }
        self.nest += LEVEL;
        Ok(())
    }

    /// Goes to a value of this size that is in a box. Returns what its owner has left.
    #[cold]
    #[inline(never)]
    fn go_elsewhere(&mut self, size: usize) -> Result<usize> {
        self.pay(1, size)?;
        self.nest += size;
        Ok(self.own)
    }
}

/// The state of a budget around the value that was entered.
#[derive(Clone, Copy)]
pub(crate) struct Outside {
    own: usize,
    nest: usize,
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
        budget.pay(self.paid, size)
    }
}

/// How deep the value is nested that is being written.
///
/// Levels are counted as a [`Budget`] counts them: what is written is not too deep to be read.
#[derive(Debug, Default)]
pub(crate) struct Depth(usize);

impl Depth {
    /// Enters so many levels.
    ///
    /// # Errors
    /// When that is deeper than values may be nested.
    #[inline(always)]
    pub(crate) fn enter(&mut self, levels: usize) -> Result {
        self.0 += levels;
        if self.0 > DEEPEST { Err(would_be_too_deep()) } else { Ok(()) }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self, levels: usize) {
        self.0 -= levels;
    }
}

#[cold]
fn would_be_too_deep() -> ReadError {
    ReadError::new(format!(
        "values are nested deeper than {DEEPEST}, and would not be loaded: keep them side by side in a list, where \
         each names others by their positions"
    ))
}
