//! Copies of values, for components that are `Clone`.

use crate::storage::values::Storage;
use alloc::vec::Vec;
use core::iter::repeat_n;

/// A storage of values that can be cloned.
///
/// Cloning is user code. A panic leaves a storage with fewer values, or columns of different lengths, which is
/// consistent again when it is emptied.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is to be copied, and is not `Clone`",
    label = "needs `Clone`",
    note = "add `#[derive(Clone)]`, or leave out `clone` in the attribute; a component in columns is copied field \
            by field, so each field is to be `Clone`"
)]
pub trait CopyStorage<T>: Storage<T> {
    /// Makes this storage a copy of `from`, in the existing memory if that is large enough.
    fn copy_all(&mut self, from: &Self);
    /// Returns a copy of the value at `at`, which must exist.
    fn copy_one(&self, at: usize) -> T;
    /// Appends `count` copies of this value.
    fn push_copies(&mut self, value: T, count: usize);
}

#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> CopyStorage<T> for Vec<T> {
    fn copy_all(&mut self, from: &Self) {
        self.clone_from(from);
    }
    fn copy_one(&self, at: usize) -> T {
        self[at].clone()
    }
    fn push_copies(&mut self, value: T, count: usize) {
        self.extend(repeat_n(value, count));
    }
}

/// Columns beside each other.
#[diagnostic::do_not_recommend]
impl<A, B, L: CopyStorage<A>, R: CopyStorage<B>> CopyStorage<(A, B)> for (L, R) {
    fn copy_all(&mut self, from: &Self) {
        self.0.copy_all(&from.0);
        self.1.copy_all(&from.1);
    }
    fn copy_one(&self, at: usize) -> (A, B) {
        (self.0.copy_one(at), self.1.copy_one(at))
    }
    fn push_copies(&mut self, value: (A, B), count: usize) {
        self.0.push_copies(value.0, count);
        self.1.push_copies(value.1, count);
    }
}
