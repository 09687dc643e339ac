//! Values that a ledger lists from their beginning to their end, and calls of user code that panic.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub const MISHAP: &str = "a mishap";

struct Ledger {
    next: u32,
    alive: BTreeSet<u32>,
    /// Values whose destructor panics.
    bombs: BTreeSet<u32>,
    dropped_twice: BTreeSet<u32>,
}

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    next: 0,
    alive: BTreeSet::new(),
    bombs: BTreeSet::new(),
    dropped_twice: BTreeSet::new(),
});
/// The number of calls of [`tick`] up to the one that panics, or 0.
static FUSE: AtomicUsize = AtomicUsize::new(0);
static MISHAPS: AtomicUsize = AtomicUsize::new(0);

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value without memory of its own: if a library drops it twice, only the ledger is affected.
#[derive(Debug)]
pub struct Value(u32);

impl Value {
    pub fn new() -> Self {
        let mut ledger = ledger();
        ledger.next += 1;
        let id = ledger.next;
        ledger.alive.insert(id);
        Self(id)
    }

    pub fn id(&self) -> u32 {
        self.0
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        let mut ledger = ledger();
        if !ledger.alive.remove(&self.0) {
            ledger.dropped_twice.insert(self.0);
        }
        if ledger.bombs.remove(&self.0) {
            drop(ledger);
            mishap();
        }
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        tick();
        Self::new()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer)?;
        tick();
        Ok(Self::new())
    }
}

fn mishap() {
    MISHAPS.fetch_add(1, Ordering::SeqCst);
    panic!("{MISHAP}");
}

/// Panics at the end of the fuse.
pub fn tick() {
    let burn = |left: usize| left.checked_sub(1);
    if FUSE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, burn) == Ok(1) {
        mishap();
    }
}

/// The `count`th call of [`tick`] from now on panics; none does if it is 0.
pub fn set_fuse(count: usize) {
    FUSE.store(count, Ordering::SeqCst);
}

/// The destructor of this value panics.
pub fn arm(value: u32) {
    ledger().bombs.insert(value);
}

/// No call panics from now on.
pub fn disarm() {
    set_fuse(0);
    ledger().bombs.clear();
}

/// The number of calls that have panicked.
pub fn mishaps() -> usize {
    MISHAPS.load(Ordering::SeqCst)
}

/// The values that were not dropped.
pub fn alive() -> BTreeSet<u32> {
    ledger().alive.clone()
}

/// The number of values that were dropped twice.
pub fn dropped_twice() -> usize {
    ledger().dropped_twice.len()
}
