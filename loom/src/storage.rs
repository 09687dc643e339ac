//! Names of the storage that the file of entities imports: nothing that threads share.

#[path = "../../ecs/src/storage/key.rs"]
#[allow(dead_code, reason = "only generations are looked up")]
pub(crate) mod key;

pub(crate) mod keys {
    /// Returns the longest run, which is one key at least.
    pub(crate) fn run_of<K>(keys: &[K]) -> &[K] {
        &keys[..keys.len().min(1)]
    }
}

pub(crate) mod values {
    pub(crate) fn prefetch<T>(_: *const T) {}
}
