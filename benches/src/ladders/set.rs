//! A sparse set for each rung: its keys and its way to find positions are parameters.

use std::mem::replace;

/// A handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    pub index: u32,
    pub generation: u32,
}

/// A key in the dense array of a set.
pub trait Key: Copy + 'static {
    fn of(entity: Entity) -> Self;
    fn index(self) -> u32;
    /// Returns `true` if the member with the index of this key is this key.
    fn is(self, member: Self) -> bool;
}

/// The caller must have checked that the entity is alive.
impl Key for u32 {
    #[inline]
    fn of(entity: Entity) -> Self {
        entity.index
    }
    #[inline]
    fn index(self) -> u32 {
        self
    }
    #[inline]
    fn is(self, _: Self) -> bool {
        true
    }
}

/// The set itself stores the entity of each member.
impl Key for Entity {
    #[inline]
    fn of(entity: Entity) -> Self {
        entity
    }
    #[inline]
    fn index(self) -> u32 {
        self.index
    }
    #[inline]
    fn is(self, member: Self) -> bool {
        self == member
    }
}

/// No position: no dense array has as many members.
pub const NOWHERE: u32 = u32::MAX;

/// A position as cells hold it.
#[expect(clippy::cast_possible_truncation, reason = "no scene has as many entities")]
#[inline]
pub fn number(position: usize) -> u32 {
    position as u32
}

/// Index → position in the dense array.
pub trait Sparse: Default + 'static {
    /// Returns the position of a member, if it belongs to the entity. Where the generation does not
    /// decide, `is_it` checks the member at a position; it is `false` where there is none.
    fn find(&self, index: u32, generation: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32>;
    /// Makes an index a member at a position; or, if it is one, gives its position.
    fn put(&mut self, index: u32, position: u32, generation: u32) -> Option<u32>;
    /// Appends a key like [`put`](Self::put), for an index that is no member.
    fn push(&mut self, index: u32, position: u32, generation: u32);
    /// Ends a membership, if the member is the right one, and gives the position.
    fn take(&mut self, index: u32, generation: u32, is_it: impl FnOnce(u32) -> bool)
    -> Option<u32>;
    /// Records the new position of a member.
    fn relocate(&mut self, index: u32, position: u32);
}

/// One cell for each index.
#[derive(Debug, Default)]
pub struct Flat {
    cells: Vec<u32>,
}

impl Flat {
    /// The cell of an index, which need not be there yet.
    #[inline]
    fn cell(&mut self, index: u32) -> &mut u32 {
        if index as usize >= self.cells.len() {
            self.grow(index);
        }
        &mut self.cells[index as usize]
    }

    /// Grows by one cell as a rule: entities are given their components in index order.
    #[inline]
    fn grow(&mut self, index: u32) {
        while self.cells.len() <= index as usize {
            self.cells.push(NOWHERE);
        }
    }
}

impl Sparse for Flat {
    #[inline]
    fn find(&self, index: u32, _: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
        let position = *self.cells.get(index as usize)?;
        is_it(position).then_some(position)
    }

    #[inline]
    fn put(&mut self, index: u32, position: u32, _: u32) -> Option<u32> {
        let cell = self.cell(index);
        if *cell != NOWHERE {
            return Some(*cell);
        }
        *cell = position;
        None
    }

    #[inline]
    fn push(&mut self, index: u32, position: u32, _: u32) {
        *self.cell(index) = position;
    }

    #[inline]
    fn take(&mut self, index: u32, _: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
        let cell = self.cells.get_mut(index as usize)?;
        if !is_it(*cell) {
            return None;
        }
        Some(replace(cell, NOWHERE))
    }

    #[inline]
    fn relocate(&mut self, index: u32, position: u32) {
        self.cells[index as usize] = position;
    }
}

/// One cell for each index, and a bit that says whether it is a member.
#[derive(Debug, Default)]
pub struct Bits {
    cells: Vec<u32>,
    words: Vec<u64>,
}

