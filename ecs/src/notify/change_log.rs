//! The changes that listeners are notified of: the operations under way, and the progress of each.
//!
//! ```text
//! operations  { insertion of A, B into 3 }        { despawn of 5 }       nested operations come last
//! rows        [ 3 A: each 7 ][ 3 B: pending ]     [ 5 C: hook ]          one component of one entity each
//! ```
//!
//! An edit adds a row for each change that has listeners. A row stores which of them it has reached, so a nested edit
//! that meets a row can go on from there, and the outer operation finds it done.

use crate::component::{Hook, HookList};
use crate::entity::Entity;
use crate::storage::sparse_set::SparseSet;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Index, IndexMut, Range};

/// A change of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    Insert,
    Update,
    Remove,
}

impl Change {
    pub(crate) const ALL: [Self; 3] = [Self::Insert, Self::Update, Self::Remove];
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// Returns the hook that is called for it.
    pub(crate) const fn hook(self, hooks: &HookList) -> Option<Hook> {
        match self {
            Self::Insert => hooks.on_insert,
            Self::Update => hooks.on_update,
            Self::Remove => hooks.on_remove,
        }
    }

    /// Returns the change of an insertion into an entity that had the component or not.
    pub(crate) const fn inserted(is_new: bool) -> Self {
        if is_new { Self::Insert } else { Self::Update }
    }
}

/// The next listeners of a row. An insertion goes from the hook down this list, a removal goes up from `AtOnce` to the
/// hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationStage {
    /// No listener was notified.
    Pending,
    Hook,
    /// Observers that are called entity by entity.
    Each,
    /// Observers that are called once for all entities of an operation.
    AtOnce,
    /// All listeners of a removal were notified; the component is still there.
    Notified,
    /// Nothing is left to be done.
    Done,
}

impl NotificationStage {
    /// Returns the stage of observers that are called entity by entity, or once for all entities.
    #[inline]
    pub(crate) const fn of_observers(at_once: bool) -> Self {
        if at_once { Self::AtOnce } else { Self::Each }
    }

    /// Returns the stage when all listeners were notified: an insertion is in place, a removal is left to be done.
    pub(crate) const fn after(change: Change) -> Self {
        match change {
            Change::Insert | Change::Update => Self::Done,
            Change::Remove => Self::Notified,
        }
    }
}

/// A change of one component of one entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangeRow {
    pub(crate) entity: Entity,
    /// The component's number, or [`ENTITY`] for the entity as a whole.
    pub(crate) number: u32,
    pub(crate) change: Change,
    pub(crate) stage: NotificationStage,
    /// The last observer that was notified in this stage.
    pub(crate) last: u64,
}

/// The number in rows that stand for an entity that is being despawned. No component has it.
pub(crate) const ENTITY: u32 = u32::MAX;

impl ChangeRow {
    pub(crate) const fn new(entity: Entity, number: u32, change: Change) -> Self {
        Self { entity, number, change, stage: NotificationStage::Pending, last: 0 }
    }

    /// Returns the row of an entity that is being despawned.
    pub(crate) const fn of_entity(entity: Entity) -> Self {
        Self { stage: NotificationStage::Notified, ..Self::new(entity, ENTITY, Change::Remove) }
    }

    pub(crate) const fn is_removal(&self) -> bool {
        matches!(self.change, Change::Remove)
    }

    /// Returns `true` if a listener was notified and something is left to be done.
    pub(crate) const fn has_begun(&self) -> bool {
        !matches!(self.stage, NotificationStage::Pending | NotificationStage::Done)
    }
}

/// The effect of an operation after its listeners were notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Nothing: the components are in place already.
    Insertion,
    /// Removes the components.
    Removal,
    /// Despawns the entities.
    Despawn,
}

/// An operation that is under way.
struct Pending {
    operation: Operation,
    /// The position of its first row; its rows end where the next operation's rows begin.
    start: usize,
    /// Observers from this number on began after the operation.
    limit: u64,
    /// The number of calls of user code that were under way when it began.
    depth: u32,
    /// Finds rows by entity; made when many rows are first searched.
    index: Option<Box<RowIndex>>,
}

/// Finds an operation's rows by entity.
#[derive(Default)]
struct RowIndex {
    /// One more than the last row of each entity, counted from the operation's first row.
    last: SparseSet<u32, Entity>,
    /// The row before each row with its entity, counted in the same way; 0 for none.
    before: Vec<u32>,
}

