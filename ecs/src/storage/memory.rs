//! How much memory a sparse set takes.

/// The bytes that a sparse set holds on the heap, by part.
///
/// ```
/// assert_eq!(ecs::MemoryUsage { sparse: 1, dense: 2, values: 3 }.total(), 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// The sparse array: pages of membership bits and dense indices, and their table.
    pub sparse: usize,
    /// The dense array: the packed keys.
    pub dense: usize,
    /// The values.
    pub values: usize,
}

impl MemoryUsage {
    /// All of it.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.sparse + self.dense + self.values
    }
}