impl Bits {
    #[inline]
    fn grow(&mut self, index: u32) {
        while self.cells.len() <= index as usize {
            self.cells.push(0);
        }
        while self.words.len() <= index as usize / 64 {
            self.words.push(0);
        }
    }

    #[inline]
    fn contains(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }
}

impl Sparse for Bits {
    #[inline]
    fn find(&self, index: u32, _: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
        if !self.contains(index) {
            return None;
        }
        let position = self.cells[index as usize];
        is_it(position).then_some(position)
    }

    #[inline]
    fn put(&mut self, index: u32, position: u32, generation: u32) -> Option<u32> {
        if self.contains(index) {
            return Some(self.cells[index as usize]);
        }
        self.push(index, position, generation);
        None
    }

    #[inline]
    fn push(&mut self, index: u32, position: u32, _: u32) {
        if index as usize >= self.cells.len() {
            self.grow(index);
        }
        self.cells[index as usize] = position;
        self.words[index as usize / 64] |= 1 << (index % 64);
    }

    #[inline]
    fn take(&mut self, index: u32, _: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
        let word = self.words.get_mut(index as usize / 64)?;
        let bit = 1 << (index % 64);
        if *word & bit == 0 {
            return None;
        }
        let position = self.cells[index as usize];
        if !is_it(position) {
            return None;
        }
        *word &= !bit;
        Some(position)
    }

    #[inline]
    fn relocate(&mut self, index: u32, position: u32) {
        self.cells[index as usize] = position;
    }
}

/// Values packed in an array, found by their keys.
#[derive(Debug)]
pub struct Set<T, K, S> {
    pub sparse: S,
    pub dense: Vec<K>,
    pub values: Vec<T>,
}

impl<T, K, S: Default> Default for Set<T, K, S> {
    fn default() -> Self {
        Self { sparse: S::default(), dense: Vec::new(), values: Vec::new() }
    }
}

/// Returns `true` if the member at a position is this one.
#[inline]
fn is_member<K: Key>(key: K, dense: &[K]) -> impl FnOnce(u32) -> bool {
    move |position| dense.get(position as usize).is_some_and(|&member| key.is(member))
}

impl<T, K: Key, S: Sparse> Set<T, K, S> {
    #[inline(always)]
    pub fn get(&self, entity: Entity) -> Option<&T> {
        let is_it = is_member(K::of(entity), &self.dense);
        let position = self.sparse.find(entity.index, entity.generation, is_it)?;
        self.values.get(position as usize)
    }

    #[inline(always)]
    fn make_room(&mut self) {
        if self.dense.len() == self.dense.capacity() {
            self.grow();
        }
    }

    /// Fourfold while there are few, as the library does: most of the time it takes to fill a set
    /// is for moving it to where there is more room.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let len = self.dense.len();
        let more = if len < 1 << 14 { (3 * len).max(16) } else { len };
        self.dense.reserve(more);
        self.values.reserve(more);
    }

    /// Adds a value, or replaces it.
    #[inline(always)]
    pub fn insert(&mut self, entity: Entity, value: T) -> Option<T> {
        self.make_room();
        let end = number(self.dense.len());
        if let Some(position) = self.sparse.put(entity.index, end, entity.generation) {
            return Some(replace(&mut self.values[position as usize], value));
        }
        self.dense.push(K::of(entity));
        self.values.push(value);
        None
    }

    /// Adds the value of an entity that has none.
    #[inline(always)]
    pub fn push(&mut self, entity: Entity, value: T) {
        self.make_room();
        self.sparse.push(entity.index, number(self.dense.len()), entity.generation);
        self.dense.push(K::of(entity));
        self.values.push(value);
    }

    /// Takes a value out; the last one takes its place.
    #[inline(always)]
    pub fn remove(&mut self, entity: Entity) -> Option<T> {
        let is_it = is_member(K::of(entity), &self.dense);
        let position = self.sparse.take(entity.index, entity.generation, is_it)?;
        self.dense.swap_remove(position as usize);
        if let Some(moved) = self.dense.get(position as usize) {
            self.sparse.relocate(moved.index(), position);
        }
        Some(self.values.swap_remove(position as usize))
    }
}