impl RowIndex {
    /// Adds the next row, which is one of this entity.
    fn add(&mut self, entity: Entity) {
        let place = u32::try_from(self.before.len() + 1).expect("fewer than 2^32 rows");
        self.before.push(self.last.insert(entity, place).unwrap_or(0));
    }

    /// Returns the position of the last of these rows of `entity` for which `wanted` returns `true`.
    fn find(
        &self,
        rows: &[ChangeRow],
        entity: Entity,
        wanted: &dyn Fn(&ChangeRow) -> bool,
    ) -> Option<usize> {
        let mut next = self.last.get(entity).copied().unwrap_or(0);
        while let Some(place) = (next as usize).checked_sub(1) {
            #[cfg(test)]
            crate::steps::count();
            // An earlier entity with this index may have rows, too.
            if rows[place].entity == entity && wanted(&rows[place]) {
                return Some(place);
            }
            next = self.before[place];
        }
        None
    }
}

/// Ranges with fewer rows than this are searched one by one.
const FEW: usize = 16;

/// All operations under way, and their rows.
#[derive(Default)]
pub(crate) struct ChangeLog {
    rows: Vec<ChangeRow>,
    operations: Vec<Pending>,
    /// The number of rows that belong to operations. Rows after them were added by the current edit, or by one that
    /// panicked.
    owned: usize,
    /// Memory for the components that a new entity was given, kept from spawn to spawn.
    pub(crate) given: Vec<(u32, usize)>,
}

impl ChangeLog {
    pub(crate) const fn new() -> Self {
        Self { rows: Vec::new(), operations: Vec::new(), owned: 0, given: Vec::new() }
    }

