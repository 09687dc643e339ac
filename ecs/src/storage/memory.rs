//! The memory that a sparse set takes.

/// The bytes that a sparse set holds on the heap, by part.
///
/// ```
/// let set: ecs::SparseSet<u64> = (0..1_000).map(|key| (key, 1)).collect();
/// let memory = set.memory_usage();
/// assert!(memory.values >= 8_000);
/// assert_eq!(memory.total(), memory.sparse + memory.dense + memory.values);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryUsage {
    /// The sparse array: pages of membership bits and dense indices, and their table.
    pub sparse: usize,
    /// The dense array: the packed keys.
    pub dense: usize,
    /// The values.
    pub values: usize,
}

impl MemoryUsage {
    /// Returns the sum of all parts.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.sparse + self.dense + self.values
    }
}