    /// Begins an edit: removes the rows of an edit that panicked.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.rows.truncate(self.owned);
    }

    /// Adds a row of the current edit.
    #[inline]
    pub(crate) fn add(&mut self, row: ChangeRow) {
        self.rows.push(row);
    }

    /// Returns the rows of the current edit.
    #[inline]
    pub(crate) fn added(&self) -> &[ChangeRow] {
        &self.rows[self.owned..]
    }

    /// Makes an operation of the rows of the current edit; returns its place.
    pub(crate) fn open(&mut self, operation: Operation, limit: u64, depth: u32) -> usize {
        self.operations.push(Pending { operation, start: self.owned, limit, depth, index: None });
        self.owned = self.rows.len();
        self.operations.len() - 1
    }

    /// Ends an operation, and those nested in it.
    pub(crate) fn close(&mut self, at: usize) {
        if let Some(Pending { start, .. }) = self.operations.get(at) {
            self.owned = *start;
            self.rows.truncate(self.owned);
            self.operations.truncate(at);
        }
    }

    /// Ends the operations that began at this depth of calls, or deeper. The rows of the current edit stay.
    pub(crate) fn abandon(&mut self, depth: u32) {
        let left = self.operations.partition_point(|operation| operation.depth < depth);
        if let Some(&Pending { start, .. }) = self.operations.get(left) {
            self.rows.drain(start..self.owned);
            self.operations.truncate(left);
            self.owned = start;
        }
    }

    /// Returns `true` if no operation is under way.
    pub(crate) const fn is_idle(&self) -> bool {
        self.operations.is_empty()
    }

    /// Adds a row to the last operation; returns its position.
    pub(crate) fn push(&mut self, row: ChangeRow) -> usize {
        self.begin();
        self.rows.push(row);
        self.owned += 1;
        self.owned - 1
    }

    /// Returns the limit of an operation: observers from this number on began after it.
    pub(crate) fn limit(&self, at: usize) -> u64 {
        self.operations[at].limit
    }

    /// Returns the positions of an operation's rows.
    pub(crate) fn range(&self, at: usize) -> Range<usize> {
        let end = self.operations.get(at + 1).map_or(self.owned, |next| next.start);
        self.operations[at].start..end
    }

    /// Returns an operation's rows, to be changed.
    pub(crate) fn of_mut(&mut self, at: usize) -> &mut [ChangeRow] {
        let range = self.range(at);
        &mut self.rows[range]
    }

    /// Returns an operation's rows.
    pub(crate) fn of(&self, at: usize) -> impl Iterator<Item = &ChangeRow> {
        self.rows[self.range(at)].iter()
    }

    /// Returns the last row of `entity` in an operation for which `wanted` returns `true`.
    pub(crate) fn find_in(
        &mut self,
        at: usize,
        entity: Entity,
        wanted: &dyn Fn(&ChangeRow) -> bool,
    ) -> Option<usize> {
        let Range { start, end } = self.range(at);
        let Self { rows, operations, .. } = self;
        let rows = &rows[start..end];
        if rows.len() <= FEW {
            return Some(start + rows.iter().rposition(|row| row.entity == entity && wanted(row))?);
        }
        let index = operations[at].index.get_or_insert_default();
        for row in &rows[index.before.len()..] {
            index.add(row.entity);
        }
        Some(start + index.find(rows, entity, wanted)?)
    }

    /// Returns the last row of `entity` for which `wanted` returns `true`, with its operation's place.
    pub(crate) fn find(
        &mut self,
        entity: Entity,
        wanted: &dyn Fn(Operation, &ChangeRow) -> bool,
    ) -> Option<(usize, usize)> {
        (0..self.operations.len()).rev().find_map(|at| {
            let operation = self.operations[at].operation;
            Some((at, self.find_in(at, entity, &|row| wanted(operation, row))?))
        })
    }

    /// Returns `true` if the listeners of `entity`'s despawn are being notified.
    pub(crate) fn is_despawning(&mut self, entity: Entity) -> bool {
        self.find(entity, &|_, row| row.number == ENTITY).is_some()
    }

    /// Adds the components of `entity` that have rows for their removal, as it is being despawned.
    pub(crate) fn numbers_of_despawn(&mut self, entity: Entity, numbers: &mut Vec<u32>) {
        while let Some((_, found)) = self.find(entity, &|operation, row| {
            operation == Operation::Despawn
                && row.number != ENTITY
                && !numbers.contains(&row.number)
        }) {
            numbers.push(self.rows[found].number);
        }
    }

    /// Merges the rows of an operation with insertions that no listener was notified of. Such rows are done, and a
    /// value that replaces a new component counts as new.
    pub(crate) fn merge(&mut self, at: usize) {
        for position in self.range(at) {
            let ChangeRow { entity, number, stage, .. } = self.rows[position];
            if stage == NotificationStage::Pending
                && let Some(earlier) = self.pending_insertion(entity, number, at)
            {
                self.rows[earlier].stage = NotificationStage::Done;
                if self.rows[earlier].change == Change::Insert {
                    self.rows[position].change = Change::Insert;
                }
            }
        }
    }

    /// Removes an insertion that no listener was notified of; returns its change.
    pub(crate) fn forget(&mut self, entity: Entity, number: u32) -> Option<Change> {
        let found = self.pending_insertion(entity, number, self.operations.len())?;
        self.rows[found].stage = NotificationStage::Done;
        Some(self.rows[found].change)
    }

    /// Returns the row of an insertion that no listener was notified of, in the operations before `end`.
    fn pending_insertion(&mut self, entity: Entity, number: u32, end: usize) -> Option<usize> {
        let wanted = |row: &ChangeRow| {
            row.number == number && !row.is_removal() && row.stage == NotificationStage::Pending
        };
        (0..end).rev().find_map(|at| self.find_in(at, entity, &wanted))
    }

    /// Removes the rows of the last operation that repeat a component of an entity: one notification is enough. Returns
    /// their number. O(rows × rows of one entity that differ).
    pub(crate) fn drop_repeated(&mut self) -> usize {
        let Some(Pending { start, index, .. }) = self.operations.last_mut() else { return 0 };
        self.rows.truncate(self.owned);
        let rows = &mut self.rows[*start..];
        if are_distinct(rows) {
            return 0;
        }
        // Contains the rows that are kept only: so an entity that comes often is not searched for among its own rows.
        let mut kept = Box::new(RowIndex::default());
        for at in 0..rows.len() {
            let (row, len) = (rows[at], kept.before.len());
            if kept.find(&rows[..len], row.entity, &|it| it.number == row.number).is_none() {
                rows[len] = row;
                kept.add(row.entity);
            }
        }
        let (count, end) = (rows.len() - kept.before.len(), *start + kept.before.len());
        *index = Some(kept);
        self.rows.truncate(end);
        self.owned = end;
        count
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<ChangeRow>()
            + self.operations.capacity() * size_of::<Pending>()
            + self.given.capacity() * size_of::<(u32, usize)>()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.given = Vec::new();
    }
}

impl Index<usize> for ChangeLog {
    type Output = ChangeRow;

    #[inline(always)]
    fn index(&self, position: usize) -> &ChangeRow {
        &self.rows[position]
    }
}

impl IndexMut<usize> for ChangeLog {
    #[inline(always)]
    fn index_mut(&mut self, position: usize) -> &mut ChangeRow {
        &mut self.rows[position]
    }
}

/// Returns `true` if a cheap test proves that no component of an entity has two of these rows. The test compares few
/// rows; of more, it is for rising indices, or uses a bit for each index if the rows of each entity are neighbours.
/// O(rows).
pub(crate) fn are_distinct(rows: &[ChangeRow]) -> bool {
    if rows.len() <= FEW {
        let is_same = |a: &ChangeRow, b: &ChangeRow| (a.entity, a.number) == (b.entity, b.number);
        return !(1..rows.len()).any(|at| rows[..at].iter().any(|row| is_same(row, &rows[at])));
    }
    let (mut first, mut last, mut is_rising) = (0, None::<Entity>, true);
    for (at, row) in rows.iter().enumerate() {
        if last == Some(row.entity) {
            if rows[first..at].iter().any(|other| other.number == row.number) {
                return false;
            }
            continue;
        }
        is_rising &= last.is_none_or(|last| last.index() < row.entity.index());
        (first, last) = (at, Some(row.entity));
    }
    is_rising || are_neighbours(rows)
}

/// The words of bits, for each row, that may be used to compare rows: more would take longer than an index of the rows.
const WORDS_A_ROW: usize = 8;

/// Returns `true` if the rows of each entity are neighbours. Returns `false`, too, if a bit for each index would take
/// too many [words](WORDS_A_ROW).
fn are_neighbours(rows: &[ChangeRow]) -> bool {
    let most = rows.iter().map(|row| row.entity.index()).max().unwrap_or(0);
    if most as usize / 64 > rows.len() * WORDS_A_ROW {
        return false;
    }
    let (mut seen, mut last) = (vec![0_u64; most as usize / 64 + 1], None);
    rows.iter().all(|&ChangeRow { entity, .. }| {
        if last == Some(entity) {
            return true;
        }
        last = Some(entity);
        let (word, bit) = (&mut seen[entity.index() as usize / 64], 1 << (entity.index() % 64));
        let is_first = *word & bit == 0;
        *word |= bit;
        is_first
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::String;

    fn entity(text: &str) -> Entity {
        text.parse().expect("a handle")
    }

    /// Returns the rows that are kept of insertions of these components into these entities.
    fn kept(rows: &[(&str, u32)]) -> Vec<(Entity, u32)> {
        let mut log = ChangeLog::new();
        for (it, number) in rows {
            log.add(ChangeRow::new(entity(it), *number, Change::Insert));
        }
        let at = log.open(Operation::Insertion, 0, 0);
        assert_eq!(log.drop_repeated(), rows.len() - log.of(at).count());
        let kept = log.of(at).map(|row| (row.entity, row.number)).collect();
        for row in rows {
            let found = log.find_in(at, entity(row.0), &|it| it.number == row.1);
            assert_eq!(
                (log[found.unwrap()].entity, log[found.unwrap()].number),
                (entity(row.0), row.1)
            );
        }
        assert_eq!(log.drop_repeated(), 0);
        log.close(at);
        assert!(log.is_idle() && log.added().is_empty());
        kept
    }

    #[test]
    fn the_first_row_of_a_component_of_an_entity_is_kept() {
        let (few, other) = ([("7v1", 1), ("7v1", 2), ("3v1", 1)], ("9v2", 1));
        let repeated = [&few[..], &[other], &few].concat();
        let expected = [("7v1", 1), ("7v1", 2), ("3v1", 1), ("9v2", 1)]
            .map(|(it, number)| (entity(it), number));
        assert_eq!(kept(&few), expected[..3]);
        assert_eq!(kept(&repeated), expected);
        assert_eq!(kept(&repeated.repeat(10)), expected, "an index finds them");
        let far = [("4000000v1", 1), ("7v1", 2), ("3v1", 1)].repeat(10);
        assert_eq!(kept(&far).len(), 3, "they have no bits");
    }

    #[test]
    fn few_rows_of_large_indices_are_compared_without_bits() {
        let rows = |list: &[&str]| -> Vec<ChangeRow> {
            list.iter().map(|it| ChangeRow::new(entity(it), 1, Change::Insert)).collect()
        };
        assert!(are_distinct(&rows(&["4000000000v1", "7v1"])));
        assert!(!are_distinct(&rows(&["4000000000v1", "7v1", "4000000000v1"])));
        let mut many: Vec<String> =
            (0..100).map(|at| format!("{}v1", 4_000_000_000_u32 - at)).collect();
        let named: Vec<&str> = many.iter().map(|it| &**it).collect();
        assert!(!are_distinct(&rows(&named)), "it is not known: bits would take 500 MB");
        many.reverse();
        let named: Vec<&str> = many.iter().map(|it| &**it).collect();
        assert!(are_distinct(&rows(&named)));
    }
}
